// The log's newest signed head: its words and QR code, kept by every browser that looked on.
import { get, remembered, say } from "./page.js";

const MOST = 200; // heads that a browser keeps

export function showHead(place, head) {
  place.hidden = !head;
  if (!head || place.dataset.text === head.text) return;
  place.dataset.text = head.text;
  place.querySelector("summary").textContent = say("head.words", { words: head.words });
  const kept = JSON.parse(remembered.get("heads", "[]"));
  if (!kept.includes(head.text)) remembered.set("heads", JSON.stringify([...kept, head.text].slice(-MOST)));
  place.ontoggle = async () => {
    if (!place.open) return;
    const { code, words } = await get("/api/head");
    const image = place.querySelector("img");
    image.alt = words;
    image.src = `data:image/svg+xml,${encodeURIComponent(code)}`;
  };
  if (place.open) place.ontoggle();
}
