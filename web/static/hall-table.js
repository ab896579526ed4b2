// A table at the desk: its board, what happened, evidence, decisions, its clock.
import { attempt, boardOf, button, choice, field, form, get, lines, make, number, part, post, say, shown, timeOf, whenKnown } from "./hall.js";

async function show() {
  const { card, happened, decisions } = await get(`/api/tables/${number}`);
  const seats = Object.keys(card.clock?.seats ?? {});
  shown.replaceChildren(
    make("h2", {}, `${card.name} · ${card.game_name || say("hall.no-game")}`),
    ...(card.trouble_text ? [make("p", { class: "why", role: "alert" }, card.trouble_text)] : []),
    ...(card.game ? [make("div", { class: "evidence" }, make("figure", {}, make("img", { src: boardOf(card), alt: card.game_name }), make("figcaption", {}, `${card.players.join(" – ")} · ${card.turn_text}`)), make("div", { id: "evidence" }))] : []),
    make("div", { class: "row" }, ...(card.trouble.includes("call") ? [button(say("hall.answered"), () => act("/api/answered", { table: number }), { class: "primary" })] : [])),
    ...(seats.length ? [part(say("hall.clock"), lines(["", ""], seats.map((seat) => ({ cells: [seat, String(Math.round(card.clock.seats[seat].main ?? card.clock.seats[seat].left ?? 0))] }))), form([[say("hall.seat"), choice("seat", seats.map((seat) => [seat, seat]))], [say("hall.seconds"), field("seconds", { type: "number", value: 60 })]], say("hall.give"), (given) => act("/api/clock", { table: number, do: "add", seat: given.seat, seconds: Number(given.seconds) })))] : []),
    part(
      say("hall.decide"),
      form([[say("hall.decision"), field("text", { maxlength: 500 })], [say("hall.does"), choice("do", ["note", "stand", "back", "end"].map((one) => [one, say(`hall.do.${one}`)]))]], say("hall.record"), (given) => act("/api/decide", { table: number, ...given })),
      lines([say("hall.when"), say("hall.who"), say("hall.decision")], decisions.map((one) => ({ cells: [timeOf(one.at), one.who, one.text] }))),
    ),
    part(say("hall.happened"), lines([say("hall.when"), "", ""], happened.map((one) => ({ cells: [timeOf(one.at), one.kind, one.kind === "verdict" ? button(one.text, () => evidence(one.event), { class: "small" }) : one.text] })))),
  );
}

async function act(path, body) {
  await attempt(() => post(path, body));
  await refresh();
}

/** A verdict with its pictures, the reading, the rule and the seals. */
async function evidence(event) {
  await attempt(async () => {
    const found = await get(`/api/tables/${number}/evidence?number=${event}`);
    const picture = (address, title) => (address ? make("figure", {}, make("img", { src: address, alt: title }), make("figcaption", {}, title)) : null);
    document.querySelector("#evidence").replaceChildren(
      make("h3", {}, found.text),
      ...(found.rule ? [make("p", {}, make("strong", {}, found.rule), " ", found.rule_text)] : []),
      ...[picture(found.before, say("hall.before")), picture(found.after, say("hall.after"))].filter(Boolean),
      lines([say("hall.square"), say("hall.should"), say("hall.seen")], found.squares.map((one) => ({ cells: [one.square, one.should, one.seen] }))),
      make("p", {}, say(found.sealed ? "hall.sealed" : "hall.unsealed")),
      ...found.seals.map((one) => make("p", { class: "seal" }, `${one.event}: ${one.seal}`)),
    );
  });
}

const refresh = await whenKnown(show, true);
new EventSource("/api/hall/events").addEventListener("table", (event) => {
  if (JSON.parse(event.data).place === number && !shown.contains(document.activeElement)) refresh();
});
