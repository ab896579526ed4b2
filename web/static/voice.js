// Sounds and spoken verdicts, each with its switch.
import { $, language, remembered, say } from "./page.js";

const NOTES = { move: [523, 659], illegal: [220, 185], question: [440, 554], over: [523, 659, 784], flag: [330, 330, 330] };
let speaker = null;

export const sounds = () => remembered.get("sounds", "on") === "on";
export const speech = () => remembered.get("speech", "off") === "on";

export function play(kind) {
  if (!sounds() || !NOTES[kind]) return;
  speaker ??= new AudioContext();
  if (speaker.state === "suspended") return; // browsers are silent until the page has been touched
  NOTES[kind].forEach((pitch, n) => {
    const at = speaker.currentTime + n * 0.13;
    const [tone, loud] = [speaker.createOscillator(), speaker.createGain()];
    tone.type = "triangle";
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(0.0001, at);
    loud.gain.exponentialRampToValueAtTime(0.16, at + 0.015);
    loud.gain.exponentialRampToValueAtTime(0.0001, at + 0.3);
    tone.connect(loud).connect(speaker.destination);
    tone.start(at);
    tone.stop(at + 0.32);
  });
}

export function speak(text) {
  if (!speech() || !("speechSynthesis" in window) || !text) return;
  speechSynthesis.cancel();
  const spoken = new SpeechSynthesisUtterance(text);
  spoken.lang = language;
  speechSynthesis.speak(spoken);
}

function toggle(button, name, otherwise, after) {
  const show = () => {
    const on = remembered.get(name, otherwise) === "on";
    button.setAttribute("aria-pressed", on);
    button.title = say(`${name}.${on ? "on" : "off"}`);
  };
  button.addEventListener("click", () => {
    remembered.set(name, remembered.get(name, otherwise) === "on" ? "off" : "on");
    show();
    after();
  });
  show();
}

export function switches() {
  toggle($("#sounds"), "sounds", "on", () => play("move"));
  toggle($("#speech"), "speech", "off", () => (speech() ? speak($("#verdict-text").textContent) : speechSynthesis.cancel()));
  addEventListener("pointerdown", () => speaker?.resume(), { passive: true });
}
