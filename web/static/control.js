// Which clock: its kind, and how much time there is. For a new game and for one that is being played.
import { catalogue, make, say, sentence } from "./page.js";

/** Fills `kind`, a select, and `place` with the fields of the kind that is chosen. Returns what then asks for the clock. */
export function control(kind, place, first = "none") {
  const fields = () => [...place.querySelectorAll("[data-clock]")];
  const show = () => {
    const clock = catalogue.clocks.find((one) => one.kind === kind.value);
    place.replaceChildren(
      ...(clock?.fields ?? []).map(({ name, label, default: usual }) =>
        make("label", {}, withUnit(name, sentence(label)),
          make("input", { type: "number", "data-clock": name, min: 0, max: 999, step: "any", value: name === "main" ? usual / 60 : usual, required: true }))),
    );
  };
  kind.replaceChildren(make("option", { value: "none" }, say("clock.none")), ...catalogue.clocks.map(({ kind: name, label }) => make("option", { value: name }, label)));
  kind.value = first;
  kind.addEventListener("change", show);
  show();
  return () => {
    if (kind.value === "none") return null;
    const times = fields().map(({ dataset, value }) => [dataset.clock, Number(value) * (dataset.clock === "main" ? 60 : 1)]);
    return { kind: kind.value, ...Object.fromEntries(times) };
  };
}

function withUnit(name, what) {
  return name === "periods" ? what : say(name === "main" ? "in-minutes" : "in-seconds", { what });
}
