// Coming in by an invitation: its word stands behind the address's #, which no server and no log ever sees.
import { $, get, say, sentence, signIn } from "./page.js";

const word = location.hash.slice(1);
history.replaceState(null, "", location.pathname); // nobody who looks over a shoulder reads it twice
try {
  await signIn({ invitation: word });
  $("#joining").textContent = say("join.in");
  location.replace((await get("/api/me")).camera ? "/setup#camera" : "/");
} catch (refused) {
  $("#joining").textContent = sentence(refused.reason ?? say("no-answer"));
}
