// A new tournament: the usual first, what is seldom wanted folded away.
import { catalogue, choice, dialog, field, make, note, post, say, sentence } from "./hall.js";
import { attempt } from "./page.js";

const CLOCKS = [["", "hall.no-clock"], ["300 3"], ["600 5"], ["900 10"], ["1500 10"], ["3600 30"]];

const clockName = ([value, code]) => [value, code ? say(code) : say("hall.clock-of", { minutes: Number(value.split(" ")[0]) / 60, seconds: value.split(" ")[1] })];

/** Tie-breaks in their order, each explained; `chosen` of `all`. One that is chosen anew changes places with the one
 * that was there. Its `names()` are what is chosen. */
export function tieBreaks(all, chosen) {
  const made = make("ol", { class: "ties" });
  const selects = () => [...made.querySelectorAll("select")];
  const row = (name) => {
    const select = choice("", [["", say("hall.tie-breaks-none")], ...all.map((one) => [one.name, sentence(one.label)])], name);
    select.dataset.before = name;
    select.setAttribute("aria-label", say("hall.tie-break-number", { number: made.children.length + 1 }));
    made.append(make("li", {}, select, make("small", { class: "faint" })));
  };
  const fit = () => {
    const names = selects().map((one) => one.value).filter(Boolean);
    const wanted = names.length < all.length ? [...names, ""] : names;
    if (selects().length !== wanted.length || selects().some((one, n) => one.value !== wanted[n])) {
      made.replaceChildren();
      wanted.forEach(row);
    }
    for (const one of selects()) one.nextSibling.textContent = all.find(({ name }) => name === one.value)?.text ?? "";
  };
  made.onchange = ({ target }) => {
    const other = selects().find((one) => one !== target && one.value && one.value === target.value);
    if (other) other.value = other.dataset.before = target.dataset.before;
    target.dataset.before = target.value;
    const at = selects().indexOf(target);
    fit();
    selects()[Math.min(at, selects().length - 1)].focus();
  };
  chosen.forEach(row);
  fit();
  made.names = () => selects().map((one) => one.value).filter(Boolean);
  return made;
}

export function newTournament(hall) {
  dialog(say("hall.new-tournament"), () => {
    const games = catalogue.games.filter((one) => one.players.some((count) => count > 1));
    const systems = ["swiss", "round-robin", "knock-out"].map((one) => [one, say(`hall.system.${one}`)]);
    const game = choice("game", games.map((one) => [one.id, one.name]));
    const system = choice("system", systems);
    const seats = make("select", { name: "seats" });
    const games_ = make("select", { name: "games" });
    const options = make("div", { class: "row" });
    const about = note("");
    const fit = () => {
      const found = games.find((one) => one.id === game.value);
      seats.replaceChildren(...found.players.filter((count) => count > 1).map((count) => make("option", { value: count }, say(count === 4 ? "hall.four" : count === 3 ? "hall.three" : "hall.two"))));
      seats.closest("label").hidden = seats.options.length < 2;
      const usual = found.match.multiple;
      games_.replaceChildren(...[1, 2, 3, 4].map((n) => make("option", { value: n * usual }, say("hall.games", { count: n * usual }))));
      options.replaceChildren(...found.options.filter((one) => one.name !== "players").map((one) => make("label", {}, one.label, make("select", { "data-option": one.name }, one.choices.map(({ value, label }, n) => make("option", { value: n, selected: value === one.default }, label))))));
      fitSystem();
    };
    const fitSystem = () => {
      for (const option of system.options) option.disabled = Number(seats.value) === 3 && option.value !== "swiss";
      if (system.selectedOptions[0].disabled) system.value = "swiss";
      about.textContent = say(`hall.system-about.${system.value}`);
      rounds.closest("label").hidden = system.value === "knock-out";
    };
    const ties = tieBreaks(hall.tie_breaks, hall.usual_tie_breaks);
    const rounds = field("rounds", { type: "number", min: 0, max: 99, required: false, placeholder: say("hall.rounds-auto") });
    const made = make(
      "form",
      { class: "stacked" },
      make("label", {}, say("hall.name"), field("name", { autofocus: true })),
      make("label", {}, say("hall.game"), game),
      make("label", {}, say("hall.at-board"), seats),
      make("label", {}, say("hall.system"), system, about),
      make("label", {}, say("hall.rounds"), rounds),
      make("label", {}, say("hall.clock"), choice("clock", CLOCKS.map(clockName))),
      make("details", {}, make("summary", {}, say("hall.tie-breaks")), note(say("hall.tie-breaks-about")), ties),
      make("details", {}, make("summary", {}, say("hall.more")), make("label", {}, say("hall.match-games"), games_), make("label", {}, say("hall.late-points"), choice("late", [[0, "0"], [0.5, "½"], [1, "1"]])), options),
      make("button", { class: "primary" }, say("hall.make")),
    );
    made.onsubmit = (event) => {
      event.preventDefault();
      const given = Object.fromEntries(new FormData(made));
      const [main, more] = given.clock.split(" ").map(Number);
      const found = games.find((one) => one.id === given.game);
      const agreed = Object.fromEntries([...options.querySelectorAll("[data-option]")].map((one) => [one.dataset.option, found.options.find(({ name }) => name === one.dataset.option).choices[Number(one.value)].value]));
      attempt(async () => {
        const { id } = await post("/api/tournaments", { name: given.name, game: given.game, system: given.system, rounds: Number(given.rounds || 0), seats: Number(given.seats), games: Number(given.games), late: Number(given.late), tie_breaks: ties.names(), options: agreed, clock: given.clock ? { kind: "fischer", main, more } : null });
        location.href = `/desk/tournaments/${id}#players`;
      });
    };
    game.onchange = fit;
    seats.onchange = system.onchange = fitSystem;
    queueMicrotask(fit);
    return made;
  });
}
