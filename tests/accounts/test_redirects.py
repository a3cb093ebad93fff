"""Where forms lead: to a path of this site, whatever the address says."""

from __future__ import annotations

from urllib.parse import parse_qs, quote, urlsplit

import pytest

from accounts.adapter import AccountAdapter
from tests.accounts import provider as providers
from tests.accounts.people import PASSWORD, account, code, log_in, sign_up
from tests.client import Client

EVIL = [
    "//evil.example",
    "///evil.example",
    "////evil.example/x",
    "/\\evil.example",
    "\\\\evil.example",
    "\\/evil.example",
    "/\\/evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "\t//evil.example",
    " //evil.example",
    "\x0b//evil.example",
    "//evil.example\\@testserver/",
    "//testserver@evil.example/",
    "//testserver:80@evil.example/",
    "//testserver.evil.example/",
    "//evil.example#testserver",
    "http://evil.example",
    "https://evil.example/turns/",
    "HTTP://EVIL.EXAMPLE",
    "https:evil.example",
    "https:/evil.example",
    "https:///evil.example",
    "http:\\\\evil.example",
    "http://testserver@evil.example",
    "http://testserver.evil.example/",
    "http://testserver\\.evil.example/",
    "http://testserver/turns/",
    "http://localhost/turns/",
    "ftp://testserver/",
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "java\nscript:alert(1)",
    " javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "evil.example",
    "turns/",
    "?next=//evil.example",
    "#//evil.example",
    "/\u2215/evil.example",
    "\uff0f\uff0fevil.example",
    "/%0d%0aLocation:%20http://evil.example\r\nX: y",
    "/" + "x" * 2000,
    "//[::1]/",
    "//[evil.example",
    "/\u202egnp.evil",
]

GOOD = ["/new/red/", "/match/abc/?v=8&plan=P:R7", "/turns/#open", "/rules/%2f%2fevil.example"]


@pytest.mark.parametrize("url", EVIL)
def test_o24_only_paths_of_this_site_are_safe(url):
    assert not AccountAdapter().is_safe_url(url)


@pytest.mark.parametrize("url", GOOD)
def test_o24_paths_of_this_site_are(url):
    assert AccountAdapter().is_safe_url(url)


def followed(answer) -> None:
    """The answer leads nowhere but to a path of this site, and hands nothing else on either."""
    where = answer["Location"]
    assert where.startswith("/"), where
    assert not where.startswith(("//", "/\\")), where
    assert "evil" not in urlsplit(where).path
    assert where.isascii()


@pytest.fixture
def ada(db, settings):
    """A person with an account, and no limits for so many attempts."""
    settings.ACCOUNT_RATE_LIMITS = False
    return account("ada")


@pytest.mark.parametrize("url", EVIL)
def test_o24_no_view_leads_away_before_or_after_a_login(ada, url):
    query = "?next=" + quote(url, safe="")
    visitor = Client()
    followed(visitor.get("/account/logout/" + query))
    followed(visitor.post("/account/logout/" + query))
    assert "evil.example" not in (visitor.get("/account/login/" + query).headers.get("Location") or "")
    answer = log_in(visitor, "ada", query=query)
    followed(answer)
    assert answer["Location"] == "/turns/"
    for path in ("login", "signup", "login/code"):
        answer = visitor.get(f"/account/{path}/{query}")
        followed(answer)
        assert answer["Location"] == "/turns/"
    assert visitor.post(f"/account/again/{query}", {"password": PASSWORD})["Location"] == "/turns/"
    assert visitor.post("/account/logout/" + query)["Location"] == "/"


@pytest.mark.parametrize("url", [*EVIL[:12:3], *EVIL[17:30:4], *EVIL[-4:]])
def test_o24_no_journey_by_code_leads_away(ada, url):
    query = "?next=" + quote(url, safe="")
    visitor = Client()
    answer = visitor.post("/account/login/code/" + query, {"email": ada.email})
    followed(answer)
    assert visitor.post(answer["Location"], {"code": code()})["Location"] == "/turns/"
    visitor = Client()
    answer = visitor.post("/account/signup/" + query, {"username": "eva", "email": "eva@example.org"})
    followed(answer)
    answer = visitor.post(answer["Location"], {"action": "verify", "code": code()})
    assert answer["Location"] == "/turns/"
    visitor = Client()
    answer = visitor.post("/account/reset/" + query, {"email": ada.email})
    followed(answer)
    answer = visitor.post(answer["Location"], {"code": code()})
    followed(answer)
    answer = visitor.post(answer["Location"], {"password1": PASSWORD + "!", "password2": PASSWORD + "!"})
    assert answer["Location"] in ("/turns/", "/account/reset/done/")


@pytest.mark.parametrize("url", EVIL[::5])
def test_o24_no_journey_by_a_provider_leads_away(db, settings, url):
    query = "?next=" + quote(url, safe="")
    with providers.running() as club:
        settings.SOCIALACCOUNT_PROVIDERS = providers.configured(club)
        settings.ROOT_URLCONF = "tests.accounts.with_provider"
        for process in ("login", "redirect"):
            visitor = Client()
            begun = visitor.post(f"/account/with/club/{query}&process={process}")
            asked = parse_qs(urlsplit(begun["Location"]).query)
            assert asked["redirect_uri"] == ["http://testserver/account/with/club/back/"]
            answer = visitor.get(f"/account/with/club/back/?{club.authorize(begun['Location'])}")
            followed(answer)
            if process == "login":
                chosen = visitor.post("/account/with/", {"username": "zdenka", "email": "zdenka@example.org"})
                assert chosen["Location"] == "/turns/"


@pytest.mark.parametrize("url", GOOD)
def test_o24_what_is_ours_is_followed(ada, url):
    assert log_in(Client(), "ada", query="?next=" + quote(url, safe=""))["Location"] == url
    visitor = Client()
    sign_up(visitor, "eva")
    entered = visitor.post(f"/account/verify/?next={quote(url, safe='')}", {"action": "verify", "code": code()})
    assert entered["Location"] == url
