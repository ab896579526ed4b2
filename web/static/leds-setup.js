// Setting up the lights: where they are plugged in, how bright they are, and whether each one is where it should be.
import { $, attempt, get, make, post, say, sentence } from "./page.js";
import { Lights } from "./leds.js";
import { follow } from "./live.js";

const OFTEN = 250; // ms between two drawings while colors are tried out
const TEST = 4500; // ms
const PLAIN = ["AUTO", "OFF", "virtual", "virtual-mono", "wled:"];

const lights = new Lights($("#lights"));
let leds = null;

function show(state) {
  leds = state.leds;
  $("#led-state").textContent = sentence(leds?.text ?? say("leds.not-there"));
  $("#led-state").dataset.state = !leds || ["ready", "drawn", "looking", "being-flashed"].includes(leds.state) ? "good" : "lost";
  $("#led-doing").hidden = !leds;
  if (leds) {
    if (document.activeElement !== $("#led-brightness")) $("#led-brightness").value = leds.brightness;
    $("#led-percent").textContent = `${Math.round($("#led-brightness").value)} %${leds.mA == null ? "" : ` · ${say("leds.ma", { mA: leds.mA, limit: leds.limit })}`}`;
    const walking = leds.walking != null;
    for (const part of ["#led-before", "#led-next", "#led-stop", "#led-check"]) $(part).hidden = !walking;
    $("#led-walk").hidden = walking;
    const [column, row] = walking ? leds.wire[leds.walking] ?? [] : [];
    $("#led-at").textContent = walking ? say("leds.at", { place: leds.walking, last: leds.wire.length - 1, column, row }) : "";
  }
  lights.show(leds);
}

async function listPorts() {
  const told = role === "referee" ? await get("/api/leds/ports").catch(() => null) : null;
  const chosen = leds?.chosen ?? "OFF";
  const ports = told ?? [...new Set([chosen, ...PLAIN])].map((port) => ({ port, about: "", used: port === chosen }));
  $("#led-port").replaceChildren(...ports.map(({ port, about, used }) =>
    make("option", { value: port, selected: used }, PLAIN.includes(port) ? say(`leds.${port}`) : about && about !== "n/a" ? `${port} (${about})` : port)));
}

const ask = (body) => attempt(async () => show(await post("/api/leds", body)));
const walk = (place) => ask({ do: "walk", place: (place + leds.wire.length) % leds.wire.length });

$("#led-port").addEventListener("change", async () => {
  await ask({ do: "use", port: $("#led-port").value });
  listPorts();
});
$("#led-brightness").addEventListener("input", () => ($("#led-percent").textContent = `${$("#led-brightness").value} %`));
$("#led-brightness").addEventListener("change", () => ask({ do: "dim", brightness: Number($("#led-brightness").value) }));
$("#led-walk").addEventListener("click", () => walk(0));
$("#led-next").addEventListener("click", () => walk(leds.walking + 1));
$("#led-before").addEventListener("click", () => walk(leds.walking - 1));
$("#led-stop").addEventListener("click", () => ask({ do: "stop" }));
$("#led-flash").addEventListener("click", () => ask({ do: "flash" }));
$("#led-test").addEventListener("click", async () => {
  await ask({ do: "test" });
  const again = setInterval(() => lights.show(leds, true), OFTEN);
  setTimeout(() => clearInterval(again), TEST);
});

let role = null;
follow((state) => {
  show(state);
  if (state.role === role) return;
  role = state.role;
  listPorts();
});
