// The MicroPython firmware in real MicroPython (WebAssembly) on a serial port: node pico.mjs KIND LINE [--realtime]
// [--prompt], where LINE is a file descriptor, the board's end of a pseudo-terminal. What is said and told is as in uno.c;
// without --realtime the clock stands still between bytes. With --prompt it is a board as it is sold, with MicroPython
// and no program; what is put on it starts when it is reset.
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import { fileURLToPath } from "node:url";
import { loadMicroPython } from "@micropython/micropython-webassembly-pyscript";

const here = path.dirname(fileURLToPath(import.meta.url));
const [kind, line] = process.argv.slice(2, 4).map(Number);
const realtime = process.argv.includes("--realtime");
const OURS = ["protocol.py", "main.py"];
let python, take, run, hold, prompt;

globalThis.world = {
  say: (said) => fs.writeSync(1, said + "\n"),
  send: (hex) => fs.writeSync(line, Buffer.from(hex, "hex")),
  leave: () => { prompt = true; python.replInit(); },
  reset: () => setTimeout(() => boot(Object.fromEntries(OURS.filter(there).map((name) => [name, python.FS.readFile("/" + name)]))), 10),
};
const there = (name) => python.FS.stat("/" + name).size > 0;

// Start the board with these files on it.
async function boot(files) {
  prompt = null; // it hears nothing yet
  python = await loadMicroPython({ heapsize: 192 * 1024, linebuffer: false, stdout: (bytes) => prompt && fs.writeSync(line, bytes) }); // a Pico has as much
  for (const name of fs.readdirSync(path.join(here, "standins")).filter((name) => name.endsWith(".py")))
    python.FS.writeFile("/" + name, fs.readFileSync(path.join(here, "standins", name)));
  for (const [name, data] of Object.entries(files)) python.FS.writeFile("/" + name, data);
  python.runPython("from world import *");
  if (!files["main.py"]) {
    prompt = true;
    for (const name of OURS) python.FS.writeFile("/" + name, ""); // for what is missing node has another error than a Pico
    return python.replInit();
  }
  python.runPython(`start(${kind})`);
  [take, run, hold] = ["take", "run", "hold"].map((name) => python.globals.get(name));
  prompt = false;
}

// MicroPython's own prompt. Raw paste it would wait for in a way that node does not know: it says that it has none.
let before = "";
function type(byte) {
  before = (before + String.fromCharCode(byte)).slice(-3);
  if (before === "\x05A\x01") return fs.writeSync(line, "R\0");
  if (byte === 5 || (byte === 65 && before.endsWith("\x05A"))) return;
  if (python.replProcessChar(byte) === 256) { // a soft reset
    fs.writeSync(line, "MPY: soft reboot\r\n");
    python.replInit();
  }
}

await boot(process.argv.includes("--prompt") ? {} :
  Object.fromEntries(OURS.map((name) => [name, fs.readFileSync(path.join(here, "../../firmware/micropython", name))])));

const room = Buffer.alloc(4096);
const listen = () =>
  fs.read(line, room, 0, room.length, null, (error, many) => {
    if (many && prompt) for (const byte of room.subarray(0, many)) type(byte);
    else if (many && prompt === false) take(room.toString("hex", 0, many));
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
  setInterval(() => { const now = Date.now(); if (prompt === false) run(now - last); last = now; }, 2);
}
world.say("port");
