"""Serial ports: listing them, choosing those that may be tried, and opening one exclusively."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Sequence
from fnmatch import fnmatch
from glob import glob
from typing import NamedTuple

import serial
from serial.tools.list_ports import comports

BAUD_RATE = 115_200  # baud
BY_ID = "/dev/serial/by-id"
READ_TIMEOUT = 0.02  # seconds; a new picture waits no longer than this
WRITE_TIMEOUT = 1.0  # seconds


# What pyserial raises when a port is unplugged while in use. termios.error is not a subclass of OSError.
PORT_ERRORS: tuple[type[Exception], ...] = (OSError, ValueError)
if os.name == "posix":
    import fcntl
    import termios

    PORT_ERRORS = (*PORT_ERRORS, termios.error)


class CannotOpen(Exception):
    """A port that cannot be used. `code` is a message code (`FINDINGS`)."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.code, self.params = code, params


class Port(NamedTuple):
    path: str  # to open it: a stable name (`/dev/serial/by-id`) if it has one
    device: str
    about: str  # its description
    usb: bool


def list_ports() -> list[Port]:
    """All serial ports, those at USB first."""
    stable = {os.path.realpath(path): path for path in sorted(glob(f"{BY_ID}/*"))}
    found = []
    for port in comports():
        path = stable.get(os.path.realpath(port.device), port.device)
        found.append(Port(path, port.device, (port.description or "").strip(), port.vid is not None))
    return sorted(found, key=lambda port: (not port.usb, port.path))


def candidate_ports(
    only: Sequence[str] = (), never: Sequence[str] = (), ports_found: Iterable[Port] | None = None
) -> list[str]:
    """The ports that AUTO may try: those at USB, or those in the list `only`; none of the list `never`.

    Entries are paths or patterns such as `*Arduino*` and `/dev/ttyUSB*`; they are matched against all names of a port.
    """
    ports = list_ports() if ports_found is None else list(ports_found)
    known = {os.path.realpath(port.device) for port in ports}
    for pattern in only:  # an absolute path may also name a device that the system does not list as a serial port
        if not os.path.isabs(pattern):
            continue
        ports += [Port(path, path, "", True) for path in sorted(glob(pattern)) if os.path.realpath(path) not in known]
    found = [port for port in ports if (_listed(port, only) if only else port.usb) and not _listed(port, never)]
    return list(dict.fromkeys(port.path for port in found))


def _listed(port: Port, patterns: Iterable[str]) -> bool:
    names = (port.path, port.device, os.path.basename(port.path), os.path.basename(port.device), port.about)
    return any(fnmatch(name, pattern) for pattern in patterns for name in names if name)


def open_port(path: str, speed: int = BAUD_RATE) -> serial.Serial:
    """Open a port for exclusive use. CannotOpen says why not."""
    try:
        port = serial.Serial(path, speed, timeout=READ_TIMEOUT, write_timeout=WRITE_TIMEOUT, exclusive=True)
    except PORT_ERRORS as error:
        raise CannotOpen(_error_code(error, path), port=path) from None
    try:
        _lock_exclusively(port)
    except PORT_ERRORS as error:
        port.close()
        raise CannotOpen(_error_code(error, path), port=path) from None
    return port


def _error_code(error: Exception, path: str) -> str:
    number = getattr(error, "errno", None) or next(iter(error.args), None)
    text = str(error)
    if number in (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK) or "exclusively lock" in text:
        return "leds.busy"
    if number in (errno.EACCES, errno.EPERM):
        return "leds.busy" if os.name == "nt" else "leds.denied"
    if number in (errno.ENOENT, errno.ENXIO, errno.ENODEV, errno.EIO) or not os.path.exists(path):
        return "leds.absent"
    return "leds.no-port"


def _lock_exclusively(port: serial.Serial) -> None:
    """Also against programs that do not use locks: after this nobody else can open the port."""
    if os.name == "posix":
        fcntl.ioctl(port.fileno(), termios.TIOCEXCL)
