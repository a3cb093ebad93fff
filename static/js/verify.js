/* The page that verifies the chance of a match: fetches its record and its draws and works all of them out again. */

import { bytes, checksum, commitment, Stream } from "./chance.js";

const list = document.getElementById("checks");
const verdict = document.getElementById("verdict");

/** The published test vectors: whether this browser computes what docs/chance.md says. */
async function computesRight() {
  const seed = Uint8Array.from({ length: 32 }, (_none, at) => at);
  const seats = ["b", "a"].map((letter) => new TextEncoder().encode(letter.repeat(16)));
  const rolls = new Stream(seed, seats, 2);
  const faces = [];
  for (let at = 0; at < 12; at += 1) faces.push(await rolls.roll(6));
  const letters = await new Stream(seed, seats, 1).shuffle("abcdefghijklmnopqrstuvwxyz");
  return (
    (await commitment("abc123", seed)) === "ea72eb23a8ff09d933b8511840b96c1c2e92ee90d738d96709f6c1a4420b5b05" &&
    faces.join(" ") === "5 2 3 2 1 1 2 1 3 0 3 5" &&
    letters.join("") === "mxnveuwhpibjdqtalyksfzgrco" &&
    (await new Stream(seed, [], 0).shuffle("ABCD")).join("") === "CBAD"
  );
}

async function fetched(url) {
  const answer = await fetch(url, { headers: { Accept: "application/json" }, credentials: "same-origin" });
  if (!answer.ok) throw new Error(`answer ${answer.status}`);
  return answer.json();
}

/** Whether the stream of a row gives these draws. */
async function drawsSo(seed, seats, { row, draws }) {
  const stream = new Stream(seed, seats, row);
  for (const draw of draws) {
    if ("roll" in draw) {
      if ((await stream.roll(draw.roll)) !== draw.gives) return false;
    } else {
      const order = await stream.shuffle(Array.from({ length: draw.shuffle }, (_none, at) => at));
      if (order.join() !== draw.gives.join()) return false;
    }
  }
  return true;
}

async function run() {
  const { record: recordUrl, draws: drawsUrl, commitment: shown, slug } = list.dataset;
  const state = {};
  const checks = {
    vectors: computesRight,
    record: async () => {
      state.record = await fetched(recordUrl);
      state.seed = bytes(state.record.seed);
      state.seats = state.record.seats.map((seat) => bytes(seat.entropy));
      return state.record.checksum === (await checksum(state.record)) && (state.record.id === slug);
    },
    commitment: async () => (await commitment(state.record.id, state.seed)) === shown && state.record.commitment === shown,
    seats: async () => {
      const order = await new Stream(state.seed, state.seats, 0).shuffle(state.record.seats.map((_seat, at) => at));
      return order.join() === state.record.seats.map((seat) => seat.joined).join();
    },
    draws: async () => {
      const { rows } = await fetched(drawsUrl);
      for (const row of rows) if (!(await drawsSo(state.seed, state.seats, row))) return false;
      const drawn = rows.reduce((total, { draws }) => total + draws.length, 0) - 1;
      list.querySelector('[data-check="draws"] output').dataset.number = drawn;
      return true;
    },
  };
  let good = true;
  for (const item of list.querySelectorAll("[data-check]")) {
    const output = item.querySelector("output");
    let holds = false;
    try {
      holds = await checks[item.dataset.check]();
    } catch (error) {
      console.warn(error); // said on the page as well: what cannot be worked out does not hold
    }
    item.dataset.holds = holds;
    const number = output.dataset.number;
    output.textContent = (holds ? list.dataset.good : list.dataset.bad) + (number ? ` (${list.dataset.drawn} ${number})` : "");
    good &&= holds;
    if (!holds) break; // what comes after rests upon it
  }
  verdict.className = good ? "note good" : "note bad";
  verdict.textContent = good ? verdict.dataset.good : verdict.dataset.bad;
}

if (crypto.subtle) run();
else {
  verdict.className = "note bad";
  verdict.textContent = verdict.dataset.unable;
}
