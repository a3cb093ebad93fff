/* The page "Your turn": takes its new state from the server whenever the numbers that are told are not those it shows. */

const main = document.getElementById("main");
let told = {};
let fetching = Promise.resolve();

async function refresh() {
  if (told.turns === Number(main.dataset.turns) && told.asked === Number(main.dataset.asked)) return;
  const answer = await fetch(location.href, { headers: { Accept: "text/html" }, credentials: "same-origin" });
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("main");
  if (!answer.ok || !fresh?.hasAttribute("data-asked")) return; // the next number tries again
  const focused = document.activeElement;
  const inside = focused !== main && main.contains(focused);
  Object.assign(main.dataset, fresh.dataset);
  main.replaceChildren(...fresh.childNodes);
  // What had the focus is found again by what it does; else reading goes on at the top of the page.
  const same = inside && [...main.querySelectorAll("a, button")].find((one) => does(one) === does(focused));
  if (inside) (same || main).focus({ preventScroll: true });
  document.getElementById("live").textContent = main.querySelector("h2, h1").textContent;
  document.dispatchEvent(new Event("page:changed"));
}

const does = (one) => `${one.textContent.trim()} ${one.form?.action ?? one.href ?? ""}`;

document.addEventListener("page:numbers", ({ detail }) => {
  told = detail;
  fetching = fetching.then(refresh).catch(() => {});
});
