// Pieces as people would show them, and with them moves: a plank's colors, a tile's arrows, a card's holes. What has no picture is told in words.
import { make, sentence } from "./page.js";

export const ARROWS = { N: "↑", NE: "↗", E: "→", SE: "↘", S: "↓", SW: "↙", W: "←", NW: "↖" };

const PICTURES = {
  plank: (name) => chips("plank", name, colorOf),
  token: (name) => make("i", { class: `disc ${colorOf(name)}` }),
  card: (name) => chips("card", name, (hole) => (hole === "1" ? "hole" : "")),
  tile: (name) => arrows(name),
};
const colorOf = (letter) => `color-${letter}`;

/** A piece by its kind and name; null where it looks like any other of its kind. */
export const picture = ({ kind, name }) => (name && PICTURES[kind]?.(name)) || null;

/** A move: the pieces it takes and where they go, or its words. */
export function face({ blank, pieces, trace }, words) {
  if (blank) return fillBlank(sentence(blank), picture(pieces[0]) ?? pieces[0].name);
  const shown = pieces.map(picture);
  const { to = [] } = trace;
  return shown.length && shown.every(Boolean) && to.length === 1 ? [...shown, to[0]] : [words];
}

/** Words, with something in place of their blank if they have one. */
export function fillBlank(words, filling) {
  const [before, ...after] = words.split("{}");
  return after.length ? [before, filling, after.join("{}")] : [words];
}

function arrows(name) {
  const ways = name.split("-").map((way) => ARROWS[way]);
  return ways.every(Boolean) ? make("span", { class: "arrows" }, ways.join(" ")) : null;
}

function chips(kind, letters, classOf) {
  return make("span", { class: kind, "aria-hidden": "true" }, [...letters].map((letter) => make("i", { class: classOf(letter) })));
}
