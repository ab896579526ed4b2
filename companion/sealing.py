"""Signed heads of the log, which anybody can keep and later compare with the log.

Each table has an Ed25519 key in its data folder. A head is the number and the hash of the log's last event, signed; the
hash depends on all earlier events. With a head one can show later that events are missing, that an older copy was
restored, or that the chain was rewritten; `Comparison` says from which event on. A head can be read aloud as four short
words or printed as a QR code.

To exchange heads, `Head.text()` and `read_head` are all that is needed.
"""

from __future__ import annotations

import base64
import os
import re
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.errors import BadInput

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from companion.store import Store

FORMAT = "bc-head-1"
SIGN_INTERVAL = 600.0  # seconds between signatures during play
MAX_HEADS_SIZE = 1 << 20  # bytes read of a file of heads
CONSONANTS, VOWELS = "bdfghjklmnprstvz", "aiou"


class Head(NamedTuple):
    key: bytes  # the table's public key
    number: int  # of the log's last event
    hash: str  # its hash
    at: int  # seconds since 1970, by the table's clock
    signature: bytes

    def text(self) -> str:
        parts = (FORMAT, _b64(self.key), str(self.number), _b64(bytes.fromhex(self.hash)), str(self.at))
        return ".".join((*parts, _b64(self.signature)))

    def words(self) -> str:
        """Four short words to read aloud: 64 bits of the head's hash."""
        return to_words(self.text())

    def is_signed(self) -> bool:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        if not any(self.signature[32:]):  # such a signature is valid under some weak public keys
            return False
        try:
            Ed25519PublicKey.from_public_bytes(self.key).verify(self.signature, _message(*self[1:4]))
        except (InvalidSignature, ValueError):
            return False
        return True


def to_words(text: str) -> str:
    """Four words of alternating consonants and vowels, 16 bits each, from the hash of a text."""
    seal = sha256(text.encode()).digest()
    found = []
    for n in range(0, 8, 2):
        bits, word = int.from_bytes(seal[n : n + 2], "big"), ""
        for letters, wide in ((CONSONANTS, 4), (VOWELS, 2), (CONSONANTS, 4), (VOWELS, 2), (CONSONANTS, 4)):
            word += letters[bits & (1 << wide) - 1]
            bits >>= wide
        found.append(word)
    return "-".join(found)


def read_words(text: str) -> str | None:
    """Normalize the four words of a head. None if the text is something else."""
    found = "-".join(re.findall(r"[^\W\d_]+", text.lower()))
    word = f"[{CONSONANTS}][{VOWELS}][{CONSONANTS}][{VOWELS}][{CONSONANTS}]"
    return found if re.fullmatch(rf"{word}(-{word}){{3}}", found) else None


def read_head(text: str) -> Head:
    """Parse a head. BadInput if it is malformed, or its signature is not valid."""
    try:
        form, key, number, seal, at, signature = text.strip().split(".")
        head = Head(_bytes(key, 32), int(number), _bytes(seal, 32).hex(), int(at), _bytes(signature, 64))
        if form != FORMAT or not 0 < head.number < 1 << 53 or not 0 <= head.at < 1 << 53:
            raise ValueError
    except ValueError:
        raise BadInput("--head", "not-a-head") from None
    if not head.is_signed():
        raise BadInput("--head", "head-unsigned")
    return head


def read_heads(text: str) -> list[Head]:
    """All heads in a text, which may be a file of heads, a record, or text copied from a page."""
    return [read_head(part) for part in text.replace('"', " ").split() if part.startswith(f"{FORMAT}.")]


def _message(number: int, seal: str, at: int) -> bytes:
    return f"{FORMAT}\n{number}\n{seal}\n{at}\n".encode()


def _b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _bytes(text: str, length: int) -> bytes:
    found = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    if len(found) != length:
        raise ValueError
    return found


# --- the table's side


class Sealer:
    """Signs the log's head and appends it to the file of heads. Without a key or a writable disk it signs nothing."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        self._store, self._clock = store, clock
        self.head: Head | None = next(reversed(kept_heads(store.file, 1)), None)
        self._key: Ed25519PrivateKey | None = None
        self._signed_at = clock()

    def sign_if_due(self) -> None:
        """Sign if the last signature is old enough."""
        if self._clock() - self._signed_at > SIGN_INTERVAL:
            self.sign()

    def sign(self) -> Head | None:
        """Sign the current head. Returns the newest head, which is an older one if signing is not possible."""
        self._signed_at = self._clock()
        number, seal = self._store.end
        if number == 0 or (self.head and (self.head.number, self.head.hash) == (number, seal)):
            return self.head
        with suppress(OSError, ValueError):
            key = self._key = self._key or _key(self._store.file.with_suffix(".key"))
            at = int(time.time())
            self.head = Head(
                key.public_key().public_bytes_raw(), number, seal, at, key.sign(_message(number, seal, at))
            )
            with open(self._store.file.with_suffix(".heads"), "a", encoding="ascii", opener=_private) as heads:
                heads.write(f"{self.head.text()}\n")
        return self.head


def kept_heads(file: Path, most: int | None = None) -> list[Head]:
    """The heads in the file beside the log, or the last `most` of them. Malformed lines are skipped."""
    try:
        with open(file.with_suffix(".heads"), "rb") as kept:
            kept.seek(0, os.SEEK_END)
            kept.seek(max(0, kept.tell() - MAX_HEADS_SIZE))
            lines = kept.read().decode("ascii", "replace").splitlines()
    except OSError:
        return []
    found = []
    for line in lines[-(most or len(lines)) :]:
        with suppress(BadInput):
            found.append(read_head(line))
    return found


def _key(file: Path) -> Ed25519PrivateKey:
    """The table's private key, generated when it is first needed."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    with suppress(FileNotFoundError):
        return Ed25519PrivateKey.from_private_bytes(file.read_bytes())
    made = Ed25519PrivateKey.generate()
    aside = file.with_suffix(".key-new")
    aside.unlink(missing_ok=True)
    with open(aside, "wb", opener=_private) as written:
        written.write(made.private_bytes_raw())
        written.flush()
        os.fsync(written.fileno())
    aside.replace(file)
    return made


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


# --- checking


def with_head(record: dict[str, Any], heads: Sequence[Head]) -> dict[str, Any]:
    """The record with the newest head in `about`, for exports."""
    about = record.get("about") or {}
    if not heads or not isinstance(about, dict):
        return record
    return {**record, "about": {**about, "head": heads[-1].text()}}


class Comparison(NamedTuple):
    """The result of comparing a log with a head."""

    head: Head
    code: str  # head.good, head.truncated, head.rewritten, head.other
    since: int  # the first event that may have been changed, or is missing


def own_keys(file: Path) -> frozenset[bytes]:
    """The public keys that this table signs with, or has signed with."""
    keys = {head.key for head in kept_heads(file)}
    with suppress(OSError, ValueError):
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        key = Ed25519PrivateKey.from_private_bytes(file.with_suffix(".key").read_bytes())
        keys.add(key.public_key().public_bytes_raw())
    return frozenset(keys)


def compare(
    heads: Iterable[Head], hash_of: Callable[[int], str | None], last: int, keys: frozenset[bytes]
) -> list[Comparison]:
    """Compare a log with signed heads. `hash_of`: the hash of an event in the log; `last`: its last event; `keys`: the
    table's public keys, since heads of other keys prove nothing about it."""
    found, good = [], 0
    for head in sorted(heads, key=lambda head: head.number):
        if keys and head.key not in keys:
            found.append(Comparison(head, "head.other", good + 1))
        elif head.number > last:
            found.append(Comparison(head, "head.truncated", max(good, last) + 1))
        elif hash_of(head.number) != head.hash:
            found.append(Comparison(head, "head.rewritten", good + 1))
        else:
            good = head.number
            found.append(Comparison(head, "head.good", 0))
    return found
