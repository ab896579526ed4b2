// A tournament as everybody may see it: the round, boards, standings, crosstable, as late as the desk wants.
import { aboutOf, event, get, make, note, number, say, shown, titled, whenKnown } from "./hall.js";

const EVERY = 3000; // milliseconds
let before = "";

async function show(hall) {
  const told = await get(`/api/tournaments/${number}`);
  const news = JSON.stringify([told, hall.tables, hall.delay]);
  if (news === before) return;
  before = news;
  titled(told.name, aboutOf(told));
  shown.replaceChildren(...(hall.delay ? [note(say("hall.late", { seconds: hall.delay }))] : []), event(told, hall.tables));
}

const refresh = await whenKnown(show);
setInterval(() => document.querySelector("dialog[open]") || refresh(), EVERY);
