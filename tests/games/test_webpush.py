"""Pushes on paper: what is written can be read by the browser it is for, and by nobody else."""

from __future__ import annotations

import time

import jwt
import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from django.core.management import call_command

from games.delivery import webpush
from tests.pushing import KEY, Browser

pytestmark = pytest.mark.any_database

# RFC 8291, appendix A.
PLAIN = b"When I grow up, I want to be a watermelon"
P256DH = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
BROWSER = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
SEALED = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
    "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def private(text: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(webpush.decode(text)), ec.SECP256R1())


def test_the_example_of_the_standard_comes_out_to_the_byte():
    sealed = webpush.encrypt(PLAIN, P256DH, AUTH, salt=webpush.decode(SALT), key=private(KEY))
    assert webpush.encode(sealed) == SEALED
    assert Browser(private(BROWSER), webpush.decode(AUTH)).read(sealed) == PLAIN


def test_only_the_browser_it_is_for_can_read_it():
    browser, other = Browser(), Browser()
    plain = "Your turn: ď, 赤".encode() * 40
    sealed = webpush.encrypt(plain, **browser.keys)
    assert browser.read(sealed) == plain
    assert webpush.encrypt(plain, **browser.keys) != sealed
    with pytest.raises(InvalidTag):
        other.read(sealed)
    with pytest.raises(InvalidTag):
        browser.read(sealed[:-1] + bytes([sealed[-1] ^ 1]))


@pytest.mark.parametrize(
    "change",
    [
        {"p256dh": ""},
        {"p256dh": "ä"},
        {"p256dh": P256DH[:-2]},
        {"p256dh": "B" + "A" * 86},  # no point of the curve
        {"p256dh": "A" * 87},
        {"auth": ""},
        {"auth": AUTH[:-3]},
        {"auth": AUTH + "AAAA"},
    ],
)
def test_keys_that_no_browser_makes_are_refused(change):
    with pytest.raises(webpush.BadKey):
        webpush.encrypt(PLAIN, **({"p256dh": P256DH, "auth": AUTH} | change))


def test_the_signature_is_for_one_push_service_and_does_not_last(settings):
    settings.VAPID_PRIVATE_KEY, settings.VAPID_SUBJECT = KEY, "https://play.example.org"
    header = webpush.authorization("https://push.example.org:443/send/abc?x=1")
    scheme, _space, rest = header.partition(" ")
    values = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert scheme == "vapid"
    assert values["k"] == webpush.public_key()
    key = private(KEY).public_key()
    claims = jwt.decode(values["t"], key, algorithms=["ES256"], audience="https://push.example.org:443")
    assert claims["sub"] == "https://play.example.org"
    with pytest.raises(jwt.InvalidSignatureError):
        jwt.decode(values["t"], Browser().key.public_key(), algorithms=["ES256"], audience=claims["aud"])
    assert claims["exp"] - time.time() <= 24 * 3600


def test_the_command_prints_a_pair_that_belongs_together(capsys):
    pairs = []
    for _time in range(2):
        call_command("vapid")
        line, comment = capsys.readouterr().out.splitlines()
        key = line.removeprefix("VAPID_PRIVATE_KEY=")
        assert comment == f"# public key: {webpush.public_key(key)}"
        pairs.append(key)
    assert pairs[0] != pairs[1]
    assert all(len(key) == 43 for key in pairs)
