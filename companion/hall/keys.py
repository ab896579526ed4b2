"""Keys of tables and PINs of persons: made here, shown once, and kept as seals from which they cannot be read."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import NamedTuple

FEWEST = 6  # signs of a PIN
PINNED = 32  # signs of a fingerprint that a key carries: 128 bits
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # no signs that look alike


class Key(NamedTuple):
    """A table's key as it is pasted: the table's number, its secret, and where the hall is served by HTTPS with a
    certificate of its own, the beginning of that certificate's fingerprint."""

    place: int
    secret: str
    fingerprint: str = ""

    def __str__(self) -> str:
        return "-".join(filter(None, (str(self.place), self.secret, self.fingerprint)))


def new_secret() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(24))


def key_seal(secret: str) -> str:
    """Of a key, which is long enough that nobody can try them all."""
    return hashlib.sha256(f"board-companion key {secret}".encode()).hexdigest()


def read_key(text: str) -> Key | None:
    number, _, rest = text.strip().partition("-")
    secret, _, fingerprint = rest.partition("-")
    if not (number.isascii() and number.isdecimal() and len(number) < 10 and secret):
        return None
    return Key(int(number), secret, fingerprint)


def new_pin() -> str:
    return f"{secrets.randbelow(900_000) + 100_000}"


def pin_seal(pin: str) -> str:
    """Of a PIN, which is short: slow to try out, and each with salt of its own."""
    salt = secrets.token_hex(8)
    return f"{salt}:{_stretched(pin, salt)}"


def is_pin(pin: str, seal: str) -> bool:
    salt, _, stretched = seal.partition(":")
    return hmac.compare_digest(_stretched(pin, salt), stretched)


def _stretched(pin: str, salt: str) -> str:
    return hashlib.scrypt(pin.encode("utf-8", "replace"), salt=salt.encode(), n=2**12, r=8, p=1).hex()
