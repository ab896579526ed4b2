// What the table shows before the first game: what this is, the games to choose from, and the ways on.
import { catalogue, make, say } from "./page.js";

const SOME = 16; // moves into a game, as a board looks when people play

export function welcome() {
  const games = catalogue.games.map(({ id, name, about }) =>
    make("li", {}, make("a", { class: "kind", href: `/new?game=${id}` },
      make("img", { src: `/api/board.svg?start=${id}&ply=${SOME}`, alt: "", width: 200, height: 200, loading: "lazy" }),
      make("strong", {}, name), make("span", { class: "faint" }, about))));
  return make("div", { class: "welcome" },
    make("h1", {}, say("welcome")),
    make("p", { class: "lead" }, say("welcome.about")),
    make("div", { class: "choices" },
      make("a", { class: "button primary", href: "/new" }, say("do.new")),
      make("a", { class: "button", href: "/rules" }, say("welcome.rules")),
      make("a", { class: "button", href: "/setup" }, say("welcome.set-up"))),
    make("ul", { class: "kinds" }, games));
}
