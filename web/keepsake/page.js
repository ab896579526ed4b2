"use strict";
// A shared game: its boards are put together of parts that they have in common.
const $ = (selector) => document.querySelector(selector);
const game = JSON.parse($("#game").textContent);
const last = game.boards.length - 1;
const moves = [...document.querySelectorAll("#moves button")];
let at = last;
let playing = null;

function show(ply) {
  at = Math.max(0, Math.min(last, ply));
  $("#board").innerHTML = game.boards[at].map((n) => game.parts[n]).join("");
  $("#slider").value = at;
  $("#at").textContent = `${at} / ${last}`;
  $("#said").textContent = game.mistakes[at] ?? "";
  moves.forEach((button, n) => {
    if (n + 1 === at) {
      button.setAttribute("aria-current", "step");
      const [there, seen] = [button.getBoundingClientRect(), $("#moves").getBoundingClientRect()];
      $("#moves").scrollTop += Math.min(0, there.top - seen.top) + Math.max(0, there.bottom - seen.bottom);
    } else button.removeAttribute("aria-current");
  });
}

function play(on) {
  clearInterval(playing);
  playing = on ? setInterval(() => (at < last ? show(at + 1) : play(false)), 1000) : null;
  $("#play").textContent = game.texts[on ? "replay.stop" : "replay.play"];
}

moves.forEach((button, n) => {
  button.classList.toggle("mistake", n + 1 in game.mistakes);
  button.addEventListener("click", () => show(n + 1));
});
$("#slider").addEventListener("input", () => show(Number($("#slider").value)));
$("#back").addEventListener("click", () => show(at - 1));
$("#forth").addEventListener("click", () => show(at + 1));
$("#play").addEventListener("click", () => {
  if (!playing && at === last) show(0);
  play(!playing);
});
$(".graph")?.addEventListener("click", (event) => {
  const { left, width } = event.currentTarget.getBoundingClientRect();
  show(Math.round(((event.clientX - left) / width) * last));
});
document.addEventListener("keydown", (event) => {
  const steps = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last };
  if (event.target.type !== "range" && event.key in steps) {
    event.preventDefault();
    show(steps[event.key]);
  }
});
show(last);
