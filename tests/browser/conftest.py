"""A real browser on the real site: ``manage.py serve`` in a process of its own."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.serving import Server, needed

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)


expect.set_options(timeout=45_000)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    """Debian's chromium."""
    return {**browser_type_launch_args, "executable_path": needed("chromium"), "args": list(FLAGS)}


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The site with its demo data, running."""
    server = Server(tmp_path_factory.mktemp("site") / "var")
    server.manage("seed")
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def base_url(site):
    """Where the site is."""
    return site.url


@pytest.fixture(autouse=True)
def _no_errors(request):
    """A page that complains on the console, breaks our CSP or asks somebody else for a file fails the test."""
    if "page" not in request.fixturenames:
        yield
        return
    page = request.getfixturevalue("page")
    own = request.getfixturevalue("site").url
    errors: list[str] = []
    marker = request.node.get_closest_marker("statuses")
    allowed = {str(status) for status in marker.args} if marker else set()

    def complains(message):
        expected = any(f"status of {status}" in message.text for status in allowed)
        if message.type in ("error", "warning") and not expected:
            errors.append(message.text)

    page.on("console", complains)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda sent: None if sent.url.startswith((own, "data:")) else errors.append(sent.url))
    yield
    assert errors == []
