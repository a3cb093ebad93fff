"""The forms of bots by API."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts import names
from games import registry
from games.services.api_bots import Facts


class BotForm(forms.Form):
    """What is told of a bot."""

    about = forms.CharField(
        label=_("What it is"), max_length=200, required=False, help_text=_("One sentence for who thinks of playing it.")
    )
    games = forms.MultipleChoiceField(
        label=_("Which games it plays"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one.")},
    )
    everybody = forms.BooleanField(
        label=_("Everybody may challenge it"),
        required=False,
        help_text=_("It then stands in the list of bots. Otherwise you alone play with it."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offered = [(slug, title.name) for slug, title in registry.all_titles().items()]
        self.fields["games"].choices = offered  # type: ignore[attr-defined]

    def facts(self) -> Facts:
        """What a valid form says."""
        values = self.cleaned_data
        return Facts(about=values["about"], games=values["games"], everybody=values["everybody"])


class NewBotForm(BotForm):
    """A new bot, which has a name besides."""

    name = forms.CharField(
        label=_("Name"),
        max_length=names.LONGEST,
        validators=[names.check],
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false", "autocomplete": "off"}),
        help_text=_("Letters (a to z), digits, - and _. It is shown with “Bot” before it, and cannot be changed."),
    )

    field_order = ("name", "about", "games", "everybody")
