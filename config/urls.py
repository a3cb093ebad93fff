"""Every address of the site."""

from django.urls import include, path

urlpatterns = [
    path("", include("games.urls")),
    path("", include("accounts.urls")),
    path("api/v1/", include("games.api.urls")),
]

handler400 = "games.views.errors.bad_request"
handler403 = "games.views.errors.forbidden"
handler404 = "games.views.errors.not_found"
handler429 = "accounts.doors.too_many"  # asked for by allauth's limits
handler500 = "games.views.errors.server_error"
