// One line at the top of every page: camera, companion, disk, lights; and when one of them is lost, what to do about it.
import { $, make, say, serverNow, showRole } from "./page.js";
import { follow, isUp, lastHeard } from "./live.js";

const GOOD_LEDS = ["ready", "drawn", "too-few"];
let state = null;

/** Where what is missing is set up; a page to be looked at from afar has nothing to press. */
const SET_UP = $(".top") ? { camera: "/setup#camera", leds: "/setup#lights" } : {};

/** What each part says, and whether that is good, bad or neither. */
function parts() {
  const { camera, keeping, leds } = state;
  const lights = !leds || leds.state === "off" ? "none" : !leds.lit ? "off" : GOOD_LEDS.includes(leds.state) ? "good" : leds.state === "looking" ? "looking" : "bad";
  const mood = { live: "good", good: "good", up: "good", lost: "bad", bad: "bad", ended: "bad" };
  const seen = camera.state === "live" && camera.trouble ? "bad" : mood[camera.state];
  return [
    ["camera", say(`status.camera.${camera.state}`), seen],
    ["server", say(`status.server.${isUp() ? "up" : "lost"}`), isUp() ? "good" : "bad"],
    ["disk", say(`status.disk.${keeping.ok ? "good" : "bad"}`), keeping.ok ? "good" : "bad"],
    ["leds", say(`status.leds.${lights}`), mood[lights]],
  ];
}

/** What is wrong and what to do, the worst first, and for how many seconds, where that is known; nothing if all is well. */
function trouble() {
  const { camera, keeping, leds } = state;
  if (!isUp()) return [say("status.lost-server"), (Date.now() - lastHeard()) / 1000];
  if (!keeping.ok) return [say(keeping.trouble === "store-full" ? "status.disk-full" : "status.disk-unwritable")];
  if (camera.state === "lost") return [say("status.lost-camera"), serverNow() - camera.since];
  if (camera.state === "ended") return [say("status.camera-ended")];
  if (camera.trouble) return [say("status.unread", { why: camera.text })];
  if (leds?.lit && !["off", "looking", ...GOOD_LEDS].includes(leds.state)) return [say("status.lost-leds", { why: leds.text })];
  return [""];
}

function show() {
  const place = $("#status");
  if (!place || !state) return;
  const told = JSON.stringify(parts());
  if (place.dataset.told !== told) {
    place.dataset.told = told;
    $("ul", place).replaceChildren(...parts().map(([name, text, mood]) => make("li", { "data-part": name, "data-mood": mood ?? "" }, SET_UP[name] ? make("a", { href: SET_UP[name] }, text) : text)));
  }
  const [wrong, since] = trouble();
  const line = $(".trouble", place);
  line.hidden = !wrong;
  if ($("span", line).textContent !== wrong) $("span", line).textContent = wrong;
  $("time", line).textContent = since == null ? "" : say("status.since", { count: Math.max(0, Math.round(since)) });
  place.classList.toggle("wrong", Boolean(wrong));
  document.body.classList.toggle("cut-off", !isUp());
}

follow((next) => {
  state = next;
  showRole(next.role);
  show();
}, show);
setInterval(show, 1000);
