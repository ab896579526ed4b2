// The state of the table, as it changes: server-sent events, and a plain look now and then where they do not come.
import { get, language } from "./page.js";

const PATIENCE = 40_000; // ms without a sign of life, heartbeats included, before the stream is opened anew

/** `changed(state)` with every new state, `link(up)` when the connection comes or goes. */
export function follow(changed, link) {
  let stream, looked = 0;
  const open = () => {
    stream?.close();
    stream = new EventSource(`/api/events?lang=${language}`);
    stream.addEventListener("table", (event) => {
      looked = Date.now();
      link(true);
      changed(JSON.parse(event.data));
    });
    stream.onopen = () => link(true);
    stream.onerror = () => {
      link(false);
      if (stream.readyState === EventSource.CLOSED) look(), setTimeout(open, 5000 + 5000 * Math.random()); // no seat: look now and then
    };
  };
  const look = () => get("/api/table").then((state) => (link(true), changed(state)), () => link(false));
  open();
  look();
  document.addEventListener("role", open);
  // a page that was asleep catches up at once
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && Date.now() - looked > 5000) look();
    if (!document.hidden && stream.readyState !== EventSource.OPEN) open();
  });
  setInterval(() => {
    if (!document.hidden && Date.now() - looked > PATIENCE) (looked = Date.now()), look();
  }, 10_000);
}
