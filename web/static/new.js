// A new game: which, by what options, who plays, with what clock, and from what set-up.
import { $, Refused, attempt, catalogue, get, make, post, say, sentence } from "./page.js";

const SOME = 16;
const form = $("#new");
const state = await get("/api/table").catch(() => ({}));
let game = null;

$("#kinds").append(
  ...catalogue.games.map(({ id, name }) =>
    make("label", { class: "kind" },
      make("input", { type: "radio", name: "game", value: id, required: true, onchange: () => choose(id) }),
      picture(id),
      make("strong", {}, name),
      make("span", { class: "faint" }, say(`about.${id}`)))),
);
choose(catalogue.games.some(({ id }) => id === state.game) ? state.game : catalogue.games[0].id);

function choose(id) {
  game = catalogue.games.find((one) => one.id === id);
  $(`input[value="${id}"]`, form).checked = true;
  showOptions();
  showSeats();
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
      return make("label", { class: "switch" }, make("input", { type: "checkbox", "data-option": option.name, checked: option.default }), sentence(option.label));
    }
    return make("label", {}, sentence(option.label), make("select", { "data-option": option.name, onchange: showSeats },
      option.choices.map(({ value, label }, n) => make("option", { value: n, selected: value === option.default }, label))));
  });
  if (game.id === "plank") {
    fields.unshift(make("label", {}, say("new.how-many"), make("select", { id: "how-many", onchange: showSeats }, [2, 3, 4].map((n) => make("option", { value: n }, n)))));
  }
  $("#options").replaceChildren(...fields);
  $("#options-part").hidden = !fields.length;
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

function seats() {
  if (game.id === "plank") return ["A", "B", "C", "D"].slice(0, Number($("#how-many").value));
  if (game.id === "trippples" && chosenOptions().players === 4) return ["square1", "round1", "square2", "round2"];
  return game.roles;
}

function showSeats() {
  const kept = Object.fromEntries([...document.querySelectorAll("[data-seat]")].map((field) => [field.dataset.seat, field.value]));
  $("#players").replaceChildren(
    ...seats().map((seat) => make("label", {}, say(`seat.${seat}`), make("input", { "data-seat": seat, maxlength: 60, autocomplete: "off", value: kept[seat] ?? "", placeholder: say("new.name") }))),
  );
}

$("#clock-kind").addEventListener("change", showClock);
function showClock() {
  const clock = catalogue.clocks.find(({ kind }) => kind === $("#clock-kind").value);
  $("#clock-fields").replaceChildren(
    ...(clock?.fields ?? []).map(({ name, label, default: usual }) =>
      make("label", {}, unitOf(name, sentence(label)),
        make("input", { type: "number", "data-clock": name, min: 0, max: 999, step: "any", value: name === "main" ? usual / 60 : usual, required: true }))),
  );
}
$("#clock-kind").append(...catalogue.clocks.map(({ kind, label }) => make("option", { value: kind }, label)));

function unitOf(name, what) {
  return name === "periods" ? what : say(name === "main" ? "in-minutes" : "in-seconds", { what });
}

function chosenClock() {
  const kind = $("#clock-kind").value;
  if (kind === "none") return null;
  const clock = { kind };
  for (const field of document.querySelectorAll("[data-clock]")) {
    clock[field.dataset.clock] = Number(field.value) * (field.dataset.clock === "main" ? 60 : 1);
  }
  return clock;
}

$("#from-camera").disabled = (state.camera?.state ?? "none") === "none";

// --- set up step by step: lay the pieces, let the camera look, put right what it finds

$("#from-camera").addEventListener("change", () => ($("#check-part").hidden = !$("#from-camera").checked));
$("#check").addEventListener("click", async () => {
  const { ready, reason, squares } = (await attempt(() => post("/api/check", start()))) ?? {};
  if (ready === undefined) return;
  $("#checked").textContent = ready ? say("check.ready") : sentence(reason);
  $("#checked").className = ready ? "good" : "why";
  $("#check-squares").replaceChildren(
    ...squares.map(({ square, should_text: should, seen_text: seen }) => make("li", {}, make("b", {}, square), ` ${say("square.should", { should, seen })}`)),
  );
});

function start() {
  const asked = { game: game.id, options: chosenOptions() };
  if (game.id === "plank") asked.setup = { players: Number($("#how-many").value) };
  return asked;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const asked = start();
  const players = [...document.querySelectorAll("[data-seat]")].map((field) => field.value.trim());
  if (players.some(Boolean)) asked.players = players;
  const clock = chosenClock();
  if (clock) asked.clock = clock;
  if ($("#from-camera").checked) asked.from_camera = true;
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
