// How a game ends when persons end it: the usual ways by one touch, and any reason with any winner.
import { attempt, catalogue, make, post, say, sentence } from "./page.js";

const end = (why, winner) => attempt(() => post("/api/result", { winner: winner || null, why }));

/** `sides`: those who can win. */
export function askHowItEnds(sides, nameFor) {
  const alone = sides.length === 1;
  const usual = [];
  if (alone) usual.push(["resigned", "", say("end.gives-up")]);
  if (sides.length === 2) for (const side of sides) usual.push(["resigned", sides.find((other) => other !== side), say("end.resigns", { player: nameFor(side) })]);
  if (!alone) usual.push(["agreed", "", say("end.draw")]);
  const why = make("select", { name: "why" }, catalogue.endings.map(({ why: code, label }) => make("option", { value: code }, sentence(label))));
  const winner = make("select", { name: "winner" }, sides.map((side) => make("option", { value: side }, nameFor(side))), make("option", { value: "" }, say(alone ? "end.unsolved" : "end.nobody")));
  const close = (done) => () => (dialog.close(), done?.());
  const dialog = make("dialog", { class: "ask", onclose: () => dialog.remove() },
    make("h2", {}, say("end.how")),
    make("div", { class: "choices" }, usual.map(([code, side, label]) => make("button", { "data-why": code, "data-winner": side, onclick: close(() => end(code, side)) }, label))),
    make("form", { class: "other", onsubmit: (event) => (event.preventDefault(), close(() => end(why.value, winner.value))()) },
      make("h3", {}, say("end.otherwise")),
      make("div", { class: "fields" }, make("label", {}, say("end.why"), why), make("label", {}, say("end.winner"), winner)),
      make("button", { id: "end-so" }, say("end.so"))),
    make("div", { class: "choices" }, make("button", { class: "quiet", onclick: close() }, say("cancel"))));
  document.body.append(dialog);
  dialog.showModal();
}
