// A tournament at the desk: who takes part, drafts and publication, results and corrections.
import { attempt, button, choice, field, form, get, half, lines, make, number, part, post, rounds, say, shown, standings, timeOf, whenKnown } from "./hall.js";

let told;

const act = (path, body) => attempt(async () => (await post(path, body), await refresh()));

async function show(hall) {
  told = await get(`/api/tournaments/${number}`);
  const arbiter = hall.role === "arbiter";
  const draft = told.rounds.find((one) => !one.published);
  const doing = !arbiter || told.closed ? [] : draft
    ? [button(say("hall.publish"), () => act("/api/publish", { tournament: number }), { class: "primary", id: "publish" }), button(say("hall.throw-away"), () => act("/api/unpair", { tournament: number }))]
    : [button(say("hall.pair"), () => act("/api/pair", { tournament: number }), { class: "primary", id: "pair" }), button(say("hall.close"), () => act("/api/close", { tournament: number }))];
  shown.replaceChildren(
    make("h2", {}, `${told.name} · ${told.game_name}, ${told.system_text} · ${told.rounds.length}/${told.length}`),
    make("div", { class: "row" }, ...doing, make("a", { href: `/check-in/${number}` }, say("hall.check-in")), make("a", { href: `/print/${number}` }, say("hall.print")), ...["csv", "json", "trf"].map((kind) => make("a", { href: `/api/tournaments/${number}/export?kind=${kind}` }, kind.toUpperCase()))),
    ...rounds(told, [""], (one) => (one.bye ? [""] : [make("span", {}, one.differs ? `${say("hall.differs", { table: told_by(one.by_table, one), desk: told_by(one.by_desk.scores, one) })} ` : "", button(say("hall.enter-result"), () => enter(one), { class: "small" }))])),
    standings(told),
    ...(told.corrections.length ? [part(say("hall.corrections"), lines([say("hall.when"), say("hall.who"), say("hall.reason")], told.corrections.map((one) => ({ cells: [timeOf(one.at), one.who, one.reason] }))))] : []),
    people(arbiter),
  );
}

const told_by = (scores, one) => one.sides.map((side) => half(scores[side.entry])).join(" : ");

function people(arbiter) {
  const names = told.team > 1 ? [[`${say("hall.name")} 1`, field("one")], [`${say("hall.name")} 2`, field("two")]] : [[say("hall.name"), field("one")]];
  const entries = told.entries.map((one) => [one.id, one.name]);
  return part(
    say("hall.entries"),
    form([...names, [say("hall.club"), field("club", { required: false })], [say("hall.rating"), field("rating", { type: "number", required: false })]], say("hall.add"), async (given) => {
      await post("/api/entries", { tournament: number, names: [given.one, given.two].filter(Boolean), club: given.club, rating: given.rating ? Number(given.rating) : null });
      await refresh();
    }),
    form([["CSV / TRF", make("textarea", { name: "text", rows: 2, required: true })]], say("hall.import"), async (given) => (await post("/api/entries/import", { tournament: number, text: given.text }), await refresh())),
    lines([say("hall.name"), say("hall.rating"), ""], told.entries.map((one) => ({ cells: [one.name, String(one.rating), button(say(one.gone ? "hall.back" : "hall.withdraw"), () => act("/api/entries/withdraw", { tournament: number, entry: one.id, gone: !one.gone }), { class: "small" })] }))),
    ...(arbiter ? [form([[say("hall.never"), choice("one", entries)], [say("hall.against"), choice("two", entries)]], say("hall.forbid"), async (given) => (await post("/api/forbid", { tournament: number, entries: [Number(given.one), Number(given.two)] }), await refresh()))] : []),
  );
}

/** A result by hand, with its reason. */
function enter(one) {
  const [first, second] = one.sides.map((side) => side.entry);
  const results = one.sides.length === 2 ? [["1 0", "1 : 0"], ["0.5 0.5", "½ : ½"], ["0 1", "0 : 1"], ["0 0", "0 : 0"]] : one.sides.map((side, n) => [one.sides.map((_, m) => (m === n ? 1 : 0.25)).join(" "), side.name]);
  const dialog = make("dialog", { onclose: () => dialog.remove() }, make("h2", {}, one.sides.map((side) => side.name).join(" – ")), form([[say("hall.result"), choice("scores", results)], [say("hall.reason"), field("reason", { maxlength: 500 })]], say("hall.record"), async (given) => {
    const values = given.scores.split(" ").map(Number);
    await post("/api/result", { pairing: one.id, reason: given.reason, scores: Object.fromEntries(one.sides.map((side, n) => [side.entry, values[n]])) });
    dialog.close();
    await refresh();
  }), make("form", { method: "dialog" }, make("button", { class: "quiet" }, say("cancel"))));
  dialog.dataset.pair = `${first}-${second}`;
  document.body.append(dialog);
  dialog.showModal();
}

const refresh = await whenKnown(show, true);
