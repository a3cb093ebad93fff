/* Dragging, as an addition to links: whatever is dragged could be clicked as well. A piece is [data-piece] with a link
   that picks it up; being lifted, it follows that link, and the page lights up where it may go. Dropped on a link
   [data-drop="<the piece>"], or inside [data-zone="<id of such a link>"], it follows that one; elsewhere it goes back. */

const FAR = 6; // pixels: less is a click
const LONG = 280; // milliseconds that a finger rests on a piece to lift it; one that moves earlier scrolls
const EDGE = 56; // pixels at the upper and lower edge where the page scrolls along
const PACE = 9; // pixels a frame

const main = document.getElementById("main");
const { classList } = document.documentElement;
let drag = null;

const found = (id) => main.querySelector(`[data-piece="${CSS.escape(id)}"]`);
const picked = (link) => link.hasAttribute("aria-current");

/** The link that picks a piece up, or that has done so. */
function pick(piece) {
  const links = [piece, piece.closest("a"), ...piece.querySelectorAll("a")];
  return links.find((link) => link?.matches("a[data-plan]") && (picked(link) || new URL(link.href).searchParams.has("pick")));
}

/** The link to follow if the piece were dropped here. */
function target(id, x, y) {
  const under = document.elementFromPoint(x, y);
  const link = under?.closest(`a[data-drop="${CSS.escape(id)}"]`);
  const zone = under?.closest("[data-zone]");
  return { link: link ?? (zone && document.getElementById(zone.dataset.zone)), place: link ?? zone };
}

/** A copy of how a piece looks now, wherever it stands: it takes no room, and nothing can be done to it. */
function copy(piece) {
  const ghost = piece.cloneNode(true);
  const [from, to] = [piece, ghost].map((root) => [root, ...root.querySelectorAll("*")]);
  for (const [index, element] of from.entries()) {
    const style = getComputedStyle(element);
    for (const name of style) to[index].style.setProperty(name, style.getPropertyValue(name));
    for (const name of ["id", "title", "data-piece", "data-card", "data-plan"]) to[index].removeAttribute(name);
  }
  ghost.classList.add("ghost");
  ghost.setAttribute("aria-hidden", "true");
  return ghost;
}

/** Takes the piece up: its copy follows the pointer, and its places light up. */
function lift() {
  const { id } = drag;
  const piece = found(id);
  if (!piece) return forget();
  const box = piece.getBoundingClientRect();
  const link = pick(piece);
  drag.ghost = copy(piece);
  drag.card = piece.closest("[data-card]")?.dataset.card;
  Object.assign(drag.ghost.style, { inset: `${box.y}px auto auto ${box.x}px`, width: `${box.width}px`, height: `${box.height}px` });
  document.body.append(drag.ghost);
  classList.add("dragging");
  piece.classList.add("lifted");
  if (link && !picked(link)) {
    drag.waits = drag.took = true;
    link.click();
  }
  requestAnimationFrame(scroll);
}

/** Lets the copy follow the pointer and marks the place under it. */
function follow() {
  const { ghost, x, y, startX, startY } = drag;
  ghost.style.transform = `translate(${x - startX}px, ${y - startY}px)`;
  const { place } = target(drag.id, x, y);
  for (const other of main.querySelectorAll(".aimed")) if (other !== place) other.classList.remove("aimed");
  place?.classList.add("aimed");
}

/** Scrolls while the pointer is at an edge of the window. */
function scroll() {
  if (!drag?.ghost || drag.done) return;
  const way = drag.y < EDGE ? -PACE : drag.y > innerHeight - EDGE ? PACE : 0;
  if (way) scrollBy(0, way);
  requestAnimationFrame(scroll);
}

/** Ends the drag, at a place or at none; not before the places are known. */
function drop() {
  drag.done = true;
  if (drag.waits) return;
  const link = drag.cancelled ? null : target(drag.id, drag.x, drag.y).link;
  if (!link && !drag.took) return forget();
  if (drag.card) drag.ghost.dataset.card = drag.card; // from here it moves to its place, once the page shows it there
  drag.left = true;
  if (link) link.click();
  else history.back();
}

/** As if nothing had been taken up. */
function forget() {
  clearTimeout(drag.timer);
  drag.ghost?.remove();
  classList.remove("dragging");
  for (const piece of main.querySelectorAll(".lifted, .aimed")) piece.classList.remove("lifted", "aimed");
  drag = null;
}

function cancel() {
  if (!drag || drag.done) return;
  drag.cancelled = true;
  if (drag.ghost) drop();
  else forget();
}

main.addEventListener("pointerdown", (event) => {
  const piece = event.target.closest("[data-piece]");
  if (drag || !piece || event.button || !event.isPrimary) return;
  const { piece: id } = piece.dataset;
  if (!pick(piece) && !main.querySelector(`a[data-drop="${CSS.escape(id)}"]`)) return;
  const { clientX: x, clientY: y, pointerId: pointer, pointerType } = event;
  drag = { id, pointer, x, y, startX: x, startY: y, mouse: pointerType === "mouse" };
  if (drag.mouse) return;
  drag.timer = setTimeout(lift, LONG);
  // The finger's events go on to this element, also when the page has another in its place.
  event.target.addEventListener("touchmove", hold, { passive: false });
});

document.addEventListener("pointermove", (event) => {
  if (event.pointerId !== drag?.pointer || drag.done) return;
  [drag.x, drag.y] = [event.clientX, event.clientY];
  if (!drag.ghost && Math.hypot(drag.x - drag.startX, drag.y - drag.startY) > FAR) {
    if (!drag.mouse) return forget();
    lift();
  }
  if (drag?.ghost) follow();
});

document.addEventListener("pointerup", (event) => {
  if (event.pointerId !== drag?.pointer || drag.done) return;
  if (!drag.ghost) return forget();
  [drag.x, drag.y] = [event.clientX, event.clientY];
  drop();
  // The click that a mouse makes of it is not meant.
  addEventListener("click", refuse, true);
  setTimeout(() => removeEventListener("click", refuse, true));
});

document.addEventListener("pointercancel", (event) => { if (event.pointerId === drag?.pointer) cancel(); });
document.addEventListener("keydown", (event) => { if (event.key === "Escape") cancel(); });
window.addEventListener("blur", cancel);

function refuse(event) {
  if (!event.isTrusted) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** A finger that drags does not scroll. */
function hold(event) {
  if (drag?.ghost && event.cancelable) event.preventDefault();
}
main.addEventListener("touchmove", hold, { passive: false });
main.addEventListener("contextmenu", (event) => { if (drag && !drag.mouse) event.preventDefault(); });
main.addEventListener("dragstart", (event) => { if (event.target.closest?.("[data-piece]")) event.preventDefault(); });

document.addEventListener("page:changed", () => {
  if (!drag) return;
  const piece = found(drag.id);
  if (drag.left || !piece) return forget();
  drag.waits = false;
  if (!drag.ghost) return;
  piece.classList.add("lifted");
  if (drag.done) drop();
  else follow();
});
