// Pieces and moves as people would show them: a small picture, and words.
import { catalogue, make } from "./page.js";

export const ARROWS = { N: "↑", NE: "↗", E: "→", SE: "↘", S: "↓", SW: "↙", W: "←", NW: "↖" };

/** Where a piece's drawing is; nowhere if it has none. */
export function addressOf({ kind, name, face = "" }) {
  return catalogue.drawn.includes(kind) ? `/api/piece.svg?${new URLSearchParams({ kind, name, face })}` : "";
}

/** A piece as the server draws it; null where it has no picture. */
export function picture(piece) {
  const src = addressOf(piece);
  return src ? make("img", { class: `piece-picture of-${piece.kind}`, src, alt: "", draggable: "false" }) : null;
}

/** Pictures of the pieces that a move takes; the same one is shown once. */
export function pictures(pieces = []) {
  const seen = new Map(pieces.filter(addressOf).map((piece) => [addressOf(piece), piece]));
  return [...seen.values()].slice(0, 3).map(picture);
}

/** A move as it is offered: its pictures, then its words. */
export const face = ({ pieces, label }) => [...pictures(pieces), label];

/** Words, with something in place of their blank if they have one. */
export function fillBlank(words, filling) {
  const [before, ...after] = words.split("{}");
  return after.length ? [before, filling, after.join("{}")] : [words];
}
