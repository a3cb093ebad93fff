"""A page as a plain client reads it: its links and forms, from the HTML alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from html.parser import HTMLParser
from random import Random
from urllib.parse import parse_qs, urljoin, urlsplit


@dataclass
class Form:
    """A form with the fields it would send as it stands."""

    action: str
    method: str
    fields: dict[str, str] = field(default_factory=dict)
    buttons: list[str] = field(default_factory=list)
    enabled: bool = False


@dataclass
class Link:
    """A link with its text, its classes, and those of the list item it stands in."""

    href: str
    text: str = ""
    classes: str = ""
    around: str = ""

    @property
    def leads_on(self) -> bool:
        """Whether the page says that a turn can still be completed behind this step or card."""
        return "good" in self.classes.split() if "target" in self.classes.split() else "dim" not in self.around.split()


class Page(HTMLParser):
    """The links, forms and text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[Link] = []
        self.forms: list[Form] = []
        self.refresh = False
        self.text = ""
        self._link: Link | None = None
        self._form: Form | None = None
        self._item = ""
        self._select = ""
        self._button = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes links, forms and their fields."""
        facts = {name: value or "" for name, value in attrs}
        if tag == "a" and "href" in facts:
            self._link = Link(facts["href"], classes=facts.get("class", ""), around=self._item)
            self.links.append(self._link)
        elif tag == "li":
            self._item = facts.get("class", "")
        elif tag == "form":
            self._form = Form(facts.get("action", ""), facts.get("method", "get").lower())
            self.forms.append(self._form)
        elif tag == "meta" and facts.get("http-equiv") == "refresh":
            self.refresh = True
        elif self._form is not None:
            self._field(tag, facts)

    def _field(self, tag: str, facts: dict[str, str]) -> None:
        assert self._form is not None
        kind, name = facts.get("type", "text"), facts.get("name", "")
        if tag == "button" and "disabled" not in facts:
            self._form.enabled = True
            self._button = True
        elif tag == "input" and name:
            if kind not in ("checkbox", "radio") or "checked" in facts:
                self._form.fields[name] = facts.get("value", "on" if kind == "checkbox" else "")
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select and ("selected" in facts or self._select not in self._form.fields):
            self._form.fields[self._select] = facts.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        """Closes what is open."""
        if tag == "a":
            self._link = None
        elif tag == "li":
            self._item = ""
        elif tag == "form":
            self._form = None
        elif tag == "select":
            self._select = ""
        elif tag == "button":
            self._button = False

    def handle_data(self, data: str) -> None:
        """Gathers text."""
        self.text += data + " "
        if self._link is not None:
            self._link.text += data
        if self._button and self._form is not None:
            self._form.buttons.append(data.strip())

    def form(self, **having: str) -> Form:
        """The only form with such an action or field."""
        found = [form for form in self.forms if all(self._has(form, *item) for item in having.items())]
        assert len(found) == 1, f"{len(found)} forms with {having}: {self.forms}"
        return found[0]

    @staticmethod
    def _has(form: Form, what: str, value: str) -> bool:
        return value in form.fields if what == "field" else form.action == value


def chosen_turn(fetch: Callable[[str], Page], url: str, chance: Random, most: int = 400) -> Form | None:
    """The form that submits a whole turn, found by following the page's own links; None if no turn is asked for.

    Goes in random order through the plans of which the page says that they
    lead on, until one may be confirmed; gives up the round only if none can.
    """
    page = fetch(url)
    if not any("steps" in form.fields for form in page.forms):
        return None
    frontier, visited, give_up = [url], set(), ""
    while frontier:
        page = fetch(frontier.pop())
        ready = [form for form in page.forms if "steps" in form.fields and form.enabled]
        if ready and "PASS" not in ready[0].fields["steps"]:
            return ready[0]
        plans = [link for link in page.links if link.leads_on and "v" in parse_qs(urlsplit(link.href).query)]
        offers = [urljoin(url, link.href) for link in plans]
        offers = [offer for offer in dict.fromkeys(offers) if offer not in visited]
        chance.shuffle(offers)
        for offer in offers:
            visited.add(offer)
            if "PASS" in offer:
                give_up = offer
            elif len(visited) < most:
                frontier.append(offer)
    return fetch(give_up).form(field="steps")
