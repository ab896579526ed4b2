"""Serial ports: which there are, which may be tried, and opening one so that nobody else uses it at the same time."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Sequence
from fnmatch import fnmatch
from glob import glob
from typing import NamedTuple

import serial
from serial.tools.list_ports import comports

SPEED = 115_200  # baud
BY_ID = "/dev/serial/by-id"
SLICE = 0.02  # seconds for which a read waits, so that a new picture is not kept waiting longer
WRITE = 1.0  # seconds in which a port must take what is written


# What pyserial raises when a port is pulled out in the middle of something; termios' own error is no OSError.
TROUBLE: tuple[type[Exception], ...] = (OSError, ValueError)
if os.name == "posix":
    import fcntl
    import termios

    TROUBLE = (*TROUBLE, termios.error)


class CannotOpen(Exception):
    """A port that cannot be used; `code` is of the message catalogues' findings."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.code, self.params = code, params


class Port(NamedTuple):
    path: str  # as it is opened: the name that stays the same wherever it is plugged in, if it has one
    device: str
    about: str  # what it says of itself
    usb: bool


def list_ports() -> list[Port]:
    """All serial ports, those at USB first."""
    stable = {os.path.realpath(path): path for path in sorted(glob(f"{BY_ID}/*"))}
    found = []
    for port in comports():
        path = stable.get(os.path.realpath(port.device), port.device)
        found.append(Port(path, port.device, (port.description or "").strip(), port.vid is not None))
    return sorted(found, key=lambda port: (not port.usb, port.path))


def to_try(only: Sequence[str] = (), never: Sequence[str] = (), there: Iterable[Port] | None = None) -> list[str]:
    """The ports at which AUTO may look for a board: those at USB, or those of the white list; none of the black one.

    Entries are paths, or patterns such as `*Arduino*` and `/dev/ttyUSB*`; they are held against all names of a port.
    """
    ports = list_ports() if there is None else list(there)
    known = {os.path.realpath(port.device) for port in ports}
    for pattern in only:  # what is no serial port to the system may be named all the same, by its whole path
        if not os.path.isabs(pattern):
            continue
        ports += [Port(path, path, "", True) for path in sorted(glob(pattern)) if os.path.realpath(path) not in known]
    found = [port for port in ports if (_listed(port, only) if only else port.usb) and not _listed(port, never)]
    return list(dict.fromkeys(port.path for port in found))


def _listed(port: Port, patterns: Iterable[str]) -> bool:
    names = (port.path, port.device, os.path.basename(port.path), os.path.basename(port.device), port.about)
    return any(fnmatch(name, pattern) for pattern in patterns for name in names if name)


def open_port(path: str, speed: int = SPEED) -> serial.Serial:
    """The port for us alone. CannotOpen says why not."""
    try:
        port = serial.Serial(path, speed, timeout=SLICE, write_timeout=WRITE, exclusive=True)
    except TROUBLE as error:
        raise CannotOpen(_why(error, path), port=path) from None
    try:
        _keep_others_out(port)
    except TROUBLE as error:
        port.close()
        raise CannotOpen(_why(error, path), port=path) from None
    return port


def _why(error: Exception, path: str) -> str:
    number = getattr(error, "errno", None) or next(iter(error.args), None)
    text = str(error)
    if number in (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK) or "exclusively lock" in text:
        return "leds.busy"
    if number in (errno.EACCES, errno.EPERM):
        return "leds.busy" if os.name == "nt" else "leds.denied"
    if number in (errno.ENOENT, errno.ENXIO, errno.ENODEV, errno.EIO) or not os.path.exists(path):
        return "leds.absent"
    return "leds.no-port"


def _keep_others_out(port: serial.Serial) -> None:
    """Also those who do not ask for a lock: from now on nobody else can open it."""
    if os.name == "posix":
        fcntl.ioctl(port.fileno(), termios.TIOCEXCL)
