// The drawn board: fetched, put into the page, its squares touched by finger, mouse or keys.
import { $, $$, language } from "./page.js";

const SVG = "http://www.w3.org/2000/svg";
const WAYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export class Board {
  /** `touched(square)` is called when a square is chosen. */
  constructor(place, touched = null) {
    this.place = place;
    this.touched = touched;
    this.chosen = [];
    this.wanted = this.address = "";
    this.number = 0;
    if (touched) {
      place.addEventListener("click", (event) => this.#touch(event));
      place.addEventListener("keydown", (event) => this.#key(event));
    }
  }

  /** Show the drawing for these parameters; the newest call wins. */
  async show(parameters = {}) {
    const asked = new URLSearchParams({ lang: language });
    for (const [name, value] of Object.entries(parameters)) {
      if (Array.isArray(value) ? value.length : value != null && value !== false) {
        asked.set(name, value === true ? "1" : value);
      }
    }
    const number = ++this.number;
    const address = `/api/board.svg?${asked}`;
    if (address === this.address) return this.#markChosen(); // it is there already
    const response = await fetch(address);
    if (!response.ok || number !== this.number) return;
    const drawing = await response.text();
    if (number !== this.number) return;
    if (drawing !== this.wanted) this.#put(drawing);
    Object.assign(this, { wanted: drawing, address });
    this.#markChosen();
  }

  choose(squares) {
    this.chosen = squares;
    this.#markChosen();
  }

  squares() {
    return $$(".square", this.place);
  }

  has(square) {
    return this.squares().some((one) => one.dataset.square === square);
  }

  #put(drawing) {
    const focused = this.place.contains(document.activeElement) ? document.activeElement.dataset.square : null;
    const parsed = new DOMParser().parseFromString(drawing, "image/svg+xml").documentElement;
    if (parsed.nodeName !== "svg") return;
    parsed.removeAttribute("width");
    parsed.removeAttribute("height");
    this.place.replaceChildren(document.importNode(parsed, true));
    const squares = this.squares();
    if (!this.touched) {
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

  #markChosen() {
    const drawing = $("svg", this.place);
    if (!drawing) return;
    $$(".chosen", drawing).forEach((mark) => mark.remove());
    for (const square of this.squares().filter((one) => this.chosen.includes(one.dataset.square))) {
      const { x, y, width, height } = square.getBBox();
      const mark = document.createElementNS(SVG, "rect");
      const inset = Math.min(width, height) * 0.04;
      const geometry = {
        x: x + inset, y: y + inset, width: width - 2 * inset, height: height - 2 * inset, rx: width * 0.1,
        "stroke-width": width * 0.07,
      };
      for (const [name, value] of Object.entries(geometry)) mark.setAttribute(name, value);
      mark.setAttribute("class", "chosen");
      square.append(mark);
    }
  }

  #touch(event) {
    const square = event.target.closest(".square");
    if (square) this.#take(square);
  }

  #take(square) {
    for (const other of this.squares()) other.setAttribute("tabindex", other === square ? "0" : "-1");
    this.stop = square.dataset.square;
    this.touched(square.dataset.square);
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
}
