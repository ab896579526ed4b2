// For a screen on the wall: one table after another, then how the tournaments stand.
import { aboutOf, boardOf, get, half, lines, make, note, say, scores, seatLines, sentence, shown } from "./hall.js";

const EACH = 10000; // milliseconds
const MOST = 16; // lines of a list that can be read from afar
let at = 0;

/** What is shown in turn: every table that plays, and the round and the standings of every tournament. */
async function scenes() {
  const { tables, tournaments } = await get("/api/hall");
  const told = await Promise.all(tournaments.filter((one) => !one.closed || tournaments.length === 1).map((one) => get(`/api/tournaments/${one.id}`)));
  const lists = told.filter((one) => one.rounds.length).flatMap((one) => [() => roundOf(one), () => standingsOf(one)]);
  return [...tables.filter((table) => table.game).map((table) => () => board(table)), ...lists];
}

const board = (table) => make("div", { class: "wall beside", "data-place": table.place }, make("img", { class: "board", src: boardOf(table), alt: table.game_name }), make("div", { class: "told-big" }, make("h1", {}, table.name), note(table.game_name), seatLines(table), make("p", {}, table.turn_text), table.last_move ? note(sentence(table.last_move)) : null));

function roundOf(told) {
  const last = told.rounds.at(-1);
  return make("div", { class: "wall" }, make("h1", {}, told.name), note(`${aboutOf(told)}`), lines([say("hall.table"), say("hall.players"), say("hall.result")], last.pairings.slice(0, MOST).map((one) => ({ cells: [one.table, one.sides.map((side) => side.name).join(" – "), one.bye ? say("hall.bye") : one.done ? scores(one) : "…"] })), { label: told.name }));
}

const standingsOf = (told) => make("div", { class: "wall" }, make("h1", {}, `${told.name}: ${say("hall.standings")}`), lines(["", say("hall.players"), say("hall.score")], told.standings.slice(0, MOST).map((row) => ({ cells: [String(row.rank), row.name, half(row.score)] })), { label: say("hall.standings") }));

async function next() {
  const found = await scenes();
  if (found.length) shown.replaceChildren(found[at++ % found.length]());
  else shown.replaceChildren(make("div", { class: "wall" }, make("h1", {}, say("hall.nothing-yet")), note(say("hall.nothing-about"))));
}

await next();
setInterval(() => next().catch(() => {}), EACH);
