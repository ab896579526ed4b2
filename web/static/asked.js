// What the table asks: one question at a time. Where nothing explains the board it offers the ways out.
import { attempt, make, post, say } from "./page.js";

const STUCK = "stuck";

/** A question with a button for each answer, or a field where any text will do. */
export function question({ id, code, text, choices }, state) {
  const answer = (given) => attempt(() => post("/api/answer", { id, answer: given }));
  if (code === STUCK) return waysOut({ id, text, choices }, answer, state);
  return make("section", { class: "question", "data-question": id }, make("p", {}, text), choices?.length ? buttons(choices, answer) : field(text, answer));
}

const labelOf = (choice) => (["yes", "no"].includes(choice) ? say(choice) : choice);

function buttons(choices, answer, label = labelOf) {
  return make("div", { class: "choices" }, choices.map((choice) => make("button", { "data-answer": choice, onclick: () => answer(choice) }, label(choice))));
}

function field(text, answer) {
  const input = make("input", { "aria-label": text, required: true });
  return make("form", { class: "choices", onsubmit: (event) => (event.preventDefault(), answer(input.value)) }, input, make("button", {}, say("answer")));
}

/** Take the board as it stands, or see how it should be: drawn, with or without what lies otherwise. */
function waysOut({ id, text, choices }, answer, state) {
  const drawn = make("div", { class: "way-out", "aria-live": "polite" });
  const take = (choice) => (choice === "stands" ? answer(choice) : drawAgreed(drawn, choice, state));
  return make("section", { class: "question", "data-question": id }, make("p", {}, text), buttons(choices, take, (choice) => say(`stuck.${choice}`)), drawn);
}

async function drawAgreed(place, choice, { id, event, moves, verdict }) {
  const wrong = choice === "put-back" ? verdict.squares : [];
  const query = new URLSearchParams({ ply: moves.length, wrong: wrong.map(({ square }) => square).join(), v: `${id}-${event}` });
  const picture = make("img", { src: `/api/board.svg?${query}`, alt: say(`stuck.${choice}.how`, { moves: moves.length }) });
  place.replaceChildren(
    make("p", {}, say(`stuck.${choice}.how`, { moves: moves.length })),
    picture,
    make("ul", {}, wrong.slice(0, 8).map(({ square, should_text, seen_text }) => make("li", {}, make("b", {}, square), ` ${say("square.should", { should: should_text, seen: seen_text })}`))),
  );
}

/** What nobody saw of a move that is looked at: it may be filled in, and nobody has to. */
export function unsaid(ply) {
  return ply?.unsaid ? [question(ply.unsaid)] : [];
}
