// The MicroPython firmware in real MicroPython (WebAssembly) on a serial port: node pico.mjs KIND LINE [--realtime],
// where LINE is a file descriptor, the board's end of a pseudo-terminal. What is said and told is as in uno.c; without
// --realtime the clock stands still between bytes.
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import { fileURLToPath } from "node:url";
import { loadMicroPython } from "@micropython/micropython-webassembly-pyscript";

const here = path.dirname(fileURLToPath(import.meta.url));
const [kind, line] = process.argv.slice(2, 4).map(Number);
const realtime = process.argv.includes("--realtime");
globalThis.world = {
  say: (said) => fs.writeSync(1, said + "\n"),
  send: (hex) => fs.writeSync(line, Buffer.from(hex, "hex")),
};
const python = await loadMicroPython({ heapsize: 192 * 1024 }); // a Pico has as much
for (const folder of ["standins", "../../firmware/micropython"])
  for (const name of fs.readdirSync(path.join(here, folder)).filter((name) => name.endsWith(".py")))
    python.FS.writeFile("/" + name, fs.readFileSync(path.join(here, folder, name)));
python.runPython(`from world import *\nstart(${kind})`);
const [take, run, hold] = ["take", "run", "hold"].map((name) => python.globals.get(name));

const room = Buffer.alloc(4096);
const listen = () =>
  fs.read(line, room, 0, room.length, null, (error, many) => {
    if (many) take(room.toString("hex", 0, many));
    if (!error) listen();
  });
listen();

const told = {
  run: (ms) => { run(Number(ms)); world.say("ran 0"); },
  down: (button) => hold(Number(button), true),
  up: (button) => hold(Number(button), false),
  stats: () => world.say("stats lost 0 faults 0 stack 0"),
};
readline.createInterface({ input: process.stdin }).on("line", (said) => {
  const [word, value] = said.split(" ");
  told[word](value);
}).on("close", () => process.exit());
if (realtime) {
  let last = Date.now();
  setInterval(() => { const now = Date.now(); run(now - last); last = now; }, 2);
}
world.say("port");
