"""What lies in Redis is JSON, and what limits keep there survives."""

from __future__ import annotations

import pickle
import runpy
import time

import pytest
from django.core.cache.backends.redis import RedisCache

from config.plain_cache import JSONSerializer
from tests.serving import ROOT, Redis
from tools import testing


@pytest.mark.parametrize("value", [0, 7, True, False, None, "text", [1764466262.5, 3.25], {"a": ["ž"]}, 2.0])
def test_values_survive(value):
    stored = JSONSerializer().dumps(value)
    found = JSONSerializer().loads(str(stored).encode())
    assert (found, type(found)) == (value, type(value))


def test_what_could_run_code_is_not_read():
    with pytest.raises(ValueError, match=r".*"):
        JSONSerializer().loads(pickle.dumps({"a": 1}))


def test_production_uses_it(monkeypatch):
    for name, value in testing.PRODUCTION.items():
        monkeypatch.setenv(name, value)
    caches = runpy.run_path(str(ROOT / "config" / "settings.py"))["CACHES"]
    assert caches["default"]["OPTIONS"]["serializer"] == "config.plain_cache.JSONSerializer"


def test_counters_and_histories_live_in_redis(tmp_path):
    redis = Redis(tmp_path)
    try:
        cache = RedisCache(redis.url, {"OPTIONS": {"serializer": "config.plain_cache.JSONSerializer"}})
        cache.add("count", 0, timeout=60)
        assert cache.incr("count") == 1
        moments = [time.time(), time.time() - 1]
        cache.set("history", moments, 3600)
        assert cache.get("history", []) == moments
        assert cache.add("history:lock", True, timeout=10)
        assert not cache.add("history:lock", True, timeout=10)
    finally:
        redis.stop()
