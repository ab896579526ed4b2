// Who sits at the table, whose turn it is and what there is to do, in words and with each seat's color and shape.
import { isUp } from "./live.js";
import { catalogue, make, say, sentence } from "./page.js";

/** What the catalogue says of the game that is played. */
export const gameOf = (state) => catalogue.games.find(({ id }) => id === state.game);
export const wordFor = (state, seat) => gameOf(state)?.labels[seat] ?? seat;
export const nameFor = (state, seat) => state.players[state.seats.indexOf(seat)] || wordFor(state, seat);

/** Whether its points are marks against whoever has them: the winner has none. */
export const areMarks = (state) => gameOf(state)?.match?.counts === "marks" && gameOf(state).match.fewest_wins.includes(state.seats.length);

/** The seat's own color and shape. */
export function badge(state, seat) {
  const { color, shape } = gameOf(state)?.badges[seat] ?? {};
  const token = make("span", { class: `token ${shape ?? ""}`, "aria-hidden": "true" });
  if (color) token.style.setProperty("--badge", color);
  return token;
}

/** Whether the computer is to move, and nobody has to make its move on a board before a camera. */
export const isComputers = ({ to_move: mover, computer, camera, over }) => !over && mover in computer && camera.state === "none";

/** Whether the only person plays from the other side: then the board is turned to him, as he would sit. */
export const sitsAcross = ({ seats = [], computer = {}, camera }) => camera?.state === "none" && seats.length === 2 && seats[0] in computer && !(seats[1] in computer);

/** Whose turn it is and what to do, or how it ended. */
export function turnText(state) {
  const { outcome, to_move: seat, now } = state;
  if (outcome && state.solitaire) return outcome.text;
  if (outcome) return outcome.winner ? say("wins", { player: nameFor(state, outcome.winner) }) : say(outcome.draw ? "draw" : "over");
  if (!seat) return "";
  if (isComputers(state)) return say("now", { player: nameFor(state, seat), what: say("computer.turn") });
  if (!now) return say("turn", { player: nameFor(state, seat) });
  return state.seats.length > 1 ? say("now", { player: nameFor(state, seat), what: now }) : sentence(now);
}

/** What is said where the referee says nothing, by kind. */
export const SAID = { paused: "paused.text", blind: "blind.text", "cut-off": "cut-off.text" };

/** What the referee says beside a title; where that is only the title again, when he looks once more. */
export const besideTitle = (title, told) => (told.toLowerCase() === title.toLowerCase() ? say("hand.text") : told);

const KINDS = new Set(["same", "move", "partial", "illegal", "unsure", "hand"]);
const BLIND = new Set(["lost", "ended"]);

/** What is to be said of the table: what the referee says, unless nobody can see it now. */
export function kindOf({ over, paused, camera, verdict }) {
  if (!isUp()) return "cut-off";
  if (over) return "over";
  if (paused) return "paused";
  if (BLIND.has(camera.state)) return "blind";
  return KINDS.has(verdict?.kind) ? verdict.kind : "same";
}
