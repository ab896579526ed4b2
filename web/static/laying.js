// Laying the pieces before the camera: it looks again and again, and tells square by square what is to be put right.
import { $, $$, attempt, make, post, say, sentence } from "./page.js";

const AGAIN = 1500; // ms between two looks while the pieces are being laid
let round = 0; // of looks at the board
let asks = null; // what a game would begin with: { game, options, setup }
let labels = () => ({});

/** `asked()` is what would be begun; `called()` are the labels of its seats; `ready()` when all lies as it should. */
export function watchLaying(asked, called, ready = () => {}) {
  asks = asked;
  labels = called;
  $("#check").addEventListener("click", () => look(ready));
}

async function look(ready) {
  const mine = ++round;
  let seen = false;
  for (;;) {
    const found = await attempt(() => post("/api/check", asks()));
    if (mine !== round || (!found && !seen)) return;
    if (found) showLook(found);
    if (found?.ready) return ready();
    seen = true; // a camera that is lost meanwhile comes back
    await untilNextLook();
    if (mine !== round) return;
  }
}

/** Not long; where nobody looks at the page, when somebody does. */
function untilNextLook() {
  return new Promise((done) => {
    setTimeout(done, document.hidden ? 10 * AGAIN : AGAIN);
    document.addEventListener("visibilitychange", done, { once: true });
  });
}

/** The looks end; what was found stays to be read. */
export function endLooks() {
  round++;
}

export function forgetLooks() {
  endLooks();
  for (const place of ["#checked", "#check-next", "#check-board", "#check-squares", "#south"]) $(place).replaceChildren();
  $("#check-dice").hidden = true;
}

function showLook({ ready, reason, squares, lacking, hidden, drawing }) {
  const counted = lacking && lacking.there !== lacking.needed ? say("check.lacking", lacking) : "";
  $("#checked").textContent = ready ? say("check.ready") : counted || (squares.length ? say("check.left", { count: squares.length }) : sentence(reason));
  $("#checked").className = ready ? "good" : "why";
  const words = ({ square, take_away: isTooMuch, should_text: should, seen_text: seen }) =>
    [make("b", {}, square), ` ${isTooMuch ? say("check.take-away", { seen }) : say("square.should", { should, seen })}`];
  $("#check-next").replaceChildren(...(squares.length ? [`${say("check.next")} `, ...words(squares[0])] : []));
  $("#check-squares").replaceChildren(...squares.slice(1).map((one) => make("li", {}, words(one))));
  const drawn = drawing && new DOMParser().parseFromString(drawing, "image/svg+xml").documentElement;
  for (const square of drawn ? $$(".square", drawn) : []) {
    square.removeAttribute("tabindex");
    square.setAttribute("role", "img");
  }
  const [, , wide, high] = drawn?.getAttribute("viewBox").split(" ") ?? [0, 0, 1, 1];
  $("#check-board").style.setProperty("--ratio", wide / high);
  $("#check-board").replaceChildren(...(drawn ? [document.importNode(drawn, true)] : []));
  askSouth(hidden);
}

/** Dice that do not stand as in the opening: which of their faces look south cannot be seen and must be told. */
function askSouth(hidden) {
  $("#check-dice").hidden = !hidden.length;
  const asked = hidden.map(({ square, die }) => `${square}${die}`).join();
  if ($("#south").dataset.asked === asked && $("#south").children.length) return;
  $("#south").dataset.asked = asked;
  const choice = (die) => make("select", { "data-south": die.square }, make("option", { value: "" }, "–"),
    die.south.map((face) => make("option", { value: face, selected: face === die.usual }, face)));
  $("#south").replaceChildren(
    make("label", {}, say("check.to-move"), make("select", { id: "first" }, Object.entries(labels()).map(([seat, label]) => make("option", { value: seat }, label)))),
    ...hidden.map((die) => make("label", {}, say("check.south", { square: die.square, die: die.text }), choice(die))),
  );
}

/** What was told of the dice, if they are to lie as they lie; added to what is asked for. */
export function toldSouth() {
  const told = $$("[data-south]").filter(({ value }) => value).map(({ dataset, value }) => [dataset.south, value]);
  return $("#check-dice").open && told.length ? { south: Object.fromEntries(told), setup: { to_move: $("#first").value } } : {};
}
