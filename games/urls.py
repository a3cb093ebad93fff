"""The addresses of the pages."""

from __future__ import annotations

from django.urls import path

from games.views import front, health, lobby, match, mine, preferences, rules

urlpatterns = [
    path("", front.front, name="front"),
    path("play-now/", front.play_now, name="play_now"),
    path("turns/", mine.dashboard, name="dashboard"),
    path("history/", mine.history, name="history"),
    path("new/", lobby.new_match, name="new_match"),
    path("new/<slug:game>/", lobby.new_match, name="new_match_for"),
    path("match/<slug:slug>/", match.match, name="match"),
    path("match/<slug:slug>/version.json", match.version, name="version"),
    path("match/<slug:slug>/at/<int:version>/", match.replay, name="replay"),
    path("match/<slug:slug>/log/", match.log, name="log"),
    path("match/<slug:slug>/resign/", match.resign, name="resign"),
    path("match/<slug:slug>/cancel/", lobby.cancel, name="cancel"),
    path("match/<slug:slug>/again/", lobby.again, name="again"),
    path("match/<slug:slug>/join/<slug:token>/", lobby.join, name="join"),
    path("rules/", rules.all_rules, name="all_rules"),
    path("rules/<slug:game>/", rules.rules, name="rules"),
    path("settings/", preferences.settings, name="settings"),
    path("settings/zone/", preferences.zone, name="settings_zone"),
    path("favicon.ico", front.favicon, name="favicon"),
    path("healthz", health.healthz, name="healthz"),
]
