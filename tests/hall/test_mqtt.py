"""Signs of life through a real mosquitto: online, retained, found by Home Assistant, gone by its last will."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from companion.hall.mqtt import MqttPublisher
from tests.hall.halls import broker, free_port, served_hall, wait_until


def started(folder: Path, port: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(broker(folder, port), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def test_tables_are_told_of_and_a_killed_broker_is_told_anew(tmp_path: Path) -> None:
    port = free_port()
    running = started(tmp_path, port)
    heard: dict[str, str] = {}

    def hear(client: Client, data: Any, message: Any) -> None:
        heard[message.topic] = message.payload.decode()

    ear = Client(CallbackAPIVersion.VERSION2)
    ear.on_message = hear
    ear.on_connect = lambda client, *_: client.subscribe("#")
    ear.reconnect_delay_set(1, 1)
    ear.connect_async("127.0.0.1", port)
    ear.loop_start()
    try:
        with served_hall(str(tmp_path / "hall.sqlite")) as hall:
            key = hall.desk.add_table("Anne", "Table 1")
            with MqttPublisher(hall.desk, f"mqtt://127.0.0.1:{port}", {}):
                topic, config = (
                    f"board-companion/tables/{key.place}",
                    f"homeassistant/sensor/board-companion-{key.place}/config",
                )
                wait_until(lambda: topic in heard and heard.get("board-companion/status") == "online", "presence")
                assert json.loads(heard[topic])["state"] == "offline"
                assert json.loads(heard[config])["state_topic"] == topic
                os.kill(running.pid, signal.SIGKILL)
                running.wait()
                heard.clear()
                assert hall.arbiter().get("/api/hall")["name"] == "Town hall"  # the hall works without
                running = started(tmp_path, port)
                wait_until(lambda: topic in heard and heard.get("board-companion/status") == "online", "presence again")
            wait_until(lambda: heard.get("board-companion/status") == "offline", "gone")
    finally:
        ear.loop_stop()
        running.kill()
        running.wait()
