// A move before one's eyes: pieces slide, dice roll along their route, what is put falls into place. Short, and not at all
// where people want no motion.
import { $ } from "./page.js";
import { draw } from "./board.js";
import { addressOf } from "./faces.js";

const STEP = 110; // ms for a square
const LONGEST = 800;
const FALL = 240;
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const faces = new Map(); // pictures of dice that were asked for

const faceOf = (name) => addressOf({ kind: "die", name });

/** Fetch beforehand what a die may show on its way. */
export function prepare(moves) {
  if (calm.matches) return;
  for (const { trace } of moves) {
    for (const code of trace.faces ?? []) {
      if (!faces.has(code)) faces.set(code, Object.assign(new Image(), { src: faceOf(code) }));
    }
  }
}

/** Show how a move that was just made on this board went; the board stands as it is after it. */
export function show(board, { trace }) {
  const drawing = $("svg", board.place);
  if (calm.matches || document.hidden || !drawing || !drawing.animate) return;
  const { start = [], route = [], to = [], faces: shown = [] } = trace;
  if (start.length && to.length) travel(board, drawing, [start[0], ...route, to.at(-1)], shown);
  else for (const square of to) fall(board, square, to.length);
}

function travel(board, drawing, squares, shown) {
  const stands = $(".stands", board.square(squares.at(-1)));
  const points = squares.map((square) => board.middle(square));
  if (!stands || points.some((point) => !point)) return;
  const steps = points.length - 1;
  const duration = Math.min(LONGEST, 120 + STEP * steps);
  const rolls = shown.length === steps && shown.every((code) => faces.get(code)?.complete);
  const body = rolls ? draw("image", { x: -58, y: -58, width: 116, height: 116, href: faceOf(shown[0]) }) : stands.cloneNode(true);
  const moving = draw("g", { class: "moving" }, body);
  drawing.append(moving);
  stands.classList.add("gone");
  const frames = points.flatMap(([x, y], n) => {
    const at = { transform: `translate(${x}px, ${y}px)`, offset: n / steps };
    if (!rolls || n === steps) return [at];
    const [u, v] = points[n + 1];
    const [flat, high] = u === x ? [1.04, 0.78] : [0.78, 1.04]; // it tips over its edge
    return [at, { transform: `translate(${(x + u) / 2}px, ${(y + v) / 2}px) scale(${flat}, ${high})`, offset: (n + 0.5) / steps }];
  });
  const going = moving.animate(frames, { duration, easing: rolls ? "linear" : "ease-in-out", fill: "forwards" });
  const turning = rolls ? shown.map((code, n) => setTimeout(() => body.setAttribute("href", faceOf(code)), ((n + 0.5) * duration) / steps)) : [];
  const end = () => {
    turning.forEach(clearTimeout);
    moving.remove();
    stands.classList.remove("gone");
  };
  going.onfinish = going.oncancel = end;
}

/** What was put comes down on its square; of a large piece, which lies across several, a shade of it. */
function fall(board, square, size) {
  const [place, middle] = [board.square(square), board.middle(square)];
  const stands = place && $(".stands", place);
  if (!middle) return;
  if (size === 1 && stands?.children.length) {
    stands.animate([{ transform: "scale(1.7)", opacity: 0 }, { transform: "scale(1)", opacity: 1 }], { duration: FALL, easing: "ease-in" });
    return;
  }
  const shade = draw("rect", { class: "falling", x: middle[0] - 50, y: middle[1] - 50, width: 100, height: 100 });
  $("svg", board.place).append(shade);
  shade.animate([{ opacity: 0.75 }, { opacity: 0 }], { duration: 2 * FALL, easing: "ease-out" }).onfinish = () => shade.remove();
}
