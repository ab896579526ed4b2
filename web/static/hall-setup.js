// The hall's own: tables and their keys, persons, what holds for all tables, ratings.
import { $, attempt, button, catalogue, choice, dialog, field, form, get, lines, make, note, part, post, say, shown, titled, whenKnown } from "./hall.js";
import { choose, tell } from "./page.js";

/** Keys are shown this once: as a line to paste, as a QR code, and all on one page for the printer. */
function keys(made) {
  const shownKeys = made.map(({ name, line, code }) => {
    const drawn = make("div", { class: "code" });
    drawn.append(new DOMParser().parseFromString(code, "image/svg+xml").documentElement);
    return make("section", { class: "key" }, make("h3", {}, name), drawn, make("p", { class: "seal" }, line), button(say("hall.copy"), () => navigator.clipboard.writeText(line).then(() => tell(say("hall.copied"))), { class: "small no-print" }));
  });
  dialog(say(made.length > 1 ? "hall.keys" : "hall.key"), () => [note(say("hall.key-once")), make("div", { class: "keys" }, shownKeys), button(say("hall.print-this"), () => print(), { class: "no-print" })]).classList.add("paper");
}

async function addTables({ name, count }) {
  const made = [];
  const first = $("#places tbody").children.length + 1;
  for (let n = 0; n < Number(count || 1); n++) {
    const called = Number(count || 1) > 1 || name === say("hall.table") ? `${name} ${first + n}` : name;
    made.push({ name: called, ...(await post("/api/tables", { name: called })) });
  }
  keys(made);
  await refresh();
}

function places(hall) {
  const keyed = (table) => attempt(async () => keys([{ name: table.name, ...(await post("/api/tables/key", { table: table.place })) }]));
  const revoke = (table) => attempt(async () => {
    if (await choose(say("hall.revoke-sure", { table: table.name }), [{ value: "yes", label: say("hall.revoke"), kind: "primary" }])) (await post("/api/tables/revoke", { table: table.place }), await refresh());
  });
  const state = (table) => (table.revoked ? say("hall.revoked") : !table.joined ? say("hall.not-joined") : table.online ? say("hall.online") : say("hall.offline"));
  return part(
    say("hall.tables"),
    note(say("hall.tables-about")),
    form([[say("hall.name"), field("name", { value: say("hall.table") })], [say("hall.how-many"), field("count", { type: "number", min: 1, max: 200, value: 1 })]], say("hall.add"), addTables),
    lines([say("hall.table"), say("hall.state"), ""], hall.tables.map((table) => ({ cells: [table.name, state(table), make("span", { class: "choices" }, button(say("hall.new-key"), () => keyed(table), { class: "small" }), button(say("hall.revoke"), () => revoke(table), { class: "small quiet" }))] })), { label: say("hall.tables"), id: "places", class: "lines stack" }),
    ...(hall.fingerprint ? [note(say("hall.fingerprint")), make("p", { class: "seal" }, hall.fingerprint.replace(/(.{4})/g, "$1 "))] : []),
  );
}

function persons(hall) {
  const role = (one) => [one, say(`hall.role.${one}`)];
  return part(
    say("hall.persons"),
    note(say("hall.persons-about")),
    form([[say("hall.name"), field("name")], [say("hall.role"), choice("role", ["referee", "arbiter"].map(role))]], say("hall.add"), async (given) => {
      const { pin } = await post("/api/persons", given);
      dialog(given.name, () => [note(say("hall.pin-once")), make("p", { class: "pin" }, pin)]);
      await refresh();
    }),
    lines([say("hall.name"), say("hall.role"), ""], hall.persons.map((one) => ({ cells: [one.name, say(`hall.role.${one.role}`), one.name === hall.who ? "" : button(say("hall.remove"), () => attempt(async () => (await post("/api/persons/remove", { person: one.id }), await refresh())), { class: "small quiet" })] })), { label: say("hall.persons"), class: "lines stack" }),
  );
}

function forAll(hall) {
  return part(
    say("hall.for-all"),
    make("label", { class: "switch" }, make("input", { type: "checkbox", checked: hall.hints_locked, onchange: (event) => attempt(async () => (await post("/api/hints", { locked: event.target.checked }), await refresh())) }), say("hall.lock-hints")),
    form([[say("hall.delay"), field("seconds", { type: "number", min: 0, max: 3600, value: hall.delay })]], say("hall.set"), async (given) => (await post("/api/delay", { seconds: Number(given.seconds) }), tell(say("hall.is-set")), await refresh()), { kind: "" }),
  );
}

/** One game that two tables play against each other, each from its own place. */
function twinGame(hall) {
  const where = hall.tables.map((table) => [table.place, table.name]);
  const games = catalogue.games.filter((one) => one.players.includes(2)).map((one) => [one.id, one.name]);
  return part(
    say("hall.twin"),
    note(say("hall.twin-about")),
    form([[say("hall.game"), choice("game", games)], [say("hall.table"), choice("one", where)], [say("hall.player"), field("first")], [say("hall.table"), choice("other", where, where[1]?.[0])], [say("hall.player"), field("second")]], say("hall.begin"), async (given) => (await post("/api/twins", { game: given.game, tables: [Number(given.one), Number(given.other)], players: [given.first, given.second] }), tell(say("hall.twin-begun"))), { kind: "" }),
  );
}

async function show(hall) {
  titled(say("hall.setup"), hall.name);
  const arbiter = hall.role === "arbiter";
  const rated = [...hall.players].sort((one, other) => other.rating - one.rating || one.name.localeCompare(other.name));
  shown.replaceChildren(
    ...(arbiter ? [make("div", { class: "two" }, places(hall), make("div", { class: "hall" }, persons(hall), forAll(hall), ...(hall.tables.length > 1 ? [twinGame(hall)] : [])))] : [note(say("hall.arbiter-only"))]),
    part(say("hall.players"), note(say("hall.ratings-about")), rated.length ? lines([say("hall.name"), say("hall.club"), say("hall.rating"), "±", ""], rated.map((one) => ({ cells: [one.name, one.club, String(one.rating), String(one.deviation), button(say("hall.rename"), () => rename(one), { class: "small quiet" })] })), { label: say("hall.players"), class: "lines stack headed" }) : note(say("hall.nobody-yet"))),
  );
}

function rename(one) {
  dialog(one.name, (close) => form([[say("hall.name"), field("name", { value: one.name })], [say("hall.reason"), field("reason", { maxlength: 500, required: false })]], say("hall.record"), async (given) => (await post("/api/players/rename", { player: one.id, ...given }), close(), await refresh())));
}

const refresh = await whenKnown(show, true);
