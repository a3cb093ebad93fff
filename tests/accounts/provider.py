"""A small OpenID Connect provider: as much as a login needs, and whatever should go wrong."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT, SECRET, KEY_ID = "na-tahu", "a secret of theirs", "key-1"
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)


class Provider(ThreadingHTTPServer):
    """Knows one person, ``claims``; ``wrong`` are claims of the token that differ from what is right."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.claims: dict[str, Any] = {"sub": "42", "email": "zdenka@example.org", "email_verified": True}
        self.wrong: dict[str, Any] = {}
        self.info: dict[str, Any] = {}
        self.signed_by: Any = KEY
        self.algorithm = "RS256"
        self.without_token = False
        self.asked: dict[str, dict[str, str]] = {}

    @property
    def url(self) -> str:
        """The issuer."""
        return f"http://127.0.0.1:{self.server_port}"

    def authorize(self, address: str) -> str:
        """The person agrees on the page at the address; the query with which the browser is sent back."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        code = secrets.token_urlsafe(8)
        self.asked[code] = asked
        return urlencode({"code": code, "state": asked["state"]})

    def token(self, form: dict[str, str]) -> dict[str, Any]:
        """The answer to a code, which is good once; raises KeyError for any other."""
        asked = self.asked.pop(form["code"])
        challenge = base64.urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest()).rstrip(b"=")
        assert challenge.decode() == asked["code_challenge"]
        assert (form["client_id"], form["client_secret"]) == (CLIENT, SECRET)
        now = int(time.time())
        claims = {"iss": self.url, "aud": CLIENT, "iat": now, "exp": now + 60, "nonce": asked["nonce"], **self.claims}
        claims = {name: value for name, value in (claims | self.wrong).items() if value is not None}
        token = jwt.encode(claims, self.signed_by, algorithm=self.algorithm, headers={"kid": KEY_ID})
        answer = {"access_token": "of no use", "token_type": "bearer", "id_token": token}
        return {name: value for name, value in answer.items() if not (self.without_token and name == "id_token")}


class Handler(BaseHTTPRequestHandler):
    """The provider's addresses."""

    server: Provider

    def do_GET(self) -> None:
        """What is public, and who the person is."""
        public = jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key(), as_dict=True)
        url = self.server.url
        answers = {
            "/.well-known/openid-configuration": {
                "issuer": url,
                "authorization_endpoint": f"{url}/authorize",
                "token_endpoint": f"{url}/token",
                "userinfo_endpoint": f"{url}/userinfo",
                "jwks_uri": f"{url}/keys",
                "token_endpoint_auth_methods_supported": ["client_secret_post"],
            },
            "/keys": {"keys": [{**public, "kid": KEY_ID, "alg": "RS256", "use": "sig"}]},
            "/userinfo": {**self.server.claims, **self.server.info},
        }
        self._say(answers.get(self.path))

    def do_POST(self) -> None:
        """A token for a code."""
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        try:
            self._say(self.server.token({name: values[0] for name, values in parse_qs(body).items()}))
        except KeyError:
            self._say({"error": "invalid_grant"}, 400)

    def _say(self, value: Any, status: int = 200) -> None:
        body = json.dumps(value or {}).encode()
        self.send_response(status if value else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        """Says nothing."""


@contextmanager
def running() -> Iterator[Provider]:
    """A provider on a free port."""
    with Provider() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield server
        server.shutdown()
        thread.join(10)


def configured(server: Provider) -> dict[str, Any]:
    """The setting that makes the provider known."""
    from django.conf import settings

    given = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]
    app = {"provider_id": "club", "name": "The Club", "client_id": CLIENT, "secret": SECRET}
    return {"openid_connect": {**given, "APPS": [{**app, "settings": {"server_url": server.url}}]}}
