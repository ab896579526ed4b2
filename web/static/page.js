// What every page shares: asking the server, its words, the PIN, the header's switches.

export const $ = (selector, within = document) => within.querySelector(selector);
export const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];
export const language = document.documentElement.lang || "en";

/** An element with attributes, listeners (`on…`) and children. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child != null));
  return element;
}

/** Keeps the keyboard's focus when a part of the page is replaced. */
export function keepFocus(place, change) {
  const { id, dataset } = place.contains(document.activeElement) ? document.activeElement : { dataset: {} };
  change();
  const named = Object.entries(dataset).map(([name, value]) => `[data-${name}="${CSS.escape(value)}"]`).join("");
  if (id || named) $(id ? `#${id}` : named, place)?.focus({ preventScroll: true });
}

// --- words

const answered = await fetch(`/api/catalogue?lang=${language}`);
export const catalogue = await answered.json();

// a phone's clock may be minutes off: the server's counts, to half a second
const ahead = Date.now() - (Date.parse(answered.headers.get("Date")) + 500 || Date.now());
export const serverNow = () => (Date.now() - (Math.abs(ahead) < 1500 ? 0 : ahead)) / 1000;

const numbers = new Intl.PluralRules(language);

/** A sentence of the catalogue, its blanks filled: `{name}`, and `{games!n:game|games}` for so many of something. */
export function say(code, blanks = {}) {
  return (catalogue.texts[code] ?? code).replace(/\{(\w+)(?:!n:([^|}]*)\|([^}]*))?\}/g, (_, name, one, several) =>
    one === undefined ? (blanks[name] ?? "") : `${blanks[name]} ${numbers.select(blanks[name]) === "one" ? one : several}`);
}

/** With a capital letter, but for the names of squares. */
export const sentence = (text) => (/^[a-i]-?\d/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1));

export function timeOf(seconds) {
  return new Date(seconds * 1000).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
}

/** Where a rule can be read: a number belongs to the game that it begins with, all else to the game that is played. */
export function ruleAddress(rule, played) {
  const owner = rule.slice(0, rule.lastIndexOf("."));
  return `/rules/${catalogue.games.some(({ id }) => id === owner) ? owner : played}#${rule}`;
}

/** What a rule is called: by its number, as on the page of the rules. */
export function ruleName(rule) {
  const number = rule.slice(rule.lastIndexOf(".") + 1);
  return number === rule ? say(`rules.name.${rule}`) : say("rules.name", { number });
}

/** A sentence in which the rule that it cites opens on the page of the rules. */
export function ruled(said, rule, played) {
  const [before, ...after] = rule ? said.split(`(${rule})`) : [said];
  return after.length ? [`${before}(`, make("a", { href: ruleAddress(rule, played) }, ruleName(rule)), `)${after.join("")}`] : [said];
}

// --- asking the server

export class Refused extends Error {
  constructor(status, error, reason, field = "") {
    super(reason);
    Object.assign(this, { status, error, reason, field });
  }
}

async function answerOf(response) {
  const json = response.headers.get("Content-Type")?.includes("json") ? await response.json().catch(() => null) : null;
  if (response.ok) return json;
  throw new Refused(response.status, json?.error ?? String(response.status), json?.reason ?? say("no-answer"), json?.field);
}

const inLanguage = (path) => `${path}${path.includes("?") ? "&" : "?"}lang=${language}`;

export async function get(path) {
  return answerOf(await fetch(inLanguage(path)));
}

/** Do something; if that needs a role, ask for the PIN first. */
export async function post(path, body = {}) {
  if (document.body.dataset.role === "viewer" && !(await askPin())) throw new Refused(401, "needs-pin", say("pin.where"));
  for (;;) {
    try {
      const binary = body instanceof Blob;
      return await answerOf(
        await fetch(inLanguage(path), {
          method: "POST",
          headers: { "Content-Type": binary ? body.type : "application/json" },
          body: binary ? body : JSON.stringify(body),
        }),
      );
    } catch (refused) {
      const needsPin = refused instanceof Refused && [401, 403].includes(refused.status) && PIN_NEEDED.has(refused.error);
      const needsSeat = refused instanceof Refused && refused.error === "needs-seat";
      if (!(needsPin && (await askPin(refused.reason))) && !(needsSeat && (await askSeat(refused.reason)))) throw refused;
    }
  }
}

const PIN_NEEDED = new Set(["needs-pin", "needs-referee"]);

/** Do something, and say at the foot of the page why if it is refused. */
export async function attempt(doing) {
  try {
    return await doing();
  } catch (error) {
    tell(error instanceof Refused ? error.reason : say("no-answer"), "wrong");
    return undefined;
  }
}

// --- the PIN

let asking = null;

/** Signs in, and tells the page who it is now. */
export async function signIn(shown) {
  const { role } = await answerOf(
    await fetch(inLanguage("/api/login"), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(shown),
    }),
  );
  changeRole(role);
}

/** A player acts for the seat at which he sits. */
async function askSeat(why) {
  const { free, seats } = await get("/api/me");
  const open = [...seats, ...free];
  if (!free.length) return false;
  const { names } = await get("/api/table");
  const answers = open.map((seat) => ({ value: seat, label: names[seat] ?? seat }));
  if (open.length > 1) answers.push({ value: "*", label: say("seat.all") });
  const seat = await choose(`${sentence(why)}. ${say("seat.which")}`, answers);
  if (seat) await post("/api/seat", { seats: seat === "*" ? open : [seat] });
  return Boolean(seat);
}

export function askPin(why = "") {
  asking ??= new Promise((done) => {
    const dialog = $("#pin-dialog");
    const [field, said] = [$("input", dialog), $(".said", dialog)];
    field.value = "";
    said.textContent = why;
    const form = $("form", dialog);
    form.onsubmit = async (event) => {
      event.preventDefault();
      try {
        await signIn(event.submitter?.value === "here" ? {} : { pin: field.value.trim() });
        finish(true);
      } catch (refused) {
        said.textContent = refused.reason ?? say("no-answer");
        field.select();
      }
    };
    const finish = (mayDo) => {
      dialog.onclose = null;
      if (dialog.open) dialog.close();
      asking = null;
      done(mayDo);
    };
    $("[value=cancel]", dialog).onclick = () => finish(false);
    dialog.onclose = () => finish(false);
    const here = $("[value=here]", dialog);
    get("/api/me").then((me) => (here.hidden = !me.here), () => {});
    dialog.showModal();
    field.focus();
  });
  return asking;
}

export function showRole(role) {
  document.body.dataset.role = role;
  const button = $("#role");
  if (!button) return;
  const mayDo = role === "player" || role === "referee";
  button.textContent = say(`role.${mayDo ? role : "viewer"}`);
  button.title = say(mayDo ? "role.leave" : "role.enter");
  button.onclick = () =>
    mayDo ? attempt(async () => (await post("/api/logout"), changeRole("viewer"))) : askPin();
}

function changeRole(role) {
  showRole(role);
  document.dispatchEvent(new Event("role")); // an open stream still has the former role: it is opened anew
}

// --- saying things in passing

let fading;

export function tell(text, kind = "") {
  const place = $("#told");
  place.textContent = sentence(text);
  place.className = `told ${kind}`;
  place.hidden = false;
  clearTimeout(fading);
  fading = setTimeout(() => (place.hidden = true), 7000);
}

/** A yes-or-no question, or one of several answers: which was chosen, or null. */
export function choose(question, answers) {
  return new Promise((done) => {
    const dialog = make(
      "dialog",
      { class: "ask", onclose: () => (done(dialog.returnValue || null), dialog.remove()) },
      make(
        "form",
        { method: "dialog" },
        make("h2", {}, question),
        make(
          "div",
          { class: "choices" },
          answers.map(({ value, label, kind }) => make("button", { value, class: kind ?? "" }, label)),
          make("button", { value: "", class: "quiet" }, say("cancel")),
        ),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}

// --- what this browser remembers

export const remembered = {
  get: (name, otherwise) => localStorage.getItem(name) ?? otherwise,
  set: (name, value) => localStorage.setItem(name, value),
};

function cookie(name, value) {
  document.cookie = `${name}=${value}; path=/; max-age=31536000; SameSite=Strict`;
}

$("#language")?.addEventListener("click", () => {
  cookie("lang", language === "en" ? "fr" : "en");
  const here = new URL(location.href);
  here.searchParams.delete("lang");
  location.href = here;
});

$("#theme")?.addEventListener("click", () => {
  const dark = getComputedStyle(document.documentElement).colorScheme.startsWith("dark");
  document.documentElement.dataset.theme = dark ? "light" : "dark";
  remembered.set("theme", dark ? "light" : "dark");
});
