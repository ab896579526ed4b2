// Inviting a phone: as what, and then its code.
import { $, $$ } from "./page.js";
import { showCode } from "./code.js";

for (const button of $$("[data-invite]")) {
  button.addEventListener("click", () => {
    for (const other of $$("[data-invite]")) other.setAttribute("aria-pressed", other === button);
    showCode($("#code"), button.dataset.invite);
  });
}
