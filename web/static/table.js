// The table page: how the game stands, what the referee says of it, and everything players may do about it.
import { $, $$, attempt, choose, get, make, post, remembered, ruled, say, sentence, serverNow, showRole, timeOf } from "./page.js";
import { showHead } from "./head.js";
import { question, unsaid } from "./asked.js";
import { Board } from "./board.js";
import { now, timeLeft } from "./clock.js";
import { Ending, askHowItEnds, showMatch } from "./ending.js";
import { pictures } from "./faces.js";
import { Hand, legalMoves } from "./hand.js";
import { Computer, worthOf } from "./computer.js";
import * as motion from "./motion.js";
import * as seated from "./seated.js";
import { Lights } from "./leds.js";
import { follow } from "./live.js";
import "./tour.js";
import { Timing, flags } from "./timing.js";
import { Solving } from "./solitaire.js";
import { Tray } from "./tray.js";
import { play, speak, switches } from "./voice.js";
import { welcome } from "./welcome.js";

let state = null;
let looking = null; // the ply that is looked at, null: now
let kept = []; // times and pictures of the moves
let flipped = remembered.get("flipped", "no") === "yes";

const isMyTurn = () => looking === null && Boolean(state?.game) && !state.over;
const board = new Board($("#board"), {
  touch: (square, how) => (isMyTurn() ? hand.touch(square, how) : null),
  aim: (square) => (isMyTurn() ? hand.aim(square) : null),
  lift: (square) => isMyTurn() && hand.lift(square),
  drop: (square, passed) => hand.drop(square, passed),
});
const hand = new Hand($("#hand"), board, point);
const tray = new Tray($("#tray"), hand, board);
const lights = new Lights($("#lights"));
const timing = new Timing((seat) => nameFor(seat), tick);
const computer = new Computer($("#computer"), $("#verdict"), draw);
const ending = new Ending($("#ending"), board, draw);
const solving = new Solving($("#solving"));

// --- the board

function draw() {
  if (!state?.game) return $(".welcome", board.place) || board.place.replaceChildren(welcome());
  const there = looking === null;
  const hint = there && !computer.isExplaining ? state.hint_told : null;
  return board.show({
    ply: looking,
    flip: flipped !== seated.sitsAcross(state),
    hint: hint ? [...(hint.trace.start ?? []), ...(hint.trace.laid ?? []), ...(hint.trace.to ?? [])] : [],
    arrows: [...(hint ? arrow("hint", hint) : []), ...(there ? computer.line().flatMap((told, n) => arrow("why", told, n + 1)) : [])],
    can: there ? hand.offBoard : [],
    ways: there && !state.over,
    won: there && state.over ? ending.squares : [],
    v: `${state.id}-${state.event}`, // so that no cache answers with an older drawing
  });
}

/** A move as an arrow of the drawing; one that puts something is only numbered. */
function arrow(kind, { trace }, label = "") {
  const { start = [], turns = [], to = [] } = trace;
  const way = start.length ? [...start, ...turns, ...to.slice(-1)] : label ? to.slice(0, 1) : [];
  return way.length ? [`${kind}:${label}:${way.join(".")}`] : [];
}

/** What is pointed out while a move is being made: at once, and without asking anybody. */
function point() {
  const there = looking === null;
  board.point(there ? hand.marks() : {});
  tray.mark();
}

$("#flip").addEventListener("click", () => {
  flipped = !flipped;
  remembered.set("flipped", flipped ? "yes" : "no");
  draw();
});

// --- a new state

let waiting = null;
let busy = false;

/** States are shown one after another; of those that arrive meanwhile only the newest. */
async function queue(next) {
  waiting = next;
  if (busy) return;
  busy = true;
  while (waiting) {
    const taken = waiting;
    waiting = null;
    await show(taken).catch(console.error); // a drawing that does not come must not keep the next state away
  }
  busy = false;
}

async function show(next) {
  const before = state;
  state = next;
  const other = before?.id !== next.id;
  const moved = other || madeIn(before) !== madeIn(next);
  if (other) looking = null;
  if (other && before) window.scrollTo({ top: 0, behavior: "instant" }); // who touched "Next game" on a phone has scrolled down to it
  showRole(next.role);
  showSeats();
  showVerdict(before);
  showQuestions(before);
  showFlags(before);
  timing.show(next);
  showDoing();
  showCamera();
  showAids();
  document.body.classList.toggle("no-game", !next.game);
  document.title = next.game ? `${turnText()} · ${next.name}` : "Board Companion";
  if (moved) {
    showMoves();
    if (!other && next.moves.length > before.moves.length) looking = null;
  }
  if (moved || before.over !== next.over || seated.isComputers(before) !== seated.isComputers(next)) {
    hand.forget();
    board.outdate();
    point();
    const coming = seated.isComputers(next) ? { moves: [], choices: [] } : legalMoves();
    await draw();
    if (!other && next.last && next.moves.length === before.moves.length + 1 && looking === null) motion.show(board, next.last);
    await hand.load(coming, (square) => board.has(square) || !board.squares().length, next.moves.length, played()?.announcement);
    if (hand.offBoard.length) await draw(); // what lies beyond is drawn to be touched
    point();
    tray.show(state, nameFor);
    motion.prepare(hand.moves);
  } else draw();
  showMatch($("#match"), next);
  solving.show(next);
  ending.show(next, nameFor, !other && !before.over && next.over);
  if (next.over) draw();
  if (moved) showKept();
}

const madeIn = ({ moves }) => moves.map(({ text }) => text).join("\n"); // an earlier one may have been put right, too
const played = () => seated.gameOf(state);

function showSeats() {
  $("#game-name").textContent = state.name ?? "";
  $("#rules-link").href = state.game ? `/rules/${state.game}` : "/rules";
  $("#turn").textContent = turnText();
  $("#turn").classList.toggle("over", Boolean(state.over));
  const seats = state.seats ?? [];
  const points = state.scores ?? {};
  $("#seats").hidden = seats.length === 1 && !state.players[0]; // alone and without a name, one need not be shown
  const counts = !state.solitaire && !seated.areMarks(state) && (state.over || Object.values(points).some(Boolean)); // games without points show none
  $("#seats").replaceChildren(
    ...seats.map((seat, n) => {
      const person = state.players[n];
      const score = points[state.sides[seat]];
      const clock = state.clock?.seats?.[seat];
      return make(
        "li",
        { class: `seat ${state.to_move === seat && !state.over ? "to-move" : ""} ${clock?.flag ? "flag" : ""}`, "data-seat": seat },
        seated.badge(state, seat),
        make("span", { class: "who" }, make("strong", {}, person || wordFor(seat)), person ? make("small", {}, wordFor(seat)) : null,
          seat in state.computer ? make("small", {}, say("computer.level", { level: state.computer[seat] })) : null,
          state.to_move === seat && !state.over ? make("span", { class: "sr" }, ` (${say("to-move")})`) : null),
        score == null || !counts ? null : make("span", { class: "score", title: say("score") }, String(score).replace("0.5", "½")),
        clock ? make("time", { class: "clock", "data-seat": seat }, "") : null,
      );
    }),
  );
  tick();
}

const turnText = () => seated.turnText(state);
const wordFor = (seat) => seated.wordFor(state, seat);
const nameFor = (seat) => seated.nameFor(state, seat);
const sides = () => Object.keys(state.scores ?? {}); // those who can win: with teams, the teams
const endGame = () => askHowItEnds(sides(), nameFor);

function tick() {
  if (!state?.clock) return;
  for (const face of $$(".clock")) {
    if (!state.clock.seats[face.dataset.seat]) continue;
    const { left, periods } = now(state.clock, face.dataset.seat);
    const fallen = state.clock.seats[face.dataset.seat].flag || left <= 0;
    face.textContent = fallen ? "⚑ 0:00" : timeLeft(left) + (periods ? ` +${periods}` : "");
    face.title = fallen ? say("flag") : "";
    face.classList.toggle("low", left < 20);
  }
}
setInterval(tick, 200);

// --- what the referee says

function showVerdict(before) {
  const { verdict } = state;
  const kind = seated.kindOf(state);
  const box = $("#verdict");
  const played = kind === "same" ? computer.lastMove(state) : null;
  const byHand = kind === "same" && state.camera.state === "none"; // nobody looks: then there is nothing to judge
  const last = played ?? (byHand && state.moves?.length > (state.solitaire?.given ?? 0) ? state.moves.at(-1) : null);
  const title = played ? say("computer.played") : byHand ? say(last ? "wall.last" : "same.begin") : say(`verdict.${kind}`);
  const text = last ? sentence(last.words) : kind === "over" ? state.outcome?.text : kind in seated.SAID ? say(seated.SAID[kind]) : kind === "same" ? say(byHand ? "same.by-hand" : "same.text") : seated.besideTitle(title, verdictText(verdict));
  if (box.dataset.told === `${title}${text}`) return;
  box.dataset.told = `${title}${text}`;
  box.dataset.kind = kind;
  box.classList.toggle("by-hand", byHand);
  $("#verdict-title").textContent = title;
  const told = kind === "move" ? verdict.told : last ? [last] : [];
  $("#verdict-text").replaceChildren(...told.flatMap(({ pieces }) => pictures(pieces)), ...ruled(text ?? "", verdict?.rule, state.game));
  $("#report").hidden = !["illegal", "unsure", "move"].includes(kind) || state.camera.state === "none";
  $("#report").href = `/api/games/${state.id}/evidence.json`;
  const wrong = ["illegal", "unsure"].includes(kind) ? verdict.squares ?? [] : [];
  $("#verdict-squares").replaceChildren(
    ...wrong.slice(0, 8).map(({ name, should_text, seen_text }) =>
      make("li", {}, make("b", {}, name), ` ${say("square.should", { should: should_text, seen: seen_text })}`)),
  );
  if (!before) return;
  if (["move", "illegal", "over"].includes(kind) || played) play(played ? "move" : kind);
  if (["move", "illegal", "unsure", "over"].includes(kind) || played) speak(`${title}. ${text}`);
}

/** What is said beside the title; the squares are shown one by one. */
const verdictText = ({ kind, detail, told }) => (kind === "move" ? told.map(({ words }) => words).join(". ") : sentence(detail));

function showQuestions(before) {
  const place = $("#questions");
  const asked = state.questions ?? [];
  if (before && asked.length > (before.questions ?? []).length) play("question");
  const ids = asked.map(({ id }) => id).join();
  if (place.dataset.ids === ids) return;
  place.dataset.ids = ids;
  place.replaceChildren(
    ...asked.map((one) => question(one, state)),
  );
}

/** A flag that is down is called here, and decided by persons. */
function showFlags(before) {
  const place = $("#flags");
  const down = flags(state, nameFor, endGame);
  const told = down.map(({ dataset }) => dataset.flag).join();
  if ((place.dataset.told ?? "") === told) return;
  if (before && down.length > place.children.length) {
    play("flag");
    speak(down.at(-1).firstChild.textContent);
  }
  place.dataset.told = told;
  place.replaceChildren(...down);
}

// --- doing

/** What a button does, beside its sign. */
const name = (button, words) => ($("span", $(button)).textContent = words);

function showDoing() {
  const running = state.game && !state.over;
  $("#back").disabled = (state.moves?.length ?? 0) <= (state.solitaire?.given ?? 0);
  $("#pause").hidden = !running;
  showHall();
  name("#pause", say(state.paused ? "do.go-on" : "do.pause"));
  $("#pause").classList.toggle("paused", Boolean(state.paused));
  $("#press").hidden = !running || !state.clock;
  name("#press", say(state.clock?.running ? "do.press" : "do.start-clock"));
  $("#clock").hidden = !running || (state.solitaire && !state.clock); // alone one has a timer anyway
  $("#end").hidden = !running;
  $("#reopen").hidden = !state.over;
  $("#stand").hidden = !running || state.verdict?.kind !== "illegal";
}

$("#back").addEventListener("click", () => attempt(() => post("/api/back")));
/** In a hall: the referee can be called, and the other side may sit at another table. */
function showHall() {
  const call = $("#call");
  call.hidden = !state.hall;
  call.setAttribute("aria-pressed", String(Boolean(state.hall?.called)));
  name("#call", say(state.hall?.called ? "do.uncall" : "do.call"));
  const far = !state.over && state.hall?.far.includes(state.to_move);
  const who = state.names?.[state.to_move] ?? state.to_move;
  $("#far").hidden = !far;
  $("#far").textContent = !far ? "" : state.hint_told ? say("far.make", { name: who, move: state.hint_told.words }) : say("far.wait", { name: who });
}
$("#call").addEventListener("click", () => attempt(() => post("/api/call", { wanted: !state.hall.called })));
$("#pause").addEventListener("click", () => attempt(() => post("/api/pause", { paused: !state.paused })));
$("#press").addEventListener("click", () => attempt(() => post("/api/clock", { do: state.clock.running ? "press" : "start" })));
$("#reopen").addEventListener("click", () => attempt(() => post("/api/reopen")));
$("#stand").addEventListener("click", async () => {
  const chosen = await choose(say("stand.sure"), [{ value: "yes", label: say("do.stand"), kind: "primary" }]);
  if (chosen) attempt(() => post("/api/stand", { note: "" }));
});
$("#end").addEventListener("click", endGame);
$("#clock").addEventListener("click", () => timing.open());

// --- the moves and what was kept of them

let isAtEnd = true; // of the list, unless somebody has scrolled it
const keepToEnd = () => isAtEnd && ($("#moves").scrollTop = $("#moves").scrollHeight);
$("#moves").addEventListener("scroll", ({ target: { scrollTop, clientHeight, scrollHeight } }) => (isAtEnd = scrollTop + clientHeight > scrollHeight - 2));
$("#moves").addEventListener("load", keepToEnd, true); // a picture has come, and takes its room

function showMoves() {
  $("#moves").classList.toggle("timed", Boolean(state.clock) || state.camera.state !== "none"); // at home, by hand, nobody asks when
  $("#moves").replaceChildren(
    ...state.moves.map(({ ply, text, words, pieces, player, stood }) =>
      make("li", {}, make("button", { class: "ply", "data-ply": ply, onclick: () => lookAt(ply) },
        player && !state.solitaire ? seated.badge(state, player) : null, make("span", { class: "told-so" }, make("span", { class: "words" }, pictures(pieces), words), stood ? null : make("small", { class: "notation" }, text)), make("time", {}, ""))),
    ),
  );
  markPly();
  isAtEnd = true;
  keepToEnd();
}

async function showKept() {
  if (state.id == null) return;
  const { id } = state;
  const count = state.moves.length;
  const told = await get(`/api/games/${id}`).catch(() => null);
  if (told?.plies.length !== count || state.id !== id) return;
  kept = told.plies;
  for (const button of $$("#moves .ply")) {
    const ply = keptAt(button.dataset.ply);
    if (ply) $("time", button).textContent = timeOf(ply.time);
    button.classList.toggle("pictured", Boolean(ply?.picture));
  }
  keepToEnd(); // beside its time a move takes more lines
}

const keptAt = (ply) => kept[ply - 1];

function lookAt(ply) {
  const last = state.moves.length;
  looking = ply == null || ply >= last ? (ply === last && keptAt(ply)?.picture ? last : null) : Math.max(0, ply);
  markPly();
  draw();
}

function markPly() {
  const shownPly = looking ?? state.moves.length;
  $$("#moves .ply").forEach((button, n) => {
    const current = n + 1 === shownPly;
    if (current) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
    if (current && looking !== null) button.scrollIntoView({ block: "nearest" });
  });
  const past = looking !== null && looking < state.moves.length;
  $("#past").hidden = !past;
  $("#past span").textContent = past ? say("past", { ply: looking, last: state.moves.length }) : "";
  $("#hand").hidden = past;
  $("#unsaid").replaceChildren(...unsaid(state.moves[shownPly - 1]));
  $("#tray").hidden = past || state.over;
  point();
  const picture = looking !== null ? keptAt(looking)?.picture : null;
  $("#kept").hidden = looking === null || looking === 0;
  $("#kept img").hidden = !picture;
  if (picture) $("#kept img").src = picture;
  $("#kept figcaption").textContent = picture ? say("kept.at", { ply: looking }) : say("kept.none");
}

$("#to-now").addEventListener("click", () => lookAt(null));
document.addEventListener("keydown", (event) => {
  if (event.target.closest?.("input, textarea, select, dialog, .square") || event.ctrlKey || event.metaKey || event.altKey || !state?.moves) return;
  const here = looking ?? state.moves.length;
  const steps = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: state.moves.length };
  if (event.key in steps) {
    event.preventDefault();
    lookAt(Math.max(0, Math.min(state.moves.length, steps[event.key])));
  } else if (event.key === "Escape") {
    lookAt(null);
    hand.clear();
  }
});
document.addEventListener("keydown", (event) => {
  if (event.target.closest?.("input, textarea, select, dialog") || event.ctrlKey || event.metaKey || event.altKey || !hand.picked) return;
  if (event.key === "r" || event.key === "R") hand.turn();
  else if (event.key === "f" || event.key === "F") hand.flip();
  else if (event.key === "Escape") hand.clear();
});

// --- the camera, and the parts around it

let cameraOn = false;

function showCamera() {
  const { camera } = state;
  const place = $("#camera-state");
  place.dataset.state = camera.state;
  place.textContent = cameraText(camera);
  cameraOn = camera.state === "live"; // of one that is lost its last picture stays
  $(".camera-panel").hidden = camera.state === "none";
  $("#camera-why").hidden = camera.state !== "lost" || !camera.text;
  $("#camera-why").textContent = sentence(camera.text ?? "");
  if (cameraOn) nextPicture();
}

function cameraText(camera) {
  if (camera.state === "none") return "";
  if (["lost", "ended"].includes(camera.state) && camera.since != null) {
    return say(`camera.${camera.state}-since`, { seconds: Math.max(0, Math.round(serverNow() - camera.since)) });
  }
  return camera.text ?? "";
}
setInterval(() => state && ($("#camera-state").textContent = cameraText(state.camera)), 1000);

let pending = false;

/** One picture after another, each asked for when the last has come; none while nobody looks. */
function nextPicture() {
  if (pending || !cameraOn) return;
  pending = true;
  const image = new Image();
  const again = (wait) => setTimeout(() => ((pending = false), nextPicture()), wait);
  image.onload = () => {
    const place = $("#camera");
    place.src = image.src;
    place.hidden = false;
    again(document.hidden ? 3000 : 400);
  };
  image.onerror = () => again(5000);
  image.src = `/api/camera.jpg?${$("#reading").checked ? "reading=1&" : ""}n=${Date.now()}`;
}

function showAids() {
  showHead($("#head"), state.head);
  showHints();
  showLights();
  computer.show(state);
}

/** The switch and its lock are the table's, the same on every page. */
function showHints() {
  const place = $("#hint");
  const { on, locked } = state.hints;
  const mine = state.role === "referee" || !locked;
  $("input", place).checked = on;
  $("input", place).disabled = !state.game || !mine;
  const isThere = on && state.game && !state.over;
  $("p", place).replaceChildren(...(!isThere ? [] : state.hint_told ? [...pictures(state.hint_told.pieces), state.hint_told.words] : [say("hint.not-there")]));
  tray.advise(state.over ? [] : state.hint_told?.pieces ?? []);
  $(".worth", place).textContent = isThere && state.hint_told && !state.solitaire ? worthOf(state) : "";
  $(".lock", place).setAttribute("aria-pressed", locked);
  $(".lock", place).disabled = !state.game;
  $(".lock", place).title = say(locked ? "lock.locked" : "lock.open");
}
$("#hint input").addEventListener("change", async (event) => {
  if (!(await attempt(() => post("/api/hints", { on: event.target.checked })))) showHints(); // refused, it is as it was
});
$("#hint .lock").addEventListener("click", () => attempt(() => post("/api/hints", { locked: !state.hints.locked })));

function showLights() {
  const place = $("#leds");
  place.hidden = state.leds == null;
  const locked = remembered.get("lock.leds", "no") === "yes";
  $("input", place).disabled = locked;
  $("input", place).checked = Boolean(state.leds?.lit);
  $("p", place).textContent = sentence(state.leds?.text ?? "");
  $(".lock", place).setAttribute("aria-pressed", locked);
  $(".lock", place).title = say(locked ? "lock.locked" : "lock.open");
  lights.show(state.leds);
}
$("#leds input").addEventListener("change", async ({ target }) => {
  await attempt(() => post("/api/leds", { do: target.checked ? "on" : "off" }));
  showLights();
});
$("#leds .lock").addEventListener("click", () => {
  remembered.set("lock.leds", remembered.get("lock.leds", "no") === "yes" ? "no" : "yes");
  showLights();
});

switches();
follow(queue, () => state && showVerdict(state));
