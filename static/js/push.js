/* Pushes on this device: the browser is asked on a click, and the site is told what it agreed to. */

const part = document.getElementById("devices");
const able = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
const show = (name) => {
  for (const state of part.querySelectorAll("[data-state]")) state.hidden = state.dataset.state !== name;
};

async function subscription() {
  const registration = await navigator.serviceWorker.getRegistration("/");
  return registration ? registration.pushManager.getSubscription() : null;
}

/** How the site knows a browser: it does not show addresses, as they are as good as keys. */
async function hashOf(endpoint) {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The row of this browser in the list, if the site knows it. */
async function ownRow() {
  const mine = await subscription();
  return mine && part.querySelector(`[data-hash="${await hashOf(mine.endpoint)}"]`);
}

async function start() {
  if (!able) return show("unable");
  const row = await ownRow();
  if (row) {
    row.querySelector(".here").hidden = false;
    row.querySelector("form[data-remove]").addEventListener("submit", leave);
  }
  if (Notification.permission === "denied") return show("denied");
  return show(row && !("gone" in row.dataset) ? "on" : "off");
}

async function enable() {
  if ((await Notification.requestPermission()) !== "granted") return show("denied");
  await navigator.serviceWorker.register("/sw.js");
  const registration = await navigator.serviceWorker.ready;
  // One that is left over may be for another key, or be gone at its push service.
  const old = await registration.pushManager.getSubscription();
  await old?.unsubscribe();
  const fresh = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: part.dataset.key });
  const { endpoint, keys } = fresh.toJSON();
  const token = part.querySelector("[name=csrfmiddlewaretoken]").value;
  const body = new URLSearchParams({ csrfmiddlewaretoken: token, endpoint, ...keys, replaces: old?.endpoint ?? "" });
  const answer = await fetch(part.dataset.add, { method: "POST", body, credentials: "same-origin" });
  if (answer.ok) return location.reload();
  await fresh.unsubscribe();
  const refusal = await answer.json().catch(() => ({}));
  return fail(refusal.sentence);
}

function fail(sentence) {
  const note = document.getElementById("push-failed");
  if (sentence) note.textContent = sentence;
  note.hidden = false;
}

/** The browser is told as well that it is over. */
async function leave(event) {
  event.preventDefault();
  const form = event.currentTarget;
  await subscription().then((mine) => mine?.unsubscribe()).catch(() => {});
  form.submit();
}

if (part) {
  part.querySelector("#push-on")?.addEventListener("click", (event) => {
    event.currentTarget.disabled = true;
    enable().catch(() => fail()).finally(() => { document.getElementById("push-on").disabled = false; });
  });
  start().catch(() => show("unable"));
}
