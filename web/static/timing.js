// The clock's dialog: start and stop, time given and taken, another clock. And a flag that is down, which persons decide on.
import { $, attempt, keepFocus, make, post, say } from "./page.js";
import { control } from "./control.js";

const STEPS = [-60, -10, 10, 60]; // seconds given or taken

const tell = (asked) => attempt(() => post("/api/clock", asked));
const signed = (seconds) => `${seconds < 0 ? "−" : "+"}${Math.abs(seconds) < 60 ? say("seconds", { count: Math.abs(seconds) }) : say("minutes", { count: Math.abs(seconds) / 60 })}`;

export class Timing {
  /** `nameFor(seat)` in people's words; `tick()` writes the times where there is a `.clock`. */
  constructor(nameFor, tick) {
    Object.assign(this, { nameFor, tick, dialog: null, state: null });
  }

  open() {
    const kind = make("select", { id: "other-clock" });
    const fields = make("div", { class: "fields" });
    const other = make("form", { class: "other", onsubmit: async (event) => (event.preventDefault(), (await tell({ do: "set", clock: chosen() })) && this.dialog?.close()) },
      make("label", {}, say("clock.change"), kind), fields, make("button", { id: "use-clock" }, say("clock.use")));
    const chosen = control(kind, fields, this.state.clock?.kind ?? "fischer");
    this.dialog = make("dialog", { class: "timing", "aria-label": say("clock"), onclose: () => (this.dialog.remove(), (this.dialog = null)) },
      make("h2", {}, say("clock")), make("div", { class: "now" }), other,
      make("div", { class: "choices" }, make("button", { class: "quiet", onclick: () => this.dialog.close() }, say("close"))));
    document.body.append(this.dialog);
    this.dialog.showModal();
    this.show(this.state);
  }

  /** How the clock stands, while the dialog is open. */
  show(state) {
    this.state = state;
    if (!this.dialog) return;
    const { clock, seats } = state;
    const place = $(".now", this.dialog);
    const told = JSON.stringify([clock && Object.keys(clock.seats), clock?.running]);
    if (place.dataset.told === told) return this.tick();
    place.dataset.told = told;
    const rows = clock ? seats.map((seat) =>
      make("div", { class: "times" }, make("b", {}, this.nameFor(seat)), make("time", { class: "clock", "data-seat": seat }),
        make("span", { class: "steps" }, STEPS.map((seconds) =>
          make("button", { class: "small", "data-add": seconds, "data-seat": seat, "aria-label": say(seconds < 0 ? "clock.takes" : "clock.gives", { player: this.nameFor(seat), time: signed(seconds).slice(1) }),
            onclick: () => tell({ do: "add", seat, seconds }) }, signed(seconds)))))) : [];
    const doing = clock ? make("button", { id: "start-stop", onclick: () => tell({ do: this.state.clock.running ? "stop" : "start" }) }, say(clock.running ? "clock.stop" : "clock.start")) : null;
    keepFocus(place, () => place.replaceChildren(...rows, doing ?? make("p", { class: "faint" }, say("clock.not-there"))));
    return this.tick();
  }
}

/** Who is out of time: called, never applied. What comes of it is for persons. */
export function flags(state, nameFor, end) {
  const fallen = state.over || !state.clock ? [] : Object.keys(state.clock.seats).filter((seat) => state.clock.seats[seat].flag);
  const sides = Object.keys(state.scores); // those who can win: with teams, the teams
  return fallen.map((seat) => {
    const winners = sides.filter((side) => side !== state.sides[seat]);
    return make("section", { class: "question", "data-flag": seat },
      make("p", {}, say("flag.down", { player: nameFor(seat) })),
      make("p", { class: "faint" }, say("flag.called")),
      make("div", { class: "choices" },
        winners.length === 1 ? make("button", { onclick: () => attempt(() => post("/api/result", { winner: winners[0], why: "time" })) }, say("flag.wins", { player: nameFor(winners[0]) })) : null,
        make("button", { onclick: end }, say("do.end")),
        make("button", { onclick: () => tell({ do: "add", seat, seconds: 60 }) }, say("clock.gives", { player: nameFor(seat), time: say("minutes", { count: 1 }) }))));
  });
}
