"""Web push on paper: messages that only the browser can read (RFC 8291), signed by the site's own key (RFC 8292).

Both are a few calls of ``cryptography`` and ``jwt``, which are there for logging in elsewhere.
"""

from __future__ import annotations

import os
import struct
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import lru_cache
from urllib.parse import urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings

RECORD = 4096
"""The size of a record; a message is one record, and push services take no more."""

LASTS = 12 * 3600
"""Seconds for which a signature holds; push services allow a day."""


class BadKey(ValueError):
    """A key or secret is not of the right form."""


def encode(raw: bytes) -> str:
    """base64url without padding, as everything here is written."""
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    """The bytes of a base64url text, with padding or without. Raises BadKey."""
    try:
        return urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))
    except ValueError:
        raise BadKey from None


def subscription_keys(p256dh: str, auth: str) -> tuple[ec.EllipticCurvePublicKey, bytes]:
    """The browser's key and secret, read and looked at. Raises BadKey."""
    secret = decode(auth)
    if len(secret) != 16:
        raise BadKey
    try:
        return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(p256dh)), secret
    except ValueError:
        raise BadKey from None


def encrypt(
    plain: bytes, p256dh: str, auth: str, *, salt: bytes | None = None, key: ec.EllipticCurvePrivateKey | None = None
) -> bytes:
    """The body of a push; ``salt`` and ``key`` are made anew for every message. Raises BadKey."""
    browser, secret = subscription_keys(p256dh, auth)
    salt, key = salt or os.urandom(16), key or ec.generate_private_key(ec.SECP256R1())
    own = _raw(key.public_key())
    shared = key.exchange(ec.ECDH(), browser)
    material = _derived(secret, shared, b"WebPush: info\0" + _raw(browser) + own, 32)
    content_key = _derived(salt, material, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(salt, material, b"Content-Encoding: nonce\0", 12)
    sealed = AESGCM(content_key).encrypt(nonce, plain + b"\x02", None)
    return salt + struct.pack("!IB", RECORD, len(own)) + own + sealed


def _derived(salt: bytes, material: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(material)


def _raw(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def new_key() -> str:
    """A new private key, as VAPID_PRIVATE_KEY takes it."""
    return encode(ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value.to_bytes(32))


@lru_cache(maxsize=4)
def _private(text: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(decode(text)), ec.SECP256R1())


def public_key(private: str = "") -> str:
    """What browsers need to subscribe; "" while the site has no key. ``private`` is for another key than the site's."""
    private = private or settings.VAPID_PRIVATE_KEY
    return encode(_raw(_private(private).public_key())) if private else ""


def authorization(endpoint: str) -> str:
    """The header by which a push service knows the site again."""
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(time.time()) + LASTS,
        "sub": settings.VAPID_SUBJECT,
    }
    token = jwt.encode(claims, _private(settings.VAPID_PRIVATE_KEY), algorithm="ES256")
    return f"vapid t={token}, k={public_key()}"
