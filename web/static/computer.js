// The computer at the table: which seats it plays, what it just did and why, and what it thinks of the position while hints are on.
import { $, attempt, make, post, say } from "./page.js";
import { pictures } from "./faces.js";

export const LEVELS = [1, 2, 3, 4, 5];

/** Who plays a seat: a person, or the computer at a level. */
export const levels = (chosen = 0) => [0, ...LEVELS].map((level) =>
  make("option", { value: level, selected: level === chosen }, level ? say("computer.level", { level }) : say("computer.person")));

export class Computer {
  /** `place` holds a list of seats, a line of text, and what is expected; `changed()` draws the board anew. */
  constructor(place, changed) {
    Object.assign(this, { place, changed, told: "", isExplaining: false, state: null });
    $("#why", place).addEventListener("click", () => this.explain(!this.isExplaining));
  }

  show(state) {
    this.state = state;
    this.place.hidden = !state.game || state.seats.length < 2;
    const thinks = JSON.stringify([thought(state), state.reply]);
    if (thinks !== this.thinks) {
      if (state.reply?.ply !== JSON.parse(this.thinks ?? "[]")[1]?.ply) this.isExplaining = false;
      this.thinks = thinks;
      $("p", this.place).replaceChildren(...thought(state));
      this.#showWhy();
    }
    const told = JSON.stringify([state.id, state.seats, state.names, state.computer]);
    if (told === this.told) return; // a list that somebody is choosing from stays as it is
    this.told = told;
    $("ul", this.place).replaceChildren(...state.seats.map((seat) => this.seat(state, seat)));
  }

  /** The computer's move, if it was the last that was made. */
  lastMove({ reply, moves, over }) {
    return reply && reply.ply === moves.length && !over ? reply.line[0] : null;
  }

  explain(on) {
    this.isExplaining = on;
    this.#showWhy();
    this.changed();
  }

  /** What it expects after its move, to be drawn on the board. */
  line() {
    const { reply, moves } = this.state ?? {};
    return this.isExplaining && reply && reply.ply <= moves.length ? reply.line.slice(1 + moves.length - reply.ply, 5) : [];
  }

  #showWhy() {
    const { reply, over } = this.state;
    $("#why", this.place).hidden = !reply || over;
    $("#why", this.place).setAttribute("aria-pressed", String(this.isExplaining));
    const shown = this.isExplaining && reply ? [reasonOf(reply), ...reply.line.slice(1, 5).map(({ words, pieces }, n) => [`${n + 1}. `, ...pictures(pieces), words])] : [];
    $(".line", this.place).replaceChildren(...shown.map((words) => make("li", {}, words)));
  }

  seat({ names, computer }, seat) {
    const choose = async ({ target }) => {
      const { [seat]: _, ...seats } = computer;
      if (Number(target.value)) seats[seat] = Number(target.value);
      if (!(await attempt(() => post("/api/computer", { seats })))) target.value = computer[seat] ?? 0; // refused
    };
    return make("li", {}, make("label", {}, `${names[seat] ?? seat} `, make("select", { onchange: choose }, levels(computer[seat]))));
  }
}

const percent = (value) => Math.round(100 * value);

function reasonOf({ slipped, exact, value, line }) {
  if (slipped) return say("computer.slipped");
  return say(line.length > 1 ? "computer.expects" : "computer.sees", { percent: percent(value), sure: say(exact ? "computer.exact" : "computer.searched") });
}

/** Whose move is to be made for it, what it just played, or how good the position is. */
function thought({ to_move, computer, hint_told: hint, analysis, hint_line: line, reply, moves, over }) {
  if (to_move in computer) return hint && !analysis ? [say("computer.make", { move: hint.words })] : [say("computer.thinks")];
  if (analysis && line.length) {
    const sure = say(analysis.exact ? "computer.exact" : "computer.searched");
    return [say("computer.analysis", { move: line[0].words, percent: percent(analysis.value), sure }), ...(line.length > 1 ? [` ${say("computer.then", { line: line.slice(1, 4).map(({ words }) => words).join("; ") })}`] : [])];
  }
  if (reply && reply.ply <= moves.length && !over) return [say("computer.played"), " ", ...pictures(reply.line[0]?.pieces), reply.line[0]?.words ?? ""];
  return [];
}
