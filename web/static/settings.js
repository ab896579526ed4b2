// The settings, each with what it means and where it comes from.
import { $, Refused, get, make, post, say } from "./page.js";

const form = $("#settings");
let held = [];

async function load() {
  const told = await get("/api/settings").catch((refused) => ((form.textContent = refused.reason), null));
  if (!told) return;
  const given = told.settings ?? told;
  held = Array.isArray(given) ? given : Object.entries(given).map(([name, one]) => ({ name, ...(one !== null && typeof one === "object" ? one : { value: one }) }));
  form.replaceChildren(
    ...held.map(({ name, written, value, help, source, choices, locked }) => {
      const shown = written ?? value ?? "";
      const field = choices
        ? make("select", { name }, choices.map((choice) => make("option", { value: choice, selected: choice === shown }, choice === "" ? "–" : choice)))
        : make("input", { name, value: shown });
      field.disabled = Boolean(locked) || source === "command-line";
      return make("label", { class: "setting" },
        make("span", {}, make("b", {}, say(`setting.${name}`)), make("span", { class: "faint" }, help ?? "", source ? ` (${say(`source.${source}`)})` : "")), field);
    }),
    make("div", { class: "row" }, make("button", { class: "primary" }, say("settings.keep")), make("p", { id: "said", role: "status" })),
  );
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const changed = {};
  for (const { name, written, value } of held) {
    const field = form.elements[name];
    if (field && !field.disabled && field.value !== String(written ?? value ?? "")) changed[name] = field.value;
  }
  try {
    await post("/api/settings", changed);
    await load();
    $("#said").textContent = say("settings.kept");
  } catch (refused) {
    $("#said").textContent = refused instanceof Refused ? refused.reason : say("no-answer");
  }
});
load();
