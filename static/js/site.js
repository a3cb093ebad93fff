/* What every page gains with script: times in the reader's zone, and copying a link. */

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
document.addEventListener("page:changed", freshen);
freshen();
