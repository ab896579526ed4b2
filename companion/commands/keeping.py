"""The commands for stored games: games, export, verify, backup, restore; and settings."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands import Argument, Command, setting_arguments
from companion.commands.rules import progress
from companion.errors import BadInput
from companion.messages import name_of, say, term
from companion.places import settings_file
from companion.settings import SETTINGS, as_toml, resolve_settings, settings_for
from companion.summaries import ending, players, scored_names

if TYPE_CHECKING:
    from companion.events import KeptGame
    from companion.sealing import Head
    from companion.store import Store, Summary

SECONDS = 0.1  # for each position of a game that is shared


def _games(given: argparse.Namespace, language: str) -> int:
    with _store(given) as store:
        games = store.games()
        if given.json:
            print(json.dumps([game._asdict() for game in games], ensure_ascii=False))
            return 0
        if not games:
            print(say("FINDINGS", "games.none", {"file": store.file}, language))
            return 0
        head = [term(f"games.{name}", language) for name in ("id", "game", "when", "players", "moves", "result")]
        rows = [head, *([_plain(cell) for cell in _line(store, game, language)] for game in games)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    return 0


def _export(given: argparse.Namespace, language: str) -> int:
    from companion.sealing import kept_heads, with_head
    from companion.shelf import kept_game

    with _store(given) as store:
        game = _number(given.id, "no-game")
        kept = kept_game(store, game)
        text = json.dumps(with_head(kept.record, kept_heads(store.file)), ensure_ascii=False)
        if given.evidence is not None:
            from companion.table.kept_looks import evidence_of

            event = None if given.event is None else _number(given.event, "no-event")
            evidence = json.dumps(evidence_of(store, game, event), ensure_ascii=False)
            _write(given.evidence, f"{evidence}\n".encode("utf-8", "backslashreplace"))
        shared = _share(given, game, kept, language) or given.evidence is not None
        if given.pictures is not None:
            count, forgotten = _export_pictures(store, game, given.pictures)
            params = {"folder": given.pictures, "count": count, "forgotten": forgotten}
            print(say("FINDINGS", "export.pictures", params, language), file=sys.stderr)
    if given.output is None and not shared:
        print(text)
    elif given.output is not None:
        _write(given.output, f"{text}\n".encode("utf-8", "backslashreplace"))
    return 0


def _share(given: argparse.Namespace, number: int, kept: KeptGame, language: str) -> bool:
    """Write the animation and the page in one file, if they are wanted. Returns whether any was."""
    if given.gif is None and given.html is None:
        return False
    moving = "gif"
    if given.gif is not None:
        moving = os.path.splitext(given.gif)[1].lower().removeprefix(".")
        if moving not in ("gif", "webp"):
            raise BadInput("--gif", "not-a-film-name", value=given.gif)
    from companion.commands.thinking import seconds_of
    from web.game_views import evaluate_game, game_view, review_view
    from web.sharing import Wanted, make

    told = game_view(number, kept, language)
    if given.gif is not None:
        _write(given.gif, make(Wanted("webp" if moving == "webp" else "gif", told, None, language)))
    if given.html is not None:
        seconds = None if given.seconds == "0" else seconds_of(given.seconds, SECONDS)
        found = evaluate_game(kept.record, seconds, progress) if seconds and kept.ended else []
        review = review_view(kept.record, found, told, language) if found else None
        _write(given.html, make(Wanted("html", told, review, language)))
    return True


def _number(text: str, code: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 15:
        raise BadInput(text, code)
    return int(text)


def _export_pictures(store: Store, game: int, folder: str) -> tuple[int, int]:
    """Write a game's pictures. Returns how many were written, and how many have been deleted from the log."""
    kept = forgotten = 0
    for event in store.events(game):
        if "picture" in event.data:
            if jpeg := store.picture(event.number):
                kind = re.sub(r"[^A-Za-z0-9_-]", "_", event.kind)
                _write(os.path.join(folder, f"{game}-{event.number}-{kind}.jpg"), jpeg)
                kept += 1
            else:
                forgotten += 1
    return kept, forgotten


def _verify(given: argparse.Namespace, language: str) -> int:
    if given.database is not None:
        return _verify_hall(given, language)
    from companion.sealing import kept_heads, read_words

    with _store(given) as store:
        if not store.found:
            raise BadInput(str(store.file), "store-none")
        own = kept_heads(store.file)
        words = [found for head in given.head or () if (found := read_words(head))]
        texts = [head for head in given.head or () if not read_words(head)]
        check = store.verify([*own, *(head for text in texts for head in _heads(text))])
    known = {head.words() for head in own}
    odd = [(one.number, one.code, {"number": one.number, **one.params}) for one in check.findings]
    odd += [(1, "head.unheard", {"words": one}) for one in words if one not in known]
    told = [(number, code, say("FINDINGS", code, params, language)) for number, code, params in odd]
    if given.json:
        findings = [{"event": number, "code": code, "text": text} for number, code, text in told]
        print(json.dumps({"ok": not told, **check._asdict(), "findings": findings}, ensure_ascii=False))
    elif told:
        for _, _, text in told:
            print(f"✗ {text}")
    else:
        print("✓ " + say("FINDINGS", "chain.whole", {**check._asdict(), "file": store.file}, language))
        if given.head or own:
            heads = len(own) + len(given.head or ())
            print("  " + say("FINDINGS", "head.good" if given.head else "head.own", {"heads": heads}, language))
        else:
            print("  " + say("FINDINGS", "head.none", {}, language))
    return 1 if told else 0


def _back_up(given: argparse.Namespace, language: str) -> int:
    from companion.backup import back_up

    settings = settings_for(given)
    check = back_up(Path(settings.data), settings.table, Path(given.file))
    print(say("FINDINGS", "backup.done", {**check._asdict(), "file": given.file}, language))
    return 0


def _restore(given: argparse.Namespace, language: str) -> int:
    from companion.backup import restore

    settings = settings_for(given)
    check = restore(Path(given.file), Path(settings.data), settings.table)
    print(say("FINDINGS", "restore.done", {**check._asdict(), "folder": settings.data}, language))
    return 0


def _heads(given: str) -> list[Head]:
    """Parse signed heads: a head as text, or a file that contains some, such as an exported record."""
    from companion.sealing import FORMAT, MAX_HEADS_SIZE, read_head, read_heads

    if given.startswith(f"{FORMAT}."):
        return [read_head(given)]
    try:
        with open(given, encoding="utf-8", errors="replace") as kept:
            found = read_heads(kept.read(MAX_HEADS_SIZE))
    except (OSError, ValueError):
        raise BadInput("--head", "not-a-head") from None
    if not found:
        raise BadInput("--head", "not-a-head")
    return found


def _verify_hall(given: argparse.Namespace, language: str) -> int:
    """Verify all logs of a hall, and the desk's."""
    from companion.hall.database import open_database
    from companion.hall.evidence import verify

    database = open_database(given.database)
    try:
        check = verify(database, [head for kept in given.head or () for head in _heads(kept)])
    finally:
        database.close()
    told = [say("FINDINGS", one.code, {"number": one.number, "table": one.log[:8]}, language) for one in check.findings]
    counts = {"logs": check.logs, "events": check.events, "deeds": check.deeds, "heads": check.heads}
    if given.json:
        print(json.dumps({"ok": not told, **counts, "findings": told}, ensure_ascii=False))
    else:
        for text in told:
            print(f"✗ {text}")
        if not told:
            print("✓ " + say("FINDINGS", "hall.whole", counts, language))
    return 1 if told else 0


def _settings(given: argparse.Namespace, language: str) -> int:
    file = settings_file()
    if given.path:
        print(file)
    elif given.write:
        try:
            os.makedirs(os.path.dirname(file), exist_ok=True)
            with open(file, "x", encoding="utf-8") as made:
                made.write(as_toml(language))
        except FileExistsError:
            raise BadInput(file, "settings-exist") from None
        except OSError as error:
            raise BadInput(file, "cannot-open", error=error.strerror) from None
        print(say("FINDINGS", "settings.written", {"file": file}, language))
    else:
        held = resolve_settings(given)
        code = "settings.file" if os.path.exists(file) else "settings.no-file"
        print(f"# {say('FINDINGS', code, {'file': file}, language)}\n\n{as_toml(language, held)}", end="")
    return 0


KEPT = setting_arguments("data", "table")
AS_JSON = Argument("--json", "as-json", {"action": "store_true"})
COMMANDS = {
    "games": Command(_games, (*KEPT, AS_JSON)),
    "export": Command(
        _export,
        (
            Argument("id", "export-id", {"metavar": "ID"}),
            Argument("-o, --output", "export-output", {"metavar": "FILE"}),
            Argument("--pictures", "export-pictures", {"metavar": "DIR"}),
            Argument("--gif", "export-gif", {"metavar": "FILE"}),
            Argument("--html", "export-html", {"metavar": "FILE"}),
            Argument("--seconds", "export-seconds", {"metavar": "S"}),
            Argument("--evidence", "export-evidence", {"metavar": "FILE"}),
            Argument("--event", "export-event", {"metavar": "EVENT"}),
            *KEPT,
        ),
    ),
    "verify": Command(
        _verify,
        (
            *KEPT,
            Argument("--head", "verify-head", {"metavar": "HEAD", "action": "append"}),
            Argument("--database", "verify-database", {"metavar": "URL"}),
            AS_JSON,
        ),
    ),
    "backup": Command(_back_up, (Argument("file", "backup-file", {"metavar": "FILE"}), *KEPT)),
    "restore": Command(_restore, (Argument("file", "restore-file", {"metavar": "FILE"}), *KEPT)),
    "settings": Command(
        _settings,
        (
            Argument("--path", "settings-path", {"action": "store_true"}),
            Argument("--write", "settings-write", {"action": "store_true"}),
            *setting_arguments(*(name for name in SETTINGS if name != "lang")),  # every command has --lang
        ),
    ),
}


# --- what they share


def _store(given: argparse.Namespace) -> Store:
    from companion.store import read_store

    settings = settings_for(given)
    return read_store(settings.data, settings.table)


def _line(store: Store, game: Summary, language: str) -> list[str]:
    return [
        str(game.id),
        name_of(game.game, language),
        time.strftime("%Y-%m-%d %H:%M", time.localtime(game.began)),
        " – ".join(players(game.about, lambda: store.record(game.id))),
        str(game.moves),
        _result(store, game, language),
    ]


def _result(store: Store, game: Summary, language: str) -> str:
    if game.result is None:
        return term("games.unfinished", language)
    names = scored_names(store.record(game.id)) if game.about else {}
    return ending(game.result, language, names, (game.seconds, game.hints))


def _plain(text: str) -> str:
    """A text with unprintable characters replaced, so that it stays on one line."""
    return "".join(c if c.isprintable() else "?" for c in text)


def _write(file: str, content: bytes) -> None:
    try:
        os.makedirs(os.path.dirname(file) or ".", exist_ok=True)
        with open(file, "wb") as made:
            made.write(content)
    except OSError as error:
        raise BadInput(file, "cannot-open", error=error.strerror) from None
    except ValueError as error:  # a name with a null character
        raise BadInput(file, "cannot-open", error=str(error)) from None
