// Setting up, step by step: camera, board, light, pieces, lights, begin. Each step can be left and come back to.
import "./leds-setup.js";
import { $, $$, Refused, askPin, attempt, catalogue, get, make, post, remembered, say, sentence, tell } from "./page.js";
import { showCode } from "./code.js";
import { endLooks, forgetLooks, toldSouth, watchLaying } from "./laying.js";
import { follow } from "./live.js";
import { askAbout } from "./own-set.js";

const wordFor = (source) => ({ browser: say("setup.browser"), none: say("setup.none") })[source] ?? (source.startsWith("sim:") ? say("setup.simulated") : source);
const NAMES = ["NW", "NE", "SE", "SW"];
const SIGHT = 4; // times the magnifier enlarges
const AGAIN = 3000; // ms until a picture that did not come is asked for once more
const EVERY = 350; // ms between two pictures that are sent

let state = null;

// --- the steps

const STEPS = ["camera", "board", "light", "pieces", "lights", "begin"];
let step = "";

function goTo(wanted) {
  step = STEPS.includes(wanted) ? wanted : STEPS[0];
  const at = STEPS.indexOf(step);
  for (const part of $$(".step")) part.hidden = part.dataset.step !== step;
  for (const link of $$(".stepper a")) {
    if (link.dataset.step === step) link.setAttribute("aria-current", "step");
    else link.removeAttribute("aria-current");
  }
  $("#previous").hidden = at === 0;
  $("#next").hidden = at === STEPS.length - 1;
  $("#next").textContent = $("#next").hidden ? "" : say("setup.next", { step: say(`setup.step.${STEPS[at + 1]}`) });
  remembered.set("setup.step", step);
  endLooks();
  if (step === "board") picture();
  if (step === "light") judge();
}

/** What is set already has a tick: by how things are, not by who has been there. */
function showDone() {
  const { camera, leds } = state;
  const seen = camera.state === "live" && !camera.trouble && state.game;
  const done = { camera: camera.state !== "none", board: seen || corners !== null, light: good, pieces: laid, lights: leds != null };
  for (const link of $$(".stepper a")) link.classList.toggle("done", Boolean(done[link.dataset.step]));
}

/** Without a camera there is nothing to check: the page lays out the game. */
function showWatched() {
  const watched = state.camera.state !== "none";
  for (const part of [$(".laying .check"), $("#own-set")]) part.hidden = !watched;
  $("#pieces-about").textContent = say(watched ? "setup.pieces-about" : "setup.pieces-plain");
  $("#begin-about").textContent = say(watched ? "setup.begin-about" : "setup.begin-plain-about");
  $("#begin-now").textContent = watched ? say("setup.begin-now") : say("setup.begin-plain", { game: chosen().name });
}

const stepBy = (count) => (location.hash = STEPS[STEPS.indexOf(step) + count]);
$("#next").addEventListener("click", () => stepBy(1));
$("#previous").addEventListener("click", () => stepBy(-1));
addEventListener("hashchange", () => goTo(location.hash.slice(1)));

// --- which camera

async function listCameras() {
  const place = $("#cameras");
  if (state.role !== "referee") {
    place.replaceChildren(make("p", { class: "faint" }, say("settings.about")), make("button", { onclick: enter }, say("role.enter")));
    return;
  }
  place.textContent = say("setup.looking");
  const told = await get("/api/cameras").catch((refused) => refused);
  if (told instanceof Error) {
    place.replaceChildren(make("p", { class: "faint" }, told instanceof Refused ? told.reason : say("no-answer")));
    return;
  }
  place.replaceChildren(
    ...told.map(({ source, picture, used }) =>
      make("button", { "aria-pressed": String(used), "data-source": source, onclick: () => use(source) },
        picture && (!used || state.camera.state === "live") ? make("img", { src: `${picture}?n=${Date.now()}`, alt: "" }) : null, make("span", {}, wordFor(source)))),
  );
}

const enter = () => askPin(); // the list comes with the role

async function use(source) {
  await attempt(async () => {
    state = await post("/api/camera", { source });
    tell(say("setup.used", { source: wordFor(source) }));
    await listCameras();
  });
}

$("#other-source").addEventListener("submit", (event) => {
  event.preventDefault();
  use($("#source").value.trim());
});
$("#look-again").addEventListener("click", listCameras);

// --- four corners

const canvas = $("#picture");
const glass = $("#glass");
const field = $("#corners");
const image = new Image();
let corners = null; // in pixels of the picture
let guessed = false; // nobody knows where it is
let proposed = false; // by the board's lines, and nobody has said yet that it is so

/** Asked for only where there is one. */
async function picture() {
  if (step !== "board") return;
  if (state?.camera.state !== "live") {
    field.hidden = $("#corner-doing").hidden = true;
    $("#no-picture").hidden = false;
    $("#no-picture").textContent = say(state?.camera.state === "none" ? "setup.no-camera" : "setup.no-picture");
    setTimeout(picture, AGAIN); // it may still be starting
    return;
  }
  let known = guessed ? null : corners;
  if (!known) {
    const told = await get(`/api/corners?game=${state.game ?? chosen().id}`).catch(() => null); // set, or by the markers, or by the lines
    known = told?.corners;
    guessed = !known;
    if (guessed) setTimeout(() => guessed && picture(), 2 * AGAIN); // pieces may hide its lines now
    proposed = told?.found === "lattice";
    $("#corners-found").hidden = !proposed;
  }
  await new Promise((done) => {
    image.onload = () => {
      canvas.width = image.naturalWidth;
      canvas.height = image.naturalHeight;
      const { width: w, height: h } = canvas;
      corners = known ?? [[0.25, 0.2], [0.75, 0.2], [0.8, 0.85], [0.2, 0.85]].map(([x, y]) => [x * w, y * h]);
      field.hidden = false;
      $("#corner-doing").hidden = false;
      $("#no-picture").hidden = true;
      place();
      done();
    };
    image.onerror = () => {
      setTimeout(picture, AGAIN);
      done();
    };
    image.src = `/api/camera.jpg?n=${Date.now()}`;
  });
}

function place() {
  const pen = canvas.getContext("2d");
  pen.drawImage(image, 0, 0);
  pen.lineWidth = canvas.width / 400;
  pen.strokeStyle = "#fff";
  pen.beginPath();
  corners.forEach(([x, y], n) => (n ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.closePath();
  pen.stroke();
  pen.strokeStyle = "#17616b";
  pen.setLineDash([pen.lineWidth * 4, pen.lineWidth * 4]);
  pen.stroke();
  pen.setLineDash([]);
  $("#corners-mirrored").hidden = corners.reduce((area, [x, y], n) => area + x * corners[(n + 1) % 4][1] - y * corners[(n + 1) % 4][0], 0) >= 0;
  $$(".corner").forEach((handle, n) => {
    handle.style.left = `${(100 * corners[n][0]) / canvas.width}%`;
    handle.style.top = `${(100 * corners[n][1]) / canvas.height}%`;
    handle.setAttribute("aria-label", say("setup.corner", { name: NAMES[n], x: Math.round(corners[n][0]), y: Math.round(corners[n][1]) }));
  });
}

/** The magnifier stands in the corner of the picture that is furthest from what it shows. */
function magnify(n) {
  const [x, y] = corners[n];
  const pen = glass.getContext("2d");
  const seen = glass.width / SIGHT;
  pen.fillStyle = "#222";
  pen.fillRect(0, 0, glass.width, glass.height);
  pen.imageSmoothingEnabled = false;
  pen.drawImage(image, x - seen / 2, y - seen / 2, seen, seen, 0, 0, glass.width, glass.height);
  pen.strokeStyle = "#ff5a36";
  pen.lineWidth = 1.5;
  pen.beginPath();
  for (const [fx, fy, tx, ty] of [[0.5, 0, 0.5, 0.44], [0.5, 0.56, 0.5, 1], [0, 0.5, 0.44, 0.5], [0.56, 0.5, 1, 0.5]]) {
    pen.moveTo(fx * glass.width, fy * glass.height);
    pen.lineTo(tx * glass.width, ty * glass.height);
  }
  pen.stroke();
  glass.hidden = false;
  glass.style.left = x < canvas.width / 2 ? "auto" : "0.6rem";
  glass.style.right = x < canvas.width / 2 ? "0.6rem" : "auto";
  glass.style.top = y < canvas.height / 2 ? "auto" : "0.6rem";
  glass.style.bottom = y < canvas.height / 2 ? "0.6rem" : "auto";
}

function move(n, [x, y]) {
  guessed = false;
  corners[n] = [Math.max(0, Math.min(canvas.width - 1, x)), Math.max(0, Math.min(canvas.height - 1, y))];
  place();
  magnify(n);
}

function pointed(event) {
  const box = canvas.getBoundingClientRect();
  return [((event.clientX - box.x) * canvas.width) / box.width, ((event.clientY - box.y) * canvas.height) / box.height];
}

let held = null;
field.addEventListener("pointerdown", (event) => {
  if (event.target.closest(".magnifier")) return;
  const at = pointed(event);
  const handle = event.target.closest(".corner");
  const far = ([x, y]) => Math.hypot(x - at[0], y - at[1]);
  held = handle ? $$(".corner").indexOf(handle) : corners.indexOf([...corners].sort((a, b) => far(a) - far(b))[0]);
  field.setPointerCapture(event.pointerId);
  $$(".corner")[held].focus();
  if (handle) magnify(held);
  else move(held, at);
  event.preventDefault();
});
field.addEventListener("pointermove", (event) => held !== null && move(held, pointed(event)));
field.addEventListener("pointerup", () => (held = null));
$$(".corner").forEach((handle, n) => {
  handle.addEventListener("focus", () => corners && magnify(n));
  handle.addEventListener("blur", () => (glass.hidden = true));
  handle.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way) return;
    event.preventDefault();
    const far = event.shiftKey ? 10 : event.ctrlKey ? 0.25 : 1;
    move(n, [corners[n][0] + way[0] * far, corners[n][1] + way[1] * far]);
  });
});
async function keep() {
  await post("/api/camera", { corners: corners.map((corner) => corner.map((number) => Math.round(number * 100) / 100)) });
  tell(say("setup.corners-kept"));
  proposed = false;
  $("#corners-found").hidden = true;
}
$("#keep-corners").addEventListener("click", () => attempt(keep));
$("#forget-corners").addEventListener("click", () =>
  attempt(async () => {
    await post("/api/camera", { no_corners: true });
    tell(say("setup.corners-forgotten"));
    corners = null;
    await picture();
  }));
$("#turn").addEventListener("click", () =>
  attempt(async () => {
    if (proposed) {
      corners = [corners[3], ...corners.slice(0, 3)];
      return place();
    }
    await post("/api/camera", { turn: 1 });
    tell(say("setup.turned"));
    corners = null;
    await picture();
  }));
$("#mirror").addEventListener("click", () => {
  const [nw, ne, se, sw] = corners;
  corners = [ne, nw, sw, se];
  place();
  if (!proposed && !guessed) attempt(keep);
});
$("#new-picture").addEventListener("click", picture);

/** What the companion makes of it now: where it finds the field, and what it reads there. */
function showReading() {
  const read = new Image();
  const again = () => setTimeout(showReading, document.hidden ? 10 * AGAIN : AGAIN / 2);
  read.onload = () => {
    $("#read").src = read.src;
    $("#read").closest("figure").hidden = false;
    again();
  };
  read.onerror = again;
  if (field.hidden || step !== "board" || state?.camera.state !== "live") again();
  else read.src = `/api/camera.jpg?reading=1&n=${Date.now()}`;
}

// --- this device's camera

const video = $("#own");
let sending = null;

async function sendOwn() {
  if (!navigator.mediaDevices?.getUserMedia) {
    $("#own-state").textContent = say("setup.own-needs-https");
    return;
  }
  try {
    video.srcObject = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment", width: { ideal: 1280 }, height: { ideal: 720 } } });
  } catch (error) {
    $("#own-state").textContent = say("setup.own-refused", { why: error.message });
    return;
  }
  video.hidden = false;
  await video.play();
  sending = true;
  $("#own-start").textContent = say("setup.own-stop");
  const still = document.createElement("canvas");
  let sent = 0;
  while (sending) {
    const began = Date.now();
    still.width = video.videoWidth;
    still.height = video.videoHeight;
    still.getContext("2d").drawImage(video, 0, 0);
    const jpeg = await new Promise((done) => still.toBlob(done, "image/jpeg", 0.85));
    try {
      await post("/api/camera/frame", jpeg);
      $("#own-state").textContent = say("setup.own-sent", { count: ++sent });
      if (sent === 1) picture();
    } catch (refused) {
      $("#own-state").textContent = refused.reason ?? say("no-answer");
      if (refused instanceof Refused && [401, 403].includes(refused.status)) return stopOwn();
    }
    await new Promise((done) => setTimeout(done, Math.max(30, EVERY - (Date.now() - began))));
  }
}

function stopOwn() {
  sending = null;
  video.srcObject?.getTracks().forEach((track) => track.stop());
  video.hidden = true;
  $("#own-start").textContent = say("setup.own-start");
}

$("#own-start").addEventListener("click", () => (sending ? stopOwn() : sendOwn()));

$("#phone-code").addEventListener("click", () => showCode($("#code"), "camera"));

// --- is the light good

let good = false;

async function judge() {
  if (step !== "light") return;
  setTimeout(judge, document.hidden ? 5 * AGAIN : AGAIN / 2);
  const live = state?.camera.state === "live";
  $("#no-light").hidden = live;
  $("#no-light").textContent = say(state?.camera.state === "none" ? "setup.no-camera" : "setup.light-none");
  $("#lit").hidden = !live;
  if (!live) return $("#findings").replaceChildren();
  $("#lit").src = `/api/camera.jpg?reading=1&n=${Date.now()}`;
  const found = await get("/api/light").catch(() => null);
  if (!found) return;
  good = found.every((one) => one.good);
  const told = JSON.stringify(found);
  if ($("#findings").dataset.told === told) return;
  $("#findings").dataset.told = told;
  $("#findings").replaceChildren(...found.map((one) => make("li", { class: one.good ? "good" : "bad" }, sentence(one.advice))));
  showDone();
}

// --- lay the pieces, and begin

let laid = false;
const chosen = () => catalogue.games.find(({ id }) => id === $("#game").value);
const start = () => ({ game: chosen().id, ...(chosen().players_in === "setup" ? { setup: { players: chosen().players[0] } } : {}) });

function chooseGame() {
  laid = false;
  forgetLooks();
  $("#laid-out").src = `/api/board.svg?start=${chosen().id}`;
  $("#begin-more").href = `/new?game=${chosen().id}`;
  remembered.set("setup.game", chosen().id);
  askAbout(chosen().id, state?.game === chosen().id);
  if (state) showWatched();
}
$("#game").append(...catalogue.games.map(({ id, name }) => make("option", { value: id }, name)));
$("#game").addEventListener("change", chooseGame);
watchLaying(start, () => Object.fromEntries(chosen().roles.map((seat) => [seat, chosen().labels[seat] ?? seat])), () => {
  laid = true;
  showDone();
});
$("#begin-now").addEventListener("click", async () => {
  $("#begin-said").textContent = "";
  const watched = state.camera.state !== "none";
  try {
    await post("/api/new", { ...start(), ...(watched ? { from_camera: true, ...toldSouth() } : {}) });
    location.href = "/";
  } catch (refused) {
    $("#begin-said").textContent = refused instanceof Refused ? refused.reason : say("no-answer");
  }
});

let shown = ""; // for whom and with which camera the list was made
follow((next) => {
  const first = state === null;
  state = next;
  if (first) {
    const wanted = [remembered.get("setup.game"), next.game].find((one) => catalogue.games.some(({ id }) => id === one));
    $("#game").value = wanted ?? catalogue.games[0].id;
    chooseGame();
    goTo(location.hash.slice(1) || remembered.get("setup.step", STEPS[0]));
    showReading();
  }
  const listed = `${next.role} ${next.camera.source} ${next.camera.state}`;
  if (listed !== shown) {
    shown = listed;
    listCameras();
  }
  showDone();
  showWatched();
});
