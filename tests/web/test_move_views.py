"""Moves as people tell them: in words and pictures, in both languages, for every game; notation is for records."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from companion.games import game, game_ids
from companion.games.position import AnyPosition, Piece
from companion.messages import LANGUAGES, say_move
from companion.messages.seen import say_seen
from companion.record import read_record
from companion.referee import Verdict, VerdictKind, Wrong
from companion.solvers.playing import sensible_move
from tests.records import VARIANTS, names, new_record
from tests.web.browser import Person
from tests.web.serving import PLAYER, Place
from web.drawing import piece_svg
from web.misplaced import misplaced
from web.move_views import beside_of, describe_line, describe_move, piece_words

VARIANT = {names(variant): variant for variant in VARIANTS}
# Notation, and codes of pieces: what only records, cameras and programs speak.
RAW = re.compile(
    r"[#=@>][a-i]-?\d|=[IL]\b|[+-]\?|[+-]?\b[01]{6}\b|(?:[a-i][1-9]){2,}|\b[ILOTS][1-4]?(?:[a-i]\d){2,}"
    r"|\b[RWB]{3}\b|\b[RWB]@|\b[wr][1-6K]\b|\b(?:N|NE|E|SE|S|SW|W|NW)(?:-(?:NE|E|SE|S|SW|W|NW)){2}"
    r"|\b(?:square|round)[12]\b|\{\}|\b[a-i]\d(?:-[a-i]\d)+\b|\bo[a-g][1-7]\b"
)


def positions(variant: str, seed: int = 3, most: int = 60) -> Iterator[tuple[AnyPosition, Any]]:
    """The positions of a game that somebody played, each with the move that he made."""
    chance, read = Random(seed), read_record(json.dumps(new_record(VARIANT[variant], seed)))
    at = read.start
    for _ in range(most):
        if at.outcome():
            return
        move = sensible_move(read.game, at, chance, tired=True)
        yield at, move
        at = at.play(move)


@pytest.mark.parametrize("variant", VARIANT)
def test_every_move_is_told_without_notation(variant: str) -> None:
    for at, move in positions(variant):
        for language in LANGUAGES:
            told = describe_move(at, move, language)
            assert told["words"][0].isupper() or told["words"][1].isdigit()
            assert not RAW.search(told["words"]), told["words"]
            assert told["player"] == at.to_move
            for piece in told["pieces"]:
                assert not RAW.search(piece["words"]), piece
            for shown in beside_of(at, language).values():
                assert not any(RAW.search(piece["words"]) for piece in shown)


@pytest.mark.parametrize("variant", VARIANT)
def test_what_a_move_takes_lies_beside_the_board(variant: str) -> None:
    for at, move in positions(variant):
        before, taken = at.beside(), [piece for piece in at.trace(move).pieces if piece.kind != "tile"]
        mine = [*before.get("", ()), *before.get(at.to_move or "", ())]
        for piece in taken if mine and not at.is_chance(move) else ():
            models = [(one.kind, one.model or one.name) for one in mine]
            assert (piece.kind, piece.model or piece.name) in models, (piece, mine)


@pytest.mark.parametrize("variant", VARIANT)
def test_every_piece_has_a_picture(variant: str) -> None:
    for at, move in positions(variant):
        trace = at.trace(move)
        moved = {trace.moved} if trace.moved else set()
        assert bool(moved) == bool(trace.start)
        for piece in {*trace.pieces, *moved, *(one for some in at.beside().values() for one in some)}:
            drawn = piece_svg(piece, piece_words(piece, "fr"))
            assert drawn
            assert ElementTree.fromstring(drawn).attrib["role"] == "img"


def test_what_the_kit_does_not_have_has_no_picture() -> None:
    odd = [("card", "000000"), ("tetrod", "Z1"), ("plank", "RRR"), ("die", "w7"), ("tile", "N-E"), ("crown", "")]
    assert [piece_svg(Piece(kind, name)) for kind, name in odd] == [None] * len(odd)


def test_white_sees_the_holes_of_his_cards_mirrored() -> None:
    blue, white = (piece_svg(Piece("card", "000001", face=face)) or "" for face in "bw")
    holes = [re.findall(r'-punched" x="(-?\d+)"', card) for card in (blue, white)]
    assert holes == [["100"], ["-100"]]


def test_a_line_ends_where_nobody_knows_on() -> None:
    played, start = game("six-faces"), read_record('{"game": "six-faces"}').start
    line = describe_line(played, start, ["b1-b2", "b8-b7", "a1-a1", "c1-c2"], "en")
    assert [one["words"] for one in line] == ["White's 1: b1 → b2, now a 3", "Red's 1: b8 → b7, now a 3"]


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        (["a1-a6"], "White's 5: a1 → a6, now a 3"),
        (["e1-e2"], "White's King: e1 → e2"),
        (["d1-d6-e6"], "White's 6: d1 → d6 → e6, now a 5"),
    ],
)
def test_a_roll_tells_its_route_and_what_it_shows(moves: list[str], words: str) -> None:
    at, read = read_record('{"game": "six-faces"}').start, game("six-faces").read
    assert describe_move(at, read(moves[-1]), "en")["words"] == words


def test_what_is_taken_is_told() -> None:
    dice = {"e1": "wK", "e8": "rK", "a1": "w1/2", "a2": "r3/1"}
    at = read_record(json.dumps({"game": "six-faces", "setup": {"dice": dice}})).start
    said = say_move(at.describe(game("six-faces").read("a1-a2")), "fr")
    assert said == "le 1 de Blanc\xa0: a1 → a2, prend le 3, montre un 2"


# --- what stands wrong


def wrong_in(at: AnyPosition, changes: dict[str, str]) -> tuple[Wrong, ...]:
    rows = at.visible()["rows"]
    return tuple(
        Wrong(square, rows[len(rows) - int(square[1:])][ord(square[0]) - ord("a")], code)
        for square, code in changes.items()
    )


def test_a_die_that_stands_wrong_is_shown_with_its_way_home() -> None:
    at = read_record('{"game": "six-faces"}').start
    marks = misplaced(game("six-faces"), at, None, wrong_in(at, {"b1": ".", "d4": "w1"}))
    assert dict(marks.ghosts) == {"d4": "w1"}
    assert [(arrow.kind, arrow.squares) for arrow in marks.arrows] == [("wrong", ("d4", "b1"))]
    assert set(marks.wrong) == {"b1", "d4"}


def test_a_pawn_that_stands_wrong_is_shown_with_its_way_home() -> None:
    record = new_record(VARIANT[next(name for name in VARIANT if name.startswith("trippples"))], 3)
    record["moves"], record["setup"] = [], game("trippples").dealt(Random(3), {})
    at = read_record(json.dumps({**record, "options": {}})).start
    marks = misplaced(game("trippples"), at, None, (Wrong("round1", "h1", "e4"),))
    assert dict(marks.ghosts) == {"e4": "round1"}
    assert [arrow.squares for arrow in marks.arrows] == [("e4", "h1")]
    assert set(marks.wrong) == {"e4", "h1"}


def test_a_large_piece_has_one_way_home_and_each_small_one_its_own() -> None:
    moves = ["#a1", "#b2", "#c3", "#d4", "#e5", "#f6", "#g7", "=L", "La2a3b3"]
    at = read_record(json.dumps({"game": "hepta", "moves": []})).start
    for text in moves:
        at = at.play(game("hepta").read(text))
    moved = {"a2": ".", "a3": ".", "b3": ".", "d1": "x", "e1": "x", "e2": "x", "a1": ".", "g1": "#"}
    ways = {arrow.squares for arrow in misplaced(game("hepta"), at, None, wrong_in(at, moved)).arrows}
    assert len(ways) == 2
    assert ("g1", "a1") in ways
    ((stands, belongs),) = ways - {("g1", "a1")}
    assert stands in ("d1", "e1", "e2")
    assert belongs in ("a2", "a3", "b3")


def test_tokens_on_planks_find_home_by_the_positions_numbers() -> None:
    start = new_record(VARIANT[next(name for name in VARIANT if name.startswith("plank"))], 3)
    at = read_record(json.dumps({**start, "moves": []})).start
    for _ in range(2):
        at = at.play(next(iter(at.moves())))
    seen = json.loads(json.dumps(at.visible()))
    row = next(n for n, plank in enumerate(seen["planks"]) if set(plank["tokens"]) != {"."})
    column = next(n for n, token in enumerate(seen["planks"][row]["tokens"]) if token != ".")
    other = next(n for n, token in enumerate(seen["planks"][row]["tokens"]) if token == ".")
    owner = seen["planks"][row]["tokens"][column]
    color = seen["planks"][row]["colors"][column]
    seen["planks"][row]["tokens"][column] = "."
    seen["planks"][row]["tokens"][other] = f"{owner}:{color}"
    marks = misplaced(game("plank"), at, seen, ())
    assert [arrow.squares for arrow in marks.arrows] == [
        (f"{'abc'[other]}{row + at.first_row}", f"{'abc'[column]}{row + at.first_row}")
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_lies_on_a_square_is_told_in_words(language: str) -> None:
    for variant in VARIANT:
        for at, _ in list(positions(variant))[::7]:
            played, seen = game(VARIANT[variant][0]), at.visible()
            codes = {code for row in seen.get("rows", []) for code in row}
            codes |= {f"{c}{t}" for plank in seen.get("planks", []) for c, t in zip(*plank.values(), strict=True)}
            for code in codes:
                assert not RAW.search(say_seen(played, code, language)), code


# --- on the page


def spoken(person: Person) -> str:
    """All that the page says, but for the second line of its moves."""
    return str(
        person.run(
            """const page = document.body.cloneNode(true);
            for (const raw of page.querySelectorAll(".notation, script, link")) raw.remove();
            const labels = [...page.querySelectorAll("[aria-label], [title], [alt], [placeholder]")];
            const names = ["aria-label", "title", "alt", "placeholder"];
            const told = labels.flatMap((one) => names.map((name) => one.getAttribute(name)));
            return [page.textContent, ...told].filter(Boolean).join("\\n")"""
        )
    )


@pytest.mark.parametrize("played", game_ids())
def test_no_page_shows_raw_notation(referee: Person, table: Place, played: str) -> None:
    language = LANGUAGES[len(played) % 2]
    referee.speaks(language)
    referee.chooses(played)
    assert not RAW.search(spoken(referee))
    referee.clicks("#begin")
    referee.until(lambda: referee.all("#board svg"))
    chance, host = Random(2), table.host
    for _ in range(9):
        if host.state.outcome or not host.state.game:
            break
        host.do(lambda: host.game.play([str(sensible_move(host.game.game, host.game.position, chance))]))
    made = len(host.state.record["moves"])
    host.do(lambda: host.aids.set_hints(True, None, "referee"))
    referee.until(lambda: len(referee.moves()) == made)
    referee.until(lambda: host.state.outcome or (referee.text("#hint p") and referee.all("#hand[data-at]")))
    referee.run("document.querySelector('.all-moves') && (document.querySelector('.all-moves').open = true)")
    referee.until(lambda: host.state.outcome or referee.all(".all-moves .move"))
    said = spoken(referee)
    assert not RAW.search(said), RAW.findall(said)
    host.do(lambda: host.aids.set_hints(False, None, "referee"))
    if not host.state.outcome:
        host.do(lambda: host.game.end(None, "agreed"))
    referee.says("over")
    referee.finds("#ending h2")
    assert not RAW.search(spoken(referee))
    referee.goes_to("/wall")
    referee.until(lambda: referee.all("#board svg"))
    assert not RAW.search(spoken(referee))


def test_a_wrong_board_is_told_and_drawn_on_the_page(referee: Person, table: Place) -> None:
    referee.begins("trippples")
    host = table.host
    at = host.state.position
    seen = json.loads(json.dumps(at.visible()))
    seen["pawns"]["round1"] = "e6"
    verdict = Verdict(
        VerdictKind.ILLEGAL, reason=at.explain_illegal(seen), code="illegal", wrong=(Wrong("round1", "h1", "e6"),)
    )

    def tell_twice() -> None:
        host.game.seen = seen
        for _ in range(2):
            host.game._tell(verdict, None)

    host.do(tell_twice)
    referee.says("illegal")
    referee.sees("#verdict-squares", "The round pawn should be: h1; seen: e6")
    referee.until(lambda: referee.all('#board .arrow.wrong[data-squares="e6 h1"]'))
    assert referee.all('#board [data-square="e6"] .ghost')
    assert not RAW.search(spoken(referee))


# --- the computer


def test_the_computer_is_chosen_with_the_game_and_says_why(referee: Person, table: Place) -> None:
    referee.chooses("six-faces")
    referee.run("document.querySelector('[data-computer=red]').value = '3'")
    referee.clicks("#begin")
    referee.until(lambda: table.host.state.computer == {"red": 3})
    referee.until(lambda: referee.run("return document.body.dataset.page") == "table")
    referee.plays("b1-b2", ["b1", "b2"])
    referee.until(lambda: len(referee.moves()) == 2)
    referee.sees("#verdict-title", "The computer played")
    assert "Red's" in referee.text("#verdict-text")
    referee.clicks("#why")
    referee.until(lambda: referee.all("#verdict .line li"))
    line = table.browser(None).get("/api/table")["reply"]["line"]
    if len(line) > 1:
        referee.until(lambda: referee.all("#board .arrow.why"))
    referee.may_move()
    referee.clicks("#back")  # to before one's own move
    referee.until(lambda: referee.moves() == [])
    assert table.host.state.position.to_move == "white"


def test_nobody_moves_for_the_computer_while_it_thinks(referee: Person, table: Place) -> None:
    host = table.host
    referee.begins("six-faces")
    host.do(lambda: host.game.play(["b1-b2"]))
    referee.may_move()
    host.do(lambda: host.game.pause(True))  # it does not answer now
    host.do(lambda: host.aids.set_computer({"red": 5}))
    referee.sees("#turn", "Red: the computer is thinking")
    referee.sees("#seats", "the computer, level 5")
    referee.until(lambda: not referee.all(".all-moves"), "its moves are offered")
    host.do(lambda: host.aids.set_computer({"white": 5}))  # then the person sits on the other side
    referee.until(lambda: referee.square("e8").location["y"] > referee.square("e1").location["y"])
    host.do(lambda: host.aids.set_computer({}))
    referee.until(lambda: referee.square("e8").location["y"] < referee.square("e1").location["y"])
    referee.may_move()
    host.do(lambda: host.game.pause(False))
    referee.clicks("#back")
    referee.until(lambda: referee.moves() == [])


def test_a_seat_that_is_not_there_begins_no_game(table: Place) -> None:
    browser, before = table.browser(PLAYER), table.host.state.number
    told = browser.post("/api/new", {"game": "six-faces", "computer": {"blue": 3}}, status=422)
    assert "blue" in told["reason"]
    assert table.host.state.number == before
