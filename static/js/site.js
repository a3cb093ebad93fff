/* What every page gains with script: times in the reader's zone, copying a link, and forms that are sent once. */

const language = document.documentElement.lang || undefined;
const timeZone = ownZone(document.documentElement.dataset.zone);
const shape = { weekday: "short", day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone };
const format = new Intl.DateTimeFormat(language, shape);
const parts = (moment) => Object.fromEntries(format.formatToParts(moment).map((part) => [part.type, part.value]));

/** The zone that the reader has set; none if this browser does not know it: then its own counts. */
function ownZone(name) {
  try {
    return name && new Intl.DateTimeFormat(language, { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** Tells the site this browser's zone, once: the page has the form only as long as none is known. */
function tellZone() {
  const form = document.getElementById("browser-zone");
  if (!form) return;
  form.elements.zone.value = format.resolvedOptions().timeZone;
  // Without an answer the next page tries again.
  fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), credentials: "same-origin", keepalive: true }).catch(() => {});
}

/** A deadline: "Thu 4 Dec 19:30". */
const exact = (moment) => {
  const { weekday, day, month, hour, minute } = parts(moment);
  return `${weekday} ${day} ${month} ${hour}:${minute}`;
};

/** A past time: the clock of today, the weekday within a week, else the date. */
const past = (moment) => {
  const { weekday, day, month, year, hour, minute } = parts(moment);
  const age = (Date.now() - moment) / 86_400_000;
  const today = parts(new Date());
  if (day === today.day && month === today.month && year === today.year) return `${hour}:${minute}`;
  return age < 6 ? `${weekday} ${hour}:${minute}` : `${day} ${month} ${year}`;
};

function freshen() {
  for (const time of document.querySelectorAll("time.zoned, time.past")) {
    const moment = new Date(time.dateTime);
    if (Number.isNaN(moment.getTime())) continue;
    time.textContent = time.classList.contains("zoned") ? exact(moment) : past(moment);
    time.title = moment.toLocaleString(language, { dateStyle: "full", timeStyle: "long", timeZone });
  }
  for (const button of document.querySelectorAll("[data-done]")) button.hidden = !navigator.clipboard;
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-done]");
  if (!button) return;
  const field = button.closest(".copy").querySelector("input");
  try {
    await navigator.clipboard.writeText(field.value);
    button.textContent = button.dataset.done;
    document.getElementById("live").textContent = button.dataset.done;
  } catch {
    field.select();
  }
});

// A form is sent once: the second half of a double click would be a second match, or a second guest.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || event.defaultPrevented) return;
  if ("sent" in form.dataset) event.preventDefault();
  form.dataset.sent = "";
  setTimeout(() => delete form.dataset.sent, 5_000);
});
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

/** What this browser adds to the draws of a seat that it takes; the server draws it where there is no script. */
function addChance() {
  for (const field of document.querySelectorAll('input[name="entropy"]')) {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    field.value = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }
}
window.addEventListener("pageshow", addChance);

document.addEventListener("page:changed", freshen);
document.addEventListener("page:changed", addChance);
freshen();
tellZone();
// A form that came back begins where something is to be mended.
document.querySelector("main [aria-invalid=true]")?.focus();
