/* Looking back: the slider and the keys of a replay, and a replay that goes on by itself. Without script its links do
   the same, one move at a time. */

import { load } from "./match.js";

const PACE = 1_200; // a row
const PRESENT = Infinity;
const CALM = matchMedia("(prefers-reduced-motion: reduce)");
const KEYS = {
  Home: () => 1,
  End: () => PRESENT,
  ArrowLeft: (from) => Math.max(1, Math.min(from, head()) - 1),
  ArrowRight: (from) => Math.min(head(), from + 1),
};

const main = document.getElementById("main");
let goal = null; // the version asked for; a newer wish takes its place, so that fetches do not pile up
let busy = false;
let playing = false;
let timer = 0;

const slider = () => document.getElementById("replay-slider");
const shown = () => Number(slider().defaultValue);
const head = () => Number(slider().max);
const address = (version) => (version === PRESENT ? main.dataset.home : new URL(`../${version}/`, new URL(slider().dataset.first, location)).href);

/** Shows the table as it was at a version. */
async function go(version) {
  goal = version;
  if (busy) return;
  busy = true;
  try {
    let next;
    do {
      next = goal;
      await load(address(next), true);
    } while (goal !== next);
  } catch {
    location.assign(address(goal));
  }
  busy = false;
  goal = null;
}

/** Goes on by itself, or stops doing so. */
function play(on) {
  playing = on;
  clearTimeout(timer);
  const button = document.getElementById("replay-play");
  if (!button) return;
  for (const word of button.children) word.hidden = (word.dataset.when === "playing") !== on;
  if (on) timer = setTimeout(() => go(shown() < head() ? shown() + 1 : PRESENT), PACE);
}

document.addEventListener("page:changed", () => play(playing && "still" in main.dataset));

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("#replay-play");
  if (button) return play(!playing);
  const link = event.target.closest?.("a[data-replay]");
  // The page of the link is fetched by now; the way to it is not the way that the replay goes by itself.
  if (link && event.defaultPrevented) play(link.id === "play-back" && !CALM.matches);
});

main.addEventListener("change", (event) => {
  if (event.target !== slider()) return;
  play(false);
  go(Number(event.target.value));
});

document.addEventListener("keydown", (event) => {
  const step = KEYS[event.key];
  if (!step || !("still" in main.dataset) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (event.target.closest?.("input, select, textarea, [contenteditable], .log")) return; // the key is theirs
  event.preventDefault();
  play(false);
  const from = goal ?? shown();
  const to = step(from);
  if (to !== from) go(to);
});
