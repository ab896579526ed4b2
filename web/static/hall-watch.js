// One table for everybody: its board, who plays, the clocks; as late as the desk wants.
import { boardOf, get, make, note, number, part, say, seatLines, sentence, shown, titled, whenKnown } from "./hall.js";

const EVERY = 2000; // milliseconds
let before = "";

async function show(hall) {
  const table = hall.tables.find((one) => one.place === number);
  const news = JSON.stringify([table, hall.delay]);
  if (news === before) return;
  before = news;
  titled(table?.name ?? say("hall.table"), table?.game_name ?? "");
  shown.replaceChildren(
    ...(hall.delay ? [note(say("hall.late", { seconds: hall.delay }))] : []),
    table?.game
      ? make("div", { class: "beside" }, make("img", { class: "board", src: boardOf(table), alt: `${table.name}: ${table.game_name}` }), part(table.turn_text || table.game_name, seatLines(table), ...[sentence(table.last_move), table.moves ? say("hall.moves", { number: table.moves }) : "", table.match ? say("hall.match", { match: table.match }) : ""].filter(Boolean).map((text) => note(text))))
      : part(say("hall.no-game"), note(say("hall.nothing-about"))),
  );
}

const refresh = await whenKnown(show);
setInterval(refresh, EVERY);
