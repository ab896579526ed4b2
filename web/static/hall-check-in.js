// Check-in on a tablet: a touch says that somebody is here, another one undoes it.
import { $, attempt, button, field, get, make, note, number, post, say, shown, titled, whenKnown } from "./hall.js";
import { tell } from "./page.js";

const EVERY = 4000; // milliseconds; somebody may check in at another tablet
let sought = "";

async function show() {
  const told = await get(`/api/tournaments/${number}`);
  const here = told.entries.filter((one) => one.here && !one.gone).length;
  const all = told.entries.filter((one) => !one.gone);
  titled(say("hall.check-in"), told.name);
  const list = make("div", { class: "cards", id: "names" });
  const search = make("label", {}, say("hall.search"), field("search", { type: "search", required: false, value: sought, oninput: (event) => ((sought = event.target.value), fill()) }));
  const fill = () => list.replaceChildren(...all.filter((one) => one.name.toLocaleLowerCase().includes(sought.toLocaleLowerCase())).sort((one, other) => one.name.localeCompare(other.name)).map(name));
  const name = (one) => button([one.name], () => check(one), { class: "here", "aria-pressed": String(one.here), "data-entry": one.id });
  fill();
  const typing = document.activeElement?.name === "search";
  shown.replaceChildren(make("p", { role: "status", class: "count" }, say("hall.here-count", { here, all: all.length })), search, note(say("hall.check-in-about")), list);
  if (typing) $("[name=search]").focus();
}

const check = (one) => attempt(async () => {
  await post("/api/entries/here", { tournament: number, entry: one.id, here: !one.here });
  sought = "";
  await refresh();
  tell(say(one.here ? "hall.not-here" : "hall.is-here", { name: one.name }));
});

const refresh = await whenKnown(show, true);
setInterval(refresh, EVERY);
