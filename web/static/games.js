// The games that were played here.
import { $, get, language, make, say } from "./page.js";

const when = (time) => new Date(time * 1000).toLocaleString(language, { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });

const games = await get("/api/games").catch(() => []);
$("#games").replaceChildren(
  ...games.map((game) =>
    make("li", {}, make("a", { href: `/replay/${game.id}` },
      make("img", { src: `/api/board.svg?game=${game.id}`, alt: "", loading: "lazy", width: 54, height: 54 }),
      make("span", {}, make("strong", {}, game.name), make("span", { class: "faint" }, ` · ${game.id}`)),
      make("span", {}, game.players.filter(Boolean).join(" – "), make("span", { class: "faint block" }, game.result?.text ?? say("games.unfinished"))),
      make("span", { class: "faint when" }, when(game.began), make("span", { class: "block" }, say("games.moves", { count: game.moves }))),
    )),
  ),
);
$("#none").hidden = games.length > 0;
