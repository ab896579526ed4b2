// The settings, each with what it means.
import { $, Refused, get, make, post, say, sentence } from "./page.js";

const form = $("#settings");
let held = [];

async function load() {
  held = (await get("/api/settings")).sort((one, other) => other.changeable - one.changeable);
  form.replaceChildren(
    ...held.map(({ name, value, help, changeable, when, choices }) => {
      const note = name === "corners" ? make("a", { href: "/setup" }, say("settings.corners")) : !changeable ? say("settings.at-start") : when === "start" ? say("settings.next-start") : null;
      const field = choices.length
        ? make("select", { name, disabled: !changeable }, choices.map((one) => make("option", { value: one.value, selected: one.value === value }, sentence(one.label))))
        : make("input", { name, value, disabled: !changeable });
      return make("label", { class: "setting" },
        make("span", {}, make("b", {}, say(`setting.${name}`)), make("span", { class: "faint" }, sentence(help), note ? " · " : null, note)), field);
    }),
    make("div", { class: "row" }, make("button", { class: "primary" }, say("settings.keep")), make("p", { id: "said", role: "status" })),
  );
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const changed = {};
  for (const { name, value, changeable } of held) {
    const { value: typed } = form.elements[name];
    if (changeable && typed !== String(value ?? "")) changed[name] = typed;
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
