// A past game, move by move: board, time, and the picture that was kept.
import { $, $$, attempt, get, make, post, say, timeOf } from "./page.js";
import { Board } from "./board.js";

const id = Number(location.pathname.split("/").pop());
const told = await get(`/api/games/${id}`).catch(() => null);
const plies = told?.plies ?? [];
const board = new Board($("#board"));
const slider = $("#slider");
let at = plies.length;
let flipped = false;
let playing = null;

function show() {
  slider.value = at;
  slider.setAttribute("aria-valuetext", say("past", { ply: at, last: plies.length }));
  $("#at").textContent = `${at} / ${plies.length}`;
  board.show({ game: id, ply: at, flip: flipped });
  $$("#moves .ply").forEach((button, n) => {
    if (n + 1 === at) {
      button.setAttribute("aria-current", "step");
      button.scrollIntoView({ block: "nearest" });
    } else button.removeAttribute("aria-current");
  });
  const ply = plies[at - 1];
  $("#kept img").hidden = !ply?.picture;
  if (ply?.picture) $("#kept img").src = ply.picture;
  $("#kept figcaption").textContent = ply?.picture ? say("kept.at", { ply: at }) : say("kept.none");
}

function goTo(ply) {
  at = Math.max(0, Math.min(plies.length, ply));
  show();
}

function playOn(on) {
  clearInterval(playing);
  playing = on ? setInterval(() => (at < plies.length ? goTo(at + 1) : playOn(false)), 1200) : null;
  $("#play").textContent = on ? "❚❚" : "▶";
  $("#play").setAttribute("aria-label", say(on ? "replay.stop" : "replay.play"));
}

if (!told) {
  $("#name").textContent = say("replay.none");
} else {
  $("#name").textContent = told.name;
  $("#outcome").textContent = told.result?.text ?? say("games.unfinished");
  $("#download").href = `/api/games/${id}/record.json`;
  $("#go-on").hidden = Boolean(told.result);
  $("#go-on").addEventListener("click", () => attempt(async () => (await post("/api/open", { id }), (location.href = "/"))));
  slider.max = plies.length;
  $("#moves").replaceChildren(
    ...plies.map(({ ply, move, time, picture }) =>
      make("li", {}, make("button", { class: `ply ${picture ? "pictured" : ""}`, onclick: () => goTo(ply) },
        make("span", {}, typeof move === "string" ? move : move.note || say("stood")), make("time", {}, timeOf(time))))),
  );
  $("#moves").classList.toggle("long", plies.some(({ move }) => typeof move !== "string" || move.length > 6));
  slider.addEventListener("input", () => goTo(Number(slider.value)));
  $("#play").addEventListener("click", () => {
    if (at === plies.length) at = 0;
    playOn(!playing);
  });
  $("#back").addEventListener("click", () => goTo(at - 1));
  $("#forth").addEventListener("click", () => goTo(at + 1));
  $("#flip").addEventListener("click", () => ((flipped = !flipped), show()));
  document.addEventListener("keydown", (event) => {
    if (event.target === slider || event.target.closest?.("dialog, input:not([type=range])")) return;
    const steps = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: plies.length };
    if (event.key in steps) (event.preventDefault(), goTo(steps[event.key]));
    if (event.key === " " && event.target === document.body) (event.preventDefault(), $("#play").click());
  });
  playOn(false);
  show();
}
