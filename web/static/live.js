// The state of the table, as it changes: server-sent events, and a plain look where they do not come. One stream a page.
import { get, language } from "./page.js";

const PATIENCE = 2500; // ms without a sign of life before the companion counts as lost; it sends one a second
const OFTEN = 250; // ms between two checks
const RARELY = 5000 + 5000 * Math.random(); // ms between two looks of a page without a stream
const AGAIN = 3000; // ms until a stream that does not come is opened anew
const heard = []; // who wants to know
let stream = null;
let newest = null; // state
let alive = Date.now();
let opened = 0;
let up = null; // null: not known yet
let seatless = false; // no stream is left for this page: it looks now and then

/** `changed(state)` with every new state, `link(up)` when the connection comes or goes. */
export function follow(changed, link = () => {}) {
  heard.push({ changed, link });
  if (!stream) begin();
  if (newest) changed(newest);
  if (up !== null) link(up);
}

export const isUp = () => up !== false;
export const lastHeard = () => alive;

function begin() {
  open();
  look();
  document.addEventListener("role", open);
  // a page that was asleep catches up at once
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return rest();
    alive = Date.now();
    look();
    if (stream.readyState !== EventSource.OPEN) open();
  });
  setInterval(check, OFTEN);
}

/** A browser keeps few connections at a time: pages that nobody looks at need none, but for the table, which speaks. */
function rest() {
  if (document.body.dataset.page !== "table") stream.close();
}

function open() {
  stream?.close();
  opened = Date.now();
  stream = new EventSource(`/api/events?lang=${language}`);
  stream.addEventListener("table", (event) => (sign(), show(JSON.parse(event.data))));
  stream.addEventListener("alive", sign);
  stream.onopen = () => ((seatless = false), sign());
  stream.onerror = () => (seatless ||= stream.readyState === EventSource.CLOSED);
}

function sign() {
  alive = Date.now();
  turn(true);
}

function turn(now) {
  if (up === now) return;
  up = now;
  for (const { link } of heard) link(up);
}

function show(state) {
  newest = state;
  for (const { changed } of heard) changed(state);
}

/** A plain look; what came over the stream meanwhile is newer. */
async function look() {
  const before = newest;
  const state = await get("/api/table").catch(() => null);
  if (!state) return;
  sign();
  if (newest === before) show(state);
}

function check() {
  const quiet = Date.now() - alive;
  if (document.hidden || quiet < (seatless ? RARELY : PATIENCE)) return;
  if (!seatless || quiet > 2 * RARELY) turn(false);
  if (Date.now() - opened < (seatless ? RARELY : AGAIN)) return;
  open();
  if (seatless) look();
}
