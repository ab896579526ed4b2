// Pairings, standings and result slips on paper.
import { button, get, make, number, rounds, say, shown, standings } from "./hall.js";

const told = await get(`/api/tournaments/${number}`);
const last = told.rounds.at(-1);
shown.replaceChildren(
  make("p", { class: "no-print" }, button(say("hall.print"), () => print(), { class: "primary" })),
  make("h2", {}, `${told.name} · ${told.game_name}`),
  ...rounds(told).slice(0, 1),
  standings(told),
  ...(last ? last.pairings.filter((one) => !one.bye).map((one) => slip(one)) : []),
);

function slip(one) {
  return make(
    "section",
    { class: "slip" },
    make("strong", {}, `${told.name} · ${say("hall.round", { number: last.number })} · ${one.table}`),
    make("p", {}, one.sides.map((side) => `${side.name} ____`).join("   :   ")),
    make("div", { class: "sign" }, one.sides.map((side) => make("span", {}, side.name))),
  );
}
