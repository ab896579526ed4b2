// A new game: which, by what options, who plays, with what clock, and from what set-up.
import { $, $$, Refused, catalogue, get, make, post, say, sentence } from "./page.js";
import { levels } from "./computer.js";
import { control } from "./control.js";
import { endLooks, forgetLooks, toldSouth, watchLaying } from "./laying.js";
import { More } from "./match.js";

const SOME = 16;
const form = $("#new");
const state = await get("/api/table").catch(() => ({}));
const more = new More($("#more"));
const chosenClock = control($("#clock-kind"), $("#clock-fields"));
let game = null;

$("#kinds").append(
  ...catalogue.games.map(({ id, name, about }) =>
    make("label", { class: "kind" },
      make("input", { type: "radio", name: "game", value: id, required: true, onchange: () => choose(id) }),
      picture(id),
      make("strong", {}, name),
      make("span", { class: "faint" }, about))),
);
const address = new URLSearchParams(location.search);
const asked = [address.get("game"), state.game];
choose(asked.find((wanted) => catalogue.games.some(({ id }) => id === wanted)) ?? catalogue.games[0].id);

function choose(id) {
  game = catalogue.games.find((one) => one.id === id);
  $(`input[value="${id}"]`, form).checked = true;
  $("#rules-link").href = `/rules/${id}`;
  $("#chosen").textContent = game.name;
  $("#clock-part").hidden = !game.players.some((many) => many > 1); // alone one has a timer anyway
  showOptions();
  showSeats();
  showDeal();
  showPrinted();
  forgetLooks();
}

/** A problem of a printed booklet: its code opens /new?game=…&setup.FIELD=a1,b2&moves=…, what stands and what lies already. */
function printed() {
  if (!address.has("game") || address.get("game") !== game.id) return null;
  const fields = [...address].filter(([name]) => name.startsWith("setup."));
  const moves = address.get("moves")?.split(",").filter(Boolean) ?? [];
  if (!fields.length && !moves.length) return null;
  return { setup: Object.fromEntries(fields.map(([name, squares]) => [name.slice(6), squares.split(",")])), moves };
}

function showPrinted() {
  $("#booklet").hidden = !printed();
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
  more.show(game.id, howMany());
  const kept = Object.fromEntries($$("[data-seat]").map((field) => [field.dataset.seat, field.value]));
  const levelsKept = computers();
  $("#players").replaceChildren(
    ...game.seats[howMany()].map((seat, n, all) => make("div", { class: "seated" },
      make("label", {}, labelFor(seat), make("input", { "data-seat": seat, maxlength: 60, autocomplete: "off", value: kept[seat] ?? "", placeholder: say("new.name") })),
      all.length > 1 ? make("label", {}, make("span", { class: "sr" }, say("new.who", { seat: labelFor(seat) })), make("select", { "data-computer": seat }, levels(levelsKept[seat]))) : null)),
  );
  $("#players-legend").textContent = say(game.seats[howMany()].length > 1 ? "players" : "player");
}

/** The seats that the computer takes, each at its level. */
function computers() {
  return Object.fromEntries($$("[data-computer]").filter(({ value }) => Number(value)).map(({ dataset, value }) => [dataset.computer, Number(value)]));
}

$("#from-camera").closest("label").hidden = (state.camera?.state ?? "none") === "none";

// --- set up step by step: lay the pieces, let the camera look, put right what it finds

$("#from-camera").addEventListener("change", () => {
  $("#check-part").hidden = !$("#from-camera").checked;
  showDeal();
  forgetLooks();
});
watchLaying(start, () => Object.fromEntries(game.roles.map((seat) => [seat, labelFor(seat)])));

function start() {
  const asked = { game: game.id, options: chosenOptions() };
  if (game.players_in === "setup") asked.setup = { players: howMany() };
  const given = printed();
  if (given && Object.keys(given.setup).length) asked.setup = given.setup;
  return asked;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const asked = start();
  const players = $$("[data-seat]").map((field) => field.value.trim());
  if (players.some(Boolean)) asked.players = players;
  Object.assign(asked, more.chosen(players));
  if (printed()) delete asked.problem; // it is chosen already
  const clock = $("#clock-part").hidden ? null : chosenClock();
  endLooks();
  if (clock) asked.clock = clock;
  if (Object.keys(computers()).length) asked.computer = computers();
  if ($("#from-camera").checked) {
    Object.assign(asked, { from_camera: true }, toldSouth());
    delete asked.problem; // what lies there is one
  } else if (!$("#deal-part").hidden && $("#deal").checked) asked.deal = true;
  $("#said").textContent = "";
  $("#begin").disabled = true;
  try {
    await post("/api/new", asked);
    const moves = printed()?.moves ?? [];
    if (moves.length) await post("/api/play", { moves });
    location.href = "/";
  } catch (refused) {
    $("#said").textContent = refused instanceof Refused ? refused.reason : say("no-answer");
    $("#begin").disabled = false;
  }
});
