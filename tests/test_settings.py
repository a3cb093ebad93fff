"""What a production environment must have, and what it then gets."""

from __future__ import annotations

import runpy

import pytest
from django.core.exceptions import ImproperlyConfigured

from tests.pushing import KEY
from tests.serving import ROOT
from tools import testing


@pytest.mark.parametrize("left_out", ["NA_TAHU_SECRET_KEY", "ALLOWED_HOSTS", "SITE_URL", "DATABASE_URL", "REDIS_URL"])
def test_production_does_not_start_without_what_it_needs(monkeypatch, left_out):
    for name, value in testing.PRODUCTION.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv(left_out)
    with pytest.raises(ImproperlyConfigured, match=f"needs {left_out} in the environment"):
        runpy.run_path(str(ROOT / "config" / "settings.py"))


def test_production_is_strict(monkeypatch):
    for name, value in testing.PRODUCTION.items():
        monkeypatch.setenv(name, value)
    strict = runpy.run_path(str(ROOT / "config" / "settings.py"))
    assert strict["ALLOWED_HOSTS"] == ["play.example.org"]
    assert strict["SESSION_COOKIE_NAME"] == "__Host-session"
    assert strict["SESSION_COOKIE_SECURE"]
    assert strict["SECURE_SSL_REDIRECT"]
    assert strict["CELERY_BROKER_URL"] == testing.PRODUCTION["REDIS_URL"]


@pytest.mark.parametrize(
    ("name", "value"), [("DEBUG", "1"), ("FAIL_AT", "before_commit"), ("PUSH_ALLOW_LOOPBACK", "1")]
)
def test_production_refuses_what_only_serves_development(monkeypatch, name, value):
    for known, given in testing.PRODUCTION.items():
        monkeypatch.setenv(known, given)
    monkeypatch.setenv(name, value)
    with pytest.raises(ImproperlyConfigured, match=name):
        runpy.run_path(str(ROOT / "config" / "settings.py"))


def test_a_key_for_pushes_is_looked_at(monkeypatch):
    monkeypatch.setenv("VAPID_PRIVATE_KEY", "not-a-key")
    with pytest.raises(ImproperlyConfigured, match=r"manage\.py vapid"):
        runpy.run_path(str(ROOT / "config" / "settings.py"))
    monkeypatch.setenv("VAPID_PRIVATE_KEY", f" {KEY}\n")
    assert runpy.run_path(str(ROOT / "config" / "settings.py"))["VAPID_PRIVATE_KEY"] == KEY
