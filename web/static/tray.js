// Beside the board: the pieces and cards that are left, taken up by touch, keys, or dragged onto the board.
import { stayingPut } from "./board.js";
import { keepFocus, make, say } from "./page.js";
import { addressOf, picture } from "./faces.js";
import { keyOf } from "./fitting.js";

const FAR = 6; // pixels after which a touch is a drag
const MANY = 12; // single pieces that are shown by their number

export class Tray {
  constructor(place, hand, board) {
    Object.assign(this, { place, hand, board, told: "", advised: [] });
    place.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    board.place.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
  }

  /** What each has left: the one to move first, what anybody may take with it. */
  show(state, nameFor) {
    const { beside = {}, to_move: mover, over } = state;
    const own = over ? [] : [...(beside[""] ?? []), ...(beside[mover] ?? [])];
    const listed = own.length ? own : this.#fromMoves();
    const others = Object.entries(beside).filter(([seat, pieces]) => seat && seat !== mover && pieces.length);
    const rows = [this.#row(listed, true), ...others.map(([seat, pieces]) => this.#row(pieces, false, nameFor(seat)))];
    keepFocus(this.place, () => this.place.replaceChildren(...rows.filter(Boolean)));
    this.mark();
  }

  /** The pieces that the hint takes. */
  advise(pieces) {
    this.advised = pieces.map(keyOf);
    this.mark();
  }

  /** What is picked up, what can be, and what the hint takes. */
  mark() {
    const { picked } = this.hand;
    for (const button of this.place.querySelectorAll("button[data-piece]")) {
      const isPicked = Boolean(picked) && keyOf(picked) === button.dataset.piece;
      button.setAttribute("aria-pressed", String(isPicked));
      const shown = isPicked ? this.hand.shown() : button.piece; // as it is turned now
      const address = addressOf(shown);
      if (address && button.firstChild.getAttribute("src") !== address) button.firstChild.src = address;
      button.dataset.name = shown.name;
      button.disabled = !this.hand.mayPick(button.piece);
      button.classList.toggle("advised", this.advised.includes(button.dataset.piece));
    }
  }

  /** Where the game does not tell what is left: what the legal moves take. */
  #fromMoves() {
    const found = new Map();
    for (const { pieces, tiles, trace } of this.hand.moves) {
      if (!tiles && trace.touch.length) for (const piece of pieces) found.set(keyOf(piece), found.get(keyOf(piece)) ?? piece);
    }
    return found.size <= MANY ? [...found.values()] : [];
  }

  #row(pieces, isMine, whose = "") {
    if (!pieces.length) return null;
    const cards = pieces.filter(({ kind }) => kind === "card").length;
    const isHand = cards > 1 && cards <= 4;
    return make("div", { class: `row ${isMine ? "mine" : "others"} ${isHand ? "fan" : ""}`, role: "group", "aria-label": isMine ? say("tray.mine") : say("tray.others", { player: whose }) },
      isMine ? null : make("span", { class: "faint whose" }, whose),
      pieces.map((piece) => (isMine ? this.#button(piece) : this.#shown(piece))));
  }

  #shown(piece) {
    return make("span", { class: `item of-${piece.kind}`, title: piece.words }, picture(piece) ?? piece.words, this.#count(piece));
  }

  #count({ count }) {
    return count > 1 ? make("small", { class: "count" }, `×${count}`) : null;
  }

  #button(piece) {
    const label = piece.count > 1 ? say("tray.several", { piece: piece.words, count: piece.count }) : piece.words;
    const button = make("button", { class: `item of-${piece.kind}`, "data-piece": keyOf(piece), "aria-label": label, title: label, onclick: () => this.#clicked(piece), onpointerdown: (event) => this.#down(event, piece) },
      picture(piece) ?? piece.words, this.#count(piece));
    button.piece = piece;
    return button;
  }

  #clicked(piece) {
    if (this.dragged) return void (this.dragged = false);
    this.hand.pick(piece);
  }

  /** With a mouse's wheel a piece that is picked up is turned. */
  #wheel(event) {
    if (!this.hand.picked || !this.hand.isTurnable) return;
    event.preventDefault();
    const now = Date.now();
    if (now - (this.wheeled ?? 0) < 120) return; // one notch, one turn
    this.wheeled = now;
    this.hand.turn();
  }

  // --- dragging

  #down(event, piece) {
    this.dragged = false;
    if (event.button !== 0 || !this.hand.mayPick(piece)) return;
    const { clientX: x, clientY: y, pointerId: id } = event;
    let held = null;
    const move = (now) => {
      if (now.pointerId !== id) return;
      if (!held && Math.hypot(now.clientX - x, now.clientY - y) > FAR) held = stayingPut(() => this.#take(piece));
      if (!held) return;
      now.preventDefault();
      held.style.translate = `${now.clientX}px ${now.clientY}px`;
      const square = this.board.at(now.clientX, now.clientY);
      held.classList.toggle("over", Boolean(square));
      this.hand.aim(square);
    };
    const end = (now) => {
      if (now.pointerId !== id) return;
      for (const [kind, listener] of Object.entries(listeners)) document.removeEventListener(kind, listener);
      if (!held) return;
      const square = now.type === "pointerup" ? this.board.at(now.clientX, now.clientY) : null; // before the sheet is back, which may lie there
      held.remove();
      document.body.classList.remove("holding");
      this.dragged = true;
      setTimeout(() => (this.dragged = false)); // where no click follows
      this.hand.dropPicked(square);
    };
    const listeners = { pointermove: move, pointerup: end, pointercancel: end };
    for (const [kind, listener] of Object.entries(listeners)) document.addEventListener(kind, listener, { passive: false });
  }

  #take(piece) {
    this.hand.pick(piece, true);
    const held = make("div", { class: "held", "aria-hidden": "true" }, picture(piece) ?? piece.words);
    document.body.append(held);
    document.body.classList.add("holding");
    return held;
  }
}
