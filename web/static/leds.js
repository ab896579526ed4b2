// The lights in the board: drawn as they burn, with what they mean.
import { $, language, make, say, sentence } from "./page.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");

export class Lights {
  /** `place` is a figure with an image and a list. */
  constructor(place) {
    this.place = place;
    this.told = "";
  }

  /** Draw them if they have changed, or `anew`. */
  show(leds, anew = false) {
    this.place.hidden = !leds;
    const told = leds ? JSON.stringify([leds.pixels, leds.wire, leds.brightness, leds.kind, leds.meanings]) : "";
    if (!leds || (told === this.told && !anew)) return;
    this.told = told;
    const drawing = new Image();
    drawing.onload = () => {
      if (this.newest === drawing) $("img", this.place).src = drawing.src;
    };
    this.newest = drawing;
    drawing.src = `/api/leds.svg?lang=${language}${calm.matches ? "&still=1" : ""}&n=${Date.now()}`;
    $("img", this.place).alt = `${say("leds.alt")}. ${words(leds)}`;
    $(".meanings", this.place).replaceChildren(...leds.meanings.map(({ text, color, squares }) => {
      const swatch = make("i", { "aria-hidden": "true" });
      swatch.style.background = leds.kind === "mono" ? "#ff3218" : color;
      return make("li", { title: squares.join(" ") }, swatch, sentence(text));
    }));
  }
}

const words = ({ meanings }) => meanings.map(({ text, squares }) => `${sentence(text)}: ${squares.join(" ")}`).join(". ");
