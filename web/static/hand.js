// Playing by hand: squares touched one after another narrow down the legal moves until one is left.
import { attempt, get, keepFocus, make, post, say, sentence } from "./page.js";
import { face } from "./faces.js";
import { rose } from "./rose.js";

const MOST = 60; // buttons at once; more are found by typing
const FEW = 16; // that need not be scrolled
const TRIES = 4; // moves that are asked about to explain a refusal

export class Hand {
  /** `changed()` redraws the board with `marks()`. */
  constructor(place, changed) {
    Object.assign(this, { place, changed, moves: [], tiles: [], touched: [], ways: [], frozen: false, said: "", typed: "", open: false, offBoard: [] });
  }

  /** `has(square)`: what is drawn. Squares that moves name beyond it (a plank still to be laid) must be drawn to be touched. */
  async load(has, at, mayFreeze) {
    const { moves, tiles } = await get("/api/moves").catch(() => ({ moves: [], tiles: [] }));
    Object.assign(this, { has, tiles, mayFreeze, ways: [], moves: moves.map((move) => ({ ...move, squares: covered(move) })) });
    this.offBoard = [...new Set(this.moves.flatMap(({ squares }) => squares))].filter((square) => !has(square));
    this.clear();
    this.place.dataset.at = at; // these are the moves of this event
  }

  clear(said = "") {
    Object.assign(this, { touched: [], ways: [], frozen: false, said, typed: "" });
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
    const alone = fitting(this.moves, [square]).length > 0;
    const said = await this.#why(alone ? more : [square]);
    // what was touched stays, so that the next touch can be a better one; another piece starts anew
    if (alone && isOrdered(fitting(this.moves, [square])[0])) this.touched = [square];
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
    const can = new Set(left.flatMap((move) => move.squares).filter((square) => !this.touched.includes(square)));
    const beyond = this.touched.filter((square) => this.offBoard.includes(square)); // not pointed out, it would not be drawn
    return { can: [...can, ...beyond], labels: labels(left) };
  }

  /** The reason, in the server's words, for a move that was perhaps meant. */
  async #why(squares) {
    let first = null;
    for (const meant of this.#meant(squares).slice(0, TRIES)) {
      const text = meant.replace("?", this.tiles[0]);
      const { legal, rule, reason } = await get(`/api/why?move=${encodeURIComponent(text)}`).catch(() => ({ legal: true }));
      if (legal) continue;
      const told = `${sentence(reason)}${rule.includes(".") ? ` (${rule})` : ""}.`;
      if (rule === "turn" || squares.some((square) => new RegExp(`\\b${square}\\b`).test(reason))) return told;
      first ??= told;
    }
    if (first) return first;
    return squares.length === 1 ? say("hand.nothing-on", { square: squares[0] }) : say("hand.not-together", { squares: squares.join(", ") });
  }

  /** Texts of moves that use these squares: legal ones, shifted, or a way from one to the other. */
  #meant(squares) {
    if (isOrdered(this.moves[0])) {
      const [from, to] = squares;
      const sign = this.moves[0].move.includes(">") ? ">" : "-";
      if (to === undefined) return this.moves.slice(0, TRIES).map((move) => `${from}${sign}${move.squares.at(-1)}`).filter((text) => !text.endsWith(from));
      const straight = sign === ">" || from[0] === to[0] || from.slice(1) === to.slice(1);
      return straight ? [`${from}${sign}${to}`] : [`${from}-${from[0]}${to.slice(1)}-${to}`, `${from}-${to[0]}${from.slice(1)}-${to}`];
    }
    const texts = new Set();
    for (const move of this.moves.filter((one) => !isOrdered(one) && one.squares.length >= squares.length)) {
      for (const square of move.squares) {
        const shifted = shift(move, square, squares[0]);
        if (shifted && squares.every((one) => shifted.squares.includes(one)) && shifted.squares.every(this.has)) texts.add(shifted.text);
      }
      if (texts.size > TRIES * 4) break;
    }
    return [...texts];
  }

  #show() {
    const left = fitting(this.moves, this.touched);
    const bare = this.moves.filter((move) => !move.squares.length);
    const exact = left.filter((move) => this.touched.length && this.touched.length === new Set(move.squares).size);
    const offered = this.touched.length ? (exact.length && exact.length < left.length ? exact : left) : bare;
    const rows = [];
    if (this.said) rows.push(make("p", { class: "why", role: "alert" }, this.said));
    const only = this.touched.length && left.length === 1 ? left[0] : null;
    const placing = this.tiles.length > 0 && this.moves.every(isOfTile); // the tile is drawn before its square is chosen
    if (placing || (only && isOfTile(only))) rows.push(...this.#tile(only));
    else if (only) rows.push(...this.#freeze(only), this.#button(only, "primary", say("hand.play")));
    else if (offered.length && offered.length <= MOST) {
      rows.push(make("p", { class: "faint" }, this.touched.length ? say("hand.which", { count: left.length }) : say("hand.or")));
      rows.push(make("div", { class: `choices ${offered.length > FEW ? "many" : ""}` }, offered.map((move) => this.#button(move))));
    } else if (this.touched.length) {
      rows.push(make("p", { class: "faint" }, say("hand.more", { count: left.length })));
    }
    if (this.touched.length) {
      rows.push(make("button", { class: "quiet", onclick: () => this.clear() }, say("hand.let-go", { squares: this.touched.join(" ") })));
    }
    if (this.moves.length) rows.push(this.#all(left));
    keepFocus(this.place, () => this.place.replaceChildren(...rows));
    this.place.classList.toggle("active", Boolean(this.touched.length || this.said));
  }

  /** Which tile: its three arrows, or one that is drawn by chance. */
  #tile(move) {
    const chosen = (ways) => ((this.ways = ways), this.#show());
    const tile = this.tiles.find((one) => one === this.ways.join("-"));
    const doing = [rose(this.tiles, this.ways, chosen)];
    if (tile && move) doing.push(...this.#freeze(move), this.#button({ move: move.move.replace("?", tile), label: `${tile} ${move.label}` }, "primary", say("hand.play"), face({ move: move.move.replace("?", tile) })));
    else doing.unshift(make("p", { class: "faint" }, say(tile ? "hand.tile-where" : move ? "hand.tile-on" : "hand.tile", { square: move?.label })));
    return doing;
  }

  /** With a step of a pawn it may be announced that nobody will be able to move. */
  #freeze({ move }) {
    if (!this.mayFreeze || !/^[a-h]\d(=|$)/.test(move)) return [];
    const box = make("input", { type: "checkbox", id: "freeze", onchange: () => ((this.frozen = box.checked), this.#show()) });
    box.checked = this.frozen;
    return [make("label", { class: "switch" }, box, say("hand.freeze"))];
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

  #button(move, kind = "", before = "", shown = face(move)) {
    const text = `${move.move}${kind && this.frozen ? "!" : ""}`;
    const chosen = () => (isOfTile(move) ? this.#take(move.squares) : this.play(text));
    return make("button", { class: `move ${kind}`, "data-move": text, "aria-label": `${before} ${move.label}`.trim(), onclick: chosen }, before ? make("span", {}, before) : null, make("span", { class: "face" }, shown));
  }

  async play(move) {
    await attempt(() => post("/api/play", { moves: [move] }));
  }
}

/** It takes a tile that is still to be named. */
const isOfTile = ({ move }) => move.includes("?@") || move.includes("=?");

/** From one square to another, rather than squares covered in any order. */
const isOrdered = (move) => Boolean(move) && /[a-z]-?\d[->][a-z]/.test(move.move);

/** The moves that what was touched can still become. */
export function fitting(moves, touched) {
  if (!touched.length) return moves;
  const inOrder = (move) => {
    let at = -1;
    return touched.every((square, n) => (at = move.squares.indexOf(square, at + 1)) >= 0 && (n > 0 || at === 0));
  };
  return moves.filter((move) => (isOrdered(move) ? inOrder(move) : touched.every((square) => move.squares.includes(square))));
}

/** A card is named by two of its corners and may be touched anywhere. */
function covered({ move, squares }) {
  if (!/^[a-g]\d[a-g]\d$/.test(move)) return squares;
  const [[west, south], [east, north]] = squares.map((square) => [square.charCodeAt(0), Number(square[1])]);
  const all = [];
  for (let column = west; column <= east; column++) {
    for (let row = south; row <= north; row++) all.push(`${String.fromCharCode(column)}${row}`);
  }
  return all;
}

/** The same move elsewhere, so that what was on `from` is on `to`. */
function shift(move, from, to) {
  const [across, up] = [to.charCodeAt(0) - from.charCodeAt(0), Number(to.slice(1)) - Number(from.slice(1))];
  const moved = (square) => `${String.fromCharCode(square.charCodeAt(0) + across)}${Number(square.slice(1)) + up}`;
  return { squares: move.squares.map(moved), text: move.move.replace(/[a-i]-?\d+/g, moved) };
}

/** The top that a die would show on the squares it can reach, where the moves say it. */
function labels(moves) {
  const tops = new Map();
  for (const { squares, top } of moves) {
    if (top) tops.set(squares.at(-1), new Set([...(tops.get(squares.at(-1)) ?? []), top]));
  }
  return [...tops].map(([square, found]) => `${square}:${[...found].sort().join("/")}`).join(",");
}
