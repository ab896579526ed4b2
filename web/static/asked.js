// What the table asks: one question at a time. Where nothing explains the board it offers the ways out.
import { attempt, make, post, say, sentence } from "./page.js";
import { pictures } from "./faces.js";

const STUCK = "stuck";

/** A question with a button for each answer, or a field where any text will do. */
export function question(asked, state) {
  const { id, code, text, told } = asked;
  const answer = (given) => attempt(() => post("/api/answer", { id, answer: given }));
  if (code === STUCK) return waysOut(asked, answer, state);
  return make("section", { class: "question", "data-question": id }, make("p", {}, text), told?.length ? buttons(told, answer) : field(text, answer));
}

function buttons(told, answer) {
  return make("div", { class: `choices ${told.length > 12 ? "many" : ""}` }, told.map(({ answer: choice, words, pieces }) => {
    const drawn = pictures(pieces);
    const brief = drawn.length && told.length > 4; // many that differ in a picture
    return make("button", { "data-answer": choice, class: "move", "aria-label": words, title: words, onclick: () => answer(choice) }, drawn, brief ? null : sentence(words));
  }));
}

function field(text, answer) {
  const input = make("input", { "aria-label": text, required: true });
  return make("form", { class: "choices", onsubmit: (event) => (event.preventDefault(), answer(input.value)) }, input, make("button", {}, say("answer")));
}

/** Take the board as it stands, or see how it should be: drawn, with or without what lies otherwise. */
function waysOut({ id, text, choices }, answer, state) {
  const drawn = make("div", { class: "way-out", "aria-live": "polite" });
  const take = (choice) => (choice === "stands" ? answer(choice) : drawAgreed(drawn, choice, state));
  const ways = choices.map((choice) => make("button", { "data-answer": choice, onclick: () => take(choice) }, say(`stuck.${choice}`)));
  return make("section", { class: "question", "data-question": id }, make("p", {}, text), make("div", { class: "choices" }, ways), drawn);
}

function drawAgreed(place, choice, { id, event, moves, verdict }) {
  const wrong = choice === "put-back" ? verdict.squares : [];
  const how = say(`stuck.${choice}.how`, { moves: moves.length });
  const query = new URLSearchParams({ game: id, ply: moves.length, wrong: wrong.map(({ square }) => square).join(), v: `${id}-${event}` }); // by its ply: as it was agreed, not as it is seen
  place.replaceChildren(
    make("p", {}, how),
    make("img", { src: `/api/board.svg?${query}`, alt: how }),
    make("ul", {}, wrong.slice(0, 8).map(({ name, should_text, seen_text }) => make("li", {}, make("b", {}, name), ` ${say("square.should", { should: should_text, seen: seen_text })}`))),
  );
}

/** What nobody saw of a move that is looked at: it may be filled in, and nobody has to. */
export function unsaid(ply) {
  return ply?.unsaid ? [question(ply.unsaid)] : [];
}
