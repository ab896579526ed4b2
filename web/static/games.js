// The games that were played here.
import { $, catalogue, get, language, make, say } from "./page.js";

const names = Object.fromEntries(catalogue.games.map(({ id, name }) => [id, name]));
const when = (time) => new Date(typeof time === "number" ? time * 1000 : time).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
const people = (players) => Object.values(players ?? {}).map((player) => player?.name ?? player).filter(Boolean).join(" – ");

const told = await get("/api/games").catch(() => []);
const games = [...(told.games ?? told)].sort((a, b) => b.id - a.id);
$("#games").replaceChildren(
  ...games.map((game) =>
    make("li", {}, make("a", { href: `/replay/${game.id}` },
      make("img", { src: `/api/board.svg?game=${game.id}`, alt: "", loading: "lazy", width: 54, height: 54 }),
      make("span", {}, make("strong", {}, names[game.game] ?? game.game), make("span", { class: "faint" }, ` · ${game.id}`)),
      make("span", {}, people(game.players), make("span", { class: "faint block" }, game.result?.text ?? game.outcome?.text ?? game.text ?? say("games.unfinished"))),
      make("span", { class: "faint when" }, game.begun || game.when || game.time ? when(game.begun ?? game.when ?? game.time) : "",
        make("span", { class: "block" }, say("games.moves", { count: game.moves?.length ?? game.moves ?? 0 }))),
    )),
  ),
);
$("#none").hidden = games.length > 0;
