// The settings by what they are about, each with what it means; what holds only after a restart is marked.
import { $, Refused, catalogue, get, make, post, say, sentence } from "./page.js";

const GROUPS = ["table", "camera", "lights", "machine"];
const form = $("#settings");
let held = [];

async function load() {
  held = await get("/api/settings");
  form.replaceChildren(
    ...GROUPS.map(showGroup),
    make("div", { class: "keep" }, make("p", { id: "said", role: "status" }), make("button", { class: "primary" }, say("settings.keep"))),
  );
}

function showGroup(group) {
  const mine = held.filter((one) => one.group === group);
  return make("fieldset", { class: "card" },
    make("legend", { class: "legend" }, say(`settings.group.${group}`)),
    make("p", { class: "faint" }, say(`settings.group.${group}-about`)),
    mine.filter(({ changeable }) => changeable).map(showSetting),
    mine.filter(({ changeable }) => !changeable).map(showSetting));
}

function showSetting({ name, value, help, changeable, when, choices }) {
  const field = choices.length
    ? make("select", { name, disabled: !changeable }, choices.map((one) => make("option", { value: one.value, selected: one.value === value }, sentence(one.label))))
    : make("input", { name, value, disabled: !changeable, autocomplete: "off" });
  return make("label", { class: "setting", "data-setting": name },
    make("span", {}, make("b", {}, say(`setting.${name}`), changeable && when === "start" ? make("span", { class: "mark-restart" }, say("settings.restart")) : null),
      make("span", { class: "faint" }, catalogue.texts[`setting.${name}-about`] ?? sentence(help)), note(name, changeable)),
    make("span", { class: "field" }, field, make("span", { class: "why", role: "alert" })));
}

function note(name, changeable) {
  if (name === "corners") return make("a", { href: "/setup#corners-step", class: "block" }, say("settings.corners"));
  return changeable ? null : make("span", { class: "faint block" }, say("settings.fixed"));
}

function changes() {
  const changed = held.filter(({ name, value, changeable }) => changeable && form.elements[name].value !== String(value ?? ""));
  return Object.fromEntries(changed.map(({ name }) => [name, form.elements[name].value]));
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const changed = changes();
  const later = held.some(({ name, when }) => name in changed && when === "start");
  for (const place of form.querySelectorAll(".why")) place.textContent = "";
  for (const place of form.querySelectorAll("[aria-invalid]")) place.removeAttribute("aria-invalid");
  try {
    await post("/api/settings", changed);
    await load();
    $("#said").textContent = say(later ? "settings.restart-now" : "settings.kept");
    $("#said").className = "good";
  } catch (refused) {
    showWhy(refused);
  }
});

/** Beside the field that is wrong, and at the foot of the form. */
function showWhy(refused) {
  const reason = refused instanceof Refused ? refused.reason : say("no-answer");
  $("#said").textContent = `${say("settings.wrong")} ${reason}`;
  $("#said").className = "why";
  const field = refused.field ? form.elements[refused.field] : null;
  if (!field) return;
  field.setAttribute("aria-invalid", "true");
  $(`[data-setting="${refused.field}"] .why`).textContent = reason;
  field.focus();
}
load();
