"""The addresses of the API. None ends in a slash, so that none leads to another."""

from __future__ import annotations

from django.urls import path

from games.api import matches, moves

app_name = "api"

urlpatterns = [
    path("matches", matches.Matches.as_view(), name="matches"),
    path("matches/<slug:slug>", matches.MatchOf.as_view(), name="match"),
    path("matches/<slug:slug>/observation", moves.ObservationOf.as_view(), name="observation"),
    path("matches/<slug:slug>/log", moves.LogOf.as_view(), name="log"),
    path("matches/<slug:slug>/preview", moves.PreviewOf.as_view(), name="preview"),
    path("matches/<slug:slug>/moves", moves.MovesOf.as_view(), name="moves"),
    path("matches/<slug:slug>/join", matches.Join.as_view(), name="join"),
    path("matches/<slug:slug>/leave", matches.Leave.as_view(), name="leave"),
    path("matches/<slug:slug>/resign", matches.Resign.as_view(), name="resign"),
    path("matches/<slug:slug>/call-off", matches.CallOff.as_view(), name="call_off"),
    path("matches/<slug:slug>/again", matches.Again.as_view(), name="again"),
    path("matches/<slug:slug>/return", matches.ComeBack.as_view(), name="come_back"),
    path("matches/<slug:slug>/seats/<int:number>/take", matches.TakeOver.as_view(), name="take_over"),
]
