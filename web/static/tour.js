// The first game: a few steps that point at the parts of the table, and end with a first move.
import { $, $$, make, remembered, say } from "./page.js";
import { follow } from "./live.js";
import { gameOf } from "./seated.js";

const PLACES = { board: ["#board"], now: ["#turn"], hand: ["#tray", "#hand", "#board"] };
const place = $("#tour");
let state = null;
let at = null; // the step that is shown; null: none

const steps = () => gameOf(state)?.tour ?? [];
const key = () => `tour.${state.game}`;

/** Who has never played this game in this browser is led, unless a camera watches and hands move the pieces. */
function offer(next) {
  const other = state?.id !== next.id;
  if (other) end(); // the tour of the game before
  state = next;
  const begun = next.moves.length > 0 || next.over;
  $("#tour-start").hidden = !steps().length || begun || at !== null;
  if (other && next.game && !begun && next.camera.state === "none" && next.role !== "viewer" && !remembered.get(key())) show(0);
  else if (at !== null && begun) end();
}

function show(number) {
  at = number;
  const { at: where, text } = steps()[number];
  const last = number === steps().length - 1;
  const places = PLACES[where].map((one) => $(one));
  point(places.find((one) => one?.childNodes.length) ?? places.at(-1)); // the board may not be drawn yet
  place.replaceChildren(
    make("p", { class: "tour-text" }, text),
    make("p", { class: "choices" },
      make("span", { class: "faint" }, say("tour.step", { step: number + 1, last: steps().length })),
      number > 0 ? make("button", { class: "small quiet", onclick: () => show(number - 1) }, say("setup.previous")) : null,
      last ? null : make("button", { class: "small primary", onclick: () => show(number + 1) }, say("tour.next")),
      make("button", { class: "small quiet", onclick: end }, say(last ? "close" : "tour.skip"))),
  );
  place.hidden = false;
  $("#tour-start").hidden = true;
}

function point(target) {
  for (const one of $$(".pointed-at")) one.classList.remove("pointed-at");
  target?.classList.add("pointed-at");
}

function end() {
  if (at === null) return;
  at = null;
  point(null);
  place.hidden = true;
  if (state.game) remembered.set(key(), "seen");
}

$("#tour-start").addEventListener("click", () => show(0));
follow(offer);
