"""The addresses of the pages."""

from __future__ import annotations

from django.urls import path

from games.views import front, go, health, hooks, invitations, lobby, match, mine, preferences, rest, rules, watch

urlpatterns = [
    path("", front.front, name="front"),
    path("play-now/", front.play_now, name="play_now"),
    path("turns/", mine.dashboard, name="dashboard"),
    path("history/", mine.history, name="history"),
    path("lobby/", lobby.lobby, name="lobby"),
    path("watch/", watch.watch, name="watch"),
    path("new/", lobby.new_match, name="new_match"),
    path("new/<slug:game>/", lobby.new_match, name="new_match_for"),
    path("match/<slug:slug>/", match.match, name="match"),
    path("match/<slug:slug>/version.json", match.version, name="version"),
    path("match/<slug:slug>/at/<int:version>/", match.replay, name="replay"),
    path("match/<slug:slug>/log/", match.log, name="log"),
    path("match/<slug:slug>/unlink/", go.unlink, name="unlink"),
    path("match/<slug:slug>/resign/", match.resign, name="resign"),
    path("match/<slug:slug>/cancel/", lobby.cancel, name="cancel"),
    path("match/<slug:slug>/again/", lobby.again, name="again"),
    path("match/<slug:slug>/sit/", lobby.sit, name="sit"),
    path("match/<slug:slug>/leave/", lobby.leave, name="leave"),
    path("match/<slug:slug>/join/<slug:token>/", invitations.join, name="join"),
    path("match/<slug:slug>/link/", invitations.new_link, name="new_link"),
    path("match/<slug:slug>/link/withdraw/", invitations.withdraw_link, name="withdraw_link"),
    path("match/<slug:slug>/invite/", invitations.invite, name="invite"),
    path("invitation/<int:pk>/accept/", invitations.accept, name="accept"),
    path("invitation/<int:pk>/decline/", invitations.decline, name="decline"),
    path("invitation/<int:pk>/withdraw/", invitations.withdraw, name="withdraw"),
    path("rules/", rules.all_rules, name="all_rules"),
    path("rules/<slug:game>/", rules.rules, name="rules"),
    path("settings/", preferences.settings, name="settings"),
    path("settings/zone/", preferences.zone, name="settings_zone"),
    path("settings/rest/", rest.rest, name="rest"),
    path("settings/rest/holidays/", rest.take_holiday, name="take_holiday"),
    path("settings/rest/holidays/<int:pk>/end/", rest.end_holiday, name="end_holiday"),
    path("settings/links/", go.end_links, name="end_links"),
    path("go/", go.void, name="void"),
    path("go/<str:token>/", go.go, name="go"),
    path("unsubscribe/<str:token>/", hooks.unsubscribe, name="unsubscribe"),
    path("hooks/bounce/", hooks.bounce, name="bounce"),
    path("favicon.ico", front.favicon, name="favicon"),
    path("healthz", health.healthz, name="healthz"),
]
