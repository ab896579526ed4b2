// A tournament at the desk: what comes next, drafts and publication, results and corrections, who takes part.
import { aboutOf, attempt, button, choice, crosstable, dialog, field, files, folded, follow, form, get, half, isTyping, lines, make, note, number, openTab, part, post, round, roundTitle, say, shown, standings, tabs, timeOf, titled, whenKnown } from "./hall.js";
import { tieBreaks } from "./hall-new.js";
import { choose, tell } from "./page.js";

let told;
let hall;

const act = (path, body) => attempt(async () => (await post(path, body), await refresh()));
const arbiter = () => hall.role === "arbiter";
const size = () => told.seats / told.team;
const open = () => told.entries.filter((one) => !one.gone);
const sure = async (question, label) => Boolean(await choose(question, [{ value: "yes", label, kind: "primary" }]));

async function show(found) {
  hall = found;
  told = await get(`/api/tournaments/${number}`);
  titled(told.name, aboutOf(told));
  const last = told.rounds.at(-1);
  shown.replaceChildren(
    next(),
    tabs([
      ["round", last ? say("hall.round", { number: last.number }) : say("hall.rounds"), rounds],
      ["players", say("hall.entries-tab", { count: told.entries.length }), () => [people()]],
      ["standings", say("hall.standings"), () => [standings(told, arbiter() && !told.closed ? make("div", {}, button(say("hall.tie-breaks-change"), changeTies, { class: "small", id: "change-ties" })) : null)]],
      ["crosstable", say("hall.crosstable"), () => [crosstable(told)]],
      ["corrections", say("hall.corrections-tab", { count: told.corrections.length }), () => [corrections()]],
      ["files", say("hall.files"), () => [files(told)]],
    ]),
  );
}

/** The one thing that comes next, in words, and how to do it. */
function next() {
  const draft = told.rounds.find((one) => !one.published);
  const last = told.rounds.at(-1);
  const missing = last && !draft ? last.pairings.filter((one) => !one.done).length : 0;
  const over = told.rounds.length >= told.length && told.rounds.length > 0;
  const of = { number: told.rounds.length + 1, count: missing, round: last?.number, all: last?.pairings.filter((one) => !one.bye).length, done: last ? last.pairings.filter((one) => one.done && !one.bye).length : 0 };
  const absent = open().filter((one) => !one.here).length;
  const pair = button(say("hall.pair", of), () => (openTab("round"), act("/api/pair", { tournament: number })), { class: "primary", id: "pair" });
  const byHand = button(say("hall.by-hand"), () => pairByHand(null), { id: "by-hand" });
  const close = button(say("hall.close"), async () => (await sure(say("hall.close-sure"), say("hall.close"))) && act("/api/close", { tournament: number }), { id: "close", class: over && !missing ? "primary" : "quiet" });
  const states = [
    [told.closed, say("hall.next.closed"), []],
    [draft, say("hall.next.draft", { number: draft?.number }), [button(say("hall.publish"), () => (openTab("round"), act("/api/publish", { tournament: number })), { class: "primary", id: "publish" }), button(say("hall.change"), () => pairByHand(draft), { id: "change" }), button(say("hall.throw-away"), () => act("/api/unpair", { tournament: number }), { class: "quiet", id: "throw-away" })]],
    [missing, say("hall.next.playing", of), []],
    [over, say("hall.next.over"), [close]],
    [open().length < size(), say("hall.next.players"), [make("a", { class: "button", href: `/check-in/${number}` }, say("hall.check-in"))]],
    [true, say(last ? "hall.next.pair" : "hall.next.first", of), [pair, byHand, ...(last ? [close] : [])]],
  ];
  const [, text, doing] = states.find(([holds]) => holds);
  return make("section", { class: "card next" }, make("p", { class: "coming" }, text), absent && !told.closed && !missing ? note(say("hall.absent", { count: absent })) : null, make("div", { class: "choices" }, arbiter() ? doing : [], make("a", { class: "button", href: `/check-in/${number}` }, say("hall.check-in"))));
}

// --- rounds

function rounds() {
  if (!told.rounds.length) return [part(say("hall.rounds"), note(say("hall.nothing-yet")))];
  const [last, ...before] = [...told.rounds].reverse();
  const more = (one, found) => [one.bye ? "" : doings(one, found)];
  return [part(roundTitle(last), ...(last.by_hand ? [note(say("hall.is-by-hand"))] : []), round(last, hall.tables, [""], more)), ...before.map((one) => folded(roundTitle(one), round(one, [], [""], more)))];
}

function doings(one, found) {
  const differs = one.differs ? make("p", { class: "ask" }, say("hall.differs", { table: scoresOf(one.by_table, one), desk: scoresOf(one.by_desk.scores, one) })) : null;
  const by = one.by_desk ? note(say("hall.of", { what: `${one.by_desk.who}, ${timeOf(one.by_desk.at)}`, text: one.by_desk.reason })) : null;
  const table = hall.tables.find((place) => place.pairing === one.id);
  const buttons = [
    found.published ? button(say(one.done ? "hall.correct" : "hall.enter-result"), () => enter(one), { class: "small", "data-enter": one.id }) : null,
    arbiter() && !one.done && hall.tables.length ? button(say("hall.seat-at"), () => seat(one), { class: "small quiet" }) : null,
    table ? make("a", { href: `/desk/tables/${table.place}` }, say("hall.watch")) : null,
  ];
  return make("div", {}, differs, by, make("span", { class: "choices" }, buttons));
}

const scoresOf = (scores, one) => one.sides.map((side) => half(scores[side.entry])).join(" : ");

/** Another table for a pairing. */
function seat(one) {
  dialog(one.sides.map((side) => side.name).join(" – "), (close) => form([[say("hall.table"), choice("table", [["", "–"], ...hall.tables.map((table) => [table.place, table.name])], one.place ?? "")]], say("hall.set"), async (given) => (await post("/api/seat", { pairing: one.id, table: given.table ? Number(given.table) : null }), close(), await refresh())));
}

/** A result by hand, or a correction, with its reason. */
function enter(one) {
  const made = dialog(one.sides.map((side) => side.name).join(" – "), (close) => {
    const two = one.sides.length === 2;
    const names = one.sides.map((side) => side.name);
    const results = [["1 0", say("hall.wins", { name: names[0] })], ["0.5 0.5", say("hall.drawn")], ["0 1", say("hall.wins", { name: names[1] })], ["0 0", say("hall.both-lose")]];
    const places = one.sides.map((side, n) => [side.name, choice(`place-${n}`, one.sides.map((_, place) => [place + 1, say("hall.place", { number: place + 1 })]), n + 1)]);
    const fields = [...(two ? [[say("hall.result"), choice("scores", results)]] : places), [say("hall.reason"), field("reason", { maxlength: 500, placeholder: say("hall.reason-example") })]];
    const send = async (given) => {
      const values = two ? given.scores.split(" ").map(Number) : shares(one.sides.map((_, n) => Number(given[`place-${n}`])));
      await post("/api/result", { pairing: one.id, reason: given.reason, scores: Object.fromEntries(one.sides.map((side, n) => [side.entry, values[n]])) });
      close();
      await refresh();
    };
    const undo = form([[say("hall.reason"), field("reason", { maxlength: 500 })]], say("hall.table-counts"), async (given) => (await post("/api/result", { pairing: one.id, reason: given.reason }), close(), await refresh()), { kind: "" });
    return [note(say("hall.result-about")), form(fields, say("hall.record"), send), ...(one.by_desk ? [make("h3", {}, say("hall.withdraw-result")), undo] : [])];
  });
  made.dataset.pairing = one.id;
}

/** Of places at a board what each has won: the others he is before, and half of those beside him. */
const shares = (places) => places.map((mine, n) => places.reduce((sum, other, m) => sum + (m === n ? 0 : mine < other ? 1 : mine === other ? 0.5 : 0), 0) / (places.length - 1));

/** A round as a person wants it: who plays whom, board by board. Who is at no board is left out. */
function pairByHand(draft) {
  dialog(say("hall.by-hand"), (close) => {
    const there = open().filter((one) => one.here);
    const start = draft ? draft.pairings.map((one) => one.sides.map((side) => side.entry)) : [];
    const count = Math.max(start.length, Math.ceil(there.length / size()));
    const met = new Map(told.rounds.filter((one) => one.published).flatMap((found) => found.pairings.flatMap((one) => one.sides.flatMap((a) => one.sides.filter((b) => b !== a).map((b) => [`${a.entry} ${b.entry}`, found.number])))));
    const names = [["", "–"], ...there.map((one) => [one.id, one.name]).sort((one, other) => one[1].localeCompare(other[1]))];
    const boards = make("ol", { class: "boards" }, Array.from({ length: count }, (_, n) => make("li", {}, Array.from({ length: size() }, (_, place) => {
      const made = choice("", names, start[n]?.[place] ?? "");
      made.setAttribute("aria-label", `${n + 1}: ${say("hall.player")} ${place + 1}`);
      return made;
    }), make("small", { class: "ask" }))));
    const said = make("p", { role: "status", class: "faint" });
    const taken = () => [...boards.children].map((board) => [...board.querySelectorAll("select")].map((one) => Number(one.value)).filter(Boolean));
    const look = () => {
      const chosen = taken().flat();
      const left = there.filter((one) => !chosen.includes(one.id));
      said.textContent = left.length ? say("hall.not-placed", { names: left.map((one) => one.name).join(", ") }) : say("hall.all-placed");
      for (const board of boards.children) {
        const here = [...board.querySelectorAll("select")].map((one) => Number(one.value)).filter(Boolean);
        const again = here.flatMap((a) => here.map((b) => met.get(`${a} ${b}`))).find(Boolean);
        board.querySelector("small").textContent = again ? say("hall.have-met", { number: again }) : "";
        for (const one of board.querySelectorAll("select")) one.setCustomValidity(one.value && chosen.filter((id) => id === Number(one.value)).length > 1 ? say("hall.twice") : "");
      }
    };
    boards.onchange = look;
    look();
    const made = make("form", { class: "stacked" }, note(say("hall.by-hand-about")), boards, said, make("button", { class: "primary", id: "save-boards" }, say("hall.save-draft")));
    made.onsubmit = (event) => {
      event.preventDefault();
      attempt(async () => {
        await post("/api/pair", { tournament: number, boards: taken().filter((board) => board.length) });
        openTab("round");
        close();
        await refresh();
      });
    };
    return made;
  });
}

/** Other tie-breaks, or in another order; once somebody plays only with a reason. */
function changeTies() {
  const late = told.rounds.some((one) => one.published);
  dialog(say("hall.tie-breaks"), (close) => {
    const ties = tieBreaks(hall.tie_breaks, told.tie_breaks.map((one) => one.name));
    const made = make("form", { class: "stacked" }, note(say("hall.tie-breaks-about")), ties, ...(late ? [make("label", {}, say("hall.reason"), field("reason", { maxlength: 500 }), note(say("hall.tie-breaks-late")))] : []), make("button", { class: "primary" }, say("hall.record")));
    made.onsubmit = (event) => {
      event.preventDefault();
      attempt(async () => {
        await post("/api/tie-breaks", { tournament: number, tie_breaks: ties.names(), reason: new FormData(made).get("reason") ?? "" });
        close();
        await refresh();
      });
    };
    return made;
  });
}

// --- who takes part

function people() {
  const names = told.team > 1 ? [[`${say("hall.name")} 1`, field("one")], [`${say("hall.name")} 2`, field("two")]] : [[say("hall.name"), field("one")]];
  const entries = open().map((one) => [one.id, one.name]);
  const nameOf = (id) => told.entries.find((one) => one.id === id)?.name ?? "";
  const late = told.rounds.some((one) => one.published);
  const state = (one) => (one.gone ? say("hall.gone") : one.here ? say("hall.here") : say("hall.absent-one"));
  const doing = (one) => make("span", { class: "choices" }, one.gone ? null : button(say(one.here ? "hall.mark-absent" : "hall.mark-here"), () => act("/api/entries/here", { tournament: number, entry: one.id, here: !one.here }), { class: "small" }), button(say(one.gone ? "hall.back" : "hall.withdraw"), async () => (one.gone || (await sure(say("hall.withdraw-sure", { name: one.name }), say("hall.withdraw")))) && act("/api/entries/withdraw", { tournament: number, entry: one.id, gone: !one.gone }), { class: "small quiet" }));
  return part(
    say("hall.entries"),
    ...(told.closed
      ? []
      : [
          ...(late ? [note(say("hall.late-about"))] : []),
          form([...names, [say("hall.club"), field("club", { required: false })], [say("hall.rating"), field("rating", { type: "number", min: 0, max: 4000, required: false })]], say("hall.add"), async (given) => {
            await post("/api/entries", { tournament: number, names: [given.one, given.two].filter(Boolean), club: given.club, rating: given.rating ? Number(given.rating) : null });
            await refresh();
            shown.querySelector("[name=one]")?.focus();
          }),
          fromFile(),
        ]),
    lines([say("hall.name"), say("hall.club"), say("hall.rating"), say("hall.state"), ""], told.entries.map((one) => ({ class: one.gone ? "gone" : null, cells: [one.since > 1 ? `${one.name} (${say("hall.since", { number: one.since })})` : one.name, one.clubs.filter(Boolean).join(", "), String(one.rating), state(one), told.closed ? "" : doing(one)] })), { label: say("hall.entries"), class: "lines stack" }),
    ...(arbiter() && !told.closed && entries.length > 1
      ? [
          make("h3", {}, say("hall.forbidden")),
          note(say("hall.forbidden-about")),
          make("ul", {}, told.forbidden.map(([one, two]) => make("li", { class: "choices" }, `${nameOf(one)} – ${nameOf(two)}`, button(say("hall.allow"), () => act("/api/forbid", { tournament: number, entries: [one, two], forbidden: false }), { class: "small quiet" })))),
          form([[say("hall.player"), choice("one", entries)], [say("hall.player"), choice("two", entries, entries[1][0])]], say("hall.forbid"), async (given) => (await post("/api/forbid", { tournament: number, entries: [Number(given.one), Number(given.two)] }), await refresh()), { kind: "" }),
        ]
      : []),
  );
}

/** Players from a file that a spreadsheet wrote, or pasted from one. */
function fromFile() {
  const text = make("textarea", { name: "text", rows: 5, required: true, placeholder: say(told.team > 1 ? "hall.csv-team" : "hall.csv-example") });
  const file = make("input", { type: "file", accept: ".csv,.txt,.tsv,.trf,.trfx,text/*", onchange: async () => (text.value = await file.files[0].text()) });
  const made = form([[say("hall.csv-file"), file], [say("hall.csv-paste"), text]], say("hall.import"), async (given) => {
    const { count } = await post("/api/entries/import", { tournament: number, text: given.text });
    tell(say("hall.imported", { count }));
    await refresh();
  });
  made.classList.add("stacked");
  return make("details", { id: "from-file" }, make("summary", {}, say("hall.from-file")), note(say("hall.csv-about")), made);
}

function corrections() {
  if (!told.corrections.length) return part(say("hall.corrections"), note(say("hall.no-corrections")));
  return part(say("hall.corrections"), lines([say("hall.when"), say("hall.who"), say("hall.round-short"), say("hall.players"), say("hall.was"), say("hall.is"), say("hall.reason")], told.corrections.map((one) => ({ cells: [timeOf(one.at), one.who, String(one.round), one.name, one.before, one.after, one.reason] })), { label: say("hall.corrections"), class: "lines stack headed" }));
}

const refresh = await whenKnown(show, true);
let later;
const soon = () => {
  clearTimeout(later);
  later = setTimeout(() => isTyping() || refresh(), 300);
};
follow((table) => told?.rounds.at(-1)?.pairings.some((one) => one.id === table.pairing) && soon(), soon);
