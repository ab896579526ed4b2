// Moves as people would show them: a plank's colours, a tile's arrows, a card's holes; the rest as it is written.
import { make, sentence } from "./page.js";

export const ARROWS = { N: "↑", NE: "↗", E: "→", SE: "↘", S: "↓", SW: "↙", W: "←", NW: "↖" };
const WAY = Object.keys(ARROWS).sort((one, other) => other.length - one.length).join("|");
const TILE = new RegExp(`(${WAY})-(${WAY})-(${WAY})`);

export function face({ move, label }) {
  if (label != null && label !== move) return [sentence(label)];
  const tile = move.match(TILE);
  if (tile) return [tile.slice(1).map((way) => ARROWS[way]).join(" "), ` ${move.replace(tile[0], "").replace(/[@=]/, "")}`];
  const card = move.match(/^[+-]([01]{6})$/);
  if (card) return [move[0] === "-" ? "−" : "+", chips("card", card[1], (hole) => (hole === "1" ? "hole" : ""))];
  const plank = move.match(/^(?:([RWB]{3})([\^v]) )?(?:([RWB])@)?(.+)$/);
  if (plank && (plank[1] || plank[3])) {
    const [, colours, end, token, rest] = plank;
    return [colours && chips("plank", colours, colourOf), end && (end === "^" ? "↑" : "↓"), token && make("i", { class: `disc ${colourOf(token)}` }), rest].filter(Boolean);
  }
  return [move];
}

const colourOf = (letter) => `colour-${letter}`;

function chips(kind, letters, classOf) {
  return make("span", { class: kind, "aria-hidden": "true" }, [...letters].map((letter) => make("i", { class: classOf(letter) })));
}
