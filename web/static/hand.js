// Playing by hand: squares touched one after another narrow down the legal moves until one is left.
// The server says of each move which squares to touch and which pieces it takes; its text is only sent back.
import { attempt, get, keepFocus, make, post, say, sentence } from "./page.js";
import { face, fillBlank, picture } from "./faces.js";
import { rose } from "./rose.js";

const MOST = 60; // buttons at once; more are found by typing
const FEW = 16; // that need not be scrolled

export class Hand {
  /** `changed()` redraws the board with `marks()`. */
  constructor(place, changed) {
    Object.assign(this, { place, changed, open: false });
    this.forget();
  }

  /** Nothing is touched for a position that has gone. */
  forget() {
    Object.assign(this, { moves: [], touched: [], ways: [], announces: false, said: "", typed: "", offBoard: [] });
  }

  /** `has(square)`: what is drawn. Squares that moves name beyond it (a plank still to be laid) must be drawn to be touched. */
  async load(has, at, announcement) {
    const { moves, choices } = await get("/api/moves").catch(() => ({ moves: [], choices: [] }));
    const alone = isOnePiece(moves);
    Object.assign(this, { announcement, moves: moves.flatMap((move) => withChoices({ pieces: [], alone, ...move }, choices)) });
    this.offBoard = [...new Set(this.moves.flatMap(({ trace }) => trace.touch))].filter((square) => !has(square));
    this.clear();
    this.place.dataset.at = at; // these are the moves of this event
  }

  clear(said = "") {
    Object.assign(this, { touched: [], ways: [], announces: false, said, typed: "" });
    this.#show();
    this.changed();
  }

  /** A square is touched: once more lets go of it; one that fits nothing is explained. */
  async touch(square) {
    if (!this.moves.length) return;
    if (this.touched.includes(square)) {
      const left = this.touched.filter((one) => one !== square);
      return this.#take(left);
    }
    const more = [...this.touched, square];
    if (fitting(this.moves, more).length) return this.#take(more);
    const alone = fitting(this.moves, [square]);
    if (alone.some((move) => move.alone)) return this.#take([square]); // the same piece goes elsewhere
    const said = await this.#why(alone.length ? more : [square]);
    // what was touched stays, so that the next touch can be a better one; another piece starts anew
    if (alone.some(({ trace }) => trace.ordered)) this.touched = [square];
    this.said = said;
    this.#show();
    this.changed();
  }

  #take(squares) {
    Object.assign(this, { touched: squares, said: "", typed: "" });
    this.#show();
    this.changed();
  }

  /** What the board points out while a move is being touched together. */
  marks() {
    if (!this.touched.length) return { can: this.offBoard, labels: "" };
    const left = fitting(this.moves, this.touched);
    const can = new Set(left.flatMap((move) => rests(move, this.touched)));
    const beyond = this.touched.filter((square) => this.offBoard.includes(square)); // not pointed out, it would not be drawn
    return { can: [...can, ...beyond], labels: tops(left) };
  }

  /** The reason, in the server's words, why these squares are no move together. */
  async #why(squares) {
    const { rule, reason } = await get(`/api/why?squares=${squares.join()}`).catch(() => ({}));
    if (reason) return `${sentence(reason)}${rule.includes(".") ? ` (${rule})` : ""}.`;
    return squares.length === 1 ? say("hand.nothing-on", { square: squares[0] }) : say("hand.not-together", { squares: squares.join(", ") });
  }

  #show() {
    const left = fitting(this.moves, this.touched);
    const rows = [];
    if (this.said) rows.push(make("p", { class: "why", role: "alert" }, this.said));
    const only = this.touched.length && left.length === 1 ? left[0] : null;
    const drawsFirst = this.moves.length > 0 && this.moves.every(({ tiles }) => tiles); // a tile is drawn before its square is chosen
    if (drawsFirst || only?.tiles) rows.push(...this.#tile(only, (only ?? this.moves[0]).tiles));
    else if (only) rows.push(...this.#announce(only), this.#button(only, { primary: true }));
    else if (this.touched.length) rows.push(...this.#which(left));
    else rows.push(...this.#withoutSquares());
    if (this.touched.length) {
      rows.push(make("button", { class: "quiet", onclick: () => this.clear() }, say("hand.let-go", { squares: this.touched.join(" ") })));
    }
    if (this.moves.length) rows.push(this.#all(left));
    keepFocus(this.place, () => this.place.replaceChildren(...rows));
    this.place.classList.toggle("active", Boolean(this.touched.length || this.said));
  }

  /** Of the moves that fit, those that need no further square, if there are some. */
  #which(left) {
    const complete = left.filter((move) => rests(move, this.touched).length === 0);
    const offered = complete.length ? complete : left;
    if (offered.length > MOST) return [make("p", { class: "faint" }, say("hand.more", { count: left.length }))];
    return [make("p", { class: "faint" }, say("hand.which", { count: left.length })), this.#choices(offered)];
  }

  /** Moves for which nothing is touched; those that differ in a piece that has a picture stand under their common words. */
  #withoutSquares() {
    const bare = this.moves.filter(({ trace }) => !trace.touch.length);
    if (!bare.length || bare.length > MOST) return [];
    const groups = new Map([["", []]]);
    for (const move of bare) {
      const words = move.blank && picture(move.pieces[0]) ? move.blank : "";
      groups.set(words, [...(groups.get(words) ?? []), move]);
    }
    const rows = [make("p", { class: "faint" }, say("hand.or"))];
    for (const [words, moves] of groups) {
      if (words) rows.push(make("p", { class: "faint" }, fillBlank(sentence(words), "…")));
      if (moves.length) rows.push(this.#choices(moves, { brief: Boolean(words) }));
    }
    return rows;
  }

  #choices(moves, how) {
    return make("div", { class: `choices ${moves.length > FEW ? "many" : ""}` }, moves.map((move) => this.#button(move, how)));
  }

  /** Which tile: its three arrows, or one that is drawn by chance. */
  #tile(move, tiles) {
    const chosen = (ways) => ((this.ways = ways), this.#show());
    const tile = tiles.find(({ name }) => name === this.ways.join("-"));
    const doing = [rose(tiles.map(({ name }) => name), this.ways, chosen)];
    if (tile && move) doing.push(...this.#announce(move), this.#button(withPiece(move, tile), { primary: true }));
    else doing.unshift(make("p", { class: "faint" }, say(tile ? "hand.tile-where" : move ? "hand.tile-on" : "hand.tile", { square: move?.trace.touch.at(-1) })));
    return doing;
  }

  /** What the rules let one announce with this move. */
  #announce({ announced }) {
    if (!announced) return [];
    const box = make("input", { type: "checkbox", id: "announce", onchange: () => ((this.announces = box.checked), this.#show()) });
    box.checked = this.announces;
    return [make("label", { class: "switch" }, box, this.announcement || say("hand.announce"))];
  }

  /** All moves in words, for those who would rather type, or do not see the board. */
  #all(left) {
    const list = make("div", { class: "choices many" });
    const fill = () => {
      const typed = this.typed.toLowerCase();
      const found = left.filter((move) => `${move.move} ${move.label}`.toLowerCase().includes(typed));
      list.replaceChildren(...found.slice(0, MOST).map((move) => this.#button(move)));
      if (found.length > MOST) list.append(make("span", { class: "faint" }, say("hand.and-more", { count: found.length - MOST })));
    };
    const field = make("input", { type: "search", value: this.typed, placeholder: say("hand.type"), "aria-label": say("hand.type"),
      oninput: () => ((this.typed = field.value), fill()) });
    const details = make("details", { class: "all-moves", open: this.open, ontoggle: () => { this.open = details.open; if (this.open) fill(); } },
      make("summary", {}, say("hand.all", { count: left.length })), field, list);
    if (this.open) fill();
    return details;
  }

  /** `primary`: the one that is to be played; `brief`: what it has in common with others is told above them. */
  #button(move, { primary = false, brief = false } = {}) {
    const text = primary && this.announces && move.announced ? move.announced : move.move;
    const before = primary ? say("hand.play") : "";
    const label = fillBlank(move.label, "…").join("");
    const shown = brief ? [picture(move.pieces[0])] : face(move, primary ? label : sentence(label));
    const chosen = () => (move.tiles ? this.#take(move.trace.touch) : this.play(text));
    return make("button", { class: `move ${primary ? "primary" : ""}`, "data-move": text, "aria-label": `${before} ${label}`.trim(), onclick: chosen },
      before ? make("span", {}, before) : null, make("span", { class: "face" }, shown));
  }

  async play(move) {
    await attempt(() => post("/api/play", { moves: [move] }));
  }
}

/** Only one piece can move: then where it stands need not be touched. */
function isOnePiece(moves) {
  const starts = new Set(moves.map(({ trace }) => (trace.start ?? []).join()));
  return starts.size === 1 && !starts.has("");
}

/** A move that leaves a piece to choose is one move for each; tiles, of which there are many, are named by their arrows later. */
function withChoices(move, choices) {
  const pieces = choices[move.choices];
  if (!pieces) return [move];
  return pieces.every(({ kind }) => kind === "tile") ? [{ ...move, tiles: pieces }] : pieces.map((piece) => withPiece(move, piece));
}

/** The move with the piece that was chosen. `blank` are its words with a blank for the piece. */
function withPiece(move, piece) {
  const fill = (text) => text?.replace("{}", piece.name);
  const { tiles, ...rest } = move;
  return { ...rest, move: fill(move.move), announced: fill(move.announced), label: fill(move.label), pieces: [piece], blank: move.trace.touch.length ? "" : move.label };
}

/** The moves that what was touched can still become. */
export function fitting(moves, touched) {
  if (!touched.length) return moves;
  return moves.filter((move) => rests(move, touched));
}

/** The squares that are still to be touched for a move, null if it does not fit. Where the one piece stands that can move may be left out. */
function rests({ trace, alone }, touched) {
  if (!trace.ordered) return touched.every((square) => trace.touch.includes(square)) ? trace.touch.filter((square) => !touched.includes(square)) : null;
  const squares = alone && touched[0] !== trace.touch[0] ? trace.touch.slice(trace.start.length) : trace.touch;
  let at = -1;
  const inOrder = touched.every((square, n) => (at = squares.indexOf(square, at + 1)) >= 0 && (n > 0 || at === 0));
  return inOrder ? squares.filter((square) => !touched.includes(square)) : null;
}

/** The top that a die would show on the squares it can reach, where the moves say it. */
function tops(moves) {
  const found = new Map();
  for (const { trace, top } of moves) {
    if (top) found.set(trace.to.at(-1), new Set([...(found.get(trace.to.at(-1)) ?? []), top]));
  }
  return [...found].map(([square, some]) => `${square}:${[...some].sort().join("/")}`).join(",");
}
