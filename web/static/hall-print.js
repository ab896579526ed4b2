// A tournament on one page, made for paper; PDFs to hang up and to cut are beside it.
import { aboutOf, crosstable, files, get, number, part, round, roundTitle, shown, standings, titled, whenKnown } from "./hall.js";

await whenKnown(async (hall) => {
  const told = await get(`/api/tournaments/${number}`);
  const last = told.rounds.at(-1);
  titled(told.name, aboutOf(told));
  const papers = files(told, true);
  papers.classList.add("no-print");
  shown.replaceChildren(papers, ...(last ? [part(roundTitle(last), round(last, hall.tables))] : []), standings(told), crosstable(told));
});
