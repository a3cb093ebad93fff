/* What happens while a page is open: the number of matches that wait, and at which version a shown match is. The socket
   only gives hints; pages ask for what they show. */

// The server gives a sign of life every 15 s. QUIET, CHECK and PATIENCE together are how long a page may not know that
// it is offline: under 30 s.
const QUIET = 18_000;
const CHECK = 3_000;
const PATIENCE = 4_000;
const LONGEST = 30_000; // between two tries to connect
const ENDED = 4401; // the session is over

const main = document.getElementById("main");
const strip = document.getElementById("offline");
let socket = null;
let heard = Date.now();
let tries = 0;
let waiting = Number(document.querySelector("#my-turns .badge")?.textContent ?? 0);
let timer = 0;

function connect() {
  clearTimeout(timer);
  if (socket && socket.readyState <= WebSocket.OPEN) return;
  const url = new URL("/ws/", location.href);
  url.protocol = url.protocol.replace("http", "ws");
  if (main.dataset.slug) url.searchParams.set("match", main.dataset.slug);
  const mine = new WebSocket(url);
  socket = mine;
  mine.addEventListener("message", ({ data }) => {
    if (mine !== socket) return;
    hear();
    tries = 0;
    const numbers = JSON.parse(data);
    if ("turns" in numbers) count(numbers.turns);
    if ("turns" in numbers) document.dispatchEvent(new CustomEvent("page:numbers", { detail: numbers }));
    if ("notices" in numbers) mark("my-notices", numbers.notices);
    if ("version" in numbers) document.dispatchEvent(new CustomEvent("match:version", { detail: numbers }));
  });
  mine.addEventListener("close", ({ code }) => {
    if (mine !== socket) return; // given up for a newer one
    document.dispatchEvent(new Event("match:silence"));
    if (code === ENDED) location.reload();
    else later();
    if (tries > 1) reachable(); // not even the next try got through
  });
}

/** Tries again after a while, each page at another moment. */
function later() {
  clearTimeout(timer);
  const most = Math.min(LONGEST, 1_000 * 2 ** tries);
  tries += 1;
  timer = setTimeout(connect, most / 2 + (Math.random() * most) / 2);
}

function hear() {
  heard = Date.now();
  strip.hidden = true;
}

/** Writes a number into a badge of the bar; none for zero. */
function mark(id, number) {
  const badge = document.getElementById(id);
  badge?.replaceChildren();
  if (number) badge?.append(Object.assign(document.createElement("b"), { className: "badge", textContent: number }));
}

/** Shows how many matches wait: beside the link, in the title, on the icon of an installed page. */
function count(turns) {
  // Who wants it hears that there are more; a browser that cannot is no reason for anything else to fail.
  if (turns > waiting && "sound" in document.documentElement.dataset) import("./sound.js").then(({ chime }) => chime()).catch(() => {});
  waiting = turns;
  mark("my-turns", turns);
  document.title = document.title.replace(/^\(\d+\) /, "");
  if (turns) document.title = `(${turns}) ${document.title}`;
  const icon = document.querySelector("link[rel=icon]");
  icon.href = turns ? icon.dataset.turn : icon.dataset.calm;
  if (turns) navigator.setAppBadge?.(turns).catch(() => {});
  else navigator.clearAppBadge?.().catch(() => {});
}

/** Whether the server answers at all; if not, the page says that it is offline. */
async function reachable() {
  try {
    await fetch(document.querySelector("link[rel=icon]").dataset.calm, { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
    return true;
  } catch {
    strip.hidden = false;
    return false;
  }
}

/** Nothing heard for long: where the server can be reached, a new socket takes over. */
async function check() {
  if (!(await reachable())) return;
  hear();
  tries = 0;
  socket.close();
  connect();
}

document.addEventListener("page:heard", hear);
for (const event of ["online", "focus"]) window.addEventListener(event, connect);
window.addEventListener("offline", () => { strip.hidden = false; });
setInterval(() => { if (!strip.hidden || Date.now() - heard >= QUIET) check(); }, CHECK);
connect();
