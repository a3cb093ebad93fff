"""The addresses of the API. None ends in a slash, so that none leads to another."""

from __future__ import annotations

from django.urls import path

from games.api import (
    games,
    histories,
    invitations,
    lobby,
    matches,
    moves,
    notices,
    people,
    rankings,
    settings,
    together,
)

app_name = "api"

MATCH = "matches/<slug:slug>"
PLAYER = "players/<slug:name>"

urlpatterns = [
    path("games", games.AllGames.as_view(), name="games"),
    path("games/<slug:game>", games.GameOf.as_view(), name="game"),
    path("games/<slug:game>/statistics", games.StatisticsOf.as_view(), name="statistics"),
    path("lobby", lobby.Lobby.as_view(), name="lobby"),
    path("lobby/find", lobby.Find.as_view(), name="find"),
    path("watch", lobby.Watch.as_view(), name="watch"),
    path("matches", matches.Matches.as_view(), name="matches"),
    path(MATCH, matches.MatchOf.as_view(), name="match"),
    path(f"{MATCH}/observation", moves.ObservationOf.as_view(), name="observation"),
    path(f"{MATCH}/log", moves.LogOf.as_view(), name="log"),
    path(f"{MATCH}/preview", moves.PreviewOf.as_view(), name="preview"),
    path(f"{MATCH}/moves", moves.MovesOf.as_view(), name="moves"),
    path(f"{MATCH}/join", matches.Join.as_view(), name="join"),
    path(f"{MATCH}/leave", matches.Leave.as_view(), name="leave"),
    path(f"{MATCH}/resign", matches.Resign.as_view(), name="resign"),
    path(f"{MATCH}/call-off", matches.CallOff.as_view(), name="call_off"),
    path(f"{MATCH}/again", matches.Again.as_view(), name="again"),
    path(f"{MATCH}/return", matches.ComeBack.as_view(), name="come_back"),
    path(f"{MATCH}/seats/<int:number>/take", matches.TakeOver.as_view(), name="take_over"),
    path(f"{MATCH}/table", together.TableOf.as_view(), name="table"),
    path(f"{MATCH}/propose", together.Propose.as_view(), name="propose"),
    path(f"{MATCH}/agree", together.Agree.as_view(), name="agree"),
    path(f"{MATCH}/decline", together.Decline.as_view(), name="decline_proposal"),
    path(f"{MATCH}/withdraw", together.Withdraw.as_view(), name="withdraw_proposal"),
    path(f"{MATCH}/resume", together.Resume.as_view(), name="resume"),
    path(f"{MATCH}/give-time", together.GiveTime.as_view(), name="give_time"),
    path(f"{MATCH}/nudge", together.NudgeMover.as_view(), name="nudge"),
    path(f"{MATCH}/wishes", together.WishesOf.as_view(), name="wishes"),
    path(f"{MATCH}/notices", together.NoticesOf.as_view(), name="match_notices"),
    path(f"{MATCH}/star", together.StarOf.as_view(), name="star"),
    path(f"{MATCH}/invitations", invitations.InvitationsOf.as_view(), name="invitations"),
    path(f"{MATCH}/link", invitations.LinkOf.as_view(), name="link"),
    path("invitations/<int:pk>/accept", invitations.Accept.as_view(), name="accept"),
    path("invitations/<int:pk>/decline", invitations.Decline.as_view(), name="decline"),
    path("invitations/<int:pk>/withdraw", invitations.Withdraw.as_view(), name="withdraw"),
    path("me", notices.MeHere.as_view(), name="me"),
    path("me/matches", lobby.MyMatches.as_view(), name="my_matches"),
    path("me/invitations", invitations.MyInvitations.as_view(), name="my_invitations"),
    path("me/history", histories.MyHistory.as_view(), name="my_history"),
    path("me/history/export", histories.Export.as_view(), name="export"),
    path("me/following", people.Following.as_view(), name="following"),
    path("me/notices", notices.Notices.as_view(), name="notices"),
    path("me/notices/seen", notices.SeenNotices.as_view(), name="seen"),
    path("me/notices/deliveries", notices.Deliveries.as_view(), name="deliveries"),
    path("me/notices/choices", settings.MyNoticeChoices.as_view(), name="notice_choices"),
    path("me/preferences", settings.MyPreferences.as_view(), name="preferences"),
    path("me/rest", settings.MyRest.as_view(), name="rest"),
    path("me/holidays", settings.MyHolidays.as_view(), name="holidays"),
    path("me/holidays/<int:pk>", settings.HolidayOf.as_view(), name="holiday"),
    path("rankings", rankings.AllRankings.as_view(), name="rankings"),
    path("rankings/<slug:family>", rankings.RankingOf.as_view(), name="ranking"),
    path(PLAYER, people.ProfileOf.as_view(), name="profile"),
    path(f"{PLAYER}/history", histories.HistoryOf.as_view(), name="history"),
    path(f"{PLAYER}/ratings/<slug:family>", people.RatingOf.as_view(), name="rating"),
    path(f"{PLAYER}/with/<slug:other>", people.HeadToHeadOf.as_view(), name="head_to_head"),
    path(f"{PLAYER}/follow", people.FollowOf.as_view(), name="follow"),
]
