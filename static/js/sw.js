/* The service worker: shows pushes and leads to what they are about. It keeps no files and answers no requests. */

const DEVICES = "/settings/notices/devices/";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => {
  let told = {};
  try {
    told = event.data.json();
  } catch {
    // A browser wants to see something for every push.
  }
  const { title = "Na tahu", body = "", tag = "site", url = "/turns/" } = told;
  event.waitUntil(self.registration.showNotification(title, { body, tag, renotify: true, data: { url } }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(new URL(event.notification.data?.url ?? "/turns/", self.location.origin)));
});

/** Brings a page to the front that shows the address already, or opens one. */
async function open(url) {
  if (url.origin !== self.location.origin) return undefined;
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = pages.find((page) => new URL(page.url).pathname === url.pathname);
  return shown ? shown.focus() : self.clients.openWindow(url.href);
}

// The push service has changed the address of this browser: the site has to know the new one.
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));

async function renew({ oldSubscription, newSubscription }) {
  const answer = await fetch(`${DEVICES}key.json`, { credentials: "same-origin" });
  if (!answer.ok) return; // nobody is logged in here any more
  const { key, token } = await answer.json();
  const fresh = newSubscription ?? (await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  const { endpoint, keys } = fresh.toJSON();
  const body = new URLSearchParams({ csrfmiddlewaretoken: token, endpoint, ...keys, replaces: oldSubscription?.endpoint ?? "" });
  await fetch(`${DEVICES}add.json`, { method: "POST", body, credentials: "same-origin" });
}
