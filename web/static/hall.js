// What the hall's pages share: who one is, tables and lines, forms, boards.
import { $, attempt, askPin, get, language, make, post, say, timeOf } from "./page.js";

export const shown = $("#shown");
export const number = Number(document.body.dataset.number);
export const half = (value) => (value == null ? "" : value % 1 === 0.5 ? `${Math.floor(value) || ""}½` : String(Math.round(value * 100) / 100));

/** A table of cells; a cell may be an element. */
export function lines(heads, rows) {
  const head = make("tr", {}, heads.map((text) => make("th", { scope: "col" }, text)));
  const body = rows.map(({ cells, ...more }) => make("tr", more, cells.map((cell) => make("td", {}, cell ?? ""))));
  return make("div", { class: "scroll" }, make("table", { class: "lines" }, make("thead", {}, head), make("tbody", {}, body)));
}

export const part = (title, ...inside) => make("section", { class: "card" }, make("h2", {}, title), ...inside);
export const button = (text, doing, more = {}) => make("button", { type: "button", onclick: doing, ...more }, text);

/** A small form: fields by name as [label, element]; `send` is given their values. */
export function form(fields, text, send) {
  const made = make("form", { class: "row" }, fields.map(([label, field]) => make("label", {}, label, field)), make("button", { class: "primary" }, text));
  made.onsubmit = async (event) => {
    event.preventDefault();
    await attempt(async () => {
      await send(Object.fromEntries(new FormData(made)));
      made.reset();
    });
  };
  return made;
}

export const field = (name, more = {}) => make("input", { name, required: true, maxlength: 80, ...more });
export const choice = (name, options) => make("select", { name }, options.map(([value, label]) => make("option", { value }, label)));

/** Ask the hall, and do it again when somebody has signed in or out. */
export async function whenKnown(show, needsDesk = false) {
  const refresh = () => attempt(async () => {
    const hall = await get("/api/hall");
    showWho(hall);
    if (needsDesk && hall.role === "viewer") shown.replaceChildren(make("p", {}, say("hall.desk-only")), button(say("hall.sign-in"), () => askPin(), { class: "primary" }));
    else await show(hall);
  });
  document.addEventListener("role", refresh);
  await refresh();
  return refresh;
}

function showWho({ who }) {
  const place = $("#who");
  place.textContent = who || say("hall.sign-in");
  place.title = say(who ? "role.leave" : "hall.sign-in");
  place.onclick = () => (who ? attempt(async () => (await post("/api/logout"), document.dispatchEvent(new Event("role")))) : askPin());
}

/** A table of the hall as a card; the board is drawn anew only when something happened. */
export function card(table, link) {
  const names = table.players.join(" – ");
  const parts = [
    make("div", { class: "head" }, make("span", {}, table.name), make("span", { class: "faint" }, table.online ? "" : say("hall.offline"))),
    table.trouble_text ? make("p", { class: "why" }, table.trouble_text) : null,
    table.game ? make("img", { src: boardOf(table), alt: `${table.name}: ${table.game_name}`, loading: "lazy" }) : make("p", { class: "faint" }, say(table.joined ? "hall.no-game" : "hall.not-joined")),
    names ? make("p", {}, names) : null,
    table.game ? make("p", { class: "faint" }, [table.turn_text, table.last_move].filter(Boolean).join(" · ")) : null,
    table.match ? make("p", { class: "faint" }, say("hall.match", { match: table.match })) : null,
  ];
  const look = { class: `place${table.trouble.length ? " trouble" : ""}`, "data-place": table.place };
  return link ? make("a", { ...look, href: `/desk/tables/${table.place}` }, ...parts) : make("div", look, ...parts);
}

export const boardOf = (table) => `/api/tables/${table.place}/board.svg?lang=${language}&at=${table.event}-${table.moves}`;

/** The rounds of a tournament, each with its pairings; `more` adds cells to a line. */
export function rounds(told, heads = [], more = () => []) {
  return [...told.rounds].reverse().map((round) =>
    part(
      `${say("hall.round", { number: round.number })}${round.published ? "" : ` · ${say("hall.draft")}`}`,
      lines(
        [say("hall.table"), say("hall.players"), say("hall.result"), ...heads],
        round.pairings.map((one) => ({
          class: one.differs ? "differs" : null,
          cells: [one.table, one.sides.map((side) => side.name).join(" – "), one.bye ? say("hall.bye") : one.done ? one.sides.map((side) => half(side.score)).join(" : ") : `… ${one.games}`, ...more(one, round)],
        })),
      ),
    ),
  );
}

/** Standings with what every tie-break is made of, and the crosstable. */
export function standings(told) {
  const breaks = told.standings[0]?.tie_breaks ?? [];
  const count = told.standings[0]?.rounds.length ?? 0;
  return part(
    say("hall.standings"),
    lines(
      ["", say("hall.players"), say("hall.score"), ...breaks.map((one) => one.label), ...Array.from({ length: count }, (_, n) => String(n + 1))],
      told.standings.map((row) => ({
        cells: [String(row.rank), row.club ? `${row.name} (${row.club})` : row.name, half(row.score), ...row.tie_breaks.map((one) => make("span", { title: one.made_of }, half(one.value))), ...row.rounds],
      })),
    ),
    make("dl", { class: "faint" }, told.tie_breaks.map((one) => [make("dt", {}, one.label), make("dd", {}, one.text)]).flat()),
  );
}

export { $, attempt, get, make, post, say, timeOf };
