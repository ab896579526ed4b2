// One table after another, for a screen on the wall.
import { boardOf, get, make, say, shown } from "./hall.js";

const EACH = 10000; // milliseconds
let at = 0;

async function next() {
  const { tables } = await get("/api/hall");
  const playing = tables.filter((table) => table.game);
  if (!playing.length) {
    shown.replaceChildren(make("p", { class: "big" }, say("hall.nothing-yet")));
    return;
  }
  const table = playing[at++ % playing.length];
  shown.replaceChildren(
    make("div", { class: "big", "data-place": table.place }, make("strong", {}, table.name), make("img", { src: boardOf(table), alt: table.game_name }), make("span", {}, table.players.join(" – ")), make("span", { class: "faint" }, table.turn_text)),
  );
}

await next();
setInterval(() => next().catch(() => {}), EACH);
