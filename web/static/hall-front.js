// What everybody sees first: the tournaments, and the boards that are played now.
import { aboutOf, card, countOf, event, get, make, note, part, say, shown, titled, whenKnown } from "./hall.js";

const EVERY = 3000; // milliseconds
let before = "";

async function show(hall) {
  const told = await Promise.all(hall.tournaments.map((one) => get(`/api/tournaments/${one.id}`)));
  const news = JSON.stringify([told, hall.tables, hall.delay]);
  if (news === before) return;
  before = news;
  titled(told.length === 1 ? told[0].name : hall.name, told.length === 1 ? aboutOf(told[0]) : "");
  const playing = hall.tables.filter((table) => table.game);
  shown.replaceChildren(
    ...(hall.delay ? [note(say("hall.late", { seconds: hall.delay }))] : []),
    ...(told.length ? [] : [part(say("hall.nothing-yet"), note(say("hall.nothing-about")))]),
    ...(told.length === 1 ? [event(told[0], hall.tables)] : [make("div", { class: "cards" }, told.map((one) => make("a", { class: "place", href: `/tournaments/${one.id}` }, make("span", { class: "head" }, one.name), note(aboutOf(one)), make("span", {}, leaders(one)))))]),
    ...(told.length !== 1 && playing.length ? [part(say("hall.boards"), make("div", { class: "cards" }, playing.map((table) => card(table, `/tables/${table.place}`))))] : []),
  );
}

/** Who is first, once somebody has won something. */
function leaders(told) {
  const first = told.standings.filter((row) => row.rank === 1 && row.score > 0);
  return first.length ? say("hall.leads", { names: first.map((row) => row.name).join(", ") }) : countOf(told.team, told.entries.length);
}

const refresh = await whenKnown(show);
setInterval(() => document.querySelector("dialog[open]") || refresh(), EVERY);
