// The drawn board: fetched, put into the page, its squares touched, its pieces dragged, by finger, mouse or keys.
// What is pointed out while a move is being made lies over the drawing and is painted here, at once.
import { $, $$, language } from "./page.js";

const SVG = "http://www.w3.org/2000/svg";
const WAYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const UNIT = 100; // a cell of the drawing
const FAR = 6; // pixels after which a touch is a drag

export function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) if (value != null && value !== false) element.setAttribute(name, value);
  element.append(...children.flat().filter(Boolean));
  return element;
}

/** The board stays under the hand that takes something up: what is said beside it then makes the page longer, and a browser goes back to where it stood before the page had become shorter. */
export function stayingPut(change) {
  const { scrollX: left, scrollY: top } = window;
  const made = change();
  window.scrollTo({ left, top, behavior: "instant" });
  return made;
}

export class Board {
  /** `doing`: `touch(square, how)`, and for boards on which pieces are dragged `aim(square)`, `lift(square)` (may it be taken up?) and `drop(square, passed)`. */
  constructor(place, doing = {}) {
    this.place = place;
    this.doing = doing;
    this.over = { chosen: [], can: [], labels: [], starts: [], ghost: null };
    this.wanted = this.address = "";
    this.number = 0;
    this.drawn = new Map();
    this.drag = null;
    this.press = null; // the last one on a square: whether it is down still, and whether the position has gone meanwhile
    this.later = null; // what is to be shown once nothing is held or pressed
    if (!doing.touch) return;
    place.addEventListener("click", (event) => this.#touch(event));
    place.addEventListener("pointerdown", (event) => this.#press(event));
    for (const kind of ["pointerup", "pointercancel"]) document.addEventListener(kind, (event) => this.#release(event));
    place.addEventListener("keydown", (event) => this.#key(event));
    if (!doing.lift) return;
    place.addEventListener("pointerdown", (event) => this.#down(event));
    place.addEventListener("pointermove", (event) => this.#move(event));
    place.addEventListener("pointerleave", () => this.drag ?? doing.aim(null));
    for (const kind of ["pointerup", "pointercancel"]) place.addEventListener(kind, (event) => this.#up(event));
    place.addEventListener("touchmove", (event) => this.drag && event.cancelable && event.preventDefault(), { passive: false }); // a finger that holds a piece scrolls nothing
  }

  /** Show the drawing for these parameters; the newest call wins. */
  async show(parameters = {}) {
    const asked = new URLSearchParams({ lang: language });
    for (const [name, value] of Object.entries(parameters)) {
      if (Array.isArray(value) ? value.length : value != null && value !== false) {
        asked.set(name, value === true ? "1" : value);
      }
    }
    this.later = null;
    const number = ++this.number;
    const address = `/api/board.svg?${asked}`;
    if (address === this.address) return this.#paint(); // it is there already
    const drawing = await fetch(address).then((answer) => (answer.ok ? answer.text() : null)).catch(() => null);
    if (drawing === null || number !== this.number) return; // nobody answered, or it is old: what is drawn stays until the next state
    if (this.drag || this.press?.isDown) return void (this.later = parameters); // under a finger nothing is exchanged: what it holds or touches would be lost
    if (drawing !== this.wanted) this.#put(drawing);
    Object.assign(this, { wanted: drawing, address });
    this.#paint();
  }

  /** What is pointed out over the drawing, until it is told otherwise. */
  point(over) {
    this.over = { chosen: [], can: [], labels: [], starts: [], ghost: null, ...over };
    this.#paint();
  }

  squares() {
    return [...this.drawn.values()].map(({ square }) => square);
  }

  square(name) {
    return this.drawn.get(name)?.square ?? null;
  }

  has(name) {
    return this.drawn.has(name);
  }

  /** The middle of a square, in the drawing's units. */
  middle(name) {
    return this.drawn.get(name)?.middle ?? null;
  }

  /** What is drawn now, by the names of the squares: moves ask for them by the hundred. */
  #find() {
    this.drawn = new Map($$(".square", this.place).map((square) => {
      const at = square.transform.baseVal.consolidate()?.matrix;
      return [square.dataset.square, { square, middle: at ? [at.e, at.f] : null }];
    }));
  }

  /** A square as column and row of the drawing, whichever way it is turned. */
  cell(name) {
    return this.middle(name)?.map((at) => Math.floor(at / UNIT)) ?? null;
  }

  /** The square under a point of the screen. */
  at(x, y) {
    const square = document.elementFromPoint(x, y)?.closest(".square");
    return square && this.place.contains(square) ? square.dataset.square : null;
  }

  #put(drawing) {
    const focused = this.place.contains(document.activeElement) ? document.activeElement.dataset.square : null;
    const parsed = new DOMParser().parseFromString(drawing, "image/svg+xml").documentElement;
    if (parsed.nodeName !== "svg") return;
    parsed.removeAttribute("width");
    parsed.removeAttribute("height");
    this.place.replaceChildren(document.importNode(parsed, true));
    const [, , wide, high] = parsed.getAttribute("viewBox").split(" ");
    this.place.style.setProperty("--ratio", wide / high); // its box is as large as the board, and no larger
    this.#find();
    const squares = this.squares();
    if (!this.doing.touch) {
      for (const square of squares) {
        square.removeAttribute("tabindex");
        square.setAttribute("role", "img"); // to be looked at only
      }
      return;
    }
    // one stop for the tab key, arrows from there
    const stop = squares.find((square) => square.dataset.square === (focused ?? this.stop)) ?? squares[0];
    for (const square of squares) square.setAttribute("tabindex", square === stop ? "0" : "-1");
    if (focused) stop?.focus({ preventScroll: true });
  }

  // --- over the drawing

  #paint() {
    const drawing = $("svg", this.place);
    if (!drawing) return;
    const { chosen, can, labels, starts, ghost } = this.over;
    for (const square of this.squares()) square.classList.toggle("grab", starts.includes(square.dataset.square));
    $(".over", drawing)?.remove();
    const here = (names, make) => names.map((name) => this.middle(name) && make(...this.middle(name), name));
    const side = 0.92 * UNIT;
    drawing.append(draw("g", { class: "over", "aria-hidden": "true" },
      here(can, (cx, cy, name) => draw("circle", { class: `can ${this.#isFree(name) ? "free" : "taken"}`, cx, cy, r: this.#isFree(name) ? 14 : 43 })),
      here(chosen, (x, y) => draw("rect", { class: "chosen", x: x - side / 2, y: y - side / 2, width: side, height: side, rx: 10 })),
      ghost ? this.#ghost(ghost) : null,
      labels.map(([name, text]) => this.middle(name) && chip(...this.middle(name), text)),
      $(".lifted", drawing)));
  }

  /** Nothing stands there, so that a dot can be seen. */
  #isFree(name) {
    return "free" in this.square(name).dataset;
  }

  /** A piece where it would lie: its cells, the holes in it, pictures where it is drawn as a whole. */
  #ghost({ cells, holes = [], fits, kind, pictures = [], move }) {
    const shape = cells.map(([x, y]) => draw("rect", { x: x * UNIT, y: y * UNIT, width: UNIT, height: UNIT }));
    const through = holes.map(([x, y]) => draw("circle", { class: "hole", cx: (x + 0.5) * UNIT, cy: (y + 0.5) * UNIT, r: 22 }));
    return draw("g", { class: `shade ${kind ?? ""} ${fits ? "fits" : "bars"}`, "data-move": move }, shape, through, pictures.map((one) => this.#image(one)));
  }

  /** A piece's picture over all its squares, upside down where the board is. */
  #image({ address, squares }) {
    const middles = squares.map((name) => this.middle(name)).filter(Boolean);
    if (!middles.length) return null;
    const [x, y] = [0, 1].map((axis) => middles.reduce((sum, middle) => sum + middle[axis], 0) / middles.length);
    const wide = UNIT * squares.length + 16, high = UNIT + 16;
    const over = middles[0][0] > middles.at(-1)[0] ? `rotate(180 ${x} ${y})` : null;
    return draw("image", { href: address, x: x - wide / 2, y: y - high / 2, width: wide, height: high, transform: over });
  }

  // --- touching

  #touch(event) {
    if (this.dragged) return void (this.dragged = false); // the end of a drag is no touch
    if (this.press?.isPast && event.pointerId === this.press.id) return;
    const square = event.target.closest(".square");
    if (square) this.#take(square, { hovers: event.pointerType === "mouse" });
  }

  #take(square, how = {}) {
    for (const other of this.squares()) other.setAttribute("tabindex", other === square ? "0" : "-1");
    this.stop = square.dataset.square;
    this.doing.touch(square.dataset.square, how);
  }

  #key(event) {
    const here = event.target.closest(".square");
    if (!here) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#take(here);
    } else if (WAYS[event.key]) {
      event.preventDefault();
      event.stopPropagation();
      const next = this.#beside(here, WAYS[event.key]);
      if (!next) return;
      here.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      this.stop = next.dataset.square;
      next.focus();
      this.doing.aim?.(this.stop);
    }
  }

  /** The nearest square that way, as it is drawn. */
  #beside(here, [dx, dy]) {
    const middle = (square) => {
      const box = square.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const [x, y] = middle(here);
    let [best, least] = [null, Infinity];
    for (const square of this.squares()) {
      const [sx, sy] = middle(square);
      const [ahead, aside] = [(sx - x) * dx + (sy - y) * dy, Math.abs((sx - x) * dy) + Math.abs((sy - y) * dx)];
      if (square !== here && ahead > 2 && ahead + 3 * aside < least) [best, least] = [square, ahead + 3 * aside];
    }
    return best;
  }

  /** Until it is let go and its touch was answered, a press keeps the drawing as it is: on another one it would touch nothing. */
  #press({ target, button, pointerId: id }) {
    this.press = button === 0 && target.closest(".square") ? { id, isDown: true, isPast: false } : null;
  }

  #release({ pointerId }) {
    const { press } = this;
    if (press?.id !== pointerId || !press.isDown) return;
    setTimeout(() => { // after the click that follows
      press.isDown = false;
      if (!this.drag && !this.press?.isDown) this.#catchUp();
    });
  }

  /** The position that is pressed on has gone: what was meant for it is no touch any more. */
  outdate() {
    if (this.press?.isDown) this.press.isPast = true;
  }

  // --- dragging a piece from square to square

  #down(event) {
    this.dragged = false;
    const from = event.button === 0 ? event.target.closest(".square.grab")?.dataset.square : null;
    if (from) this.drag = { from, x: event.clientX, y: event.clientY, id: event.pointerId, passed: [], lifted: null };
  }

  #move(event) {
    const { drag } = this;
    if (!drag) {
      if (event.pointerType === "mouse") this.doing.aim(event.target.closest?.(".square")?.dataset.square ?? null);
      return;
    }
    if (event.pointerId !== drag.id) return;
    if (!drag.lifted && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > FAR) stayingPut(() => this.#lift(drag));
    if (!drag.lifted) return;
    const drawing = $("svg", this.place);
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
    drag.lifted.setAttribute("transform", `translate(${x} ${y}) scale(1.12)`);
    const square = this.at(event.clientX, event.clientY);
    if (square && drag.passed.at(-1) !== square) drag.passed.push(square);
  }

  /** What came while something was held. */
  #catchUp() {
    const { later } = this;
    this.later = null;
    if (later) this.show(later);
  }

  #lift(drag) {
    if (!this.doing.lift(drag.from)) return void (this.drag = null);
    const stands = $(".stands", this.square(drag.from));
    drag.lifted = draw("g", { class: "lifted" }, stands.cloneNode(true));
    stands.classList.add("gone");
    drag.stands = stands;
    document.body.classList.add("holding");
    $("svg", this.place).append(drag.lifted);
    this.#paint();
    this.place.setPointerCapture(drag.id);
  }

  #up(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.id) return;
    this.drag = null;
    if (!drag.lifted) return;
    const square = event.type === "pointerup" ? this.at(event.clientX, event.clientY) : null; // before the sheet is back, which may lie there
    document.body.classList.remove("holding");
    drag.lifted.remove();
    drag.stands.classList.remove("gone");
    this.dragged = event.type === "pointerup";
    setTimeout(() => (this.dragged = false)); // where no click follows
    this.doing.drop(square, drag.passed);
  }
}

/** A short text on a dark chip at the foot of a square. */
function chip(x, y, text) {
  const wide = Math.max(34, 18 * text.length + 14);
  return draw("g", { class: "chip" },
    draw("rect", { x: x - wide / 2, y: y + 13, width: wide, height: 36, rx: 10 }),
    draw("text", { x, y: y + 41, "text-anchor": "middle" }, document.createTextNode(text)));
}
