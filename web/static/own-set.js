// A set in colors of its own is shown to the companion, which learns it.
import { $, $$, Refused, get, post, say } from "./page.js";

let game = "";

/** How pieces are to be laid for this game, and what can be learned from. */
export async function askAbout(wanted, played) {
  game = wanted;
  $("#learn-played").hidden = !played;
  $("#learn-said").textContent = "";
  const known = await get(`/api/learn?game=${wanted}`).catch(() => null);
  if (!known || game !== wanted) return;
  $("#learn-forget").hidden = !known.learned;
  $("#learn-start").hidden = !known.start;
  $("#asked-for").innerHTML = known.drawing;
}

async function learn(what) {
  const said = $("#learn-said");
  const asked = game;
  const buttons = $$("#own-set button");
  said.textContent = say("setup.learning");
  buttons.forEach((button) => (button.disabled = true)); // two answers might come in the other order
  try {
    const told = await post("/api/learn", { game, ...what });
    if (asked !== game) return; // somebody chose another one meanwhile
    said.textContent = told.said;
    $("#learn-forget").hidden = !told.learned;
  } catch (refused) {
    if (asked === game) said.textContent = refused instanceof Refused ? refused.reason : say("no-answer");
  } finally {
    buttons.forEach((button) => (button.disabled = false));
  }
}

for (const position of ["asked", "start", "played"]) $(`#learn-${position}`).addEventListener("click", () => learn({ position }));
$("#learn-forget").addEventListener("click", () => learn({ forget: true }));
