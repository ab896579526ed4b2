// A past game, move by move: board, time, the picture that was kept, what the computer thinks of it; to be shared,
// named, kept or deleted.
import { $, $$, Refused, attempt, choose, get, make, post, say, sentence, tell, timeOf } from "./page.js";
import { Board } from "./board.js";
import { duration } from "./duration.js";
import { pictures } from "./faces.js";
import { badge } from "./seated.js";
import { wonSquares } from "./ending.js";

const AGAIN = 700; // ms between two questions how far the review has come
const id = Number(location.pathname.split("/").pop());
const told = await get(`/api/games/${id}`).catch(() => null);
const plies = told?.plies ?? [];
const board = new Board($("#board"));
const slider = $("#slider");
let at = plies.length;
let flipped = false;
let playing = null;
let mistakes = {}; // by the move's number
let better = false; // the better move is drawn, not the one that was played

function show() {
  slider.value = at;
  slider.setAttribute("aria-valuetext", say("past", { ply: at, last: plies.length }));
  $("#at").textContent = `${at} / ${plies.length}`;
  $("#here").style.setProperty("--at", plies.length ? at / plies.length : 0);
  const mistake = mistakes[at];
  const won = at === plies.length && told.result ? wonSquares(told.decided, told.result.winner) : [];
  if (mistake && better) board.show({ game: id, ply: at - 1, flip: flipped, hint: mistake.squares, arrows: mistake.goes ? [`hint::${mistake.squares.join(".")}`] : [] });
  else board.show({ game: id, ply: at, flip: flipped, won });
  $("#remark").textContent = sentence(mistake?.text ?? "");
  $("#better").hidden = !mistake;
  $("#better").textContent = say(better ? "review.played" : "review.better");
  const current = (button, is) => (is ? button.setAttribute("aria-current", "step") : button.removeAttribute("aria-current"));
  $$("#moves .ply").forEach((button, n) => {
    current(button, n + 1 === at);
    if (n + 1 === at) scrollTo(button, $("#moves"));
  });
  $$("[data-mistake]").forEach((button) => current(button, Number(button.dataset.mistake) === at));
  const ply = plies[at - 1];
  $("#kept").hidden = !plies.some(({ picture }) => picture);
  $("#kept img").hidden = !ply?.picture;
  if (ply?.picture) $("#kept img").src = ply.picture;
  $("#kept figcaption").textContent = ply?.picture ? say("kept.at", { ply: at }) : say("kept.none");
  $("#share-png").href = `/api/games/${id}/shared.png?ply=${at}${flipped ? "&flip=1" : ""}`;
}

/** In its own list, not the whole page. */
function scrollTo(button, list) {
  const [there, seen] = [button.getBoundingClientRect(), list.getBoundingClientRect()];
  if (there.top < seen.top) list.scrollTop -= seen.top - there.top;
  else if (there.bottom > seen.bottom) list.scrollTop += there.bottom - seen.bottom;
}

function goTo(ply, showBetter = false) {
  at = Math.max(0, Math.min(plies.length, ply));
  better = showBetter && at in mistakes;
  show();
}

function playOn(on) {
  clearInterval(playing);
  playing = on ? setInterval(() => (at < plies.length ? goTo(at + 1) : playOn(false)), 1200) : null;
  $("#play").textContent = on ? "❚❚" : "▶";
  $("#play").setAttribute("aria-label", say(on ? "replay.stop" : "replay.play"));
}

// --- the moves, and the time they took

function plyButton({ ply, move, words, pieces, seat, time, spent, left, picture }) {
  const took = [spent != null ? say("review.took", { time: duration(spent) }) : null, left != null ? say("review.left", { time: duration(left) }) : null];
  return make("li", {}, make("button", { class: `ply ${picture ? "pictured" : ""}`, "data-ply": ply, title: [timeOf(time), ...took].filter(Boolean).join(" · "), onclick: () => goTo(ply) },
    seat && told.seats.length > 1 ? badge(told, seat) : null, make("span", { class: "told-so" }, make("span", { class: "words" }, pictures(pieces), sentence(words)), typeof move === "string" ? make("small", { class: "notation" }, move) : null), make("time", {}, spent != null ? duration(spent) : timeOf(time))));
}

function showTimes() {
  const used = {};
  for (const { seat, spent } of plies) {
    if (seat && spent != null) used[seat] = { time: (used[seat]?.time ?? 0) + spent, moves: (used[seat]?.moves ?? 0) + 1 };
  }
  $("#times").replaceChildren(...Object.entries(used).map(([seat, { time, moves }]) =>
    make("li", {}, sentence(say("review.total", { player: told.names[seat] ?? seat, time: duration(time), moves })))));
}

// --- what the computer thinks of it

async function review() {
  $("#review").hidden = false;
  for (;;) {
    let found;
    try {
      found = await get(`/api/games/${id}/review`);
    } catch (refused) {
      if (refused instanceof Refused && refused.status === 429) {
        await new Promise((done) => setTimeout(done, 5 * AGAIN));
        continue;
      }
      $("#review-progress").hidden = false;
      $("#review-progress p").textContent = say("review.refused", { why: refused.reason ?? say("no-answer") });
      return;
    }
    showReview(found);
    if (found.done >= found.of) return;
    await new Promise((done) => setTimeout(done, document.hidden ? 10 * AGAIN : AGAIN));
  }
}

function showReview(found) {
  const { done, of, graph, values } = found;
  const ready = done >= of;
  $("#review-progress").hidden = ready;
  $("#review-progress p").textContent = say("review.working", { done, of });
  Object.assign($("#review-progress progress"), { max: of, value: done });
  mistakes = Object.fromEntries(found.mistakes.map((mistake) => [mistake.ply, mistake]));
  $("#graph-part").hidden = !graph;
  if (graph) {
    const drawn = new DOMParser().parseFromString(graph, "image/svg+xml").documentElement;
    $("#graph").replaceChildren(document.importNode(drawn, true));
    const sides = [...new Set(values.map(({ side }) => side))];
    const up = told.seats.length > 1 && sides.length === 1 ? ` ${say("review.up", { player: told.names[sides[0]] ?? sides[0] })}` : "";
    $("#graph-part figcaption").textContent = say("review.graph-about") + up;
  }
  const place = (n) => plies.length ? n / plies.length : 0;
  $("#ticks").replaceChildren(...found.mistakes.map(({ ply }) => {
    const tick = make("button", { class: "tick", tabindex: -1, "data-mistake": ply, onclick: () => goTo(ply, true) });
    tick.style.setProperty("--at", place(ply));
    return tick;
  }));
  $("#mistakes-part").hidden = !ready && !found.mistakes.length;
  $("#no-mistakes").hidden = !ready || found.mistakes.length > 0;
  $("#mistakes").replaceChildren(...found.mistakes.map(({ ply, text }) =>
    make("li", {}, make("button", { "data-mistake": ply, onclick: () => goTo(ply, true) }, make("b", {}, `${ply}.`), make("span", {}, sentence(text))))));
  $$("#moves .ply").forEach((button, n) => button.classList.toggle("bad", n + 1 in mistakes));
  show();
}

// --- sharing, naming, keeping, deleting

/** A file that takes a while to be made says so meanwhile. */
function share(link, path) {
  link.href = path;
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    const label = link.textContent;
    link.classList.add("busy");
    link.textContent = say("share.making");
    await attempt(async () => {
      const answer = await fetch(link.href);
      if (!answer.ok) throw new Refused(answer.status, "", (await answer.json().catch(() => ({}))).reason ?? say("no-answer"));
      const name = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1] ?? "";
      const made = URL.createObjectURL(await answer.blob());
      make("a", { href: made, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(made), 60_000);
      link.dataset.made = name;
    });
    link.classList.remove("busy");
    link.textContent = label;
  });
}

$("#rename").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => {
    const { title } = await post(`/api/games/${id}/shelf`, { name: $("#title").value });
    showTitle(title);
    $("#title").value = title;
  });
});
$("#keep").addEventListener("change", async ({ target }) => {
  if (!(await attempt(() => post(`/api/games/${id}/shelf`, { keep: target.checked })))) target.checked = !target.checked;
});
$("#remove").addEventListener("click", async () => {
  const sure = await choose(say("shelf.sure"), [{ value: "yes", label: say("shelf.remove"), kind: "primary" }]);
  if (sure && (await attempt(() => post(`/api/games/${id}/remove`)))) {
    tell(say("shelf.removed"));
    location.href = "/games";
  }
});

function showTitle(title) {
  $("#name").textContent = title || [told.name, told.players.filter(Boolean).join(" – ")].filter(Boolean).join(" · ");
}

if (!told) {
  $("#name").textContent = say("replay.none");
  $$(".replay .side, .replay .slider, .replay .row").forEach((part) => (part.hidden = true));
} else {
  showTitle(told.title);
  $("#title").value = told.title;
  $("#keep").checked = told.keep;
  $("#outcome").textContent = sentence(told.result?.text ?? say("games.unfinished"));
  $("#download").href = `/api/games/${id}/record.json`;
  share($("#share-html"), `/api/games/${id}/shared.html?lang=${document.documentElement.lang}`);
  for (const kind of ["gif", "webp", "png"]) share($(`#share-${kind}`), `/api/games/${id}/shared.${kind}`);
  $("#go-on").hidden = Boolean(told.result);
  $("#slip").hidden = !told.result;
  $("#go-on").addEventListener("click", () => attempt(async () => (await post("/api/open", { id }), (location.href = "/"))));
  slider.max = plies.length;
  $("#moves").replaceChildren(...plies.map(plyButton));
  showTimes();
  slider.addEventListener("input", () => goTo(Number(slider.value)));
  $("#play").addEventListener("click", () => {
    if (at === plies.length) at = 0;
    playOn(!playing);
  });
  $("#back").addEventListener("click", () => goTo(at - 1));
  $("#forth").addEventListener("click", () => goTo(at + 1));
  $("#better").addEventListener("click", () => ((better = !better), show()));
  $("#flip").addEventListener("click", () => ((flipped = !flipped), show()));
  $("#graph").addEventListener("click", (event) => {
    const { left, width } = $("#graph").getBoundingClientRect();
    goTo(Math.round(((event.clientX - left) / width) * plies.length));
  });
  document.addEventListener("keydown", (event) => {
    if (event.target === slider || event.target.closest?.("dialog, input:not([type=range])")) return;
    const steps = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: plies.length };
    if (event.key in steps) (event.preventDefault(), goTo(steps[event.key]));
    if (event.key === " " && event.target === document.body) (event.preventDefault(), $("#play").click());
  });
  playOn(false);
  show();
  if (told.result && plies.length) review();
}
