// A table at the desk: its board, what is wrong, evidence, decisions, its clock.
import { attempt, boardOf, button, choice, field, folded, follow, form, get, isTyping, lines, make, note, number, part, post, say, seatLines, seatsOf, sentence, shown, timeOf, titled, whenKnown } from "./hall.js";

const TRIES = 12; // for a picture, a second each
const DOING = ["note", "stand", "back", "end"];

async function show(hall) {
  const { card, happened, decisions, head } = await get(`/api/tables/${number}`);
  titled(card.name, [card.game_name || say("hall.no-game"), card.round ? say("hall.round", { number: card.round }) : "", card.match ? say("hall.match", { match: card.match }) : ""].filter(Boolean).join(" · "));
  const verdicts = happened.filter((one) => one.kind === "verdict");
  shown.replaceChildren(
    make(
      "div",
      { class: "beside" },
      card.game ? make("img", { class: "board", src: boardOf(card), alt: `${card.name}: ${card.game_name}` }) : part(say("hall.no-game"), note(say("hall.no-game-about"))),
      make(
        "div",
        { class: "hall" },
        ...[
          card.trouble.length || !card.online ? trouble(card, verdicts[0]) : null,
          card.game ? part(card.turn_text || card.game_name, seatLines(card), ...(card.last_move ? [note(say("hall.of", { what: sentence(say("hall.last-move")), text: card.last_move }))] : []), clock(card)) : null,
          card.game ? decide(card) : null,
        ].filter(Boolean),
      ),
    ),
    ...(decisions.length ? [part(say("hall.decisions"), lines([say("hall.when"), say("hall.who"), say("hall.decision")], decisions.map((one) => ({ cells: [timeOf(one.at), one.who, one.text] })), { label: say("hall.decisions") }))] : []),
    part(say("hall.happened"), happened.length ? lines([say("hall.when"), "", ""], happened.map((one) => ({ cells: [timeOf(one.at), say(`hall.event.${one.kind}`), one.kind === "verdict" ? button(sentence(one.text), () => evidence(one.event), { class: "link", "data-event": one.event }) : one.text] })), { label: say("hall.happened") }) : note(say("hall.nothing-yet"))),
    ...(head ? [signed(head)] : []),
  );
}

function trouble(card, verdict) {
  const call = card.trouble.includes("call");
  return make(
    "section",
    { class: `card wrong${card.trouble.length ? "" : " mild"}`, role: "alert" },
    make("h2", {}, sentence(card.trouble_text || say("hall.offline"))),
    make("div", { class: "choices" }, call ? button(say("hall.answered"), () => act("/api/answered", { table: number }), { class: "primary", id: "answered" }) : null, verdict ? button(say("hall.evidence"), () => evidence(verdict.event), { id: "show-evidence" }) : null),
    ...(card.trouble.includes("offline") ? [note(say("hall.offline-about"))] : []),
  );
}

/** Both clocks stand and run by the table; here they are set right. */
function clock(card) {
  const seats = seatsOf(card).map(({ seat, label, name }) => [seat, name ? `${name} (${label})` : label]);
  const give = form([[say("hall.seat"), choice("seat", seats)], [say("hall.seconds"), field("seconds", { type: "number", value: 60, min: -3600, max: 3600 })]], say("hall.give"), (given) => act("/api/clock", { table: number, do: "add", seat: given.seat, seconds: Number(given.seconds) }), { kind: "" });
  const set = form([[say("hall.minutes"), field("minutes", { type: "number", value: 10, min: 1, max: 600 })], [say("hall.increment"), field("more", { type: "number", value: 5, min: 0, max: 600 })]], say("hall.set"), (given) => act("/api/clock", { table: number, do: "set", clock: { kind: "fischer", main: 60 * Number(given.minutes), more: Number(given.more) } }), { kind: "" });
  const running = card.clock?.running;
  const buttons = card.clock ? [button(say(running ? "hall.stop-clock" : "hall.start-clock"), () => act("/api/clock", running ? { table: number, do: "stop" } : { table: number, do: "start", seat: card.turn ?? seats[0][0] }))] : [];
  return make("details", {}, make("summary", {}, say("hall.clock")), make("div", { class: "choices" }, buttons), ...(card.clock ? [give] : []), set);
}

function decide(card) {
  const winner = choice("winner", [["", say("hall.drawn")], ...seatsOf(card).map(({ seat, label, name }) => [seat, name ? `${name} (${label})` : label])]);
  const who = make("label", { hidden: true }, say("hall.winner"), winner);
  const doing = choice("do", DOING.map((one) => [one, say(`hall.do.${one}`)]));
  doing.onchange = () => (who.hidden = doing.value !== "end");
  const made = form([[say("hall.decision"), field("text", { maxlength: 500, placeholder: say("hall.decision-example") })], [say("hall.does"), doing]], say("hall.record"), (given) => act("/api/decide", { table: number, text: given.text, do: given.do, winner: given.do === "end" && given.winner ? given.winner : null }));
  made.insertBefore(who, made.lastChild);
  return part(say("hall.decide"), note(say("hall.decide-about")), made);
}

async function act(path, body) {
  await post(path, body);
  await refresh();
}

/** What the table signed last: whoever keeps it can later show that its log was changed. */
function signed(head) {
  const code = make("div", { class: "code" });
  code.append(new DOMParser().parseFromString(head.code, "image/svg+xml").documentElement);
  return folded(say("hall.head"), note(say("hall.head-about", { number: head.number, time: timeOf(head.at) })), make("p", { class: "pin" }, head.words), code, make("p", { class: "seal" }, head.text), make("a", { href: `/api/tables/${number}/heads` }, say("hall.heads-all")));
}

/** The table is asked for a picture that the hall has not got yet: it comes within seconds, if the table is there. */
function photograph(address, title) {
  const place = make("div", {}, note(say("hall.picture-asked")));
  const ask = (left) => {
    const made = make("img", { src: `${address}&left=${left}`, alt: title, onload: () => place.replaceChildren(made), onerror: () => (left ? setTimeout(() => ask(left - 1), 1000) : place.replaceChildren(note(say("hall.no-picture")))) });
  };
  ask(TRIES);
  return place;
}

/** A verdict with its pictures, the reading, the rule and the seals. */
async function evidence(event) {
  await attempt(async () => {
    const found = await get(`/api/tables/${number}/evidence?number=${event}`);
    const picture = (address, title) => make("figure", {}, address ? photograph(address, title) : note(say("hall.no-picture")), make("figcaption", {}, title));
    const window = make(
      "dialog",
      { class: "wide", id: "evidence", onclose: () => window.remove() },
      make("h2", { tabindex: -1, autofocus: true }, sentence(found.text)),
      note(`${timeOf(found.at)} · ${say("hall.event-number", { number: found.event })}`),
      ...(found.rule ? [make("blockquote", {}, make("strong", {}, found.rule), " ", found.rule_text)] : []),
      make("div", { class: "evidence" }, picture(found.before, say("hall.before")), picture(found.after, say("hall.after"))),
      ...(found.squares.length ? [lines([say("hall.square"), say("hall.should"), say("hall.seen")], found.squares.map((one) => ({ cells: [one.square, one.should, one.seen] })), { label: say("hall.square") })] : []),
      make("p", { class: found.sealed ? "fine" : "why" }, say(found.sealed ? "hall.sealed" : "hall.unsealed")),
      make("details", {}, make("summary", {}, say("hall.seals")), ...found.seals.map((one) => make("p", { class: "seal" }, `${one.event}: ${one.seal}`))),
      make("form", { method: "dialog" }, make("button", {}, say("close"))),
    );
    document.body.append(window);
    window.showModal();
  });
}

const refresh = await whenKnown(show, true);
let later;
follow((table) => {
  if (table.place !== number || isTyping()) return;
  clearTimeout(later);
  later = setTimeout(refresh, 150);
});
