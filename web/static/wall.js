// The table for a screen on the wall or in a stream: large, without anything to press.
import "./status.js";
import { $, $$, make, ruleName, say, sentence } from "./page.js";
import { Board } from "./board.js";
import { now, timeLeft } from "./clock.js";
import { wonSquares } from "./ending.js";
import { follow } from "./live.js";
import { SAID, areMarks, badge, besideTitle, kindOf, nameFor, turnText, wordFor } from "./seated.js";

const QUIET = new Set(["same", "move"]); // what is well needs no words beside the last move
const LIES_BETTER = 1.15; // how much larger a drawing must become to be laid on its side
const PICTURES = 500; // ms between two of the camera's pictures
const BEFORE = 12; // moves before the last one, as many as there is room for
const board = new Board($("#board"));
let state = null;

async function show(next) {
  state = next;
  document.body.classList.toggle("no-game", !next.game);
  document.title = next.game ? `${turnText(next)} · ${next.name}` : say("wall");
  $("#game-name").textContent = next.game ? next.name : say("wall.waiting");
  $("#turn").textContent = next.game ? turnText(next) : "";
  showSeats();
  showVerdict();
  showStanding();
  const last = next.moves.at(-1);
  $("#last").hidden = !last;
  $("#last b").textContent = last ? sentence(last.words) : "";
  $("#before").replaceChildren(...next.moves.slice(-1 - BEFORE, -1).reverse().map(({ player, words }) => make("li", {}, player && next.seats.length > 1 ? badge(next, player) : null, make("span", {}, sentence(words)))));
  if (next.camera.state === "none") $(".camera").hidden = true;
  if (!next.game) return board.place.replaceChildren();
  await board.show({ hint: next.hint_squares, won: next.over ? wonSquares(next.decided, next.outcome.winner) : [], v: `${next.id}-${next.event}` });
  return lie();
}

function showSeats() {
  const { scores, sides, over, to_move: mover, clock } = state;
  const counts = !areMarks(state) && (over || Object.values(scores).some(Boolean)); // games without points show none
  $("#seats").replaceChildren(
    ...state.seats.map((seat) => {
      const [name, word] = [nameFor(state, seat), wordFor(state, seat)];
      return make("li", { class: `seat ${mover === seat && !over ? "to-move" : ""}` },
        badge(state, seat),
        make("span", { class: "who" }, make("strong", {}, name), name === word ? null : make("small", {}, word)),
        counts ? make("span", { class: "score" }, String(scores[sides[seat]]).replace("0.5", "½")) : null,
        clock ? make("time", { class: "clock", "data-seat": seat }) : null);
    }),
  );
  tick();
}

function showVerdict() {
  const kind = kindOf(state);
  const box = $("#verdict");
  const text = kind === "over" ? state.outcome.text : kind in SAID ? say(SAID[kind]) : besideTitle(say(`verdict.${kind}`), state.verdict?.detail ?? "");
  box.hidden = !state.game || QUIET.has(kind);
  box.dataset.kind = kind;
  $("h2", box).textContent = say(`verdict.${kind}`);
  const { rule } = state.verdict ?? {};
  $("p", box).textContent = sentence(rule ? text.replace(`(${rule})`, `(${ruleName(rule)})`) : text);
}

function showStanding() {
  const { match } = state;
  $("#standing").hidden = !match;
  $("#standing").textContent = !match ? "" : match.over ? match.text : `${say("match.game", { number: match.number, games: match.games })} ${match.text}`;
}

function tick() {
  for (const face of $$(".clock")) {
    const { left, periods } = now(state.clock, face.dataset.seat);
    face.textContent = timeLeft(left) + (periods ? ` +${periods}` : "");
    face.classList.toggle("low", left < 20);
  }
}
setInterval(tick, 200);

/** A long board lies down where it becomes larger so: north is then on the right. */
function lie() {
  const drawing = $("svg", board.place);
  if (!drawing || drawing.dataset.whole) return;
  const [x, y, wide, high] = drawing.getAttribute("viewBox").split(" ").map(Number);
  const { clientWidth: room, clientHeight: height } = board.place;
  if (Math.min(room / high, height / wide) < LIES_BETTER * Math.min(room / wide, height / high)) return;
  drawing.dataset.whole = "lying";
  const turned = document.createElementNS(drawing.namespaceURI, "g");
  turned.setAttribute("transform", "rotate(90)");
  turned.append(...drawing.childNodes);
  drawing.append(turned);
  drawing.setAttribute("viewBox", `${-y - high} ${x} ${high} ${wide}`);
  for (const upright of $$(".square, [aria-hidden] > g", turned)) { // what stands on squares, and their names
    const { x: left, y: top, width, height: tall } = upright.getBBox();
    const around = upright.matches(".square") ? "" : `${left + width / 2} ${top + tall / 2}`;
    upright.setAttribute("transform", `${upright.getAttribute("transform")} rotate(-90 ${around})`);
  }
}

/** Laid out anew for a screen of another shape. */
addEventListener("resize", () => {
  if (!state?.game) return;
  board.address = board.wanted = "";
  show(state);
});

/** One picture after another, while the camera gives some. */
function nextPicture() {
  const again = () => setTimeout(nextPicture, PICTURES);
  if (state?.camera.state !== "live") return again();
  const image = new Image();
  image.onload = () => {
    $(".camera img").src = image.src;
    $(".camera").hidden = false;
    again();
  };
  image.onerror = again;
  image.src = `/api/camera.jpg?n=${Date.now()}`;
  return undefined;
}
nextPicture();
follow(show, () => state && showVerdict());
