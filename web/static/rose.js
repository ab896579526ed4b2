// The rose of the winds: a tile is named by its three arrows, or drawn by chance from those that are left.
import { make, say } from "./page.js";
import { ARROWS } from "./faces.js";

const ROUND = Object.keys(ARROWS); // clockwise from north, as tiles are written
const ROWS = ["NW", "N", "NE", "W", null, "E", "SW", "S", "SE"];

/** `chosen(ways)` when the arrows change; those that no tile has together cannot be touched. */
export function rose(tiles, ways, chosen) {
  const sorted = (some) => ROUND.filter((way) => some.includes(way));
  const fits = (some) => tiles.some((tile) => some.every((way) => tile.split("-").includes(way)));
  const arrow = (way) => {
    const on = ways.includes(way);
    return make(
      "button",
      {
        class: "icon", "data-way": way, "aria-pressed": String(on), "aria-label": say(`way.${way}`), disabled: !on && !fits([...ways, way]),
        onclick: () => chosen(sorted(on ? ways.filter((one) => one !== way) : [...ways, way])),
      },
      ARROWS[way],
    );
  };
  const draw = () => chosen(tiles[Math.floor(Math.random() * tiles.length)].split("-"));
  return make("div", { class: "rose", role: "group", "aria-label": say("hand.tile") },
    ROWS.map((way) => (way ? arrow(way) : make("button", { class: "icon", "data-draw": "", onclick: draw }, say("hand.draw")))));
}
