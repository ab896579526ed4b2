// A code for a phone to scan: an invitation as the companion gives it.
import { Refused, make, post, say, sentence } from "./page.js";

/** Asks for an invitation and shows it in `place`, or why there is none. */
export async function showCode(place, role) {
  const { alone } = place.dataset; // then asking would only be refused
  if (alone) return place.replaceChildren(make("p", { class: "why" }, sentence(alone)));
  try {
    const { address, code, until } = await post("/api/invite", { role });
    const drawn = document.importNode(new DOMParser().parseFromString(code, "image/svg+xml").documentElement, true);
    drawn.setAttribute("role", "img");
    drawn.setAttribute("aria-label", say("invite.alt"));
    place.replaceChildren(
      drawn,
      make("p", { class: "faint" }, say("invite.until", { time: new Date(until * 1000).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }) })),
      make("p", { class: "address" }, address),
    );
  } catch (refused) {
    place.replaceChildren(make("p", { class: "why" }, sentence(refused instanceof Refused ? refused.reason : say("no-answer"))));
  }
  return undefined;
}
