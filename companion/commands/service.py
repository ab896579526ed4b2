"""The command service: installs a systemd service, as on a Raspberry Pi in or beside a board."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path

from companion.commands import Argument, Command, setting_arguments
from companion.errors import BadInput
from companion.messages import say
from companion.settings import option, settings_for

NAME = "board-companion.service"
PASSED = ("game", "camera", "leds", "port")  # settings that can be given here instead of in the file
FOLDER = Path("etc/systemd/system")
WANTS = FOLDER / "multi-user.target.wants"
# Devices that cameras and LED boards are, and the screen, on which the address and its QR code stand.
GROUPS = ("video", "dialout", "tty")
UNIT = """\
[Unit]
Description=Board Companion: camera, page and lights of a board
After=network-online.target time-sync.target
Wants=network-online.target

[Service]
Type=exec
User={user}
SupplementaryGroups={groups}
ExecStart={command}
WorkingDirectory=~
Environment=PYTHONUNBUFFERED=1
Environment=XDG_CONFIG_HOME={config}
# It goes on where it was, whatever ended it; a board or camera that is missing is waited for.
Restart=always
RestartSec=2
TimeoutStopSec=20
# The QR code of the address stands on the screen, where there is one.
StandardOutput=journal
StandardError=tty
TTYPath=/dev/tty1
# Everything but the data may be read-only.
ProtectSystem=strict
ReadWritePaths=-{data} -{config}
NoNewPrivileges=yes
PrivateTmp=yes

[Install]
WantedBy=multi-user.target
"""


def _service(given: argparse.Namespace, language: str) -> int:
    root = Path(given.root)
    unit, wanted = root / FOLDER / NAME, root / WANTS / NAME
    live = root == Path("/")
    if given.what == "remove":
        if not unit.exists():
            raise BadInput("", "no-service", file=str(unit))
        if live:
            _systemctl("disable", "--now", NAME)

        def forget() -> None:
            wanted.unlink(missing_ok=True)
            unit.unlink()

        _change(unit, forget)
        if live:
            _systemctl("daemon-reload")
        print(say("FINDINGS", "service.removed", {"file": str(unit)}, language))
        return 0
    from shutil import which

    from companion.commands.table import check_hall, key_of

    check_hall(given)
    text = unit_text(given)
    if given.print:
        print(text, end="")
        return 0
    if live and not which("systemctl"):
        raise BadInput("", "no-systemd")

    user, data, config = places(given)

    def write() -> None:
        wanted.parent.mkdir(parents=True, exist_ok=True)
        if given.hall:
            _keep_key(root / key_file(data).relative_to("/"), key_of(given.key), user if live else None)
        unit.write_text(text, encoding="utf-8")
        if not wanted.is_symlink():
            wanted.symlink_to(Path("/") / FOLDER / NAME)

    if live:
        for folder in (data, config):
            _change(folder, lambda folder=folder: _make(folder, user))  # type: ignore[misc]
    _change(unit, write)
    if live:
        _systemctl("daemon-reload")
        _systemctl("restart", NAME)
    print(say("FINDINGS", "service.installed", {"file": str(unit)}, language))
    return 0


def unit_text(given: argparse.Namespace) -> str:
    """The systemd unit: `run` with the options given here."""
    import shlex

    settings_for(given)  # BadInput now, not when the service starts
    user, data, config = places(given)
    more = [word for name in PASSED if (said := getattr(given, name)) for word in (option(name), said)]
    if given.hall:
        more += ["--hall", given.hall, "--key", str(key_file(data))]
    program = [sys.executable, "-m", "companion", "run", "--host", "0.0.0.0", "--data", str(data), *more]
    return UNIT.format(
        user=user,
        groups=" ".join(GROUPS),
        command=shlex.join(program).replace("%", "%%"),
        data=str(data).replace("%", "%%"),
        config=str(config).replace("%", "%%"),
    )


def places(given: argparse.Namespace) -> tuple[str, Path, Path]:
    """The user whom the service runs as, and his folders for data and configuration."""
    import getpass

    user = given.user or os.environ.get("SUDO_USER") or getpass.getuser()
    home = Path(os.path.expanduser(f"~{user}"))
    if not home.is_absolute():
        raise BadInput("--user", "no-such-user", value=user)
    return user, Path(given.data or home / ".local/share/board-companion").absolute(), home / ".config"


def key_file(data: Path) -> Path:
    """The file of the table's key. It is not in the unit, which everybody can read."""
    return data / "hall.key"


def _keep_key(file: Path, key: str, user: str | None) -> None:
    from shutil import chown

    file.parent.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
        out.write(f"{key}\n")
    if user:
        chown(file, user)


def _make(folder: Path, user: str) -> None:
    from shutil import chown

    if not folder.exists():
        folder.mkdir(parents=True)
        chown(folder, user)


def _change(unit: Path, change: Callable[[], None]) -> None:
    try:
        change()
    except PermissionError:
        raise BadInput(str(unit), "needs-root") from None
    except OSError as error:
        raise BadInput(str(unit), "cannot-open", error=error.strerror) from None


def _systemctl(*words: str) -> None:
    import subprocess

    done = subprocess.run(["systemctl", *words], capture_output=True, text=True)
    if done.returncode:
        raise BadInput("", "systemctl-failed", command=" ".join(words), error=done.stderr.strip() or done.returncode)


COMMANDS = {
    "service": Command(
        _service,
        (
            Argument("what", "service-what", {"metavar": "WHAT", "choices": ("install", "remove")}),
            Argument("--user", "service-user", {"metavar": "NAME"}),
            *setting_arguments("data", *PASSED),
            Argument("--hall", "run-hall", {"metavar": "URL"}),
            Argument("--key", "run-key", {"metavar": "KEY"}),
            Argument("--root", "service-root", {"metavar": "DIR", "default": "/"}),
            Argument("--print", "service-print", {"action": "store_true"}),
        ),
    ),
}
