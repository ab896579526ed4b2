// How a game ends: when persons end it, the usual ways by one touch, and any reason with any winner; and when it has
// ended, who won, what decided it, the score counted out, and what comes next.
import { areMarks } from "./seated.js";
import { $, $$, attempt, catalogue, make, post, say, sentence } from "./page.js";

const SVG = "http://www.w3.org/2000/svg";
const LONGEST = 4000; // ms that the counting takes at most
const STEP = 450; // ms for each part, where there are few

const end = (why, winner) => attempt(() => post("/api/result", { winner: winner || null, why }));

/** `sides`: those who can win. */
export function askHowItEnds(sides, nameFor) {
  const alone = sides.length === 1;
  const usual = [];
  if (alone) usual.push(["resigned", "", say("end.gives-up")]);
  if (sides.length === 2) for (const side of sides) usual.push(["resigned", sides.find((other) => other !== side), say("end.resigns", { player: nameFor(side) })]);
  if (!alone) usual.push(["agreed", "", say("end.draw")]);
  const why = make("select", { name: "why" }, catalogue.endings.map(({ why: code, label }) => make("option", { value: code }, sentence(label))));
  const winner = make("select", { name: "winner" }, sides.map((side) => make("option", { value: side }, nameFor(side))), make("option", { value: "" }, say(alone ? "end.unsolved" : "end.nobody")));
  const close = (done) => () => (dialog.close(), done?.());
  const dialog = make("dialog", { class: "ask", onclose: () => dialog.remove() },
    make("h2", {}, say("end.how")),
    make("div", { class: "choices" }, usual.map(([code, side, label]) => make("button", { "data-why": code, "data-winner": side, onclick: close(() => end(code, side)) }, label))),
    make("form", { class: "other", onsubmit: (event) => (event.preventDefault(), close(() => end(why.value, winner.value))()) },
      make("h3", {}, say("end.otherwise")),
      make("div", { class: "fields" }, make("label", {}, say("end.why"), why), make("label", {}, say("end.winner"), winner)),
      make("button", { id: "end-so" }, say("end.so"))),
    make("div", { class: "choices" }, make("button", { class: "quiet", onclick: close() }, say("cancel"))));
  document.body.append(dialog);
  dialog.showModal();
}

const shown = (score) => String(score).replace(/^0\.5$/, "½").replace(".5", "½");

/** What is marked on the board: what counted for the winner; where nobody won, all that counted. */
export function wonSquares(decided, winner) {
  return decided.filter(({ side }) => !winner || side === winner).flatMap(({ squares }) => squares);
}

export class Ending {
  /** `board` is the drawn board, `draw` draws it anew. */
  constructor(place, board, draw) {
    Object.assign(this, { place, board, draw, told: "", counting: 0, marked: [] });
  }

  /** The squares that decided the game, when they have been counted. */
  get squares() {
    return this.marked;
  }

  /** `nameFor` names a side; `ended`: it has ended just now, before the eyes of whoever looks. */
  show(state, nameFor, ended) {
    const told = state.over ? JSON.stringify([state.id, state.outcome, state.match, state.scores]) : "";
    if (told === this.told) return;
    this.told = told;
    this.counting++;
    this.marked = [];
    this.place.hidden = !state.over;
    this.place.closest(".side")?.classList.toggle("ended", Boolean(state.over));
    if (!state.over) return;
    this.place.replaceChildren(...this.parts(state, nameFor));
    const counts = state.decided.some(({ points }) => points);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (ended && counts && !still) this.countOut(state);
    else this.marked = wonSquares(state.decided, state.outcome.winner);
    if (ended) this.place.scrollIntoView({ block: "nearest", behavior: still ? "auto" : "smooth" });
  }

  parts(state, nameFor) {
    const { outcome, match, solitaire, scores } = state;
    const goesOn = !outcome.winner && !outcome.draw && !solitaire && !match?.over; // one leg alone has no winner
    const headline = outcome.winner && !solitaire ? say("wins", { player: nameFor(outcome.winner) }) : outcome.draw ? say("draw") : solitaire ? (outcome.winner ? outcome.text : say("end.unsolved")) : say("end.leg", { points: Math.max(...Object.values(scores)) });
    const score = !solitaire && make("ul", { class: "score-board", "aria-label": say("score") },
      Object.entries(scores).map(([side, points]) =>
        make("li", { class: side === outcome.winner ? "winner" : "" }, make("span", {}, sentence(nameFor(side))), make("b", { "data-side": side }, shown(points)))));
    return [
      make("h2", {}, sentence(headline)),
      solitaire && outcome.winner ? null : make("p", {}, `${sentence(outcome.because)}.`, goesOn ? ` ${say("end.leg-decides")}` : ""),
      score || null,
      areMarks(state) ? make("p", { class: "faint" }, say("end.marks")) : null,
      match ? make("p", { class: "standing" }, make("strong", {}, match.over ? match.text : say("match.game", { number: match.number, games: match.games })), match.over ? null : ` ${match.text}`) : null,
      make("div", { class: "choices" }, this.next(state)),
    ].filter(Boolean);
  }

  next({ id, game, match, solitaire, outcome, seats }) {
    const review = make("a", { class: "button", href: `/replay/${id}` }, say("end.review"));
    const again = (label, kind = "") => make("button", { id: "next-game", class: kind, onclick: () => attempt(() => post("/api/next", solitaire ? {} : { players: seats.map((_, n) => say("match.player", { number: n + 1 })) })) }, label);
    if (solitaire) {
      const back = outcome.winner ? null : make("button", { id: "end-last-good", class: "primary", onclick: () => attempt(() => post("/api/last-good")) }, say("solo.back"));
      return [back, make("a", { class: `button ${back ? "" : "primary"}`, href: "/new" }, say("solo.another")), again(say("solo.again")), review].filter(Boolean);
    }
    if (match && !match.over) return [again(say("match.next", { player: match.next }), "primary"), review];
    if (match) return [make("a", { class: "button primary", href: "/new" }, say("match.another")), review];
    const { counts, seats_stay: stay } = catalogue.games.find((one) => one.id === game).match;
    return [again(say(stay ? "end.rematch-first" : counts === "legs" ? "end.return-leg" : "end.rematch"), "primary"), review];
  }

  /** The score, part by part: squares light up, and the number beside the name grows. */
  async countOut({ decided, outcome, id }) {
    const mine = this.counting;
    const step = Math.min(STEP, LONGEST / decided.length);
    const sums = {};
    for (const face of $$(".score-board b", this.place)) face.textContent = "0";
    for (const { squares, side, points } of decided) {
      await new Promise((done) => setTimeout(done, step));
      if (mine !== this.counting) return;
      sums[side] = (sums[side] ?? 0) + points;
      const face = $(`.score-board b[data-side="${CSS.escape(side)}"]`, this.place);
      if (face) face.textContent = shown(sums[side]);
      this.light(squares, side === outcome.winner || !outcome.winner);
    }
    await new Promise((done) => setTimeout(done, 2 * step));
    if (mine !== this.counting) return;
    this.marked = wonSquares(decided, outcome.winner);
    this.place.dataset.counted = id;
    $$(".counted", this.board.place).forEach((mark) => mark.remove());
    this.draw();
  }

  light(squares, won) {
    for (const square of this.board.squares().filter(({ dataset }) => squares.includes(dataset.square))) {
      const { x, y, width, height } = square.getBBox();
      const mark = document.createElementNS(SVG, "rect");
      const inset = Math.min(width, height) * 0.05;
      const geometry = { x: x + inset, y: y + inset, width: width - 2 * inset, height: height - 2 * inset, rx: width * 0.1, class: `counted ${won ? "won" : ""}` };
      for (const [name, value] of Object.entries(geometry)) mark.setAttribute(name, value);
      square.append(mark);
    }
  }
}

/** How the match stands, while it is played. */
export function showMatch(place, { match, over }) {
  place.hidden = !match || over;
  if (place.hidden) return;
  place.replaceChildren(make("strong", {}, say("match.game", { number: match.number, games: match.games })), ` ${match.text}`);
}
