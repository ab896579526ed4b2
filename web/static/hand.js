// Playing by hand, on the board itself: squares touched and pieces picked up narrow down the legal moves until one is left,
// which is then played. The server says of each move which squares to touch and which pieces it takes; its text is only sent back.
import { attempt, get, keepFocus, make, post, ruled, say, sentence } from "./page.js";
import { addressOf, face, fillBlank, picture } from "./faces.js";
import { fitting, flipped, isMeant, isOnePiece, keyOf, laidOn, middleOf, rests, shapeOf, tops, turned, withChoices, withPiece } from "./fitting.js";
import { rose } from "./rose.js";

const MOST = 60; // buttons at once; more are found by typing
const FEW = 16; // that need not be scrolled

export class Hand {
  /** `changed()` points out on the board what `marks()` tells, and shows in the tray what is picked up. */
  constructor(place, board, changed) {
    Object.assign(this, { place, board, changed, open: false, isSending: false });
    this.forget();
  }

  /** Nothing is touched for a position that has gone. */
  forget() {
    Object.assign(this, { moves: [], offBoard: [], announces: false, isWaiting: false, early: null });
    this.#letGo();
  }

  #letGo(said = "") {
    Object.assign(this, { touched: [], ways: [], picked: null, name: "", shape: "", ghost: null, said, typed: "", asked: null });
  }

  /** The moves of the position that is shown now; what is touched until they are `coming` is answered then.
   *  `has(square)`: what is drawn. Squares that moves name beyond it (a plank still to be laid) must be drawn to be touched. */
  async load(coming, has, at, announcement) {
    this.isWaiting = true;
    const { moves, choices } = await coming;
    const alone = isOnePiece(moves);
    Object.assign(this, { announcement, moves: moves.flatMap((move) => withChoices({ pieces: [], alone, ...move }, choices)) });
    const named = this.moves.flatMap(({ trace }) => [...trace.touch, ...(trace.laid ?? [])]);
    this.offBoard = [...new Set(named)].filter((square) => !has(square));
    this.clear();
    this.#send(false);
    this.place.dataset.at = at; // these are the moves of this event
    const { early } = this;
    Object.assign(this, { isWaiting: false, early: null });
    if (early) this.touch(...early);
  }

  clear(said = "") {
    this.#letGo(said);
    this.#tell();
  }

  #tell() {
    this.#show();
    this.changed();
  }

  // --- a piece from beside the board

  /** Whether a piece can be taken now. */
  mayPick(piece) {
    return this.moves.some(({ pieces }) => pieces.some((one) => keyOf(one) === keyOf(piece)));
  }

  /** Take it up; once more turns it, or puts it down where it cannot be turned. */
  pick(piece, isDragged = false) {
    if (this.picked && keyOf(this.picked) === keyOf(piece)) return isDragged || this.turn() ? undefined : this.clear();
    if (!this.mayPick(piece)) return undefined;
    this.#letGo();
    this.picked = piece;
    const names = this.#names();
    this.name = names.includes(piece.name) ? piece.name : names[0];
    const shapes = this.#shapes();
    this.shape = [...shapes].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "";
    this.#tell();
    return isDragged ? undefined : this.#makeRoom();
  }

  /** Turn what is picked up by a quarter, or to the next way in which it fits somewhere. False: there is no other. */
  turn() {
    const names = this.#names();
    if (names.length > 1) this.name = names[(names.indexOf(this.name) + 1) % names.length];
    else if (!this.#reshape(turned)) return false;
    this.aim(this.ghost?.at ?? null);
    this.#tell();
    return true;
  }

  flip() {
    if (!this.#reshape(flipped, turned)) return false;
    this.aim(this.ghost?.at ?? null);
    this.#tell();
    return true;
  }

  /** What is picked up, by the name that it has as it is turned now. */
  shown() {
    const key = keyOf(this.picked);
    return this.moves.flatMap(({ pieces }) => pieces).find((one) => keyOf(one) === key && one.name === this.name) ?? this.picked;
  }

  get isTurnable() {
    return Boolean(this.picked) && (this.#names().length > 1 || this.#shapes().size > 1);
  }

  #reshape(first, then = first) {
    const shapes = this.#shapes();
    if (!this.shape || shapes.size < 2) return false;
    let shape = first(this.shape);
    for (let n = 0; n < 4 && (!shapes.has(shape) || shape === this.shape); n++) shape = then(shape);
    if (!shapes.has(shape) || shape === this.shape) {
      const all = [...shapes.keys()];
      shape = all[(all.indexOf(this.shape) + 1) % all.length];
    }
    this.shape = shape;
    return true;
  }

  /** The moves with what is picked up, as it is turned now. */
  #withPicked() {
    if (!this.picked) return this.moves;
    const key = keyOf(this.picked);
    return this.moves.filter(({ pieces }) => pieces.some((one) => keyOf(one) === key && (!this.name || one.name === this.name)));
  }

  /** The ways in which a piece is named by how it lies. */
  #names() {
    const key = keyOf(this.picked);
    return [...new Set(this.moves.flatMap(({ pieces }) => pieces.filter((one) => keyOf(one) === key).map(({ name }) => name)))];
  }

  /** The shapes in which a piece of several squares can be laid somewhere, and on how many places. */
  #shapes() {
    const found = new Map();
    for (const { trace } of this.#withPicked()) {
      if ((trace.to?.length ?? 0) > 1) found.set(this.#shape(trace.to), (found.get(this.#shape(trace.to)) ?? 0) + 1);
    }
    return found;
  }

  #cells(squares) {
    return squares.map((square) => this.board.cell(square)).filter(Boolean);
  }

  #shape(squares) {
    return shapeOf(this.#cells(squares));
  }

  // --- where it would lie

  /** Something is held over a square: a ghost shows where it fits, or that it does not. */
  aim(square) {
    if (!this.picked || (!square && this.ghost?.isLaid)) return;
    const before = JSON.stringify(this.ghost);
    this.ghost = square ? this.#ghostOn(square) : null;
    if (JSON.stringify(this.ghost) !== before) this.changed();
  }

  #ghostOn(square) {
    const mine = this.#withPicked().filter(({ trace }) => isMeantFor(trace, square));
    const large = Boolean(this.shape);
    const fits = large ? mine.filter(({ trace }) => this.#shape(trace.to) === this.shape) : mine;
    const best = fits.find(({ trace }) => trace.holes?.length === 1 && trace.holes[0] === square)
      ?? fits.find(({ trace }) => large && `${middleOf(this.#cells(trace.to))}` === `${this.board.cell(square)}`)
      ?? fits.find(({ trace }) => trace.to?.includes(square)) ?? fits[0];
    if (best) return this.#ghostOf(best, square);
    if (!large) return { at: square, cells: [], kind: this.picked.kind, fits: false, pictures: addressOf(this.picked) ? [{ address: addressOf(this.picked), squares: [square] }] : [] };
    return { at: square, cells: laidOn(this.shape, this.board.cell(square)), kind: this.picked.kind, fits: false };
  }

  /** A move as a ghost: the cells of a large piece, pictures of what is laid as a whole. */
  #ghostOf(move, square) {
    const { laid, to, holes = [] } = move.trace;
    const large = to.length > 1;
    const pictures = large ? [] : move.pieces.filter(addressOf).map((piece) => ({ address: addressOf(piece), squares: laid && piece.model ? laid : to }));
    return { at: square, move: move.move, cells: large ? this.#cells(to) : [], holes: this.#cells(holes), kind: this.picked.kind, fits: true, pictures };
  }

  // --- touching

  /** A square is touched. `hovers`: by a mouse, which has shown a ghost before; `passed`: squares on the way of a drag. */
  async touch(square, { hovers = false, passed = [] } = {}) {
    if (this.isWaiting) return void (this.early = [square, { hovers, passed }]);
    if (!this.moves.length) return undefined;
    if (this.picked && this.shape) return this.#lay(square, hovers);
    if (this.touched.includes(square)) return this.#take(this.touched.filter((one) => one !== square));
    const more = [...this.touched, square];
    const left = this.#fitting(more);
    if (left.length) return this.#take(more, passed);
    const alone = this.#fitting([square]);
    if (alone.length) return this.#take([square]); // another choice, no error
    const anything = this.picked ? fitting(this.moves, [square]) : [];
    if (anything.length && !this.touched.length) {
      this.#letGo(); // with another piece than the one that is picked up
      return this.#take([square]);
    }
    return this.#explain(more);
  }

  /** A large piece is laid over a square: at once where it can be only so, else by what its ghost shows. */
  async #lay(square, hovers) {
    if (hovers && this.ghost?.at === square && this.ghost.fits) return this.play(this.ghost.move);
    const mine = this.#withPicked().filter(({ trace }) => trace.to?.includes(square));
    const through = mine.filter(({ trace }) => trace.holes?.length === 1 && trace.holes[0] === square);
    const all = through.length ? through : mine;
    if (!all.length) return this.#explain([square]);
    if (all.length === 1) return this.play(all[0].move);
    const shown = all.findIndex(({ move }) => move === this.ghost?.move);
    const same = all.find(({ trace }) => this.#shape(trace.to) === this.shape);
    const next = shown >= 0 && this.ghost.at === square ? all[(shown + 1) % all.length] : (same ?? all[0]);
    this.shape = this.#shape(next.trace.to);
    Object.assign(this, { said: "", ghost: { ...this.#ghostOf(next, square), isLaid: true } }); // it stays when the mouse goes
    return this.#tell();
  }

  /** May what stands here be dragged away? */
  lift(square) {
    if (!this.starts().includes(square)) return false;
    if (this.picked && this.shape) this.#letGo();
    this.touched = [square];
    this.said = "";
    this.#tell();
    return true;
  }

  starts() {
    return [...new Set(this.#withPicked().flatMap(({ trace }) => trace.start ?? []))];
  }

  /** What was dragged is let go: on the way it may have told where it turned aside. */
  drop(square, passed) {
    if (square === null || !this.touched.length || square === this.touched[0]) return this.#tell(); // or the position has gone meanwhile
    return this.touch(square, { passed });
  }

  /** A piece from beside the board is let go over a square, or beside them all. */
  dropPicked(square) {
    if (!square || !this.picked) return this.#tell(); // or the position has gone meanwhile
    if (this.shape) {
      this.aim(square);
      if (this.ghost?.fits) return this.play(this.ghost.move);
    }
    return this.touch(square);
  }

  #fitting(squares) {
    return fitting(this.#withPicked(), squares);
  }

  /** These squares are touched from now on; a move that alone fits them is made at once. */
  #take(squares, passed = []) {
    Object.assign(this, { touched: squares, said: "", typed: "", asked: null });
    const left = this.#fitting(squares);
    const meant = left.length > 1 && passed.length ? left.filter(({ trace }) => trace.to?.at(-1) === squares.at(-1) && (trace.turns ?? []).every((turn) => passed.includes(turn)) && rests({ trace }, squares)?.every((square) => passed.includes(square))) : left;
    const only = meant.length === 1 ? meant[0] : null;
    const tile = only?.tiles?.find(({ name }) => name === this.ways.join("-"));
    if (squares.length && tile) return this.play(this.#text(withPiece(only, tile)));
    if (only && isMeant(only, squares)) return this.play(this.#text(only));
    this.#tell();
    return this.#makeRoom();
  }

  /** Where the sheet at the foot of a small screen would cover a part of the board, the board goes up. */
  #makeRoom() {
    const [board, sheet] = [this.board.place, this.place].map((place) => place.getBoundingClientRect());
    if (getComputedStyle(this.place).position === "sticky" && board.bottom > sheet.top) this.board.place.scrollIntoView({ block: "start" });
  }

  /** What the board points out while a move is being made. */
  marks() {
    const left = this.#fitting(this.touched);
    const chosen = this.picked && this.shape ? [] : this.touched;
    const starts = this.starts();
    if (!this.touched.length && !this.picked) return { can: [], labels: [], chosen, starts, ghost: null };
    const rest = this.picked && this.shape ? left.flatMap(({ trace }) => (trace.holes?.length === 1 ? trace.holes : trace.to)) : left.flatMap((move) => rests(move, this.touched));
    const can = this.ghost?.fits && this.shape ? [] : [...new Set(rest)];
    return { can, labels: this.touched.length ? tops(left) : [], chosen, starts, ghost: this.ghost };
  }

  /** Says why these squares are no move together, unless something else was touched or the position has gone meanwhile. */
  async #explain(squares) {
    this.asked = squares;
    this.#showBusy();
    const said = await this.#why(squares);
    if (this.asked !== squares) return this.#showBusy();
    Object.assign(this, { said, asked: null });
    this.#showBusy();
    return this.#tell();
  }

  /** The reason, in the server's words, with its rule to be read. */
  async #why(squares) {
    const { rule, reason } = await get(`/api/why?squares=${squares.join()}`).catch(() => ({}));
    if (reason) return ruled(`${sentence(reason)}${rule.includes(".") ? ` (${rule})` : ""}.`, rule);
    return squares.length === 1 ? say("hand.nothing-on", { square: squares[0] }) : say("hand.not-together", { squares: squares.join(", ") });
  }

  // --- what stands beside the board

  #show() {
    const left = this.#fitting(this.touched);
    const rows = [];
    if (this.said) rows.push(make("p", { class: "why", role: "alert" }, this.said));
    if (left.some(({ announced }) => announced)) rows.push(this.#announce());
    const only = this.touched.length && left.length === 1 ? left[0] : null;
    const drawsFirst = this.moves.length > 0 && this.moves.every(({ tiles }) => tiles); // a tile is drawn before its square is chosen
    if (drawsFirst || only?.tiles) rows.push(...this.#tile(only, (only ?? this.moves[0]).tiles));
    else if (this.picked) rows.push(...this.#held(left));
    else if (this.touched.length) rows.push(...this.#which(left));
    else rows.push(...this.#withoutSquares(this.moves));
    if (this.touched.length || this.picked) rows.push(make("button", { class: "quiet", id: "let-go", onclick: () => this.clear() }, say("hand.let-go")));
    if (this.moves.length) rows.push(this.#all(left));
    keepFocus(this.place, () => this.place.replaceChildren(...rows));
    this.place.classList.toggle("active", Boolean(this.touched.length || this.picked || this.said));
  }

  /** What is picked up: it is turned, flipped, laid where the ghost is, or used without a square. */
  #held(left) {
    const rows = [];
    const buttons = [];
    if (this.ghost?.isLaid) {
      const { move } = this.ghost;
      buttons.push(make("button", { class: "primary", "data-move": move, onclick: () => this.play(move) }, say("hand.lay-here")));
    }
    if (this.isTurnable) {
      buttons.push(make("button", { id: "turn-piece", onclick: () => this.turn(), title: say("hand.turn-keys") }, `↻ ${say("hand.turn")}`));
      if (this.shape && this.#shapes().size > 2) buttons.push(make("button", { id: "flip-piece", onclick: () => this.flip(), title: say("hand.flip-keys") }, `⇄ ${say("hand.flip")}`));
    }
    const bare = left.filter(({ trace }) => !trace.touch.length);
    const where = left.some(({ trace }) => trace.touch.length);
    if (where) rows.push(make("p", { class: "faint" }, say(this.touched.length ? "hand.on" : "hand.where")));
    else if (!bare.length) rows.push(make("p", { class: "faint" }, say("hand.nowhere")));
    if (buttons.length) rows.push(make("div", { class: "choices" }, buttons));
    if (this.touched.length && left.length <= FEW) rows.push(this.#choices(left));
    else if (bare.length) rows.push(this.#choices(bare));
    return rows;
  }

  /** Of the moves that fit, those that need no further square, if there are some. While only the piece is chosen that moves,
   *  the dots on the board say enough. */
  #which(left) {
    if (left.every((move) => !isMeant(move, this.touched))) return [make("p", { class: "faint" }, say("hand.where"))];
    const complete = left.filter((move) => rests(move, this.touched).length === 0);
    const offered = complete.length ? complete : left;
    const more = offered.length < left.length;
    if (offered.length > MOST) return [make("p", { class: "faint" }, say("hand.more"))];
    return [make("p", { class: "faint" }, say(more ? "hand.this-or-more" : "hand.which")), this.#choices(offered)];
  }

  /** Moves for which nothing is touched; those that differ in a piece that has a picture stand under their common words. */
  #withoutSquares(moves) {
    const bare = moves.filter(({ trace }) => !trace.touch.length);
    if (!bare.length || bare.length > MOST) return [];
    const groups = new Map();
    for (const move of bare.sort((a, b) => Boolean(b.blank) - Boolean(a.blank))) {
      const words = move.blank && addressOf(move.pieces[0]) ? move.blank : "";
      groups.set(words, [...(groups.get(words) ?? []), move]);
    }
    const rows = [];
    for (const [words, some] of groups) {
      if (words) rows.push(make("p", { class: "faint" }, fillBlank(words, "…")));
      if (some.length) rows.push(this.#choices(some, { brief: Boolean(words) }));
    }
    return rows;
  }

  #choices(moves, how) {
    return make("div", { class: `choices ${moves.length > FEW ? "many" : ""}` }, moves.map((move) => this.#button(move, how)));
  }

  /** Which tile: its three arrows, or one that is drawn by chance. */
  #tile(move, tiles) {
    const chosen = (ways) => {
      this.ways = ways;
      this.#take(this.touched);
    };
    const tile = tiles.find(({ name }) => name === this.ways.join("-"));
    const doing = [rose(tiles.map(({ name }) => name), this.ways, chosen)];
    doing.unshift(make("p", { class: "faint" }, say(tile ? "hand.tile-where" : move ? "hand.tile-on" : "hand.tile", { square: move?.trace.touch.at(-1) })));
    return doing;
  }

  /** What the rules let one announce with a move. */
  #announce() {
    const box = make("input", { type: "checkbox", id: "announce", onchange: () => (this.announces = box.checked) });
    box.checked = this.announces;
    return make("label", { class: "switch" }, box, this.announcement || say("hand.announce"));
  }

  /** All moves in words, for those who would rather type, or do not see the board. */
  #all(left) {
    const list = make("div", { class: "choices many" });
    const fill = () => {
      const typed = this.typed.toLowerCase();
      const found = left.filter(({ move, label }) => `${move} ${label}`.toLowerCase().includes(typed));
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

  /** `brief`: what it has in common with others is told above them. */
  #button(move, { brief = false } = {}) {
    const text = this.#text(move);
    const label = fillBlank(move.label, "…").join("");
    const shown = brief ? [picture(move.pieces[0])] : face({ ...move, label });
    const chosen = () => (move.tiles ? this.#take(move.trace.touch) : this.play(this.#text(move)));
    return make("button", { class: "move", "data-move": text, "aria-label": label, onclick: chosen }, make("span", { class: "face" }, shown));
  }

  #text({ move, announced }) {
    return this.announces && announced ? announced : move;
  }

  async play(move) {
    if (this.isSending) return; // until the next position is there, or it was refused
    this.#send(true);
    if (!(await attempt(() => post("/api/play", { moves: [move] })))) this.#send(false);
  }

  #send(isSending) {
    this.isSending = isSending;
    this.#showBusy();
  }

  /** An answer is still to come. */
  #showBusy() {
    this.place.toggleAttribute("data-busy", this.isSending || Boolean(this.asked));
  }
}

/** What may be played now. */
export const legalMoves = () => get("/api/moves").catch(() => ({ moves: [], choices: [] }));

/** Whether a move has to do with a square: it ends there, or what is laid comes to lie there. */
const isMeantFor = ({ to = [], laid = [] }, square) => to.includes(square) || laid.includes(square);
