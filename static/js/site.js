/* What every page gains with script: times in the reader's zone, copying a link, and forms that are sent once. */

const language = document.documentElement.lang || undefined;
const parts = (moment) => {
  const shape = { weekday: "short", day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  const found = new Intl.DateTimeFormat(language, shape).formatToParts(moment);
  return Object.fromEntries(found.map((part) => [part.type, part.value]));
};

/** A deadline: "Thu 4 Dec 19:30". */
const exact = (moment) => {
  const { weekday, day, month, hour, minute } = parts(moment);
  return `${weekday} ${day} ${month} ${hour}:${minute}`;
};

/** A past time: the clock of today, the weekday within a week, else the date. */
const past = (moment) => {
  const { weekday, day, month, year, hour, minute } = parts(moment);
  const age = (Date.now() - moment) / 86_400_000;
  if (moment.toDateString() === new Date().toDateString()) return `${hour}:${minute}`;
  return age < 6 ? `${weekday} ${hour}:${minute}` : `${day} ${month} ${year}`;
};

function freshen() {
  for (const time of document.querySelectorAll("time.zoned, time.past")) {
    const moment = new Date(time.dateTime);
    if (Number.isNaN(moment.getTime())) continue;
    time.textContent = time.classList.contains("zoned") ? exact(moment) : past(moment);
    time.title = moment.toLocaleString(language, { dateStyle: "full", timeStyle: "long" });
  }
  for (const box of document.querySelectorAll(".copy")) box.querySelector("button").hidden = !navigator.clipboard;
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.(".copy button");
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

document.addEventListener("page:changed", freshen);
freshen();
