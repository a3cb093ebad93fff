"""Forms about whom one plays with: whom a match of the lobby is for, which tables to show, and what to be found for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext, gettext_lazy as _

from games.services import wanted
from games.services.matching import SEATS, Search
from games.titles import Title

FREE = "for-free"
"""The class of fields that matter only while a seat is free; "for-lobby" stands for those of matches in the lobby."""

Paces = dict[str, tuple[int | None, tuple[int, int, int] | None]]


def shares(none: Any) -> list[tuple[str, Any]]:
    """The shares of matches finished that can be asked for, as choices."""
    return [("", none), *((str(share), gettext("at least %(share)d %%") % {"share": share}) for share in wanted.SHARES)]


class WantedFields(forms.Form):
    """Whom a match that is shown in the lobby is for; it holds for nobody who is invited."""

    rating_from = forms.IntegerField(
        label=_("From the lobby: rating at least"),
        required=False,
        min_value=wanted.LOWEST,
        max_value=wanted.HIGHEST,
        help_text=_("In points of this game. A player without a rating counts as 1500."),
    )
    rating_to = forms.IntegerField(
        label=_("From the lobby: rating at most"),
        required=False,
        min_value=wanted.LOWEST,
        max_value=wanted.HIGHEST,
    )
    finish_share = forms.TypedChoiceField(
        label=_("From the lobby: share of matches finished"), coerce=int, empty_value=None, required=False
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["finish_share"].choices = shares(gettext("any"))  # type: ignore[attr-defined]
        for name in WantedFields.base_fields:
            self.fields[name].shown = f"{FREE} for-lobby"  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Checks that the range is one."""
        values = super().clean() or {}
        low, high = values.get("rating_from"), values.get("rating_to")
        if low is not None and high is not None and low > high:
            self.add_error("rating_to", _("The highest rating is below the lowest."))
        return values

    def wanted(self) -> dict[str, Any]:
        """What a valid form asks of others, as fields of a Proposal."""
        return {name: self.cleaned_data[name] for name in ("rating_from", "rating_to", "finish_share")}


class FindForm(forms.Form):
    """What somebody wants to be found an opponent for."""

    kind = forms.ChoiceField(label=_("Game"), widget=forms.RadioSelect)
    days = forms.ChoiceField(label=_("Time"), initial="2")
    rated = forms.BooleanField(label=_("Rated"), required=False, initial=True)

    def __init__(
        self,
        titles: Iterable[Title],
        paces: Paces,
        offered: list[tuple[str, str]],
        data: QueryDict | None = None,
        *,
        guest: bool,
        game: str = "",
    ) -> None:
        super().__init__(data)
        self.paces = paces
        families = [
            (f"{title.slug}:{family}", gettext(label))
            for title in titles
            if SEATS in title.game.seat_counts
            for family, label in title.families.items()
        ]
        self.fields["kind"].choices = families  # type: ignore[attr-defined]
        self.fields["kind"].initial = next((kind for kind, _label in families if kind.startswith(f"{game}:")), "")
        self.fields["days"].choices = offered  # type: ignore[attr-defined]
        if guest:
            del self.fields["rated"]

    def search(self) -> Search:
        """What a valid form asks for."""
        game, _colon, family = self.cleaned_data["kind"].partition(":")
        days, bank = self.paces[self.cleaned_data["days"]]
        return Search(game, family, days, bank, bool(self.cleaned_data.get("rated")))
