// A solitaire at the table: its time, hints one by one, and whether it can still be solved.
import { $, attempt, keepFocus, language, make, post, say, sentence, serverNow } from "./page.js";
import { duration } from "./duration.js";
import { pictures } from "./faces.js";

/** A date as people say it. */
const dayOf = (day) => new Date(`${day}T12:00`).toLocaleDateString(language, { day: "numeric", month: "long" });

export class Solving {
  constructor(place) {
    this.place = place;
    this.state = null;
    this.told = "";
    setInterval(() => this.tick(), 500);
  }

  show(state) {
    this.state = state.solitaire;
    this.place.hidden = !state.solitaire || state.over;
    if (this.place.hidden) return;
    const { hints, level_text: level, day, solvable, goes_back: goesBack } = state.solitaire;
    const lost = solvable === "no" || (state.analysis?.exact && state.analysis.value === 0);
    const told = JSON.stringify([hints, level, day, solvable, goesBack, lost, state.hints.locked, state.hint_told]);
    if (told !== this.told) {
      this.told = told;
      keepFocus(this.place, () => this.place.replaceChildren(...this.parts(state, lost)));
    }
    this.tick();
  }

  parts({ solitaire, hints: { locked }, hint_told: hint }, lost) {
    const { hints, level_text: level, day, solvable, goes_back: goesBack } = solitaire;
    const about = [day && say("solo.of-the-day", { day: dayOf(day) }), level && sentence(level), hints && say("solo.hints", { count: hints })];
    const ask = (id, label, path, body, kind = "") => make("button", { id, class: kind, disabled: locked || goesBack, onclick: () => attempt(() => post(path, body)) }, label);
    const said = goesBack ? "solo.looking" : lost ? "solo.lost" : { asked: "solo.thinking", yes: "solo.can", unknown: "solo.unknown" }[solvable];
    return [
      make("div", { class: "solo-head" }, make("time", { class: "timer", "aria-label": say("solo.time") }), make("span", { class: "faint" }, about.filter(Boolean).join(" · "))),
      hint && !lost ? make("p", { class: "solo-hint" }, pictures(hint.pieces), hint.words) : null,
      make("p", { class: `solo-said ${lost ? "lost" : ""}`, role: "status" }, said ? say(said) : ""),
      make("div", { class: "choices" },
        lost ? null : ask("solo-hint", say("solo.hint"), "/api/hints", { once: true }),
        lost ? null : ask("solo-can", say("solo.can?"), "/api/solvable", {}),
        ask("solo-back", say("solo.back"), "/api/last-good", {}, lost ? "primary" : "")),
    ].filter(Boolean);
  }

  tick() {
    const face = $(".timer", this.place);
    if (!this.state || !face) return;
    const { seconds, at, running } = this.state;
    face.textContent = duration(seconds + (running ? Math.max(0, serverNow() - at) : 0));
  }
}
