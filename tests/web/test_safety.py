"""Who may do what, over real HTTP; and what other web sites cannot do through us."""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from werkzeug.datastructures import Headers
from werkzeug.exceptions import HTTPException

from companion.errors import BadInput
from companion.rights import REFEREE as REFEREE_HIMSELF
from companion.rights import Role, Who
from tests.web.serving import PLAYER, REFEREE, Browser, Place, served
from web.app import HTTP_CODES
from web.local_user import FORWARDED, NOBODY, is_local_user, users_of
from web.people import DIGITS, MAX_SESSIONS, LoginSource, LoginThrottle, People
from web.safety import HEADERS, MAX_JSON, MAX_PICTURE, is_known_host, known_names
from web.serve import listen

DOING = ("play", "back", "answer", "pause", "hints", "result", "new", "check", "open", "clock", "camera/frame")
REFEREES = ("reopen", "stand", "camera", "settings")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with served(tmp_path_factory.mktemp("data"), "hepta") as found:
        yield found


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Place]:
    with served(tmp_path, "hepta") as found:
        yield found


# --- roles


@pytest.mark.parametrize("path", [*DOING, *REFEREES])
def test_doing_needs_a_pin(path: str, place: Place) -> None:
    told = place.browser(None).post(f"/api/{path}", status=401)
    assert told["error"] == "needs-pin"
    assert "PIN" in told["reason"]


@pytest.mark.parametrize("path", REFEREES)
def test_some_things_are_the_referees(path: str, place: Place) -> None:
    assert place.browser(PLAYER).post(f"/api/{path}", status=403)["error"] == "needs-referee"
    assert place.browser(PLAYER).ask("GET", "/api/cameras")[0] == 403
    assert place.browser(None).ask("GET", "/api/cameras")[0] == 401


def test_each_pin_has_its_role(place: Place) -> None:
    browser = place.browser(None)
    assert browser.get("/api/table")["role"] == "viewer"
    assert browser.post("/api/login", {"pin": PLAYER})["role"] == "player"
    assert browser.get("/api/table")["role"] == "player"
    spaced = f" {REFEREE[:4]} {REFEREE[4:]} "
    assert browser.post("/api/login", {"pin": spaced})["role"] == "referee"
    assert browser.post("/api/logout")["role"] == "viewer"
    assert browser.get("/api/table")["role"] == "viewer"


def test_wrong_pins_make_an_address_wait(fresh: Place) -> None:
    inside, browser = fresh.browser(PLAYER), fresh.browser(None)
    for left in reversed(range(LoginThrottle.FREE)):
        told = browser.post("/api/login", {"pin": "000000"}, status=401)
        assert (told["error"], str(left) in told["reason"]) == ("wrong-pin", True)
    status, told, headers = browser.ask("POST", "/api/login", {"pin": REFEREE})
    assert (status, told["error"]) == (429, "pin-locked")
    assert 0 < int(headers["Retry-After"]) <= LoginThrottle.FIRST
    assert browser.get("/api/table")["role"] == "viewer"
    # who is signed in behind the same router is not locked out, nor who has an invitation
    assert inside.post("/api/login", {"pin": REFEREE})["role"] == "referee"
    word = fresh.server.app.extensions["people"].invite(REFEREE_HIMSELF, 1, 60.0)
    assert browser.post("/api/login", {"invitation": word})["role"] == "referee"


def guess(people: People, address: str, pin: str = "0", source: LoginSource = LoginSource.REMOTE) -> str:
    """What comes of it: a code, or nothing where it was right."""
    try:
        people.sign_in_by_pin(pin, source, address)
    except BadInput as bad:
        return bad.code
    return ""


def test_the_wait_grows_and_is_each_addresss_own() -> None:
    now = [100.0]
    people = People(PLAYER, REFEREE, lambda: now[0])
    for _ in range(LoginThrottle.FREE):
        assert guess(people, "a") == "wrong-pin"
    for n in range(3):
        wait = LoginThrottle.FIRST * 2**n
        assert guess(people, "a", PLAYER) == "pin-locked"
        now[0] += wait - 0.1
        assert guess(people, "a", PLAYER) == "pin-locked"
        assert guess(people, "b", PLAYER) == ""
        now[0] += 0.2
        assert guess(people, "a") == "wrong-pin"
    now[0] += LoginThrottle.LONGEST
    assert guess(people, "a", REFEREE) == ""  # the right one forgives the wrong ones
    assert [guess(people, "a", "é") for _ in range(LoginThrottle.FREE)] == ["wrong-pin"] * LoginThrottle.FREE


def test_changing_addresses_is_no_use() -> None:
    """However many addresses somebody has, both PINs together would take him centuries."""
    now, tried = [0.0], 0
    people = People(PLAYER, REFEREE, lambda: now[0])
    for n in range(20_000):  # hundreds a second
        tried += guess(people, f"10.{n >> 16}.{n >> 8 & 255}.{n & 255}") == "wrong-pin"
        now[0] += 1 / 500
    assert tried <= LoginThrottle.ALL_FREE + 40 / LoginThrottle.ALL_FIRST
    began, day = now[0], 0
    while now[0] < began + 86_400:
        now[0] += 1.0
        day += guess(people, f"10.9.{int(now[0]) >> 8 & 255}.{int(now[0]) & 255}") == "wrong-pin"
    assert day <= 86_400 / LoginThrottle.ALL_LONGEST * 1.1
    years = 9 * 10 ** (DIGITS - 1) / 2 / day / 365
    assert years > 20
    # meanwhile those who are in, or at the machine, are heard
    assert guess(people, "10.0.0.1", REFEREE, LoginSource.SIGNED_IN) == ""
    assert guess(people, "127.0.0.1", REFEREE, LoginSource.LOCAL_USER) == ""
    # and of IPv6 one person has as many addresses as he likes
    other = People(PLAYER, REFEREE, lambda: now[0])
    found = [guess(other, f"2001:db8::{n:x}") for n in range(20)]
    assert found.count("wrong-pin") == LoginThrottle.FREE


def test_pins_are_new_at_every_start() -> None:
    made = [People() for _ in range(20)]
    assert len({pin for people in made for pin in (people.player, people.referee)}) == 40
    assert all(len(people.player) == DIGITS and people.player.isdecimal() for people in made)


# --- the end of a session


def test_a_session_ends_for_good(fresh: Place) -> None:
    """Signing out, a new PIN and the referee each end it at once, whatever the browser still holds."""
    referee, browser = fresh.browser(), fresh.browser(PLAYER)
    held = dict(browser.cookies)
    browser.post("/api/logout")
    browser.cookies = dict(held)
    assert browser.get("/api/table")["role"] == "viewer"
    browser.log_in(PLAYER)
    held = dict(browser.cookies)
    changed = referee.post("/api/people/pin", {"role": "player"})
    assert changed["player"] != PLAYER
    assert browser.get("/api/table")["role"] == "viewer"
    assert referee.get("/api/table")["role"] == "referee"
    assert browser.post("/api/login", {"pin": PLAYER}, status=401)["error"] == "wrong-pin"
    browser.log_in(changed["player"])
    people = referee.get("/api/people")
    assert [(one["role"], one["you"]) for one in people] == [("referee", True), ("player", False)]
    left = referee.post("/api/people/out", {"number": people[1]["number"]})
    assert [one["role"] for one in left] == ["referee"]
    assert browser.post("/api/pause", {"paused": True}, status=401)["error"] == "needs-pin"
    assert referee.post("/api/people/out", {"number": 999}, status=404)["error"] == "no-such-person"


def test_who_signs_in_anew_is_not_two(fresh: Place) -> None:
    browser = fresh.browser(PLAYER, seats=["first"])
    old = dict(browser.cookies)
    browser.log_in()
    former = Browser(fresh.port)
    former.cookies = old
    assert former.get("/api/me")["role"] == "viewer"
    assert browser.get("/api/me") | {"here": False} == {
        "role": "referee",
        "seats": [],
        "free": ["first", "second"],
        "camera": False,
        "here": False,
    }
    browser.post("/api/login", {"pin": "00000000"}, status=401)
    assert browser.get("/api/me")["role"] == "referee"  # a wrong try costs nothing that one has


def test_signing_in_over_and_over_shows_nobody_else_out() -> None:
    now = [0.0]
    people = People(PLAYER, REFEREE, lambda: now[0])
    first = people.sign_in_by_pin(REFEREE, LoginSource.REMOTE, "10.0.0.1")
    other = people.sign_in_by_pin(PLAYER, LoginSource.REMOTE, "10.0.0.2")
    found = people.find(other)
    assert found
    people.sit(found, frozenset({"red"}))
    for n in range(MAX_SESSIONS + 50):
        now[0] += 1
        people.sign_in_by_pin(PLAYER, LoginSource.REMOTE, "10.0.0.2" if n % 2 else "10.0.0.3")
    assert len(people.all_people()) == MAX_SESSIONS
    assert people.find(first)
    assert people.find(other)


def test_a_clock_that_is_set_back_signs_nobody_out(fresh: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = fresh.browser()
    wall = time.time
    for jump in (-30.0, -86_400.0, 31 * 86_400.0):
        monkeypatch.setattr(time, "time", lambda jump=jump: wall() + jump)
        assert browser.get("/api/table")["role"] == "referee"


# --- at the companion's own machine


def test_here_no_pin_is_needed_unless_the_machine_is_shared(tmp_path: Path) -> None:
    with served(tmp_path, "hepta", shared_machine="no") as place:
        browser = place.browser(None)
        assert browser.get("/api/table")["role"] == "viewer"
        assert browser.get("/api/me")["here"]
        browser.ask("GET", "/")
        assert browser.get("/api/table")["role"] == "referee"
        assert browser.post("/api/logout")["role"] == "viewer"
        browser.ask("GET", "/")  # who wants to look on looks on
        assert browser.get("/api/table")["role"] == "viewer"
        assert browser.post("/api/login")["role"] == "referee"
        # what a proxy passes on, and what another site asks, does not come from here
        for name in (*FORWARDED, "Sec-Fetch-Site"):
            other = place.browser(None)
            told = {name: "cross-site" if name == "Sec-Fetch-Site" else "1.2.3.4"}
            assert not other.ask("GET", "/api/me", headers=told)[1]["here"], name
            other.ask("GET", "/", headers=told)
            assert other.get("/api/table")["role"] == "viewer", name
    with served(tmp_path / "others", "hepta", shared_machine="yes") as place:
        browser = place.browser(None)
        browser.ask("GET", "/")
        assert browser.get("/api/me") == {
            "role": "viewer",
            "seats": [],
            "free": ["first", "second"],
            "camera": False,
            "here": False,
        }
        assert browser.post("/api/login", status=401)["error"] == "needs-pin"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells whose a connection is")
def test_another_user_with_the_same_port_at_another_address_is_not_here(tmp_path: Path) -> None:
    """This machine has 16 million addresses: somebody else may come from the port that our browser has."""
    lines = [
        f" {n}: {address}:C350 0100007F:1F40 01 00000000:00000000 00:00000000 00000000 {user} 0 1 1"
        for n, (address, user) in enumerate((("0100007F", 1000), ("0500007F", 1001)))
    ]
    for order in (lines, lines[::-1]):
        (tmp_path / "tcp").write_text("\n".join(["  sl  local_address", *order, ""]))
        assert users_of(0xC350, 8000, tmp_path) == {1000, 1001}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells whose a connection is")
def test_another_user_of_this_machine_is_not_here() -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        with socket.create_connection(listening.getsockname()) as asking:
            ports = asking.getsockname()[1], listening.getsockname()[1]
            assert users_of(*ports) == {os.getuid()}
        assert users_of(1, ports[1]) == {NOBODY}
        assert not is_local_user(Headers(), "127.0.0.1", 1, ports[1])
        assert not is_local_user(Headers(), "192.168.0.9", *ports)


# --- invitations


def test_an_invitation_is_good_for_so_many_and_so_long() -> None:
    now = [0.0]
    people = People(PLAYER, REFEREE, lambda: now[0])
    word = people.invite(Who(Role.PLAYER, frozenset({"red"})), 2, 60.0)
    assert len(word) >= 32
    first = people.find(people.sign_in_by_invitation(word, "a"))
    second = people.find(people.sign_in_by_invitation(word, "b"))
    assert first is not None
    assert second is not None
    assert (first.who.seats, second.who.seats) == ({"red"}, frozenset())  # the seat is taken by then
    for _ in range(2):
        with pytest.raises(BadInput, match="no-invitation"):
            people.sign_in_by_invitation(word, "c")
    late = people.invite(Who(Role.PLAYER), 1, 60.0)
    now[0] += 61.0
    with pytest.raises(BadInput, match="no-invitation"):
        people.sign_in_by_invitation(late, "d")


def test_a_phone_comes_in_by_a_code(tmp_path: Path) -> None:
    with served(tmp_path, "hepta", address="0.0.0.0") as place:
        told = place.browser().post("/api/invite", {"role": "camera"})
        assert told["code"].startswith("<svg")
        address, _, word = told["address"].partition("/join#")
        assert not address.startswith("http://127.0.0.1")
        phone = place.browser(None)
        me = phone.post("/api/login", {"invitation": word})
        assert (me["role"], me["camera"]) == ("viewer", True)
        assert phone.post("/api/login", {"invitation": word}, status=401)["error"] == "no-invitation"
    with served(tmp_path / "alone", "hepta") as place:
        assert place.browser().post("/api/invite", {}, status=409)["error"] == "only-this-machine"
        assert place.browser(PLAYER).post("/api/invite", {}, status=403)["error"] == "needs-referee"


# --- cookies


def test_the_cookie_is_for_us_alone(place: Place) -> None:
    browser = place.browser(PLAYER)
    parts = {part.strip() for part in browser.set_cookie.split(";")}
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= parts
    assert list(browser.cookies) == [f"companion_{place.port}"]


def test_a_forged_cookie_is_worth_nothing(place: Place) -> None:
    browser = place.browser(PLAYER)
    (name, value), *_ = browser.cookies.items()
    for forged in (value[:-3] + "xyz", value + "=", "", "out", "referee", PLAYER):
        browser.cookies[name] = forged
        assert browser.get("/api/table")["role"] == "viewer"


# --- other sites


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.nip.io", "", "[", "192.168.0.9"]
)
def test_a_foreign_host_is_refused(host: str, place: Place) -> None:
    """A name that somebody made point here (DNS rebinding) shows him nothing."""
    for path in ("/api/table", "/api/events", "/static/none", "/"):
        with socket.create_connection(("127.0.0.1", place.port), timeout=10) as asking:
            asking.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
            assert asking.recv(12) in (b"HTTP/1.1 403", b"HTTP/1.1 400")


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1", "[::1]:8000"])
def test_our_own_names_are_known(host: str, place: Place) -> None:
    assert place.browser(None).ask("GET", "/api/table", headers={"Host": host})[0] == 200


def test_names_in_the_network() -> None:
    names = known_names("0.0.0.0")
    for name in ("192.168.0.9:8000", "[fe80::1]", socket.gethostname(), "localhost"):
        assert is_known_host(name, names, "0.0.0.0"), name
    for name in ("evil.example", "1.2.3.4.evil.example", ""):
        assert not is_known_host(name, names, "0.0.0.0"), name


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1", "http://localhost"]
)
def test_another_sites_page_can_do_nothing(origin: str, place: Place) -> None:
    browser = place.browser(PLAYER)
    status, told, _ = browser.ask("POST", "/api/play", {"moves": ["#a1"]}, {"Origin": origin})
    assert (status, told["error"]) == (403, "wrong-origin")
    assert browser.ask("POST", "/api/login", {"pin": PLAYER}, {"Origin": origin})[0] == 403
    assert browser.get("/api/table")["moves"] == []


def test_our_own_page_can(place: Place) -> None:
    browser = place.browser(PLAYER)
    own = {"Origin": f"http://127.0.0.1:{place.port}", "Sec-Fetch-Site": "same-origin"}
    assert browser.ask("POST", "/api/pause", {"paused": True}, own)[0] == 200
    assert browser.ask("POST", "/api/pause", {"paused": False}, {"Sec-Fetch-Site": "cross-site"})[0] == 403
    assert browser.ask("POST", "/api/pause", {"paused": False}, {"Sec-Fetch-Site": "same-site"})[0] == 403
    assert browser.ask("POST", "/api/pause", {"paused": False}, own)[0] == 200


def test_no_answer_is_for_other_sites(place: Place) -> None:
    headers = place.browser(None).ask("GET", "/api/table", headers={"Origin": "http://evil.example"})[2]
    assert not [name for name in headers if name.lower().startswith("access-control")]
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


# --- headers


@pytest.mark.parametrize("path", ["/api/table", "/api/none", "/none", "/api/events", "/static/none.js"])
def test_every_answer_has_the_headers(path: str, place: Place) -> None:
    viewer = socket.create_connection(("127.0.0.1", place.port), timeout=10)
    viewer.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    head = b""
    while b"\r\n\r\n" not in head:
        head += viewer.recv(4096)
    viewer.close()
    for name, value in HEADERS.items():
        assert f"{name}: {value}".encode() in head
    policy = HEADERS["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")


# --- what is sent


def test_bodies_are_limited_in_size_and_kind(place: Place) -> None:
    browser = place.browser(PLAYER)
    for path, kind, most in (
        ("/api/play", "application/json", MAX_JSON),
        ("/api/camera/frame", "image/jpeg", MAX_PICTURE),
    ):
        status, told, _ = browser.ask("POST", path, b"x" * (most + 1), {"Content-Type": kind})
        assert (status, told["error"]) == (413, "body-too-large")
        for other in (
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "image/png",
            "",
        ):
            status, told, _ = browser.ask("POST", path, b"{}", {"Content-Type": other})
            assert status == 415, (path, other)
    for body in (
        b"{",
        b"[]",
        b'"x"',
        b"\xff\xfe",
        b"[" * 40_000,
        b'{"moves": NaN}',
        b'{"moves": [' + b"[" * 40 + b"]" * 40 + b"]}",
    ):
        assert browser.ask("POST", "/api/play", body, {"Content-Type": "application/json"})[0] == 400, body[:20]


def test_a_body_without_a_length_is_limited_too(place: Place) -> None:
    cookie = "; ".join(f"{name}={value}" for name, value in place.browser(PLAYER).cookies.items())
    with socket.create_connection(("127.0.0.1", place.port), timeout=10) as sending:
        head = f"POST /api/play HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\nContent-Type: application/json\r\n"
        sending.sendall(head.encode() + b"Transfer-Encoding: chunked\r\n\r\n")
        chunk = b"8000\r\n" + b" " * 0x8000 + b"\r\n"
        try:
            for _ in range(3 * MAX_JSON // 0x8000):
                sending.sendall(chunk)
            sending.sendall(b"0\r\n\r\n")
        except OSError:
            return  # it hung up on us, as it may
        assert sending.recv(12) == b"HTTP/1.1 413"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/play", 405),
        ("PUT", "/api/table", 405),
        ("DELETE", "/api/games/1", 405),
        ("GET", "/api/../etc/passwd", 404),
        ("GET", "/static/../app.py", 404),
        ("GET", "/static/%2e%2e/app.py", 404),
        ("GET", "/api/games/x", 404),
        ("GET", "/api/games/99", 404),
        ("GET", "/api/pictures/9.jpg", 404),
    ],
)
def test_what_is_not_there(method: str, path: str, status: int, place: Place) -> None:
    found, told, _ = place.browser().ask(method, path, b"" if method != "GET" else None)
    assert found == status, told
    if path.startswith("/api/"):
        assert set(told) - {"field"} == {"error", "reason"}


def test_what_the_server_refuses_by_itself_has_words_of_its_own(place: Place) -> None:
    """Not those for a body that is no JSON."""
    browser = place.browser(None)
    status, told, _ = browser.ask("GET", "/static/style.css", headers={"Range": "bytes=9999999-"})
    assert (status, told.decode().strip()) == (416, "the file has no such part")
    app = place.server.app
    said = set()
    with app.test_request_context("/api/x", base_url="http://localhost"):
        for code in (*HTTP_CODES, 402, 410, 507):
            answer, status = app.handle_http_exception(exception_for(code))
            told = answer.get_json()
            assert (status, "JSON" in told["reason"]) == (code, False), told
            said.add(told["reason"])
    assert len(said) == len(HTTP_CODES)


def exception_for(code: int) -> HTTPException:
    found = HTTPException()
    found.code = code
    return found


def test_errors_speak_the_readers_language(place: Place) -> None:
    browser = Browser(place.port)
    english = browser.ask("GET", "/api/none", headers={"Accept-Language": "de, en;q=0.5"})[1]["reason"]
    french = browser.ask("GET", "/api/none", headers={"Accept-Language": "fr-CA, en;q=0.5"})[1]["reason"]
    assert english != french
    assert browser.ask("GET", "/api/none?lang=fr")[1]["reason"] == french
    browser.cookies["lang"] = "fr"
    assert browser.ask("GET", "/api/none")[1]["reason"] == french


# --- where it listens


def test_a_port_in_use_is_said(place: Place) -> None:
    with pytest.raises(BadInput, match="port-in-use"):
        listen("127.0.0.1", place.port)
    with pytest.raises(BadInput, match="no-such-address"):
        listen("no.such.address.invalid", 0)
    with pytest.raises(BadInput, match="no-such-address"):
        listen("192.0.2.77", 0)


def test_only_this_machine_is_listened_to(place: Place) -> None:
    with pytest.raises(ConnectionRefusedError), socket.create_connection(("127.0.0.2", place.port), timeout=2):
        pass
