// The table page: how the game stands, what the referee says of it, and everything players may do about it.
import { $, $$, attempt, choose, get, make, post, remembered, say, sentence, serverNow, showRole, timeOf } from "./page.js";
import { Board } from "./board.js";
import { now, timeLeft } from "./clock.js";
import { Hand } from "./hand.js";
import { Computer } from "./computer.js";
import { Lights } from "./leds.js";
import { follow } from "./live.js";
import { play, speak, switches } from "./voice.js";

let state = null;
let looking = null; // the ply that is looked at, null: now
let kept = []; // times and pictures of the moves
let flipped = remembered.get("flipped", "no") === "yes";

const board = new Board($("#board"), (square) => (looking === null && !state?.over ? hand.touch(square) : null));
const hand = new Hand($("#hand"), draw);
const lights = new Lights($("#lights"));
const computer = new Computer($("#computer"));

// --- the board

function draw() {
  if (!state?.game) return board.place.replaceChildren(make("p", { class: "empty" }, say("no-game"), " ", make("a", { class: "button primary", href: "/new" }, say("do.new"))));
  const there = looking === null;
  board.choose(there ? hand.touched : []);
  return board.show({
    ply: looking,
    flip: flipped,
    wrong: there && state.verdict?.kind === "illegal" ? state.verdict.squares.map(({ square }) => square) : [],
    ...(there ? hand.marks() : {}),
    v: `${state.id}-${state.event}`, // another drawing, whatever was kept on the way
  });
}

$("#flip").addEventListener("click", () => {
  flipped = !flipped;
  remembered.set("flipped", flipped ? "yes" : "no");
  draw();
});

// --- a new state

let waiting = null;
let busy = false;

/** States are taken one after another; of those that come meanwhile only the newest. */
async function come(next) {
  waiting = next;
  if (busy) return;
  busy = true;
  while (waiting) {
    const taken = waiting;
    waiting = null;
    await take(taken);
  }
  busy = false;
}

async function take(next) {
  const before = state;
  state = next;
  const other = before?.id !== next.id;
  const moved = other || before.moves.length !== next.moves.length || before.moves.at(-1)?.text !== next.moves.at(-1)?.text;
  if (other) looking = null;
  showRole(next.role);
  showSeats();
  showVerdict(before);
  showQuestions(before);
  showDoing();
  showCamera();
  showAids();
  document.body.classList.toggle("no-game", !next.game);
  document.title = next.game ? `${turnText()} · ${next.name}` : "Board Companion";
  if (moved) {
    showMoves();
    if (!other && next.moves.length > before.moves.length) looking = null;
  }
  if (moved || before.over !== next.over) {
    Object.assign(hand, { moves: [], touched: [], offBoard: [] }); // nothing is touched for a position that has gone
    await draw();
    await hand.load((square) => board.has(square) || !board.squares().length, next.moves.length);
  } else draw();
  if (moved) showKept();
}

function showSeats() {
  $("#game-name").textContent = state.name ?? "";
  $("#turn").textContent = turnText();
  $("#turn").classList.toggle("over", Boolean(state.over));
  const seats = state.seats ?? [];
  const points = state.scores ?? {};
  const counts = state.over || Object.values(points).some(Boolean); // games without points show none
  $("#seats").replaceChildren(
    ...seats.map((seat, n) => {
      const person = state.players[n];
      const score = points[seat] ?? points[seat.replace(/\d$/, "")];
      const clock = state.clock?.seats?.[seat];
      return make(
        "li",
        { class: `seat ${state.to_move === seat && !state.over ? "to-move" : ""} ${clock?.flag ? "flag" : ""}`, "data-seat": seat },
        make("span", { class: `token ${seat}`, "aria-hidden": "true" }),
        make("span", { class: "who" }, make("strong", {}, person || wordFor(seat)), person ? make("small", {}, wordFor(seat)) : null,
          state.to_move === seat && !state.over ? make("span", { class: "sr" }, ` (${say("to-move")})`) : null),
        score == null || !counts ? null : make("span", { class: "score", title: say("score") }, String(score).replace("0.5", "½")),
        clock ? make("time", { class: "clock", "data-seat": seat }, "") : null,
      );
    }),
  );
  tick();
}

function turnText() {
  const { outcome, to_move: seat } = state;
  if (outcome) return outcome.winner ? say("wins", { player: nameFor(outcome.winner) }) : say(outcome.draw ? "draw" : "over");
  return seat ? say("turn", { player: nameFor(seat) }) : "";
}

const wordFor = (seat) => say(`seat.${seat}`);
const nameFor = (seat) => state.players[state.seats.indexOf(seat)] || wordFor(seat);

function tick() {
  if (!state?.clock) return;
  for (const face of $$(".clock")) {
    const { left, periods } = now(state.clock, face.dataset.seat);
    const fallen = state.clock.seats[face.dataset.seat].flag || left <= 0;
    face.textContent = fallen ? say("flag") : timeLeft(left) + (periods ? ` +${periods}` : "");
    face.classList.toggle("low", left < 20);
  }
}
setInterval(tick, 200);

// --- what the referee says

const KINDS = new Set(["same", "move", "partial", "illegal", "unsure", "hand"]);

function showVerdict(before) {
  const { verdict } = state;
  const kind = state.over ? "over" : state.paused ? "paused" : KINDS.has(verdict?.kind) ? verdict.kind : "same";
  const box = $("#verdict");
  const title = say(`verdict.${kind}`);
  const text = kind === "over" ? state.outcome?.text : kind === "paused" ? say("paused.text") : kind === "same" ? say(state.camera.state === "none" ? "same.by-hand" : "same.text") : verdictText(verdict);
  if (box.dataset.told === `${title}${text}`) return;
  box.dataset.told = `${title}${text}`;
  box.dataset.kind = kind;
  $("#verdict-title").textContent = title;
  $("#verdict-text").textContent = text ?? "";
  const wrong = ["illegal", "unsure"].includes(kind) ? verdict.squares ?? [] : [];
  $("#verdict-squares").replaceChildren(
    ...wrong.slice(0, 8).map(({ square, should, seen, should_text, seen_text }) =>
      make("li", {}, make("b", {}, square), ` ${say("square.should", { should: should_text ?? shown(should), seen: seen_text ?? shown(seen) })}`)),
  );
  if (!before) return;
  if (["move", "illegal", "over"].includes(kind)) play(kind);
  if (["move", "illegal", "unsure", "over"].includes(kind)) speak(`${title}. ${text}`);
}

/** What is said, without what the page shows in its own way: the title, and the squares one by one. */
function verdictText({ kind, text, rule, moves }) {
  if (kind === "move") return moves.join("  ");
  const end = rule ? text.indexOf(`(${rule})`) : -1;
  return sentence((end < 0 ? text : text.slice(0, end + rule.length + 3)).replace(/^[^:.]{1,12}:\s+/, ""));
}

const shown = (code) => (code === "." ? say("empty") : code);

function showQuestions(before) {
  const place = $("#questions");
  const asked = state.questions ?? [];
  if (before && asked.length > (before.questions ?? []).length) play("question");
  const ids = asked.map(({ id }) => id).join();
  if (place.dataset.ids === ids) return;
  place.dataset.ids = ids;
  place.replaceChildren(
    ...asked.map(({ id, text, choices }) => {
      const answer = (given) => attempt(() => post("/api/answer", { id, answer: given }));
      const field = make("input", { "aria-label": text, required: true });
      return make(
        "section",
        { class: "question", "data-question": id },
        make("p", {}, text),
        choices?.length
          ? make("div", { class: "choices" }, choices.map((choice) => {
              const label = ["yes", "no"].includes(choice) ? say(choice) : choice;
              return make("button", { "data-answer": choice, onclick: () => answer(choice) }, label);
            }))
          : make("form", { class: "choices", onsubmit: (event) => (event.preventDefault(), answer(field.value)) }, field, make("button", {}, say("answer"))),
      );
    }),
  );
}

// --- doing

function showDoing() {
  const running = state.game && !state.over;
  $("#back").disabled = !state.moves?.length;
  $("#pause").hidden = !running;
  $("#pause").textContent = say(state.paused ? "do.go-on" : "do.pause");
  $("#press").hidden = !running || !state.clock;
  $("#press").textContent = say(state.clock?.running ? "do.press" : "do.start-clock");
  $("#end").hidden = !running;
  $("#reopen").hidden = !state.over;
  $("#stand").hidden = !running || state.verdict?.kind !== "illegal";
}

$("#back").addEventListener("click", () => attempt(() => post("/api/back", { count: 1 })));
$("#pause").addEventListener("click", () => attempt(() => post("/api/pause", { paused: !state.paused })));
$("#press").addEventListener("click", () => attempt(() => post("/api/clock", { do: state.clock.running ? "press" : "start" })));
$("#reopen").addEventListener("click", () => attempt(() => post("/api/reopen")));
$("#stand").addEventListener("click", async () => {
  const chosen = await choose(say("stand.sure"), [{ value: "yes", label: say("do.stand"), kind: "primary" }]);
  if (chosen) attempt(() => post("/api/stand", { note: "" }));
});
$("#end").addEventListener("click", async () => {
  const seats = state.seats ?? [];
  const two = seats.length === 2;
  const answers = two
    ? seats.map((seat) => ({ value: `resigned ${seats.find((other) => other !== seat)}`, label: say("end.resigns", { player: nameFor(seat) }) }))
    : [];
  if (seats.length > 1) {
    answers.push({ value: "agreed ", label: say("end.draw") });
    for (const seat of seats) answers.push({ value: `referee ${seat}`, label: say("end.wins", { player: nameFor(seat) }) });
  } else {
    answers.push({ value: "resigned ", label: say("end.gives-up") });
  }
  const chosen = await choose(say("end.how"), answers);
  if (!chosen) return;
  const [why, winner] = chosen.split(" ");
  attempt(() => post("/api/result", { winner: winner || null, why }));
});

// --- the moves and what was kept of them

function showMoves() {
  const list = $("#moves");
  list.replaceChildren(
    ...state.moves.map(({ ply, text }) =>
      make("li", {}, make("button", { class: "ply", "data-ply": ply, onclick: () => lookAt(ply) }, make("span", {}, text), make("time", {}, ""))),
    ),
  );
  list.classList.toggle("long", state.moves.some(({ text }) => text.length > 9));
  markPly();
  list.scrollTop = list.scrollHeight;
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

// --- the camera, and the parts around it

let cameraOn = false;

function showCamera() {
  const { camera } = state;
  const place = $("#camera-state");
  place.dataset.state = camera.state;
  place.textContent = cameraText(camera);
  cameraOn = camera.state !== "none";
  $("#no-camera").hidden = cameraOn;
  $("#camera").closest(".camera-panel").classList.toggle("without", !cameraOn);
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
    $("#no-camera").hidden = true;
    again(document.hidden ? 3000 : 400);
  };
  image.onerror = () => again(2000);
  image.src = `/api/camera.jpg?${$("#reading").checked ? "reading=1&" : ""}n=${Date.now()}`;
}

function showAids() {
  $("#store-state").textContent = state.store?.trouble ? say("store.trouble", { why: state.store.trouble }) : say("store.good");
  $("#store-state").dataset.state = state.store?.trouble ? "lost" : "good";
  for (const part of ["hint", "leds"]) {
    const there = state[part] != null;
    const place = $(`#${part}`);
    const locked = remembered.get(`lock.${part}`, "no") === "yes";
    $("input", place).disabled = !there || locked;
    $("p", place).textContent = there ? sentence(typeof state[part] === "string" ? state[part] : state[part].text ?? "") : say(`${part}.not-there`);
    $(".lock", place).setAttribute("aria-pressed", locked);
    $(".lock", place).title = say(locked ? "lock.locked" : "lock.open");
  }
  computer.show(state);
  $("#leds input").checked = Boolean(state.leds?.lit);
  lights.show(state.leds);
}

$("#leds input").addEventListener("change", async ({ target }) => {
  await attempt(() => post("/api/leds", { do: target.checked ? "on" : "off" }));
  showAids();
});

for (const part of ["hint", "leds"]) {
  $(`#${part} .lock`).addEventListener("click", () => {
    remembered.set(`lock.${part}`, remembered.get(`lock.${part}`, "no") === "yes" ? "no" : "yes");
    showAids();
  });
}

switches();
follow(come, (up) => ($("#link-state").hidden = up));
