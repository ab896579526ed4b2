// The desk: all tables on one page, trouble first, as they change.
import { $, attempt, button, card, choice, field, form, get, lines, make, part, post, say, shown, timeOf, whenKnown } from "./hall.js";
import { catalogue } from "./page.js";

const WORST = ["broken", "call", "illegal", "flag", "camera", "unsure", "question", "offline"];
const rank = (table) => (table.trouble.length ? WORST.indexOf(table.trouble[0]) : WORST.length);
let tables = new Map();
let stream;

function showTables() {
  const sorted = [...tables.values()].sort((one, other) => rank(one) - rank(other) || one.place - other.place);
  $("#tables").replaceChildren(...sorted.map((table) => card(table, true)));
}

function key(made) {
  const code = make("div", { class: "code" });
  code.append(new DOMParser().parseFromString(made.code, "image/svg+xml").documentElement);
  const dialog = make("dialog", { onclose: () => dialog.remove() }, make("h2", {}, say("hall.key")), make("p", {}, say("hall.key-once")), make("p", { class: "seal" }, made.line), code, make("form", { method: "dialog" }, make("button", {}, say("hall.done"))));
  document.body.append(dialog);
  dialog.showModal();
}

async function show(hall) {
  tables = new Map(hall.tables.map((table) => [table.place, table]));
  const arbiter = hall.role === "arbiter";
  shown.replaceChildren(
    ...(hall.trouble ? [make("p", { class: "why", role: "alert" }, say("hall.database-away"))] : []),
    part(say("hall.tables"), make("div", { id: "tables", class: "cards" })),
    part(
      say("hall.tournaments"),
      lines([say("hall.name"), say("hall.game"), say("hall.rounds")], hall.tournaments.map((one) => ({ cells: [make("a", { href: `/desk/tournaments/${one.id}` }, one.name), `${one.game_name}, ${one.system_text}`, `${one.rounds}/${one.length}`] }))),
      ...(arbiter ? [newTournament()] : []),
    ),
    ...(arbiter ? [hallPart(hall)] : []),
    ...(hall.refusals.length ? [part(say("hall.refusals"), lines([say("hall.table"), say("hall.when"), "#"], hall.refusals.map((one) => ({ cells: [tables.get(one.place)?.name, timeOf(one.at), String(one.number)] }))))] : []),
    part(say("hall.ratings"), lines([say("hall.name"), "Glicko-2", "±"], hall.players.map((one) => ({ cells: [one.name, String(one.rating), String(one.deviation)] })))),
    make("p", {}, button(say("hall.verify"), () => attempt(async () => {
      const found = await get("/api/hall/verify");
      $("#verified").textContent = found.ok ? say("hall.verified", found) : found.findings.join(" · ");
    })), make("span", { id: "verified", role: "status" })),
  );
  showTables();
  follow();
}

function newTournament() {
  const games = catalogue.games.filter((one) => one.players.some((count) => count > 1)).map((one) => [one.id, one.name]);
  const systems = ["swiss", "round-robin", "knock-out"].map((one) => [one, say(`hall.system.${one}`)]);
  return form([[say("hall.name"), field("name")], [say("hall.game"), choice("game", games)], [say("hall.system"), choice("system", systems)], [say("hall.rounds"), field("rounds", { type: "number", min: 0, max: 99, value: 0 })], [say("hall.at-board"), choice("seats", [[0, "–"], [2, 2], [3, 3], [4, 4]])]], say("hall.add"), async (given) => {
    const { id } = await post("/api/tournaments", { ...given, rounds: Number(given.rounds), seats: Number(given.seats) });
    location.href = `/desk/tournaments/${id}`;
  });
}

function hallPart(hall) {
  return part(
    say("hall.hall"),
    form([[say("hall.new-table"), field("name")]], say("hall.add"), async (given) => (key(await post("/api/tables", given)), await refresh())),
    make("div", { class: "row" }, hall.tables.map((table) => make("span", { class: "choices" }, table.name, button(say("hall.new-key"), () => attempt(async () => key(await post("/api/tables/key", { table: table.place }))), { class: "small" }), button(say("hall.revoke"), () => attempt(async () => (await post("/api/tables/revoke", { table: table.place }), await refresh())), { class: "small" })))),
    form([[say("hall.person"), field("name")], [say("hall.role"), choice("role", ["referee", "arbiter", "viewer"].map((one) => [one, say(`hall.role.${one}`)]))]], say("hall.add"), async (given) => {
      const { pin } = await post("/api/persons", given);
      $("#pin").textContent = `${given.name}: ${pin}`;
    }),
    make("p", { id: "pin", role: "status" }),
    form([[say("hall.delay"), field("seconds", { type: "number", min: 0, max: 3600, value: hall.delay })]], say("hall.set"), async (given) => (await post("/api/delay", { seconds: Number(given.seconds) }), await refresh())),
    button(say(hall.hints_locked ? "hall.unlock-hints" : "hall.lock-hints"), () => attempt(async () => (await post("/api/hints", { locked: !hall.hints_locked }), await refresh()))),
  );
}

function follow() {
  stream?.close();
  stream = new EventSource("/api/hall/events");
  stream.addEventListener("table", (event) => {
    const table = JSON.parse(event.data);
    tables.set(table.place, table);
    const before = $(`#tables [data-place="${table.place}"]`);
    const wasTroubled = before?.classList.contains("trouble");
    if (before && wasTroubled === table.trouble.length > 0) before.replaceWith(card(table, true));
    else showTables();
  });
}

const refresh = await whenKnown(show, true);
