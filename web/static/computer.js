// The computer at the table: which seats it plays, what it just did and why, and what it thinks of the position while hints are on.
import { $, attempt, make, post, say, sentence } from "./page.js";
import { pictures } from "./faces.js";
import * as seated from "./seated.js";

export const LEVELS = [1, 2, 3, 4, 5];

/** Who plays a seat: a person, or the computer at a level. */
export const levels = (chosen = 0) => [0, ...LEVELS].map((level) =>
  make("option", { value: level, selected: level === chosen }, level ? say("computer.level", { level }) : say("computer.person")));

export class Computer {
  /** `place` holds a list of seats and a line of text; under what it `said` it can be asked why; `changed()` draws the board anew. */
  constructor(place, said, changed) {
    Object.assign(this, { place, said, changed, told: "", isExplaining: false, state: null });
    $("#why", said).addEventListener("click", () => this.explain(!this.isExplaining));
  }

  show(state) {
    this.state = state;
    this.place.hidden = !state.game || state.seats.length < 2;
    $("p", this.place).textContent = thought(state);
    const answers = JSON.stringify([state.reply, Boolean(this.lastMove(state))]);
    if (answers !== this.answers) {
      this.answers = answers;
      this.isExplaining = false;
      this.#showWhy();
    }
    const told = JSON.stringify([state.id, state.seats, state.players, state.computer]);
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
    return this.isExplaining && reply?.ply === moves.length ? reply.line.slice(1, 5) : [];
  }

  #showWhy() {
    const { reply } = this.state;
    $("#why", this.said).hidden = !this.lastMove(this.state);
    $("#why", this.said).setAttribute("aria-pressed", String(this.isExplaining));
    const shown = this.isExplaining && reply ? [reasonOf(reply), ...reply.line.slice(1, 5).map(({ words, pieces }, n) => [`${n + 1}. `, ...pictures(pieces), words])] : [];
    $(".line", this.said).replaceChildren(...shown.map((words) => make("li", {}, words)));
  }

  seat(state, seat) {
    const { computer } = state;
    const choose = async ({ target }) => {
      const { [seat]: _, ...seats } = computer;
      if (Number(target.value)) seats[seat] = Number(target.value);
      if (!(await attempt(() => post("/api/computer", { seats })))) target.value = computer[seat] ?? 0; // refused
    };
    return make("li", {}, make("label", {}, `${sentence(seated.nameFor(state, seat))} `, make("select", { onchange: choose }, levels(computer[seat]))));
  }
}

const percent = (value) => Math.round(100 * value);

/** How it ends if nobody errs, where that is known. */
const ends = ({ exact, value }) => (exact ? { 0: "lost", 0.5: "drawn", 1: "won" }[value] : undefined);

function reasonOf({ slipped, exact, value, line }) {
  if (slipped) return say("computer.slipped");
  const end = ends({ exact, value });
  if (end) return [say(`computer.knows.${end}`), line.length > 1 && say("computer.then-it")].filter(Boolean).join(" ");
  return say(line.length > 1 ? "computer.expects" : "computer.sees", { percent: percent(value), sure: say(exact ? "computer.exact" : "computer.searched") });
}

/** That it thinks, or its move, which is to be made for it. */
function thought({ to_move: mover, computer, hint_told: hint, analysis, over }) {
  if (over || !(mover in computer)) return "";
  return hint && !analysis ? say("computer.make", { move: hint.words }) : say("computer.thinks");
}

/** What a hint is worth and how it would go on. */
export function worthOf({ analysis, hint_line: line, solitaire }) {
  if (!analysis || !line.length) return "";
  const end = ends(analysis);
  const sure = say(analysis.exact ? "computer.exact" : "computer.searched");
  const then = line.slice(1, 4).map(({ words }) => words).join("; ");
  const worth = !end ? say("computer.analysis", { percent: percent(analysis.value), sure }) : solitaire ? say(end === "won" ? "solo.can" : "solo.lost") : say(`computer.is.${end}`);
  return [worth, then && say("computer.then", { line: then })].filter(Boolean).join(" ");
}
