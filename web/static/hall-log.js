// What the desk has done, with name and time, the newest first; and whether anything was changed since.
import { $, attempt, button, field, get, lines, make, note, part, say, sentence, shown, titled, whenKnown } from "./hall.js";
import { language } from "./page.js";

const MOST = 200; // lines at first
let sought = "";
let most = MOST;

const day = (seconds) => new Date(seconds * 1000).toLocaleString(language, { dateStyle: "short", timeStyle: "medium" });

async function show() {
  const deeds = (await get("/api/hall/deeds")).reverse();
  titled(say("hall.log"), say("hall.log-about"));
  const found = make("div");
  const fill = () => {
    const fitting = deeds.filter((one) => `${one.who} ${one.text}`.toLocaleLowerCase().includes(sought.toLocaleLowerCase()));
    found.replaceChildren(lines([say("hall.when"), say("hall.who"), say("hall.what"), say("hall.seal")], fitting.slice(0, most).map((one) => ({ "data-kind": one.kind, cells: [day(one.at), one.who, sentence(one.text), make("span", { class: "seal", title: one.seal }, one.seal.slice(0, 12))] })), { label: say("hall.log"), class: "lines stack told-third" }), ...(fitting.length > most ? [button(say("hall.all", { count: fitting.length }), () => ((most = Infinity), fill()))] : []));
  };
  fill();
  shown.replaceChildren(
    part(say("hall.seals"), note(say("hall.seals-about")), make("div", { class: "choices" }, button(say("hall.verify"), check, { class: "primary", id: "verify" }), make("span", { id: "verified", role: "status" }))),
    part(say("hall.log"), make("label", {}, say("hall.search"), field("search", { type: "search", required: false, value: sought, oninput: (event) => ((sought = event.target.value), fill()) })), found),
  );
}

const check = () => attempt(async () => {
  const found = await get("/api/hall/verify");
  $("#verified").className = found.ok ? "fine" : "why";
  $("#verified").textContent = found.ok ? say("hall.verified", found) : found.findings.map(sentence).join(" · ");
});

await whenKnown(show, true);
