"""HTTPS with a certificate of the hall's own: a table speaks with the hall whose fingerprint its key carries, and with
no other."""

from __future__ import annotations

import http.client
import json
import ssl
from pathlib import Path
from typing import Any

from companion.commands.hall import _fingerprint
from companion.hall.keys import FINGERPRINT_LENGTH, Key, read_key
from tests.hall.halls import ARBITER, Hall, served_hall, table_at, wait_until
from web.certificate import certificate


def ask(hall: Hall, method: str, path: str, body: Any = None, cookie: str = "") -> tuple[Any, str]:
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    connection = http.client.HTTPSConnection("127.0.0.1", hall.port, timeout=30, context=trusting)
    sent = None if body is None else json.dumps(body)
    connection.request(method, path, sent, {"Content-Type": "application/json", "Cookie": cookie})
    answer = connection.getresponse()
    told = json.loads(answer.read())
    assert answer.status == 200, told
    return told, (answer.getheader("Set-Cookie") or "").partition(";")[0]


def test_a_table_speaks_with_its_own_hall_only(tmp_path: Path) -> None:
    made = certificate(tmp_path / "certificate")
    fingerprint = _fingerprint(made)
    with served_hall(str(tmp_path / "hall.sqlite"), certificate=made) as hall:
        _, cookie = ask(hall, "POST", "/api/login", {"pin": ARBITER})
        shown, _ = ask(hall, "POST", "/api/tables", {"name": "Table 1"}, cookie)
        assert shown["line"] == f"companion run --hall https://127.0.0.1:{hall.port} --key {shown['key']}"
        assert ask(hall, "GET", "/api/hall", cookie=cookie)[0]["fingerprint"] == fingerprint
        key = read_key(shown["key"])
        assert key
        assert key.fingerprint == fingerprint[:FINGERPRINT_LENGTH]
        other = Key(
            key.place,
            key.secret,
            fingerprint[: FINGERPRINT_LENGTH - 1] + ("0" if fingerprint[FINGERPRINT_LENGTH - 1] != "0" else "1"),
        )
        unpinned = Key(key.place, key.secret)  # a certificate that nobody vouches for
        for wrong in (other, unpinned):
            with table_at(tmp_path / "t", hall.url, wrong) as host:
                tried: list[object] = []
                try:
                    host.hall._send()  # type: ignore[union-attr]
                except OSError as error:
                    tried.append(error)
                assert isinstance(tried[0], ssl.SSLError)
                assert not host.hall.shown().reached  # type: ignore[union-attr]
        assert hall.desk.tables.live == {}
        with table_at(tmp_path / "t", hall.url, key) as host:
            wait_until(lambda: host.hall.shown().reached, "the hall")  # type: ignore[union-attr]
            ask(hall, "POST", "/api/hints", {"locked": True}, cookie)
            done = lambda: host.store.events(kinds=["command"])  # noqa: E731
            wait_until(done, "the wake-up", patience=8)  # sooner than the next sign of life
