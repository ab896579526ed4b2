"""Learning a table's own set: other colors become readable, the kit's stay as well read as they were."""

from __future__ import annotations

import json
from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from companion.games import game
from companion.labels import labels_of
from companion.learned import learned_sets
from companion.settings import settings_for
from companion.table.learning import asked_position, known_position, start_teaches, taught
from companion.table.opening import new_record
from tests.bench.reading import PIECES, cells
from tests.bench.strange import of_the_kit, pictures, start_picture
from vision import dots
from vision.check import check
from vision.codes import TRIPLES
from vision.errors import UnreadablePicture
from vision.fields import usual_field
from vision.learning import Lesson, learn
from vision.letters import said_by, shown_by
from vision.network import softmax
from vision.patches import SIDE
from vision.readers import tiles
from vision.reading import Reading, read_picture
from vision.simulate.layout import Layout, completed
from vision.translation import Tint, Translation, coin_signs_of


def wrong(reading: Reading, visible: dict[str, object]) -> int:
    assert reading.look is not None
    truth, seen = cells(visible), cells(reading.look.visible())
    return sum(truth.get(square) != seen.get(square) for square in truth.keys() | seen.keys())


@pytest.mark.parametrize(
    ("played", "seed"), [("six-faces", 5006), ("pegs", 5000), ("trippples", 5100), ("plank", 5101)]
)
def test_strange_colors_become_readable(played: str, seed: int) -> None:
    labels = labels_of(game(played))
    first, _, other = pictures(seed, PIECES[played], 2)
    before = read_picture(first.image, labels)
    learned = learn(Lesson(first.image, before.pose, before.light, labels, first.layout.visible))
    assert learned is not None
    assert wrong(read_picture(other.image, labels), other.layout.visible) > 3
    assert wrong(read_picture(other.image, labels, learned=lambda _: learned), other.layout.visible) == 0
    assert Translation.from_json(json.loads(json.dumps(learned.as_json()))) == replace(
        learned, tints=Translation.from_json(learned.as_json()).tints
    )


def test_the_kits_own_colors_are_left_alone() -> None:
    labels = labels_of(game("six-faces"))
    first = next(pictures(5000, PIECES["six-faces"], 0, maker=of_the_kit))
    before = read_picture(first.image, labels)
    assert wrong(before, first.layout.visible) == 0
    assert learn(Lesson(first.image, before.pose, before.light, labels, first.layout.visible)) is None


def test_a_set_that_was_learned_follows_the_light_slowly() -> None:
    labels = labels_of(game("six-faces"))
    first = next(pictures(5003, PIECES["six-faces"], 0))
    before = read_picture(first.image, labels)
    learned = learn(Lesson(first.image, before.pose, before.light, labels, first.layout.visible))
    assert learned is not None
    patches = Lesson(first.image, before.pose, before.light, labels, first.layout.visible).patches(before.look)  # type: ignore[arg-type]
    assert patches is not None
    dimmer = np.asarray(patches * 0.9, np.uint8)
    drifted = learned.drifted(dimmer)
    bodies = [(old, new) for old, new in zip(learned.tints, drifted.tints, strict=True) if old.mostly]
    assert all(sum(new.color) <= sum(old.color) + 1 for old, new in bodies)
    assert all(sum(new.color) > 0.95 * sum(old.color) for old, new in bodies)
    assert drifted.strangeness(dimmer) < learned.strangeness(dimmer)


def test_green_and_black_dice_from_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.cli import main

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    picture = tmp_path / "start.png"
    cv2.imwrite(str(picture), start_picture(3))
    truth = cells(known_position(game("six-faces")))

    def read() -> int:
        assert main(["read", str(picture)]) == 0
        seen = cells(json.loads(capsys.readouterr().out)["visible"])
        return sum(truth[square] != seen[square] for square in truth)

    before = read()
    assert before > 0
    assert main(["learn", str(picture), "--game", "six-faces", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["learned"]
    assert told["right_after"] == told["squares"] == 72
    assert read() == 0
    assert main(["check", str(picture), "--json"]) == 0
    findings = {finding["code"]: finding["good"] for finding in json.loads(capsys.readouterr().out)}
    assert findings["set.known"]
    record = tmp_path / "game.json"
    record.write_text(json.dumps(new_record(game("six-faces"), {}, None, deals=False)))
    assert main(["follow", str(record), str(picture)]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == "same"
    assert main(["follow", str(record), str(picture), "--table", "another"]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] != "same"  # that one has learned nothing
    learned = learned_sets(settings_for(Namespace()))
    blue = [replace(tint, color=(tint.color[2], tint.color[1], tint.color[0])) for tint in learned[0][1].tints]
    other = [("faces", replace(learned[0][1], tints=tuple(blue)))]
    assert "set.changed" in {finding.code for finding in check(start_picture(3), other)}
    assert main(["learn", "--game", "six-faces", "--forget"]) == 0
    assert "forgotten" in capsys.readouterr().out
    assert read() == before


def test_bad_input_is_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.cli import main

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(["learn", "--game", "six-faces"]) == 2
    assert main(["learn", str(tmp_path / "none.png"), "--game", "six-faces"]) == 2
    assert main(["learn", str(tmp_path / "none.png"), "--game", "tetrods"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 3
    sets = tmp_path / "board-companion" / "table.sets.json"
    sets.parent.mkdir()
    whole = {"color": [1, 2, 3], "meant": [1, 2, 3], "way": 0, "mostly": True, "dot": False, "ground": None}
    others = {"usual": 0.1, "tinges": [], "examples": []}
    bad = [
        {"parts": "nose"},
        {"parts": "", "tinges": [["round1", [1]]]},
        {"parts": "", "examples": [["#", [1]], ["o", []]]},
        {"parts": "token", "letters": [["A", "00ff", 1]]},
        {"parts": "token", "squares": [[1, 2, 3]]},
        {"parts": "token", "discs": [[1, [1]]]},
        {"parts": "tile", "dots": [1, 2]},
    ]
    damaged = [json.dumps({"six-faces": {"tints": [whole], **others, **part}}) for part in bad]
    for text in ("[]", "{", '{"six-faces": {"tints": 3}}', *damaged):
        sets.write_text(text)
        assert main(["read", str(tmp_path / "none.png")]) == 2
        assert main(["run", "--game", "six-faces", "--camera", "none", "--port", "0"]) == 2
    assert not (sets.parent / "table.sqlite").exists()  # no game was begun
    assert "Traceback" not in capsys.readouterr().err


def test_letters_are_known_by_those_that_were_shown() -> None:
    """However they lie and whatever their colors, and bare squares with them."""

    def square(owner: str, turn: float, ground: tuple[int, int, int], ink: tuple[int, int, int]) -> npt.NDArray[Any]:
        canvas = np.full((256, 256, 3), ground, np.uint8)
        if owner != ".":
            cv2.circle(canvas, (128, 128), 96, ink, 4, cv2.LINE_AA)
            cv2.putText(canvas, owner, (84, 172), cv2.FONT_HERSHEY_SIMPLEX, 4, ink, 14, cv2.LINE_AA)
        spin = cv2.getRotationMatrix2D((127.5, 127.5), turn, 1.0)
        turned = cv2.warpAffine(canvas, spin, (256, 256), borderMode=cv2.BORDER_REPLICATE)
        small = cv2.resize(turned, (SIDE, SIDE), interpolation=cv2.INTER_AREA).astype(np.float32)
        noisy = np.clip(small + np.random.default_rng(int(turn)).normal(0, 2, small.shape), 0, 255)
        return np.tile(noisy.astype(np.uint8).transpose(2, 0, 1), (2, 1, 1))

    shown = [square(owner, 10, (60, 140, 60), (200, 210, 215)) for owner in "ABCD."]
    kept = shown_by(np.stack(shown), "ABCD.")
    turns = [(owner, turn) for owner in "ABCD." for turn in (47, 160, 290)]
    seen = np.stack([square(owner, turn, (190, 120, 160), (20, 40, 30)) for owner, turn in turns])
    letter, there = said_by(kept, seen, "ABCD")
    assert ["ABCD"[n] for n in letter.argmax(axis=1)][:12] == [owner for owner, _ in turns[:12]]
    assert (there[:12] > 0).all()
    assert (there[12:] < 0).all()


def test_pawns_are_dealt_as_a_whole() -> None:
    """Each of the four pawns stands on one square, though two squares look more like the same one."""
    pawns = np.tile(np.array([4.0, -3.0, -4.0, -4.0, -5.0], np.float32), (64, 1))
    likely = {  # none, and per pawn: square1, square2, round1, round2
        "e1": (-3.4, 2.2, -1.3, -1.9, -1.1),
        "c1": (-3.0, 2.5, 1.8, -2.9, -1.8),
        "g1": (-3.4, 0.6, -3.4, 1.8, -1.1),
        "c8": (-2.9, 0.1, -4.0, 2.4, 1.9),
    }
    squares = tiles.squares_of(usual_field("tiles"))
    for square, seen in likely.items():
        pawns[squares.index(square)] = seen
    share = softmax(tiles._dealt(pawns))
    best = {square: int(share[squares.index(square)].argmax()) for square in likely}
    assert best == {"e1": 1, "c1": 2, "g1": 3, "c8": 4}
    pawns[[squares.index("c1"), squares.index("c8")]] = (4.0, -3.0, -4.0, -4.0, -5.0)
    share = softmax(tiles._dealt(pawns))
    assert int(share[squares.index("e1")].argmax()) == 1, "two who play have the first pawn of each shape"
    assert int(share[squares.index("g1")].argmax()) == 3


def tile(ground: tuple[int, int, int], dot: tuple[int, int, int], quarters: int, seed: int) -> npt.NDArray[Any]:
    patch = np.random.default_rng(seed).normal(0, 3, (SIDE, SIDE, 3)) + ground
    patch[26:29, 15:18] = dot
    turned = np.rot90(patch, quarters)  # what was south is east after a quarter
    return np.clip(np.concatenate([turned.transpose(2, 0, 1)] * 3), 0, 255).astype(np.uint8)


def test_dots_are_known_by_those_that_were_shown() -> None:
    shown = np.stack([tile((60, 140, 60), (40, 60, 190), 0, seed) for seed in range(20)])
    learned = dots.shown_by(shown, TRIPLES[:20])
    dimmer = np.stack([tile((40, 90, 45), (27, 40, 130), quarters, 40 + quarters) for quarters in range(4)])
    assert dots.said_by(learned, dimmer).argmax(axis=1).tolist() == [0, 1, 2, 3]
    assert dots.shown_by(shown[:5], TRIPLES[:5]) == (), "too few to learn from"


def plank(
    colors: list[tuple[float, float, float]], tokens: list[tuple[float, float, float] | None]
) -> npt.NDArray[Any]:
    """Three squares with their tokens, as patches."""
    axis = (np.arange(SIDE) + 0.5) / SIDE - 0.5
    disc = np.hypot(axis[:, None], axis[None]) < 0.42
    out = []
    for color, token in zip(colors, tokens, strict=True):
        patch = np.full((SIDE, SIDE, 3), color)
        if token is not None:
            patch[disc] = token
        out.append(np.concatenate([patch.transpose(2, 0, 1)] * 2))
    return np.clip(np.stack(out), 0, 255).astype(np.uint8)


def test_planks_colors_are_told_in_another_light() -> None:
    """Two dark grays and a blue that are lit more brightly, with tokens that shine: a plank has one of each color."""
    red, white, blue = (62.0, 68.0, 70.0), (25.0, 26.0, 25.0), (210.0, 32.0, 36.0)
    learned = Translation(
        (Tint((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),),
        "token",
        squares=(red, white, blue),
        discs=((1, (0.3, 0.3, 0.3)), (2, (0.5, 0.5, 0.5)), (3, (0.1, 0.4, 0.4))),
    )

    def lit(color: tuple[float, float, float], shine: float = 0.0) -> tuple[float, float, float]:
        return tuple(1.5 * level + 20 + shine for level in color)  # type: ignore[return-value]

    laid = [(red, white, blue), (blue, red, white), (white, blue, red)]
    patches = np.concatenate([plank([lit(c) for c in colors], [lit(c, 30) for c in colors]) for colors in laid])
    own = np.array([[(red, white, blue).index(color) for color in colors] for colors in laid]).ravel()
    assert learned.of_planks(patches).argmax(axis=1).tolist() == own.tolist()
    assert learned.of_tokens(patches, np.ones(9, bool), own).argmax(axis=1).tolist() == own.tolist()
    astray = plank([lit(white), lit(blue), lit(red)], [lit(blue, 30), None, None])
    there = np.array([True] * 10 + [False] * 2)
    patches, own = np.concatenate([patches, astray]), np.append(own, [1, 2, 0])
    assert int(learned.of_tokens(patches, there, own)[9].argmax()) == 2, "a blue token on a white square"


def test_coins_are_known_in_a_lamps_shine() -> None:
    """A lamp that shines on coins makes all of them paler."""
    metals = {"A": (50.0, 90.0, 150.0), "B": (60.0, 140.0, 175.0), "C": (150.0, 155.0, 155.0)}
    felt = (90.0, 60.0, 40.0)
    shown = np.concatenate([plank([felt] * 3, [metal] * 3) for metal in metals.values()])
    looks = {owner: coin_signs_of(shown)[3 * n] for n, owner in enumerate(metals)}
    owners = tuple((owner, tuple(float(part) for part in look)) for owner, look in looks.items())
    learned = Translation((Tint((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),), "token", owners=owners)
    shining: list[tuple[float, float, float]] = [(b + 55, g + 55, r + 60) for b, g, r in metals.values()]
    patches = np.concatenate([plank([felt] * 3, [metal, metal, None]) for metal in shining])
    there = np.tile([True, True, False], 3)
    assert ((learned.coins_on(patches) > 0) == there).all()
    said = learned.by_owners(patches, "ABCD", there)
    assert said[there].argmax(axis=1).tolist() == [0, 0, 1, 1, 2, 2]


def test_what_is_asked_for_can_be_laid() -> None:
    for played in PIECES:
        visible = asked_position(game(played))
        layout = completed(Layout(labels_of(game(played)), visible))
        assert layout.visible == visible


def test_a_start_without_pieces_teaches_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """Learned from an empty board, a set would be believed to be known, and none of its pieces would be."""
    from companion.cli import main

    for played in PIECES:
        assert start_teaches(game(played)) == (played == "six-faces")
    assert main(["learn", "board.jpg", "--game", "trippples"]) == 2
    assert "--shown" in capsys.readouterr().err
    assert main(["learn", "--game", "tetrods", "--shown"]) == 0
    drawn = capsys.readouterr().out
    assert drawn.splitlines()[5].split() == ["2", "█", "◉", *"·····"], "what to lay is drawn"
    assert main(["learn", "--game", "tetrods", "--shown", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == asked_position(game("tetrods"))


def test_a_position_that_does_not_lie_there_is_not_learned(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.cli import main

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    picture, labels = start_picture(3), labels_of(game("six-faces"))
    rows = [list(row) for row in known_position(game("six-faces"))["rows"]]
    assert taught(picture, labels, {"rows": rows}, settings_for(Namespace())).learned
    rows[0][0], rows[3][3] = rows[3][3], rows[0][0]  # a die stands three rows further
    with pytest.raises(UnreadablePicture, match="learn-otherwise") as refused:
        taught(picture, labels, {"rows": rows}, settings_for(Namespace()))
    assert "a8" in refused.value.params["squares"]
    bare = tmp_path / "bare.png"
    cv2.imwrite(str(bare), next(pictures(5000, PIECES["six-faces"], 0)).image)
    assert main(["learn", str(bare), "--game", "six-faces"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert learned_sets(settings_for(Namespace())) == [], "nothing is kept of it"
