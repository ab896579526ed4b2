// Check-in on a tablet: a touch says that somebody is here, another one undoes it.
import { attempt, button, get, make, number, post, say, shown, whenKnown } from "./hall.js";

async function show() {
  const told = await get(`/api/tournaments/${number}`);
  const here = told.entries.filter((one) => one.here).length;
  shown.replaceChildren(
    make("h2", {}, told.name),
    make("p", { role: "status" }, say("hall.here-count", { here, all: told.entries.length })),
    make("div", { class: "cards" }, told.entries.map((one) => button(`${one.name} ${one.here ? "✓" : ""}`, () => attempt(async () => (await post("/api/entries/here", { tournament: number, entry: one.id, here: !one.here }), await refresh())), { class: "here", "aria-pressed": String(one.here), "data-entry": one.id }))),
  );
}

const refresh = await whenKnown(show, true);
