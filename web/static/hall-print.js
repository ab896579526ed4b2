// A tournament on one page, made for paper; PDFs to hang up and to cut are beside it.
import { aboutOf, crosstable, files, get, make, number, part, round, roundTitle, say, shown, standings, titled } from "./hall.js";

const told = await get(`/api/tournaments/${number}`);
const last = told.rounds.at(-1);
titled(told.name, aboutOf(told));
const papers = files(told);
papers.classList.add("no-print");
papers.append(make("button", { class: "primary", onclick: () => print() }, say("hall.print-this")));
shown.replaceChildren(papers, ...(last ? [part(roundTitle(last), round(last))] : []), standings(told), crosstable(told));
