"""Keys of tables and PINs of persons: generated here, shown once, and stored only as hashes."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import NamedTuple

MIN_PIN = 6  # characters
FINGERPRINT_LENGTH = 32  # hexadecimal digits of the certificate's fingerprint in a key: 128 bits
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # without characters that look alike


class Key(NamedTuple):
    """A table's key as text to paste: the table's number, its secret, and for HTTPS with a self-signed certificate the
    start of that certificate's fingerprint."""

    place: int
    secret: str
    fingerprint: str = ""

    def __str__(self) -> str:
        return "-".join(filter(None, (str(self.place), self.secret, self.fingerprint)))


def new_secret() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(24))


def hash_key(secret: str) -> str:
    """A fast hash is enough: a key is too long for brute force."""
    return hashlib.sha256(f"board-companion key {secret}".encode()).hexdigest()


def read_key(text: str) -> Key | None:
    number, _, rest = text.strip().partition("-")
    secret, _, fingerprint = rest.partition("-")
    if not (number.isascii() and number.isdecimal() and len(number) < 10 and secret):
        return None
    return Key(int(number), secret, fingerprint)


def new_pin() -> str:
    return f"{secrets.randbelow(900_000) + 100_000}"


def hash_pin(pin: str) -> str:
    """A PIN is short, so its hash is slow and salted."""
    salt = secrets.token_hex(8)
    return f"{salt}:{_derive(pin, salt)}"


def matches_pin(pin: str, seal: str) -> bool:
    salt, _, derived = seal.partition(":")
    return hmac.compare_digest(_derive(pin, salt), derived)


def _derive(pin: str, salt: str) -> str:
    return hashlib.scrypt(pin.encode("utf-8", "replace"), salt=salt.encode(), n=2**12, r=8, p=1).hex()
