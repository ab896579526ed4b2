// What a new game may be more than: a match of several, or a problem of some level.
import { $, catalogue, make, remembered, say } from "./page.js";

/** The choices for a game, put into a place of the form. `howMany`: how many play. */
export class More {
  constructor(place) {
    this.place = place;
    this.game = null;
  }

  show(id, howMany) {
    this.game = catalogue.games.find((one) => one.id === id);
    const { match, levels } = this.game;
    const fields = [];
    if (match) fields.push(make("label", {}, say("match"), make("select", { id: "match" }, make("option", { value: "" }, say("match.single")), match.usual.map((games) => make("option", { value: games }, describe(match, games, howMany))))));
    if (levels.length) {
      const kept = remembered.get("level", "day-easy");
      const option = (value, label) => make("option", { value, selected: value === kept }, label);
      fields.push(make("label", {}, say("solo.problem"), make("select", { id: "problem" },
        levels.map(({ value, label }) => option(`day-${value}`, `${say("solo.today")} · ${label}`)),
        levels.map(({ value, label }) => option(`new-${value}`, `${say("solo.new")} · ${label}`)),
        option("", say("solo.by-chance")))));
    }
    this.place.replaceChildren(...fields);
    this.place.hidden = !fields.length;
  }

  /** What is asked for beyond a single game. Everybody in a match has a name. */
  chosen(players) {
    const games = Number($("#match", this.place)?.value);
    if (games) return { games, players: players.map((name, n) => name || say("match.player", { number: n + 1 })) };
    const [when, level] = ($("#problem", this.place)?.value ?? "").split("-");
    if ($("#problem", this.place)) remembered.set("level", $("#problem", this.place).value);
    return level ? { problem: { level, day: when === "day" } } : {};
  }
}

function describe({ counts, fewest_wins: fewest }, games, howMany) {
  const kind = counts === "marks" && !fewest.includes(howMany) ? "games" : counts;
  return say(`match.${kind}`, { games });
}
