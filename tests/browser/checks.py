"""What a page is asked in the browser: is it accessible, can a thumb meet its targets, can its pieces be told apart."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).parent / "vendor" / "axe-4.14.1.min.js"
"""Deque's axe-core as npm has it (MPL-2.0, which allows copies with its notice; LICENSE beside it)."""

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

ASK_AXE = """async (tags) => {
  for (const closed of document.querySelectorAll("details")) closed.open = true;
  const { violations } = await axe.run({ runOnly: { type: "tag", values: tags }, resultTypes: ["violations"] });
  const why = ({ any, all, none }) => [...any, ...all, ...none].map(({ message }) => message).join("; ");
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `axe ${id}: ${node.target.join(" ")}: ${why(node)}`));
}"""

SMALL = """() => {
  // A link within a sentence is as high as its line; a row whose link covers it is met anywhere.
  const inText = (one) => getComputedStyle(one).display === "inline"
    && [...one.parentNode.childNodes].some((near) => near !== one && near.nodeType === 3 && near.data.trim());
  const met = (one) => {
    const covers = getComputedStyle(one, "::after").position === "absolute" && one.matches(".main-link");
    return (covers ? one.closest(".row") : one.closest("label")) ?? one;
  };
  return [...document.querySelectorAll("a[href], button, select, textarea, summary, input:not([type=hidden])")]
    .filter((one) => one.checkVisibility() && !one.matches(".skip") && !inText(one))
    .map((one) => [one, met(one).getBoundingClientRect()])
    .filter(([, box]) => box.width && (box.height < 43.5 || box.width < 43.5))
    .map(([one, box]) => `${Math.round(box.width)} x ${Math.round(box.height)}: ${one.outerHTML.slice(0, 120)}`);
}"""


def axe_faults(page: Page) -> list[str]:
    """What axe finds on a page with everything unfolded; the page was opened with ``AXE`` as a script."""
    faults: list[str] = page.evaluate(ASK_AXE, RULES)
    return faults


def small_targets(page: Page) -> list[str]:
    """What can be clicked on the page and is less than 44 px wide or high, with its size."""
    faults: list[str] = page.evaluate(SMALL)
    return faults
