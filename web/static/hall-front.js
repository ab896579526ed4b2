// What everybody sees: rounds, tables, standings, as late as the desk wants.
import { card, get, make, rounds, say, shown, standings, whenKnown } from "./hall.js";

const EVERY = 3000; // milliseconds

async function show(hall) {
  const told = await Promise.all(hall.tournaments.map((one) => get(`/api/tournaments/${one.id}`)));
  const playing = hall.tables.filter((table) => table.game);
  shown.replaceChildren(
    ...(hall.delay ? [make("p", { class: "faint" }, say("hall.late", { seconds: hall.delay }))] : []),
    ...(told.length ? [] : [make("p", {}, say("hall.nothing-yet"))]),
    ...told.flatMap((one) => [make("h2", {}, `${one.name} · ${one.game_name}, ${one.system_text}`), ...rounds(one).slice(0, 1), standings(one), make("p", {}, make("a", { href: `/print/${one.id}` }, say("hall.print")))]),
    make("div", { class: "cards" }, playing.map((table) => card(table, false))),
  );
}

const refresh = await whenKnown(show);
setInterval(refresh, EVERY);
