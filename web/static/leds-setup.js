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
  $("#led-state").textContent = sentence(leds?.text ?? say("leds.none-chosen"));
  $("#led-state").dataset.state = !leds || ["ready", "drawn", "looking", "being-flashed", "being-checked"].includes(leds.state) ? "good" : "lost";
  $("#led-doing").hidden = !leds;
  if (leds) {
    if (document.activeElement !== $("#led-brightness")) $("#led-brightness").value = leds.brightness;
    if (document.activeElement !== $("#led-limit")) $("#led-limit").value = leds.limit;
    $("#led-percent").textContent = `${Math.round($("#led-brightness").value)} % · ${say("leds.ma", { mA: leds.mA, limit: leds.limit, most: leds.most_mA })}`;
    $("#led-progress").hidden = leds.percent == null;
    $("#led-progress").value = leds.percent ?? 0;
    showGuide(leds.guide);
    showCheckup(leds.checkup, leds.state === "being-checked");
    showColors(leds.brightness);
    const walking = leds.walking != null && !leds.guide;
    for (const part of ["#led-before", "#led-next", "#led-stop", "#led-check"]) $(part).hidden = !walking;
    $("#led-walk").hidden = walking;
    const [column, row] = walking ? leds.wire[leds.walking] ?? [] : [];
    $("#led-at").textContent = walking ? say("leds.at", { place: leds.walking, last: leds.wire.length - 1, column, row }) : "";
  }
  lights.show(leds?.guide ? null : leds); // while it is asked where an LED burns, no drawing says so
}

// --- how they are wired: one question at a time, or the camera looks

let drawnSize = "";

function showGuide(guide) {
  const step = guide?.step;
  $("#guide-begin").hidden = Boolean(guide) && step !== "failed";
  $("#guide-text").textContent = guide ? sentence(guide.text) : "";
  $("#guide-text").dataset.step = step ?? "";
  $("#guide-squares").hidden = step !== "asking";
  $("#guide-dark").hidden = step !== "dark";
  $("#guide-keep").hidden = step !== "found";
  $("#guide-stop").hidden = !guide;
  $("#guide-progress").hidden = step !== "looking";
  if (step === "looking") Object.assign($("#guide-progress"), { max: guide.count, value: guide.done });
  if (step === "asking") drawSquares(guide);
}

/** The squares as the first player sees them: a1 at the left before him. */
function drawSquares({ columns, rows }) {
  if (drawnSize === `${columns}x${rows}`) return;
  drawnSize = `${columns}x${rows}`;
  $("#guide-squares").style.setProperty("--columns", columns);
  const names = [];
  for (let row = rows; row > 0; row--) for (let column = 0; column < columns; column++) names.push(`${String.fromCharCode(97 + column)}${row}`);
  $("#guide-squares").replaceChildren(...names.map((square) => {
    const button = make("button", { type: "button", value: square }, square);
    button.addEventListener("click", () => ask({ do: "answer", square }));
    return button;
  }));
}

// --- how the line is, and who sees which colors

function showCheckup(checkup, running) {
  $("#led-examine").disabled = running;
  $("#led-log").hidden = !checkup?.log || running;
  $("#led-findings").replaceChildren(...(running ? [] : checkup?.text ?? []).map((text) => make("li", {}, sentence(text))));
}

let colored = null;

async function showColors(brightness) {
  if (colored === brightness) return;
  colored = brightness;
  const told = await get("/api/leds/colors").catch(() => null);
  if (!told || colored !== brightness) return;
  $("#led-eyes-text").textContent = sentence(told.text);
  $("#led-eyes-text").dataset.state = told.eyes.some(({ alike }) => alike.length) ? "lost" : "good";
  $("#led-eyes table").replaceChildren(...told.eyes.map(({ text, colors }) => make("tr", {}, make("th", { scope: "row" }, text), ...colors.map((color, n) => {
    const swatch = make("td", { title: told.kinds[n] });
    swatch.style.background = color;
    return swatch;
  }))));
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
$("#led-examine").addEventListener("click", () => ask({ do: "examine" }));
$("#led-limit").addEventListener("change", () => $("#led-limit").checkValidity() && ask({ do: "limit", limit: Number($("#led-limit").value) }));
$("#guide-ask").addEventListener("click", () => ask({ do: "ask", size: $("#led-size").value.trim() }));
$("#guide-look").addEventListener("click", () => ask({ do: "look", size: $("#led-size").value.trim() }));
$("#guide-dark").addEventListener("click", () => ask({ do: "dark" }));
$("#guide-keep").addEventListener("click", () => ask({ do: "keep" }));
$("#guide-stop").addEventListener("click", () => ask({ do: "stop" }));
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
