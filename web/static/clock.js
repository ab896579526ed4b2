// Clocks tick here between two words of the server, which alone knows the time.
import { language, serverNow } from "./page.js";

export function timeLeft(seconds) {
  const left = Math.max(0, seconds);
  const [h, m, s] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, Math.floor(left) % 60];
  const two = (number) => String(number).padStart(2, "0");
  if (left < 20) return left.toLocaleString(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** Seconds left of a seat, now, and how many periods after them. */
export function now(clock, seat) {
  let { left, periods = 0 } = clock.seats[seat];
  if (clock.running === seat) left -= Math.max(0, serverNow() - clock.at);
  while (left <= 0 && periods > 0) (left += clock.more), periods--;
  return { left, periods };
}
