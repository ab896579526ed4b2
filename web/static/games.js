// The games that were played here, to be found again.
import { $, get, language, make, say, sentence } from "./page.js";
import { duration } from "./duration.js";

const MOST = 200; // that are shown at once
const when = (time) => new Date(time * 1000).toLocaleString(language, { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });
const plain = (text) => text.normalize("NFD").replace(/\p{Diacritic}/gu, "").toLowerCase();

const [games, table] = await Promise.all([get("/api/games").catch(() => []), get("/api/table").catch(() => ({}))]);
const isNow = ({ id, result }) => id === table.id && !result;
const WHICH = {
  all: () => true,
  unfinished: ({ result }) => !result,
  matches: ({ match }) => match,
  solved: ({ solitaire, result }) => solitaire && result?.winner,
  kept: ({ keep }) => keep,
};

function words(game) {
  return plain([game.id, game.name, game.title, ...game.players, game.result?.text, when(game.began), game.level].filter(Boolean).join(" "));
}

function row(game) {
  const { id, name, title, players, result, began, moves, match, solitaire, seconds, level } = game;
  const people = players.filter(Boolean).join(" – ");
  const tags = [match && say("games.match", match), level && sentence(level)].filter(Boolean);
  return make("li", {}, make("a", { href: isNow(game) ? "/" : `/replay/${id}` },
    make("img", { src: `/api/board.svg?game=${id}`, alt: "", loading: "lazy", width: 54, height: 54 }),
    make("span", {}, make("strong", {}, title || name), make("span", { class: "faint" }, title ? ` · ${name} · ${id}` : ` · ${id}`), tags.map((tag) => make("span", { class: "tag" }, tag))),
    make("span", {}, people, make("span", { class: "faint block" }, sentence(result?.text ?? say(isNow(game) ? "games.now" : "games.unfinished")))),
    make("span", { class: "faint when" }, when(began), make("span", { class: "block" }, solitaire ? duration(seconds) : say("games.moves", { count: moves }))),
  ));
}

const known = games.map((game) => ({ game, said: words(game) }));

function find() {
  const asked = plain($("#search").value).split(/\s+/).filter(Boolean);
  const [kind, which] = [$("#kind").value, WHICH[$("#which").value]];
  const found = known.filter(({ game, said }) => (!kind || game.game === kind) && which(game) && asked.every((word) => said.includes(word)));
  $("#games").replaceChildren(...found.slice(0, MOST).map(({ game }) => row(game)));
  $("#found").textContent = games.length ? (found.length ? say("games.found", { count: found.length }) : say("games.none-such")) : "";
}

const kinds = [...new Map(games.map(({ game, name }) => [game, name]))];
$("#kind").replaceChildren(make("option", { value: "" }, say("rules.all")), ...kinds.map(([id, name]) => make("option", { value: id }, name)));
$("#which").replaceChildren(...Object.keys(WHICH).map((code) => make("option", { value: code }, sentence(say(`games.${code}`)))));
$("#finder").addEventListener("input", find);
$("#finder").addEventListener("submit", (event) => event.preventDefault());
$("#none").hidden = games.length > 0;
$("#finder").hidden = !games.length;
find();
