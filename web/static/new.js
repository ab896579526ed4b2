// A new game: which, by what options, who plays, with what clock, and from what set-up.
import { $, $$, Refused, attempt, catalogue, get, make, post, say, sentence } from "./page.js";
import { levels } from "./computer.js";
import { control } from "./control.js";

const SOME = 16;
const AGAIN = 1500; // ms between two looks while the pieces are being laid
const form = $("#new");
const state = await get("/api/table").catch(() => ({}));
const chosenClock = control($("#clock-kind"), $("#clock-fields"));
let game = null;
let looking = 0; // which round of looks at the board this is

$("#kinds").append(
  ...catalogue.games.map(({ id, name, about }) =>
    make("label", { class: "kind" },
      make("input", { type: "radio", name: "game", value: id, required: true, onchange: () => choose(id) }),
      picture(id),
      make("strong", {}, name),
      make("span", { class: "faint" }, about))),
);
choose(catalogue.games.some(({ id }) => id === state.game) ? state.game : catalogue.games[0].id);

function choose(id) {
  game = catalogue.games.find((one) => one.id === id);
  $(`input[value="${id}"]`, form).checked = true;
  showOptions();
  showSeats();
  showDeal();
  forgetLooks();
}

/** A board some moves into a game, as it looks when people play. */
function picture(id) {
  const image = make("img", { src: `/api/board.svg?start=${id}&ply=${SOME}`, alt: "", width: 200, height: 200, loading: "lazy" });
  image.addEventListener("error", () => (image.src = `/api/board.svg?start=${id}`), { once: true });
  return image;
}

/** Those that can be chosen from a list; layouts of one's own are for records. */
function options() {
  return game.options.filter(({ choices }) => choices.length);
}

function showOptions() {
  const fields = options().map((option) => {
    if (typeof option.default === "boolean") {
      return make("label", { class: "switch" }, make("input", { type: "checkbox", "data-option": option.name, checked: option.default, onchange: changed }), sentence(option.label));
    }
    return make("label", {}, sentence(option.label), make("select", { "data-option": option.name, onchange: changed },
      option.choices.map(({ value, label }, n) => make("option", { value: n, selected: value === option.default }, label))));
  });
  if (game.players_in === "setup") {
    fields.unshift(make("label", {}, say("new.how-many"), make("select", { id: "how-many", onchange: showSeats }, game.players.map((n) => make("option", { value: n }, n)))));
  }
  $("#options").replaceChildren(...fields);
  $("#options-part").hidden = !fields.length;
}

function changed() {
  showSeats();
  showDeal();
  forgetLooks();
}

/** What players lay out themselves, chance may lay out at once. */
function showDeal() {
  $("#deal-part").hidden = game.dealing !== "offered" || $("#from-camera").checked;
  $("#deal-part span").textContent = game.deal_label || say("new.deal");
}

function chosenOptions() {
  const chosen = {};
  for (const option of options()) {
    const field = $(`[data-option="${option.name}"]`);
    const value = field.type === "checkbox" ? field.checked : option.choices[field.value].value;
    if (value !== option.default) chosen[option.name] = value;
  }
  return chosen;
}

/** How many play, by where the game's records say it. */
function howMany() {
  const said = { setup: () => Number($("#how-many").value), options: () => chosenOptions().players };
  return said[game.players_in]?.() ?? game.players[0];
}

function labelFor(seat) {
  return game.labels[seat] ?? seat;
}

function showSeats() {
  const kept = Object.fromEntries($$("[data-seat]").map((field) => [field.dataset.seat, field.value]));
  const levelsKept = computers();
  $("#players").replaceChildren(
    ...game.seats[howMany()].map((seat, n, all) => make("div", { class: "seated" },
      make("label", {}, labelFor(seat), make("input", { "data-seat": seat, maxlength: 60, autocomplete: "off", value: kept[seat] ?? "", placeholder: say("new.name") })),
      all.length > 1 ? make("label", {}, make("span", { class: "sr" }, say("new.who", { seat: labelFor(seat) })), make("select", { "data-computer": seat }, levels(levelsKept[seat]))) : null)),
  );
}

/** The seats that the computer takes, each at its level. */
function computers() {
  return Object.fromEntries($$("[data-computer]").filter(({ value }) => Number(value)).map(({ dataset, value }) => [dataset.computer, Number(value)]));
}

$("#from-camera").disabled = (state.camera?.state ?? "none") === "none";

// --- set up step by step: lay the pieces, let the camera look, put right what it finds

$("#from-camera").addEventListener("change", () => {
  $("#check-part").hidden = !$("#from-camera").checked;
  showDeal();
  forgetLooks();
});
$("#check").addEventListener("click", async () => {
  const round = ++looking;
  let seen = false;
  for (;;) {
    const found = await attempt(() => post("/api/check", start()));
    if (round !== looking || (!found && !seen)) return;
    if (found) showLook(found);
    if (found?.ready) return;
    seen = true; // a camera that is lost meanwhile comes back
    await untilNextLook();
    if (round !== looking) return;
  }
});

/** Not long; where nobody looks at the page, when somebody does. */
function untilNextLook() {
  return new Promise((done) => {
    setTimeout(done, document.hidden ? 10 * AGAIN : AGAIN);
    document.addEventListener("visibilitychange", done, { once: true });
  });
}

function forgetLooks() {
  looking++;
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
    make("label", {}, say("check.to-move"), make("select", { id: "first" }, game.roles.map((seat) => make("option", { value: seat }, labelFor(seat))))),
    ...hidden.map((die) => make("label", {}, say("check.south", { square: die.square, die: die.text }), choice(die))),
  );
}

/** What was told of the dice, if they are to lie as they lie. */
function toldSouth() {
  const told = $$("[data-south]").filter(({ value }) => value).map(({ dataset, value }) => [dataset.south, value]);
  return $("#check-dice").open && told.length ? Object.fromEntries(told) : null;
}

function start() {
  const asked = { game: game.id, options: chosenOptions() };
  if (game.players_in === "setup") asked.setup = { players: howMany() };
  return asked;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const asked = start();
  const players = $$("[data-seat]").map((field) => field.value.trim());
  if (players.some(Boolean)) asked.players = players;
  const clock = chosenClock();
  looking++;
  if (clock) asked.clock = clock;
  if (Object.keys(computers()).length) asked.computer = computers();
  if ($("#from-camera").checked) {
    asked.from_camera = true;
    const south = toldSouth();
    if (south) Object.assign(asked, { south, setup: { to_move: $("#first").value } });
  } else if (!$("#deal-part").hidden && $("#deal").checked) asked.deal = true;
  $("#said").textContent = "";
  $("#begin").disabled = true;
  try {
    await post("/api/new", asked);
    location.href = "/";
  } catch (refused) {
    $("#said").textContent = refused instanceof Refused ? refused.reason : say("no-answer");
    $("#begin").disabled = false;
  }
});
