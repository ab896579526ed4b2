// Inviting a phone: as what, and then its code; and for the referee who is signed in, to be shown out.
import { $, $$, attempt, get, make, post, say } from "./page.js";
import { showCode } from "./code.js";

for (const button of $$("[data-invite]")) {
  button.addEventListener("click", () => {
    for (const other of $$("[data-invite]")) other.setAttribute("aria-pressed", other === button);
    showCode($("#code"), button.dataset.invite);
  });
}

function showPeople(people) {
  $("#people").hidden = false;
  $("#people ul").replaceChildren(...people.map(showPerson));
}

function showPerson({ number, role, seats, camera, address, since, you }) {
  const clock = new Date(since * 1000).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const what = camera ? say("people.camera") : say(`role.${role}`);
  const out = make("button", { type: "button", "data-out": number }, say("people.out"));
  out.addEventListener("click", () => attempt(async () => showPeople(await post("/api/people/out", { number }))));
  return make("li", { "data-person": number },
    make("span", {}, make("b", {}, what), ` ${[...seats, address, clock].join(" · ")}`),
    you ? make("span", { class: "faint" }, say("people.you")) : out);
}

get("/api/people").then(showPeople, () => {}); // only the referee is told
