// What the hall's pages share: who one is, tables and lines, forms, tabs, boards, rounds and standings.
import { now, timeLeft } from "./clock.js";
import { $, $$, attempt, askPin, catalogue, get, language, make, post, say, sentence, timeOf } from "./page.js";

export const shown = $("#shown");
export const number = Number(document.body.dataset.number);

/** With halves as people write them. */
export function half(value) {
  if (value == null) return "";
  if (value % 1 === 0.5) return `${Math.floor(value) || ""}½`;
  return (Math.round(value * 100) / 100).toLocaleString(language);
}

/** What the page is about, in its heading and in the window's title. */
export function titled(text, about = "") {
  const heading = $("main > h1");
  document.title = document.title.replace(heading.firstChild.textContent, text);
  heading.replaceChildren(text, ...(about ? [make("small", { class: "faint block" }, about)] : []));
}

/** A table of cells; a cell may be an element. */
export function lines(heads, rows, more = {}) {
  const head = make("tr", {}, heads.map((text) => make("th", { scope: "col" }, text)));
  const body = rows.map(({ cells, ...about }) => make("tr", about, cells.map((cell, n) => make("td", { "data-head": heads[n] || null }, cell ?? ""))));
  return make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": more.label }, make("table", { class: "lines", ...more }, make("thead", {}, head), make("tbody", {}, body)));
}

export const part = (title, ...inside) => make("section", { class: "card" }, make("h2", {}, title), ...inside);
export const folded = (title, ...inside) => make("details", { class: "card" }, make("summary", {}, title), ...inside);
export const button = (text, doing, more = {}) => make("button", { type: "button", onclick: doing, ...more }, text);
export const note = (text, more = {}) => make("p", { class: "faint", ...more }, text);

/** A small form: fields by name as [label, element]; `send` is given their values. */
export function form(fields, text, send, more = {}) {
  const made = make("form", { class: "row" }, fields.map(([label, field]) => make("label", {}, label, field)), make("button", { class: more.kind ?? "primary" }, text));
  made.onsubmit = async (event) => {
    event.preventDefault();
    await attempt(async () => {
      await send(Object.fromEntries(new FormData(made)));
      made.reset();
      if (more.again) $("input", made)?.focus();
    });
  };
  return made;
}

export const field = (name, more = {}) => make("input", { name, required: true, maxlength: 80, autocomplete: "off", ...more });
export const choice = (name, options, chosen) => make("select", { name }, options.map(([value, label]) => make("option", { value, selected: chosen !== undefined && String(value) === String(chosen) }, label)));

/** Something that is asked in a window of its own; `inside` is given how to close it. */
export function dialog(title, inside) {
  const made = make("dialog", { class: "wide", onclose: () => made.remove() });
  const content = [inside(() => made.close())].flat();
  const typed = content.some((one) => one.matches("form") || $("form", one));
  made.append(make("h2", typed ? {} : { tabindex: -1, autofocus: true }, title), ...content, make("form", { method: "dialog" }, make("button", { class: "quiet" }, say("close"))));
  document.body.append(made);
  made.showModal();
  return made;
}

let tab = location.hash.slice(1);

/** What is seen when the page is shown the next time. */
export const openTab = (name) => history.replaceState(null, "", `#${(tab = name)}`);

/** Parts of a page of which one is seen: by [name, label, what makes it]. */
export function tabs(parts) {
  const open = parts.find(([name]) => name === tab) ?? parts[0];
  const show = (name) => {
    openTab(name);
    made.replaceWith(tabs(parts));
    $(`#tab-${name}`).focus();
  };
  const list = make("div", { class: "tabs", role: "tablist" }, parts.map(([name, label]) => button(label, () => show(name), { id: `tab-${name}`, role: "tab", "aria-selected": String(name === open[0]), "aria-controls": "tab-shown" })));
  // on a phone the one that is open may lie beyond the edge
  requestAnimationFrame(() => (list.scrollLeft = $("[aria-selected=true]", list).offsetLeft - list.clientWidth / 3));
  const made = make("div", { class: "hall" }, list, make("div", { id: "tab-shown", class: "hall", role: "tabpanel", "aria-labelledby": `tab-${open[0]}` }, open[2]()));
  return made;
}

/** Ask the hall, and do it again when somebody has signed in or out. An answer that a later one has overtaken is dropped. */
export async function whenKnown(show, needsDesk = false) {
  let asked = 0;
  let answered = 0;
  const refresh = () => attempt(async () => {
    const mine = ++asked;
    const hall = await get("/api/hall");
    if (mine < answered) return;
    answered = mine;
    showWho(hall);
    if (needsDesk && hall.role === "viewer") shown.replaceChildren(make("section", { class: "card" }, make("p", {}, say("hall.desk-only")), button(say("hall.sign-in"), () => askPin(), { class: "primary" })));
    else await show(hall);
  });
  document.addEventListener("role", refresh);
  await refresh();
  return refresh;
}

function showWho({ who, role }) {
  const place = $("#who");
  document.body.dataset.desk = role === "viewer" ? "" : role;
  place.textContent = who || say("hall.sign-in");
  place.title = say(who ? "role.leave" : "hall.sign-in");
  place.onclick = () => (who ? attempt(async () => (await post("/api/logout"), document.dispatchEvent(new Event("role")))) : askPin());
}

/** Calls back when the desk does something, or a table's game begins or ends; not while somebody types. */
export function follow(table, hall = () => {}) {
  const stream = new EventSource(`/api/hall/events?lang=${language}`);
  stream.addEventListener("table", (event) => table(JSON.parse(event.data)));
  stream.addEventListener("hall", hall);
  addEventListener("pagehide", () => stream.close());
  return stream;
}

export const isTyping = () => Boolean($("dialog[open]")) || shown.contains(document.activeElement?.closest("input, select, textarea"));

// --- tables

/** The seats of a table's game with who sits there. */
export function seatsOf(table) {
  const played = catalogue.games.find((one) => one.id === table.game);
  const seats = played?.seats[String(table.players.length)] ?? Object.keys(table.clock?.seats ?? {});
  return seats.map((seat, n) => ({ seat, label: played?.labels[seat] ?? seat, badge: played?.badges[seat], name: table.players[n] ?? "" }));
}

const ticking = new WeakMap();

function clockOf(table, seat) {
  if (!table.clock?.seats[seat]) return null;
  const made = make("span", { class: `time${table.clock.running === seat ? " runs" : ""}`, "data-ticks": "" });
  ticking.set(made, { clock: table.clock, seat });
  showTime(made);
  return made;
}

function showTime(place) {
  const { clock, seat } = ticking.get(place);
  const { left } = now(clock, seat);
  place.textContent = timeLeft(left);
  place.classList.toggle("low", left < 20);
}

setInterval(() => $$("[data-ticks]").forEach(showTime), 250);

function token({ color, shape }) {
  const made = make("i", { class: `token ${shape ?? ""}`, "aria-hidden": "true" });
  made.style.setProperty("--badge", color);
  return made;
}

export const seatLines = (table) => make("ul", { class: "who" }, seatsOf(table).map(({ seat, name, label, badge }) => make("li", { title: label }, badge ? token(badge) : null, make("span", {}, name || sentence(label), make("span", { class: "sr" }, `, ${label}`)), clockOf(table, seat))));

/** A table of the hall as a card; the board is drawn anew only when something happened. */
export function card(table, address, boards = true) {
  const parts = [
    make("div", { class: "head" }, make("span", {}, table.name), table.online ? null : make("span", { class: "chip" }, say(table.joined ? "hall.offline" : "hall.not-joined"))),
    table.trouble_text ? make("p", { class: "why" }, sentence(table.trouble_text)) : null,
    table.game && boards ? make("img", { src: boardOf(table), alt: `${table.name}: ${table.game_name}`, loading: "lazy", width: 300, height: 300 }) : null,
    table.game ? seatLines(table) : table.joined ? note(say("hall.no-game")) : null,
    table.game ? note([table.turn_text, table.moves ? say("hall.moves", { number: table.moves }) : "", table.match ? say("hall.match", { match: table.match }) : ""].filter(Boolean).join(" · ")) : null,
  ];
  return make("a", { class: `place${table.trouble.length ? " trouble" : ""}${table.over ? " over" : ""}`, "data-place": table.place, href: address }, ...parts);
}

export const boardOf = (table) => `/api/tables/${table.place}/board.svg?lang=${language}&at=${table.event}-${table.moves}`;

// --- rounds

export const scores = (one) => one.sides.map((side) => half(side.score)).join(" : ");

/** What came of a pairing, or how far it is. */
export function stateOf(one, tables = []) {
  if (one.bye) return say("hall.bye");
  if (one.done) return scores(one);
  const table = tables.find((found) => found.pairing === one.id);
  const games = one.games.split("/")[1] > 1 ? say("hall.games-done", { games: one.games }) : "";
  return make("span", { class: "faint" }, [table ? say("hall.moves", { number: table.moves }) : say("hall.waits"), games].filter(Boolean).join(" · "));
}

/** A round with its pairings; `more` adds cells to a line. */
export function round(found, tables = [], heads = [], more = () => []) {
  return lines(
    [say("hall.table"), say("hall.players"), say("hall.result"), ...heads],
    found.pairings.map((one) => ({
      class: one.differs ? "differs" : one.done ? null : "open",
      "data-pairing": one.id,
      cells: [one.table || (one.bye ? "" : "–"), one.sides.map((side) => side.name).join(" – "), stateOf(one, tables), ...more(one, found)],
    })),
    { label: say("hall.round", { number: found.number }), class: heads.length ? "lines stack named-second" : "lines short-ends" },
  );
}

export const roundTitle = (found) => `${say("hall.round", { number: found.number })}${found.published ? "" : ` · ${say("hall.draft")}`}`;

/** Standings; a touch on a line tells what every tie-break is made of. */
export function standings(told, change = null) {
  if (!told.standings.length) return part(say("hall.standings"), note(say("hall.nobody-yet")), change);
  const breaks = told.standings[0].tie_breaks;
  const made = lines(
    ["", say("hall.players"), say("hall.score"), ...breaks.map((one) => one.label)],
    told.standings.map((row) => ({ cells: [String(row.rank), button([make("span", {}, row.name), row.club ? make("small", { class: "faint club" }, row.club) : null], () => why(row), { class: "link", "data-entry": row.entry }), make("strong", {}, half(row.score)), ...row.tie_breaks.map((one) => half(one.value))] })),
    { label: say("hall.standings") },
  );
  return part(say("hall.standings"), note(say("hall.standings-about")), made, make("details", {}, make("summary", {}, say("hall.tie-breaks")), note(say("hall.tie-breaks-about")), make("dl", {}, told.tie_breaks.flatMap((one) => [make("dt", {}, one.label), make("dd", { class: "faint" }, one.text)])), change));
}

function why(row) {
  dialog(`${row.rank}. ${row.name}`, () => [
    make("p", {}, say("hall.score-of", { score: half(row.score) }), row.club ? ` · ${row.club}` : ""),
    lines([say("hall.tie-break"), "", say("hall.made-of")], row.tie_breaks.map((one) => ({ cells: [one.label, half(one.value), one.made_of || "–"] })), { label: say("hall.tie-breaks") }),
    lines([say("hall.round-short"), say("hall.against-whom"), say("hall.result")], row.rounds.map((one, n) => ({ cells: [String(n + 1), one.against || (one.text === "+" ? say("hall.bye") : "–"), half(one.score)] })), { label: say("hall.rounds") }),
  ]);
}

/** Round by round against whom, as what, and what came of it. */
export function crosstable(told) {
  const count = told.standings[0]?.rounds.length ?? 0;
  if (!count) return part(say("hall.crosstable"), note(say("hall.nothing-yet")));
  return part(
    say("hall.crosstable"),
    note(say("hall.crosstable-about")),
    lines(
      ["", say("hall.players"), ...Array.from({ length: count }, (_, n) => String(n + 1)), say("hall.score")],
      told.standings.map((row, n) => ({ cells: [String(n + 1), row.name, ...row.rounds.map((one) => make("span", { title: one.against }, one.text, " ", make("strong", {}, half(one.score)))), make("strong", {}, half(row.score))] })),
      { label: say("hall.crosstable"), class: "lines cross" },
    ),
  );
}

/** A tournament as everybody may see it. */
export function event(told, tables) {
  const last = told.rounds.at(-1);
  const playing = tables.filter((table) => table.game && last?.pairings.some((one) => one.id === table.pairing));
  return tabs([
    ["round", last ? say("hall.round", { number: last.number }) : say("hall.rounds"), () => [part(last ? roundTitle(last) : say("hall.rounds"), last ? round(last, tables) : note(say("hall.nothing-yet"))), ...(playing.length ? [make("div", { class: "cards" }, playing.map((table) => card(table, `/tables/${table.place}`)))] : []), ...told.rounds.slice(0, -1).reverse().map((one) => folded(roundTitle(one), round(one)))]],
    ["standings", say("hall.standings"), () => [standings(told)]],
    ["crosstable", say("hall.crosstable"), () => [crosstable(told)]],
    ["files", say("hall.files"), () => [files(told)]],
  ]);
}

/** On paper and as files. */
export function files(told, onPage = false) {
  const paper = language === "en" && navigator.language === "en-US" ? "Letter" : "A4";
  const pdf = (what) => make("a", { class: "button", href: `/api/tournaments/${told.id}/paper.pdf?what=${what}&paper=${paper}&lang=${language}`, target: "_blank" }, say(`hall.paper.${what}`));
  return part(
    say("hall.files"),
    make("h3", {}, say("hall.on-paper")),
    make("div", { class: "choices" }, ["pairings", "slips", "standings", "crosstable"].map(pdf), onPage ? button(say("hall.print-this"), () => print(), { class: "primary" }) : make("a", { class: "button", href: `/print/${told.id}` }, say("hall.print-page"))),
    make("h3", {}, say("hall.as-file")),
    make("div", { class: "choices" }, ["csv", "json", ...(told.seats / told.team === 2 ? ["trf"] : [])].map((kind) => make("a", { class: "button", href: `/api/tournaments/${told.id}/export?kind=${kind}` }, say(`hall.export.${kind}`)))),
  );
}

export const countOf = (team, count) => say(team > 1 ? "hall.teams-count" : "hall.entries-count", { count });

const roundOf = (told) => {
  const round = told.rounds.filter((one) => one.published).length;
  return round ? say("hall.round-of", { round, length: told.length }) : say("hall.not-begun");
};

export const aboutOf = (told) => [told.game_name, told.system_text, roundOf(told), told.closed ? say("hall.closed") : ""].filter(Boolean).join(" · ");

export { $, $$, attempt, catalogue, get, language, make, post, say, sentence, timeOf };
