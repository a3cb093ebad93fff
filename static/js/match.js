/* The page of a match: notices new moves, and plans a turn without loading the whole page. Without script, links and
   forms do the same. */

const OFTEN = 1_000; // while a bot is at work
const SELDOM = 20_000; // without a socket; with one it says so at once, and asking is only for what got lost
const RARELY = 60_000;
const PATIENCE = 10_000; // for the answer to a turn
const SCROLLED = [".log", "#rivals"]; // parts that are scrolled by themselves, and stay so
const CALM = matchMedia("(prefers-reduced-motion: reduce)");

const main = document.getElementById("main");
const live = document.getElementById("live");
let timer = 0;
let told = false; // whether a socket tells the versions
let sending = false; // a turn is on its way, and what is told meanwhile is most likely that turn
let stepping = 0; // steps that somebody clicked and that are on their way: what is told meanwhile must not call them off
let catching = false; // the present table is on its way: to ask again at every move of quick bots would never show one
let missed = null; // what was told meanwhile
let latest = new AbortController(); // of the newest request for a page: an older one is called off

/** Where every card of the table is now, by its name; one that is being dragged is where the pointer has it. */
function places() {
  const found = new Map();
  const cards = [...main.querySelectorAll("[data-card]"), ...document.querySelectorAll(".ghost[data-card]")];
  for (const card of cards) found.set(card.dataset.card, card.getBoundingClientRect());
  return found;
}

/** Lets every card that is somewhere else than before move there. */
function move(before) {
  if (CALM.matches) return;
  for (const card of main.querySelectorAll("[data-card]")) {
    const from = before.get(card.dataset.card);
    const to = card.getBoundingClientRect();
    if (!from || (Math.abs(from.x - to.x) < 2 && Math.abs(from.y - to.y) < 2) || !from.width) continue;
    const shift = `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.width / to.width})`;
    const frames = [{ transform: shift, transformOrigin: "0 0", zIndex: 3 }, { transform: "none", transformOrigin: "0 0", zIndex: 3 }];
    card.animate(frames, { duration: 200, easing: "ease-out" });
  }
}

/** Puts a fetched page in place of this one, keeping scroll and focus, if it can; whether it did. What somebody `clicked`
    is a step to go back from; within a replay only the first one. */
function show(page, url, clicked) {
  const fresh = page.getElementById("main");
  // A page of another kind needs its own style sheets: the match has begun, or it was called off or stopped.
  if (!fresh?.hasAttribute("data-match") || fresh.className !== main.className) {
    location.replace(url);
    return false;
  }
  const focused = document.activeElement?.id;
  const inside = main.contains(document.activeElement) && document.activeElement !== main;
  const scrolled = SCROLLED.map((part) => main.querySelector(part)).map((part) => [part?.scrollTop ?? 0, part?.scrollLeft ?? 0]);
  const closed = [...main.querySelectorAll("details:not([open])")].map((details) => details.className);
  const opened = [...main.querySelectorAll("details[id][open]")].map((details) => details.id);
  const before = places();
  const version = main.dataset.shown;
  const ends = main.dataset.status === "playing" && fresh.dataset.status === "finished";
  const height = main.querySelector(".board")?.getBoundingClientRect().top;
  const step = clicked && !("still" in main.dataset && fresh.hasAttribute("data-still"));

  for (const { name } of [...main.attributes]) if (name.startsWith("data-")) main.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (name.startsWith("data-")) main.setAttribute(name, value);
  main.toggleAttribute("data-same", main.dataset.shown === version); // nothing happened: nothing moves of itself
  main.replaceChildren(...fresh.childNodes);
  document.title = page.title;
  for (const id of ["my-turns", "my-notices"]) document.getElementById(id)?.replaceWith(page.getElementById(id) ?? "");
  if (step) history.pushState(null, "", url);
  else history.replaceState(null, "", url);

  for (const details of main.querySelectorAll("details")) if (closed.includes(details.className)) details.open = false;
  for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
  for (const [index, part] of SCROLLED.entries()) main.querySelector(part)?.scrollTo(...scrolled[index].reverse());
  const again = document.getElementById(focused); // a button that is dead now cannot have the focus
  if (inside) ((again?.disabled ? null : again) ?? document.getElementById("own") ?? main).focus({ preventScroll: true });
  // Who has scrolled to something keeps it in sight, whatever is said above it now; but that it is over is said on top.
  if (ends) scrollTo({ top: 0, behavior: CALM.matches ? "instant" : "smooth" });
  else if (scrollY > 0) scrollBy({ top: (main.querySelector(".board")?.getBoundingClientRect().top ?? height) - height, behavior: "instant" });
  move(before);
  document.dispatchEvent(new Event("page:changed"));
  const said = [...main.querySelectorAll("[data-announce]")].map((part) => part.textContent.trim().replace(/\s+/g, " "));
  // Who chose something wants to hear what it does; who waited, all that is new.
  live.textContent = (clicked ? said.slice(-1) : said).join(" ");
  return true;
}

const parsed = (html) => new DOMParser().parseFromString(html, "text/html");

/** Calls off the request for a page that is still on its way; the controller of the next one. */
function newest() {
  latest.abort();
  latest = new AbortController();
  return latest;
}

/** Fetches a page and shows it; whether it did: not if a newer one was asked for meanwhile. Throws if there is none. */
export async function load(url, clicked = false) {
  const { signal } = newest();
  try {
    const answer = await fetch(url, { headers: { Accept: "text/html" }, credentials: "same-origin", signal });
    if (!answer.ok) throw new Error(`answer ${answer.status}`);
    const page = parsed(await answer.text());
    return !signal.aborted && show(page, url, clicked);
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest?.("a[data-plan], a[data-replay]");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const url = new URL(link.href);
  const picks = url.searchParams.has("pick");
  if (link.hasAttribute("data-plan")) url.hash = "";
  stepping += 1;
  try {
    const shown = await load(url.href, true);
    if (picks && !document.querySelector(".ghost")) main.querySelector(".targets")?.scrollIntoView({ block: "nearest" });
    // For who does not want to be asked, the click that completes a turn sends it; a step back to a complete one does not.
    if (shown && link.id !== "undo") main.querySelector("form[data-at-once]")?.requestSubmit();
  } catch {
    location.assign(link.href);
  }
  stepping -= 1;
  catchUp();
});

/** Sends a turn without leaving the page: where no answer comes the plan stays. The key of the form makes a repeat
    harmless, whether the turn arrived or not. */
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (event.defaultPrevented || !form.querySelector("#confirm")) return;
  event.preventDefault();
  if (sending) return; // the second half of a double click
  const unsent = document.getElementById("unsent");
  unsent.hidden = true;
  sending = true;
  newest(); // what was asked for before shows an older table
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), credentials: "same-origin", signal: AbortSignal.timeout(PATIENCE) });
    if (answer.status >= 500) throw new Error(`answer ${answer.status}`);
    const page = parsed(await answer.text());
    if (page.querySelector("main[data-match]")) show(page, main.dataset.home);
    else form.submit(); // an error of another kind has a page of its own
  } catch {
    unsent.hidden = false;
    live.textContent = unsent.textContent;
  }
  sending = false;
  catchUp();
});

window.addEventListener("popstate", () => load(location.href).catch(() => location.reload()));

/** Says that the plan on this page is old. */
function tell() {
  const strip = document.getElementById("moved-on");
  if (!strip.hidden) return;
  strip.hidden = false;
  live.textContent = strip.querySelector("span").textContent;
}

/** Learns what was told while something of this page was on its way. */
function catchUp() {
  if (sending || stepping || catching || !missed) return;
  const numbers = missed;
  missed = null;
  learn(numbers).catch(look);
}

/** Shows what is new, if anything is. While nobody looks it is not fetched: who gets a page has seen what it tells, and
    would be written nothing of it. */
async function learn(numbers) {
  if (document.hidden) return; // to be asked for when the page comes into sight
  if (sending || stepping || catching) {
    // Of what is told meanwhile the newest counts, whatever comes last.
    if (!missed || numbers.status !== "playing" || numbers.version >= missed.version) missed = numbers;
    return;
  }
  const { dataset } = main;
  const { version, status, gathered } = numbers;
  // Told late: the page was fetched since, and to fetch it again would drop a card that is picked up.
  if (status === "playing" && (version < Number(dataset.version) || gathered < Number(dataset.gathered))) return;
  const moved = String(version) !== dataset.version || status !== dataset.status;
  if (moved && "plan" in dataset) tell();
  if (moved ? "plan" in dataset : String(gathered) === dataset.gathered) return;
  catching = true;
  try {
    // What is said beside the table, as that somebody proposes a pause, takes no plan away.
    await load(moved ? dataset.home : location.href);
  } finally {
    catching = false;
  }
  catchUp();
}

/** Asks for the version and shows what is new; a half-made plan is not taken away, only told that it is old. */
async function look() {
  clearTimeout(timer);
  if (document.hidden || "still" in main.dataset) return;
  try {
    const answer = await fetch(main.dataset.ask, { headers: { Accept: "application/json" }, credentials: "same-origin" });
    if (answer.ok) {
      document.dispatchEvent(new Event("page:heard"));
      await learn(await answer.json());
    }
  } catch {
    // No connection, or a page of another kind: the next look may find it mended.
  }
  wait();
}

function wait() {
  clearTimeout(timer);
  timer = setTimeout(look, told ? RARELY : "bot" in main.dataset ? OFTEN : SELDOM);
}

document.addEventListener("match:version", ({ detail }) => {
  told = true;
  wait();
  if (detail.match === main.dataset.slug && !("still" in main.dataset)) learn(detail).catch(look);
});
document.addEventListener("match:silence", () => {
  told = false;
  wait();
});

document.addEventListener("visibilitychange", look);
window.addEventListener("focus", look);
window.addEventListener("online", look);
document.addEventListener("page:changed", wait);
wait();
