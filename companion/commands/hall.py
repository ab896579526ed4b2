"""The command hall, for a hall full of tables."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands import Argument, Command
from companion.errors import BadInput
from companion.messages import say, term
from companion.places import home

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from companion.hall.desk import Desk
    from companion.hall.tournament import Tournament
    from web.hall.answers import HeadTold, TournamentTold

IN_FOLDER = ("init", "serve")  # subcommands whose argument is the hall's folder
DOING = ("init", "serve", "join", "pair", "standings", "export")
USUAL_PORT = 8100
FILE = "hall.sqlite"  # the database in a hall's folder
HERE = "command line"  # the name in the desk's log for commands on this machine
ARBITER = "arbiter"
AGAIN = 0.5  # seconds between attempts to connect to the database


def _hall(given: argparse.Namespace, language: str) -> int:
    doing = {"init": _init, "serve": _serve, "join": _join, "pair": _pair, "standings": _standings, "export": _export}
    with _desk(given) as desk:
        return doing[given.what](given, language, desk)


@contextmanager
def _desk(given: argparse.Namespace) -> Iterator[Desk]:
    desk = _caught_up(given)
    try:
        yield desk
    finally:
        desk.database.close()


def _caught_up(given: argparse.Namespace) -> Desk:
    """Open the desk and read its log. `serve` retries for a while: after a power cut the database may start later."""
    import time

    from companion.hall.database import TIMEOUT, Unavailable, open_database
    from companion.hall.desk import Desk

    place, until = _place(given), time.monotonic() + (TIMEOUT if given.what == "serve" else 0)
    while True:
        with suppress(Unavailable) if time.monotonic() < until else nullcontext():
            database = open_database(place)
            try:
                desk = Desk(database)
                desk.catch_up()
                if given.what not in IN_FOLDER and not desk.state.persons:
                    raise BadInput(database.name, "no-hall-there")
            except BadInput:
                database.close()
                raise
            return desk
        time.sleep(AGAIN)


def _place(given: argparse.Namespace) -> str:
    """The hall's database: a PostgreSQL URL or a SQLite file, by default in the data folder."""
    place: str = (given.target if given.what in IN_FOLDER else None) or given.database or home("data")
    if "://" in place:
        return place
    in_folder = not os.path.isfile(place) and not os.path.splitext(place)[1]
    file = os.path.join(place, FILE) if in_folder else place
    if given.what not in IN_FOLDER:
        if not os.path.isfile(file) or os.path.getsize(file) == 0:  # only `init` and `serve` create a hall
            raise BadInput(place, "no-hall-there")
    elif in_folder:
        try:
            os.makedirs(place, exist_ok=True)
        except OSError as error:
            raise BadInput(place, "cannot-open", error=error.strerror) from None
    return file


def _init(given: argparse.Namespace, language: str, desk: Desk) -> int:
    if desk.state.persons:
        raise BadInput(desk.database.name, "hall-there")
    _begin(given, language, desk)
    return 0


def _begin(given: argparse.Namespace, language: str, desk: Desk) -> None:
    """Create a hall with its first person, the arbiter."""
    import socket

    from companion.hall.state import Role

    desk.do(HERE, "hall", {"name": given.name or socket.gethostname()})
    pin = desk.add_person(HERE, ARBITER, Role.ARBITER)
    _say("hall.made", language, database=desk.database.name, name=ARBITER, pin=pin)


def _join(given: argparse.Namespace, language: str, desk: Desk) -> int:
    """Print a table's key as a line to paste, and on a terminal as a QR code."""
    if given.target is None:
        raise BadInput("NAME", "missing")
    known = {place.name: place.id for place in desk.state.places.values()}
    if given.revoke:
        if given.target not in known:
            raise BadInput("NAME", "hall-no-such", value=given.target)
        desk.revoke(HERE, known[given.target])
        _say("hall.revoked", language, table=given.target)
        return 0
    key = desk.new_key(HERE, known[given.target]) if given.target in known else desk.add_table(HERE, given.target)
    if given.https:
        from companion.hall.keys import FINGERPRINT_LENGTH

        key = key._replace(fingerprint=_fingerprint(_certificate())[:FINGERPRINT_LENGTH])
    address = given.url or f"http{'s' if given.https else ''}://{_own_address()}:{_port(given)}"
    line = f"companion run --hall {address} --key {key}"
    print(line)
    if sys.stdout.isatty():
        import segno

        segno.make(line, error="l").terminal(compact=True, border=2)
    return 0


def _pair(given: argparse.Namespace, language: str, desk: Desk) -> int:
    tournament = _tournament(given, desk)
    if tournament.draft is None:
        desk.pair(HERE, tournament.id)
    if given.publish:
        desk.publish(HERE, tournament.id)
    found = tournament.rounds[-1]
    print(say("FINDINGS", "hall.round" if found.published else "hall.draft", {"number": found.number}, language))
    for pairing in found.pairings:
        names = " – ".join(desk.state.entry_name(tournament, n) for n in pairing.entries)
        table = desk.state.places[pairing.place].name if pairing.place else ""
        print("  ".join(filter(None, (table, names, term("hall.bye", language) if pairing.is_bye else ""))))
    return 0


def _standings(given: argparse.Namespace, language: str, desk: Desk) -> int:
    tournament = _tournament(given, desk)
    rows = desk.standings(tournament.id)
    if given.json:
        from companion.hall.files import as_json

        print(as_json(desk, tournament), end="")
        return 0
    names = [term(f"hall.tie.{tie_break.name}", language) for tie_break in rows[0].tie_breaks] if rows else []
    lines = [["", term("hall.player", language), term("hall.score", language), *names]]
    lines += [
        [
            str(row.rank),
            desk.state.entry_name(tournament, row.entry),
            f"{row.score:g}",
            *(f"{b.value:g}" for b in row.tie_breaks),
        ]
        for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
    return 0


def _export(given: argparse.Namespace, language: str, desk: Desk) -> int:
    from companion.hall.files import EXPORTS

    made = EXPORTS[given.form](desk, _tournament(given, desk))
    if given.output is None:
        print(made, end="")
        return 0
    try:
        Path(given.output).write_text(made, "utf-8")
    except OSError as error:
        raise BadInput(given.output, "cannot-open", error=error.strerror) from None
    return 0


def _tournament(given: argparse.Namespace, desk: Desk) -> Tournament:
    """The tournament with this number or name; the newest one by default."""
    found = desk.state.tournaments
    if given.target is None:
        if not found:
            raise BadInput("", "hall-no-tournament")
        return found[max(found)]
    for tournament in found.values():
        if given.target in (str(tournament.id), tournament.rules.name):
            return tournament
    raise BadInput("TOURNAMENT", "hall-no-such", value=given.target)


# --- serving


def _serve(given: argparse.Namespace, language: str, desk: Desk) -> int:
    from web.hall.app import create_hall_app
    from web.serve import Server, listen

    if not desk.state.persons:
        _begin(given, language, desk)
    bound = given.host or "127.0.0.1"
    certificate = _certificate() if given.https else None
    fingerprint = _fingerprint(certificate) if certificate else ""
    found = listen(bound, _port(given))
    try:
        port = found.getsockname()[1]
        app = create_hall_app(
            desk,
            address=bound,
            port=port,
            secure=certificate is not None,
            fingerprint=fingerprint,
            language=language,
            printer=_printed,
        )
        server = Server(app, found, certificate)
        name = _own_address() if bound in ("0.0.0.0", "::", "") else bound
        print(f"http{'s' if certificate else ''}://{name}:{port}/desk", flush=True)
        _say("hall.serving", language, database=desk.database.name)
        if fingerprint:
            _say("hall.fingerprint", language, fingerprint=" ".join(fingerprint[n : n + 4] for n in range(0, 64, 4)))
        with _presence(given, desk, app):
            server.run()
    finally:
        found.close()
    return 130 if server.interrupted else 0


def _printed(what: str, told: TournamentTold, heads: Mapping[int, HeadTold], paper: str, language: str) -> bytes:
    from companion.kit.hall_papers import papers_pdf

    return papers_pdf(what, told, heads, paper, language)


@contextmanager
def _presence(given: argparse.Namespace, desk: Desk, app: object) -> Iterator[None]:
    """Publish the tables' state by MQTT, if a broker is given."""
    if given.mqtt is None:
        yield
        return
    from companion.hall.mqtt import MqttPublisher

    with MqttPublisher(desk, given.mqtt, app.extensions["broadcast"].last_seen):  # type: ignore[attr-defined]
        yield


def _port(given: argparse.Namespace) -> int:
    from companion.checks import whole_number

    try:
        return USUAL_PORT if given.port is None else whole_number(0, 65_535)(given.port)
    except BadInput as bad:
        raise BadInput("--port", bad.code, **bad.params) from None


def _own_address() -> str:
    from web.certificate import own_addresses

    return next(iter(own_addresses()), "127.0.0.1")


def _certificate() -> tuple[Path, Path]:
    from web.certificate import certificate

    return certificate(Path(home("data")))


def _fingerprint(certificate: tuple[Path, Path]) -> str:
    import ssl
    from hashlib import sha256

    return sha256(ssl.PEM_cert_to_DER_cert(certificate[0].read_text())).hexdigest()


def _say(code: str, language: str, **params: object) -> None:
    with suppress(BrokenPipeError):
        print(say("FINDINGS", code, params, language), file=sys.stderr, flush=True)


COMMANDS = {
    "hall": Command(
        _hall,
        (
            Argument("what", "hall-what", {"metavar": "WHAT", "choices": DOING}),
            Argument("target", "hall-target", {"metavar": "NAME", "nargs": "?"}),
            Argument("--database", "hall-database", {"metavar": "URL"}),
            Argument("--name", "hall-name", {"metavar": "NAME"}),
            Argument("--host", "hall-host", {"metavar": "ADDRESS"}),
            Argument("--port", "hall-port", {"metavar": "N"}),
            Argument("--https", "hall-https", {"action": "store_true"}),
            Argument("--mqtt", "hall-mqtt", {"metavar": "URL"}),
            Argument("--url", "hall-url", {"metavar": "URL"}),
            Argument("--revoke", "hall-revoke", {"action": "store_true"}),
            Argument("--publish", "hall-publish", {"action": "store_true"}),
            Argument("--form", "hall-form", {"choices": ("csv", "json", "trf"), "default": "csv"}),
            Argument("-o, --output", "hall-output", {"metavar": "FILE"}),
            Argument("--json", "as-json", {"action": "store_true"}),
        ),
    )
}
