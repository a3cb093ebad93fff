"""The page of a user's tokens: what there is, a new one, and ending one."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.http import require_POST

from accounts import notes, tokens as kept
from accounts.models import Token, User


class TokenForm(forms.Form):
    """What a new token is for, what it may do, and how long."""

    name = forms.CharField(
        label=_("What it is for"), max_length=40, help_text=_("For example the name of the program that will use it.")
    )
    scopes = forms.MultipleChoiceField(
        label=_("What it may do"),
        choices=[(value, capfirst(label)) for value, label in Token.Scope.choices],
        initial=[Token.Scope.READ, Token.Scope.PLAY],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one.")},
    )
    days = forms.TypedChoiceField(label=_("How long it holds"), coerce=int, initial=kept.DAYS[1])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offered = [(days, gettext("%(days)d days") % {"days": days}) for days in kept.DAYS]
        self.fields["days"].choices = offered  # type: ignore[attr-defined]


@login_required
def tokens(request: HttpRequest) -> HttpResponse:
    """The list and the form; a post makes a token, whose text this answer alone shows."""
    user = request.user
    assert isinstance(user, User)  # noqa: S101 - login_required
    form = TokenForm(request.POST if request.method == "POST" else None)
    made = text = None
    if form.is_valid():
        try:
            made, text = kept.make(user, **form.cleaned_data)
            form = TokenForm()
        except kept.TooManyTokens:
            form.add_error(None, gettext("You have %(most)d tokens. End one of them first.") % {"most": kept.MOST})
    context = {"form": form, "tokens": kept.of(user), "made": made, "text": text, "scopes": dict(Token.Scope.choices)}
    return render(request, "account/tokens.html", context, status=422 if form.is_bound else 200)


@require_POST
@login_required
def end_token(request: HttpRequest, pk: int) -> HttpResponse:
    """Ends a token of the user's own; harmless for any other."""
    user = request.user
    assert isinstance(user, User)  # noqa: S101 - login_required
    if kept.end(user, pk):
        notes.leave(request, _("That token is worth nothing any more."))
    else:
        notes.leave(request, _("That token was ended already."), good=False)
    return redirect("tokens")
