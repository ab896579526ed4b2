"""WLED over the network: a stand-in that speaks mDNS, JSON and DDP as WLED's documentation says, on this machine."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from zeroconf import ServiceInfo, Zeroconf

from companion.leds import wled
from companion.leds.link import LedSettings, Link
from companion.leds.picture import Light
from companion.leds.ports import CannotOpen
from companion.leds.wiring import parse_wiring
from companion.leds.wled import WledBoard, packets
from tests.leds.board import until

LOOPBACK = ["127.0.0.1"]
Rgb = tuple[int, ...]


class StandIn:
    """A strip of LEDs behind WLED."""

    def __init__(self, count: int = 72) -> None:
        self.leds: list[Rgb] = [(0, 0, 0)] * count
        self.shown: list[list[Rgb]] = []
        self._buffer = bytearray(3 * count)
        info = {"ver": "0.15.0", "name": "Kitchen", "leds": {"count": count, "maxpwr": 850, "pwr": 120}}
        info |= {"wifi": {"signal": 78, "rssi": -61}, "live": False}

        class Page(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = json.dumps(info).encode()
                self.send_response(200 if self.path == "/json/info" else 404)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *words: object) -> None:
                pass

        self._web = HTTPServer(("127.0.0.1", 0), Page)
        self._ddp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._ddp.bind(("127.0.0.1", 0))
        self.port, self.ddp = self._web.server_address[1], self._ddp.getsockname()[1]
        for work in (self._web.serve_forever, self._listen):
            threading.Thread(target=work, daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                packet = self._ddp.recv(2048)
            except OSError:
                return
            flags, _, kind, display, offset, length = struct.unpack_from(">BBBBIH", packet)
            if flags & 0xC0 != 0x40 or kind != 0x0B or display != 1 or len(packet) != 10 + length:
                continue
            self._buffer[offset : offset + length] = packet[10:]
            if flags & 1:
                self.leds = [tuple(self._buffer[at : at + 3]) for at in range(0, len(self._buffer), 3)]
                self.shown.append(self.leds)

    def close(self) -> None:
        self._web.shutdown()
        self._web.server_close()
        self._ddp.close()


@pytest.fixture
def there(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    stand_in = StandIn()
    monkeypatch.setattr(wled, "DDP", stand_in.ddp)
    monkeypatch.setattr(WledBoard.__init__, "__defaults__", (stand_in.ddp,))
    yield stand_in
    stand_in.close()


def test_it_is_found_by_mdns_and_lit(there: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    told = ServiceInfo(
        wled.SERVICE,
        f"Kitchen.{wled.SERVICE}",
        there.port,
        addresses=[socket.inet_aton("127.0.0.1")],
        server="k.local.",
    )
    with Zeroconf(interfaces=LOOPBACK) as network:
        network.register_service(told)
        (found,) = [one for one in wled.find(interfaces=LOOPBACK) if one.name == "Kitchen"]
        assert found.address == f"127.0.0.1:{there.port}"
    monkeypatch.setattr(wled, "find", lambda: [found])
    link = Link(LedSettings("wled:", brightness=1.0, limit=2000))
    try:
        layout = parse_wiring("9x8")
        link.show({(2, 0): Light((255, 0, 9)), (0, 1): Light((0, 0, 255))}, layout)
        until(lambda: link.state.ready)
        assert link.state.name == "Kitchen (WLED 0.15.0)"
        until(lambda: there.leds[2] == (255, 0, 9) and there.leds[9] == (0, 0, 255))
        assert sum(any(led) for led in there.leds) == 2
        before = len(there.shown)
        until(lambda: len(there.shown) > before + 1)  # again and again, or it goes back to its own play
    finally:
        link.close()
    assert not any(map(any, there.leds))


def test_one_that_goes_away_is_looked_for_again(there: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wled, "INFO_INTERVAL", 0.1)
    link = Link(LedSettings(f"wled:127.0.0.1:{there.port}"))
    try:
        until(lambda: link.state.ready)
        there.close()
        until(lambda: link.state.code in ("leds.lost", "leds.no-wled"))
    finally:
        link.close()


@pytest.mark.parametrize("address", ["wled:127.0.0.1:1", "wled:nowhere.invalid"])
def test_none_there_is_said(address: str) -> None:
    with pytest.raises(CannotOpen, match=r"leds\.no-wled"):
        WledBoard(address).open(lambda: False)


def test_several_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wled, "find", lambda: [wled.Wled("a", "10.0.0.1:80"), wled.Wled("b", "10.0.0.2:80")])
    with pytest.raises(CannotOpen) as why:
        WledBoard("wled:").open(lambda: False)
    assert why.value.params["choices"] == "wled:10.0.0.1:80 (a), wled:10.0.0.2:80 (b)"


def test_a_long_strip_takes_several_packets() -> None:
    many = packets(((1, 2, 3, 0),) * 1000, 0, 1)
    assert [(one[0], struct.unpack_from(">I", one, 4)[0], len(one)) for one in many] == [
        (0x40, 0, 1450),
        (0x40, 1440, 1450),
        (0x41, 2880, 130),
    ]
