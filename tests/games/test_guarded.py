"""The client for addresses that users give: nothing inside is reached, by whatever way it is named."""

from __future__ import annotations

import datetime
import socket
import ssl
import time
from contextlib import contextmanager
from functools import partial
from threading import Event, Thread

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from games.delivery import guarded
from games.delivery.guarded import Inside, NoAnswer
from tests.pushing import PATIENCE, PushService, push_service

pytestmark = pytest.mark.any_database


@pytest.fixture
def service():
    """A push service on this machine."""
    with push_service() as found:
        yield found


@pytest.fixture
def loopback(settings):
    """This machine may be asked, as in tests only."""
    settings.PUSH_ALLOW_LOOPBACK = True


@pytest.fixture
def no_network(monkeypatch):
    """Fails the test if a connection is made."""

    def connect(*_arguments: object) -> None:
        raise AssertionError("a connection was made")

    monkeypatch.setattr(socket.socket, "connect", connect)


MALFORMED = [
    "",
    "push.example.org/x",
    "//push.example.org/x",
    "http://push.example.org/x",
    "ftp://push.example.org/x",
    "file:///etc/passwd",
    "gopher://push.example.org/x",
    "https:///x",
    "https://",
    "https://push.example.org:80/x",
    "https://push.example.org:8443/x",
    "https://push.example.org:0/x",
    "https://push.example.org:99999/x",
    "https://push.example.org:x/x",
    "https://me@push.example.org/x",
    "https://me:secret@push.example.org/x",
    "https://push.example.org@127.0.0.1/x",
    "https://push.example.org\\@127.0.0.1/x",
    "https://127.0.0.1\\.push.example.org/x",
    "https://push.example.org /x",
    "https://push.example.org/x\r\nHost: inside",
    "https://push.example.org/x y",
    "https://push.example.org/x\0",
    "https://push.example.org/ä",
    "https://ⓛocalhost/x",
    "https://127。0。0。1/x",
    "https://[fe80::1%25eth0]/x",
    "https://127.0.0.1%2f.example.org/x",
    "https://[::1/x",
    "https://push.example.org/" + "x" * 1000,
]


@pytest.mark.parametrize("url", MALFORMED)
def test_addresses_that_are_no_push_service_are_not_even_looked_up(monkeypatch, url):
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: pytest.fail("it was looked up"))
    with pytest.raises(Inside):
        guarded.post(url, b"", {})


INSIDE = [
    "127.0.0.1",
    "127.1.2.3",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "192.0.0.1",
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "fe80::1",
    "fc00::1",
    "fd12:3456::1",
    "fec0::1",
    "ff02::1",
    "2001:db8::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::7f00:1",
    "2002:7f00:1::1",
    "2001:0:7f00:1::1",
]


@pytest.mark.parametrize("address", INSIDE)
def test_no_address_inside_is_reached(no_network, address):
    assert not guarded.is_public(address)
    host = f"[{address}]" if ":" in address else address
    with pytest.raises(Inside):
        guarded.post(f"https://{host}/x", b"", {})


@pytest.mark.parametrize(
    "host", ["2130706433", "0x7f000001", "0x7f.1", "017700000001", "127.1", "0", "localhost", "LOCALHOST."]
)
def test_other_ways_to_write_this_machine_lead_nowhere_either(no_network, host):
    with pytest.raises((Inside, NoAnswer)):
        guarded.post(f"https://{host}/x", b"", {})


@pytest.mark.parametrize("address", ["1.1.1.1", "2606:4700:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"])
def test_addresses_of_the_internet_are_public(address):
    assert guarded.is_public(address)


class Names:
    """A resolver that says something else every time, as one does that belongs to who attacks."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers, self.asked = list(answers), 0

    def __call__(self, host: str, port: int, **_more: object) -> list[object]:
        self.asked += 1
        found = self.answers.pop(0)
        return [
            (socket.AF_INET6, socket.SOCK_STREAM, 6, "", (one, port, 0, 0))
            if ":" in one
            else (socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port))
            for one in found
        ]


@pytest.mark.parametrize(
    "addresses", [["10.0.0.1"], ["1.1.1.1", "10.0.0.1"], ["::ffff:127.0.0.1"], ["2606:4700:4700::1111", "::1"]]
)
def test_a_name_that_leads_inside_is_not_followed(monkeypatch, no_network, addresses):
    monkeypatch.setattr(socket, "getaddrinfo", Names(addresses))
    with pytest.raises(Inside):
        guarded.post("https://push.example.org/x", b"", {})


def test_the_connection_goes_to_the_address_that_was_looked_at(monkeypatch):
    names = Names(["1.1.1.1"], ["127.0.0.1"])
    reached: list[object] = []

    def connect(_wire: socket.socket, address: object) -> None:
        reached.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", names)
    monkeypatch.setattr(socket.socket, "connect", connect)
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    with pytest.raises(NoAnswer):
        guarded.post("https://push.example.org/x", b"", {})
    assert reached == [("1.1.1.1", 443)]
    assert names.asked == 1


def test_what_is_posted_arrives(loopback, service):
    answer = guarded.post(service.endpoint("/one?a=b"), b"body", {"TTL": "5"})
    assert answer.status == 201
    (got,) = service.received
    assert (got.path, got.body, got.headers["ttl"]) == ("/one?a=b", b"body", "5")
    assert got.headers["host"] == f"127.0.0.1:{service.port}"


def test_with_loopback_allowed_only_this_machine_is(loopback, no_network):
    for address in INSIDE:
        if address not in ("127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"):
            host = f"[{address}]" if ":" in address else address
            with pytest.raises(Inside):
                guarded.post(f"http://{host}/x", b"", {})


@pytest.mark.parametrize("where", ["http://127.0.0.1:{port}/inside", "/inside", "https://10.0.0.1/"])
def test_a_redirection_is_not_followed(loopback, service, where):
    service.answers["/one"] = (307, {"Location": where.format(port=service.port)})
    assert guarded.post(service.endpoint(), b"", {}).status == 307
    assert [got.path for got in service.received] == ["/one"]


def drip(service, handler) -> None:
    """An answer of which a byte comes now and then."""
    end = time.monotonic() + PATIENCE
    try:
        handler.wfile.write(b"HTTP/1.1 201 Created\r\nX-Long: ")
        while time.monotonic() < end and not service.ended.wait(0.05):
            handler.wfile.write(b"x")
    except OSError:
        return


def pour(handler) -> None:
    """An answer with more in its headers than anybody has to say."""
    handler.send_response(201)
    handler.send_header("X-Long", "x" * 60_000)
    handler.end_headers()


@pytest.mark.parametrize("answer", [drip, PushService.silent])
def test_who_is_slow_is_not_waited_for(monkeypatch, loopback, service, answer):
    monkeypatch.setattr(guarded, "SECONDS", 0.5)
    service.answers["/one"] = partial(answer, service)
    begun = time.monotonic()
    with pytest.raises(NoAnswer):
        guarded.post(service.endpoint(), b"", {})
    assert time.monotonic() - begun < PATIENCE / 3


def test_an_answer_that_is_too_long_is_cut_off(loopback, service):
    service.answers["/one"] = pour
    with pytest.raises(NoAnswer):
        guarded.post(service.endpoint(), b"", {})


def test_no_more_of_a_body_than_a_little_is_read(loopback, service):
    def long(handler) -> None:
        handler.send_response(400)
        handler.send_header("Content-Length", str(10**9))
        handler.end_headers()
        handler.wfile.write(b"x" * 4000)

    service.answers["/one"] = long
    answer = guarded.post(service.endpoint(), b"", {})
    assert (answer.status, len(answer.body)) == (400, guarded.KEPT)


def test_a_resolver_that_is_slow_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(guarded, "SECONDS", 0.2)
    ended = Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: ended.wait(PATIENCE))
    begun = time.monotonic()
    try:
        with pytest.raises(NoAnswer):
            guarded.post("https://push.example.org/x", b"", {})
    finally:
        ended.set()
    assert time.monotonic() - begun < PATIENCE / 3


@pytest.mark.parametrize("noise", [b"", b"\0\xff\n\n", b"HTTP/1.1 999999 x\r\n\r\n", b"SSH-2.0-x\r\n"])
def test_what_is_no_answer_is_none(loopback, service, noise):
    service.answers["/one"] = lambda handler: handler.wfile.write(noise)
    with pytest.raises(NoAnswer):
        guarded.post(service.endpoint(), b"", {})


@contextmanager
def secure(tmp_path, name: str):
    """A server with a certificate for this name; its port, the certificate, and the names that it was asked for."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    today = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(today - datetime.timedelta(days=1))
        .not_valid_after(today + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, SHA256())
    )
    pem = made.public_bytes(Encoding.PEM)
    file = tmp_path / "server.pem"
    file.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()) + pem)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    asked: list[object] = []
    context.sni_callback = lambda _wire, host, _context: asked.append(host)
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        try:
            wire = context.wrap_socket(listening.accept()[0], server_side=True)
        except OSError:
            return
        with wire:
            asked.append(wire.recv(4000))
            wire.sendall(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")

    thread = Thread(target=serve, daemon=True)
    thread.start()
    yield listening.getsockname()[1], pem.decode(), asked
    listening.close()
    thread.join(5)


@pytest.mark.parametrize("name", ["push.example.org", "other.example.org"])
def test_the_certificate_is_held_to_the_name_and_not_to_the_address(monkeypatch, loopback, tmp_path, name):
    with secure(tmp_path, name) as (port, certificate, asked):
        monkeypatch.setattr(socket, "getaddrinfo", Names(["127.0.0.1"]))
        monkeypatch.setattr(guarded, "_context", lambda: ssl.create_default_context(cadata=certificate))
        url = f"https://push.example.org:{port}/x"
        if name == "push.example.org":
            assert guarded.post(url, b"", {}).status == 201
            assert f"Host: push.example.org:{port}".encode() in asked[1]
        else:
            with pytest.raises(NoAnswer):
                guarded.post(url, b"", {})
        assert asked[0] == "push.example.org"
