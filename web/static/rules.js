// The rules: a rule that is asked for by its number is the one that is looked at.
import "./page.js";

function showAsked() {
  document.getElementById(decodeURIComponent(location.hash.slice(1)))?.focus();
}

addEventListener("hashchange", showAsked);
showAsked();
