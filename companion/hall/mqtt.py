"""Publishes the state of the tables to an MQTT broker, for displays and home automation.

All messages are retained, a last will marks the hall as offline, and Home Assistant discovers the tables by itself.
The hall only publishes and never subscribes: a broker that is killed may lose messages that it has acknowledged.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from companion.errors import BadInput
from companion.hall.desk import Desk
from companion.hall.live import LiveTable

TOPIC = "board-companion"
DISCOVERY_PREFIX = "homeassistant"
INTERVAL = 1.0  # seconds between checks for changes


class MqttPublisher:
    def __init__(self, desk: Desk, url: str, last_seen: Mapping[int, float]) -> None:
        """BadInput if the address is malformed or paho is not installed. A broker that is offline is retried."""
        parts = urlsplit(url)
        if parts.scheme not in ("mqtt", "mqtts") or not parts.hostname:
            raise BadInput("--mqtt", "hall-no-broker", address=url)
        try:
            from paho.mqtt.client import Client
            from paho.mqtt.enums import CallbackAPIVersion
        except ImportError:
            raise BadInput("--mqtt", "hall-no-mqtt") from None
        self._desk, self._last_seen = desk, last_seen
        self._published: dict[str, str] = {}
        self._stopping = threading.Event()
        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.will_set(f"{TOPIC}/status", "offline", qos=1, retain=True)
        self._client.on_connect = self._on_connected
        if parts.username:
            self._client.username_pw_set(parts.username, parts.password)
        if parts.scheme == "mqtts":
            self._client.tls_set()
        self._client.connect_async(parts.hostname, parts.port or (8883 if parts.scheme == "mqtts" else 1883))
        self._thread = threading.Thread(target=self._run, name="presence", daemon=True)

    def __enter__(self) -> MqttPublisher:
        self._client.loop_start()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._thread.join()
        self._client.publish(f"{TOPIC}/status", "offline", qos=1, retain=True)
        self._client.disconnect()
        self._client.loop_stop()

    def _on_connected(self, *_: Any) -> None:
        self._published = {}  # the broker may have restarted without its retained messages
        self._client.publish(f"{TOPIC}/status", "online", qos=1, retain=True)

    def _run(self) -> None:
        while not self._stopping.wait(INTERVAL):
            if self._client.is_connected():
                for place in list(self._desk.state.places.values()):
                    self._publish(
                        f"{DISCOVERY_PREFIX}/sensor/{TOPIC}-{place.id}/config", self._discovery(place.id, place.name)
                    )
                    live = self._desk.tables.live.get(place.id)
                    self._publish(f"{TOPIC}/tables/{place.id}", self._state(place.name, place.id, live))

    def _publish(self, topic: str, payload: Mapping[str, Any]) -> None:
        text = json.dumps(payload, ensure_ascii=False)
        if self._published.get(topic) != text:
            self._published[topic] = text
            self._client.publish(topic, text, qos=1, retain=True)

    def _state(self, name: str, place: int, live: LiveTable | None) -> dict[str, Any]:
        trouble = live.trouble(self._last_seen.get(place, 0)) if live else ["offline"]
        about = live.record.get("about") if live else None
        return {
            "name": name,
            "state": trouble[0] if trouble else "over" if live and live.outcome else "playing",
            "game": live.record.get("game") if live else None,
            "moves": len(live.positions) - 1 if live and live.positions else 0,
            "players": about.get("players", []) if isinstance(about, dict) else [],
        }

    def _discovery(self, place: int, name: str) -> dict[str, Any]:
        """The payload of Home Assistant's MQTT discovery for a sensor."""
        topic = f"{TOPIC}/tables/{place}"
        return {
            "name": name,
            "unique_id": f"{TOPIC}-{place}",
            "state_topic": topic,
            "value_template": "{{ value_json.state }}",
            "json_attributes_topic": topic,
            "availability_topic": f"{TOPIC}/status",
            "device": {"identifiers": [TOPIC], "name": self._desk.state.name, "manufacturer": "Board Companion"},
        }
