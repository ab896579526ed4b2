// The desk: all tables on one page, trouble first, as they change; and the tournaments.
import { $, button, card, countOf, follow, get, make, note, part, say, shown, timeOf, titled, whenKnown } from "./hall.js";
import { newTournament } from "./hall-new.js";

const WORST = ["broken", "call", "illegal", "flag", "camera", "refused", "unsure", "question", "offline"];
const rank = (table) => (table.trouble.length ? WORST.indexOf(table.trouble[0]) : table.joined ? WORST.length : WORST.length + 1);
let tables = new Map();
const heard = new Map(); // what the stream has told since the hall was last asked: the answer may be older
let stream;
let boards = localStorage.getItem("hall-boards") !== "no";

const shownCard = (table) => card(table, `/desk/tables/${table.place}`, boards);

function showTables() {
  const sorted = [...tables.values()].sort((one, other) => rank(one) - rank(other) || one.place - other.place);
  $("#tables").replaceChildren(...sorted.map(shownCard));
  $("#tables").classList.toggle("few", !boards);
  showCount();
}

function showCount() {
  const all = [...tables.values()];
  const wanting = all.filter((table) => table.trouble.length).length;
  const counts = { tables: all.length, online: all.filter((table) => table.online).length, playing: all.filter((table) => table.game && !table.over).length };
  $("#count").replaceChildren(make("span", { class: wanting ? "why" : "fine" }, wanting ? say("hall.wanting", { count: wanting }) : say("hall.all-well")), ` · ${say("hall.counts", counts)}`);
}

/** What an organizer does first, with what is done already. */
function firstSteps(hall) {
  const steps = [
    ["tables", hall.tables.length > 0, "/desk/hall"],
    ["tournament", hall.tournaments.length > 0, null],
    ["players", hall.tournaments.some((one) => one.entries > 1), hall.tournaments.length ? `/desk/tournaments/${hall.tournaments[0].id}#players` : null],
    ["round", hall.tournaments.some((one) => one.rounds > 0), hall.tournaments.length ? `/desk/tournaments/${hall.tournaments[0].id}` : null],
  ];
  if (steps.every(([, done]) => done) || hall.role !== "arbiter") return null;
  return part(say("hall.first-steps"), make("ol", { class: "steps" }, steps.map(([name, done, address]) => make("li", { class: done ? "done" : null }, address && !done ? make("a", { href: address }, say(`hall.step.${name}`)) : say(`hall.step.${name}`)))));
}

function tournaments(hall) {
  const arbiter = hall.role === "arbiter";
  return part(
    say("hall.tournaments"),
    hall.tournaments.length ? make("div", { class: "cards few" }, hall.tournaments.map((one) => make("a", { class: "place", href: `/desk/tournaments/${one.id}` }, make("span", { class: "head" }, one.name), note(`${one.game_name} · ${one.system_text}`), make("span", {}, one.closed ? say("hall.closed") : one.draft ? make("strong", {}, say("hall.draft-waits", { number: one.draft })) : one.rounds ? `${say("hall.round-of", { round: one.rounds, length: one.length })} · ${say("hall.results-in", { done: one.done, all: one.pairings })}` : countOf(one.team, one.entries))))) : note(say("hall.no-tournament")),
    ...(arbiter ? [make("div", {}, button(say("hall.new-tournament"), () => newTournament(hall), { id: "new-tournament", class: hall.tournaments.length ? "" : "primary" }))] : []),
  );
}

async function show(hall) {
  tables = new Map(hall.tables.map((table) => [table.place, heard.get(table.place) ?? table]));
  titled(hall.name, say("hall.desk"));
  shown.replaceChildren(
    ...[
      hall.trouble ? make("p", { class: "why banner", role: "alert" }, say("hall.database-away")) : null,
      firstSteps(hall),
      tournaments(hall),
      make("section", { class: "hall" }, make("div", { class: "row between" }, make("h2", {}, say("hall.tables")), make("p", { id: "count", role: "status" }), make("label", { class: "switch" }, make("input", { type: "checkbox", checked: boards, onchange: (event) => (localStorage.setItem("hall-boards", (boards = event.target.checked) ? "yes" : "no"), showTables()) }), say("hall.boards"))), make("div", { id: "tables", class: "cards" }), hall.tables.length ? null : note(say("hall.no-tables"))),
      hall.refusals.length ? part(say("hall.refusals"), note(say("hall.refusals-about")), make("ul", {}, hall.refusals.map((one) => make("li", {}, `${timeOf(one.at)} · ${tables.get(one.place)?.name ?? ""} · ${one.number}`)))) : null,
    ].filter(Boolean),
  );
  showTables();
  stream ??= follow(changed, () => !$("dialog[open]") && askAgain());
}

function changed(table) {
  const before = tables.get(table.place);
  heard.set(table.place, table);
  tables.set(table.place, table);
  const shownNow = $(`#tables [data-place="${table.place}"]`);
  if (shownNow && before && rank(before) === rank(table)) {
    const focused = shownNow.contains(document.activeElement);
    const made = shownCard(table);
    shownNow.replaceWith(made);
    if (focused) made.focus();
    showCount();
  } else showTables();
}

function askAgain() {
  heard.clear();
  refresh();
}

document.addEventListener("role", () => heard.clear());
const refresh = await whenKnown(show, true);
