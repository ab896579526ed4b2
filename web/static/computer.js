// The computer at the table: which seats it plays, and what it thinks of the position while hints are on.
import { $, attempt, make, post, say } from "./page.js";

const LEVELS = [1, 2, 3, 4, 5];

export class Computer {
  /** `place` holds a list of seats and a line of text. */
  constructor(place) {
    this.place = place;
    this.told = "";
  }

  show(state) {
    this.place.hidden = !state.game || state.seats.length < 2;
    $("p", this.place).textContent = thought(state);
    const told = JSON.stringify([state.id, state.seats, state.names, state.computer]);
    if (told === this.told) return; // a list that somebody is choosing from stays as it is
    this.told = told;
    $("ul", this.place).replaceChildren(...state.seats.map((seat) => this.seat(state, seat)));
  }

  seat({ names, computer }, seat) {
    const choose = async ({ target }) => {
      const { [seat]: _, ...seats } = computer;
      if (Number(target.value)) seats[seat] = Number(target.value);
      if (!(await attempt(() => post("/api/computer", { seats })))) target.value = computer[seat] ?? 0; // refused
    };
    const options = [0, ...LEVELS].map((level) =>
      make("option", { value: level, selected: level === (computer[seat] ?? 0) }, level ? say("computer.level", { level }) : say("computer.person")));
    return make("li", {}, make("label", {}, `${names[seat] ?? seat} `, make("select", { onchange: choose }, options)));
  }
}

/** Whose move is to be made for it, or how good the position is. */
function thought({ to_move, computer, hint, analysis }) {
  if (to_move in computer) return hint && !analysis ? say("computer.make", { move: hint }) : say("computer.thinks");
  if (!analysis) return "";
  const sure = say(analysis.exact ? "computer.exact" : "computer.searched");
  return say("computer.analysis", { move: analysis.move, percent: Math.round(100 * analysis.value), sure, line: analysis.line.slice(0, 6).join(" ") });
}
