"""The catalogues and the games' words say everything the code can say, alike in both languages, and nothing else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

import companion
import vision
import web
from companion.games import game, game_ids
from companion.messages import LANGUAGES, SECTIONS, catalogue, language_of, say, spaced

CATALOGUES = {language: {section: catalogue(language, section) for section in SECTIONS} for language in LANGUAGES}
# The parts of a game's words that hold sentences or names by codes.
PARTS = ("seats", "labels", "now", "moves", "reasons", "endings", "options", "choices", "terms", "pieces", "bad")
GENERAL = {"reasons": "REASONS", "bad": "BAD", "endings": "ENDINGS"}  # where else a game's codes may be said
# By call, the place of the code among the arguments, and the section that says it.
CALLS = {
    "Reason": (1, "REASONS"),
    "UnreadableMove": (0, "REASONS"),
    "BadInput": (1, "BAD"),
    "MoreThanTheKit": (1, "BAD"),
    "UnreadablePicture": (0, "BAD"),
    "Refused": (1, "BAD"),
    "Finding": (1, "FINDINGS"),
}
PACKAGES = [Path(str(package.__file__)).parent for package in (companion, vision, web)]
MESSAGES, WORDS = PACKAGES[0] / "messages", PACKAGES[0] / "games" / "words"


@cache
def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text())


@cache
def sources() -> list[Path]:
    """All Python files but those that hold sentences."""
    found = [file for package in PACKAGES for file in sorted(package.rglob("*.py"))]
    sentences = [*(MESSAGES / language for language in LANGUAGES), WORDS]
    return [file for file in found if file.parent not in sentences]


def calls(file: Path, name: str) -> Iterator[ast.Call]:
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
            yield node


def codes(file: Path, call: str) -> set[str]:
    """The texts given as codes to a call: constants, whichever of several the code chooses between."""
    place = CALLS[call][0]
    arguments = [node.args[place] for node in calls(file, call) if len(node.args) > place]
    tests = [test for argument in arguments for test in _conditions(argument)]
    return {
        part.value
        for argument in arguments
        for part in ast.walk(argument)
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and len(part.value) > 1
        if not any(part in ast.walk(test) for test in tests)
    }


def _conditions(node: ast.AST) -> list[ast.expr]:
    """What a code depends on, and is none itself: the conditions in it, and the keys of the tables it is taken from."""
    found = [part.test for part in ast.walk(node) if isinstance(part, ast.IfExp)]
    found += [key for part in ast.walk(node) if isinstance(part, ast.Dict) for key in part.keys if key]
    return found


def pattern_of(text: ast.JoinedStr) -> str:
    """What an f-string may become, as a regular expression."""

    def part(value: ast.expr) -> str:
        if isinstance(value, ast.Constant):
            return re.escape(str(value.value))
        choice = value.value if isinstance(value, ast.FormattedValue) else value
        if isinstance(choice, ast.IfExp) and all(isinstance(one, ast.Constant) for one in (choice.body, choice.orelse)):
            return "(?:" + "|".join(re.escape(str(ast.literal_eval(one))) for one in (choice.body, choice.orelse)) + ")"
        return ".*"

    return "".join(map(part, text.values))


def said_in(nodes: Iterator[ast.AST]) -> tuple[set[str], set[str]]:
    """The constants among these nodes, and the patterns of f-strings that say something."""
    constants, patterns = set(), set()
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            constants.add(node.value)
        elif isinstance(node, ast.JoinedStr) and re.search(r"\w{2}", pattern_of(node).replace(".*", "")):
            patterns.add(pattern_of(node))
    return constants, patterns


@cache
def used() -> tuple[set[str], set[str]]:
    """Everything that may be a code anywhere: constants, and patterns of texts that are put together."""
    constants, patterns = said_in(node for file in sources() for node in ast.walk(tree(file)))
    for file in sorted([*PACKAGES[2].rglob("*.js"), *PACKAGES[2].rglob("*.html")]):
        text = file.read_text()
        constants |= {*re.findall(r'"([^"\n]*)"', text), *re.findall(r"'([^'\n]*)'", text)}
        for template in re.findall(r"`([^`]*)`", text):
            constants.add(template)
            parts = re.split(r"(\$\{[^}]*\})", template)
            pattern = "".join(_filled_in(part) if part.startswith("${") else re.escape(part) for part in parts)
            if re.search(r"\w{2}", pattern.replace(".*", "")):
                patterns.add(pattern)
    return constants, patterns


def _filled_in(expression: str) -> str:
    """What `${name}` or `${on ? "on" : "off"}` may become."""
    chosen = re.fullmatch(r'\$\{[^?]*\? "([^"]*)" : "([^"]*)"\}', expression)
    return f"(?:{re.escape(chosen[1])}|{re.escape(chosen[2])})" if chosen else ".*"


def is_used(code: str, constants: set[str], patterns: set[str]) -> bool:
    return code in constants or any(re.fullmatch(pattern, code) for pattern in patterns)


# --- the general catalogues


def games_words(part: str, language: str) -> set[str]:
    return {code for game_id in game_ids() for code in getattr(game(game_id).words[language], part)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("call", CALLS)
def test_every_code_has_its_sentence(call: str, language: str) -> None:
    section = CALLS[call][1]
    said = set(CATALOGUES[language][section])
    for part, general in GENERAL.items():
        said |= games_words(part, language) if general == section else set()
    found = {code for file in sources() for code in codes(file, call)}
    assert found <= said, found - said


@pytest.mark.parametrize("section", SECTIONS)
def test_no_sentence_is_left_over(section: str) -> None:
    assert [code for code in CATALOGUES["en"][section] if not is_used(code, *used())] == []


def test_what_is_asked_for_by_the_beginning_of_its_code_is_there() -> None:
    """`term(f"piece.{name}")`: a whole family of terms."""
    for file in sources():
        for node in calls(file, "term"):
            if node.args and isinstance(node.args[0], ast.JoinedStr):
                pattern = pattern_of(node.args[0])
                if pattern.replace(".*", ""):
                    assert any(re.fullmatch(pattern, code) for code in CATALOGUES["en"]["TERMS"]), (file, pattern)


def blanks(sentence: str) -> set[tuple[str, str | None]]:
    return {(name, conversion) for _, name, _, conversion in Formatter().parse(sentence) if name}


def test_both_languages_say_the_same() -> None:
    english, french = CATALOGUES["en"], CATALOGUES["fr"]
    for section in SECTIONS:
        assert english[section].keys() == french[section].keys(), section
        for code, sentence in english[section].items():
            if section != "HELP":
                assert blanks(sentence) == blanks(french[section][code]), code


# --- the games' words


@cache
def modules_of(game_id: str) -> tuple[Path, ...]:
    """A game's module, and those of other games that it makes use of."""
    games = PACKAGES[0] / "games"
    own = games / f"{game(game_id).start.__module__.rpartition('.')[2]}.py"
    others = {games / f"{game(other).start.__module__.rpartition('.')[2]}.py" for other in game_ids()}
    named = {
        alias.name
        for node in ast.walk(tree(own))
        if isinstance(node, ast.ImportFrom) and node.module == "companion.games"
        for alias in node.names
    }
    return own, *(file for file in sorted(others) if file.stem in named)


def own_games() -> list[str]:
    """The games of this project: one that is installed from elsewhere has its own tests."""
    return [game_id for game_id in game_ids() if game(game_id).start.__module__.startswith("companion.")]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game_id", own_games())
def test_a_game_alone_can_say_all_its_codes(game_id: str, language: str) -> None:
    words = game(game_id).words[language]
    for part, section in GENERAL.items():
        said = set(CATALOGUES[language][section]) | set(getattr(words, part))
        for call, (_, called) in CALLS.items():
            if called == section:
                found = {code for file in modules_of(game_id) for code in codes(file, call)}
                assert found <= said, found - said


@pytest.mark.parametrize("game_id", own_games())
def test_no_words_of_a_game_are_left_over(game_id: str) -> None:
    rules = game(game_id)
    words = rules.words["en"]
    nodes = [node for file in modules_of(game_id) for node in ast.walk(tree(file))]
    constants, patterns = said_in(iter(nodes))
    phrases = [call.args[0] for file in modules_of(game_id) for call in calls(file, "Phrase")]
    told = said_in(node for phrase in phrases for node in ast.walk(phrase))
    variables = {node.id for phrase in phrases for node in ast.walk(phrase) if isinstance(node, ast.Name)}
    assigned = [
        node.value
        for node in nodes
        if isinstance(node, ast.Assign) and {getattr(target, "id", "") for target in node.targets} & variables
    ]
    put_together = said_in(node for value in assigned for node in ast.walk(value))
    for code in words.moves:
        assert is_used(code, told[0] | put_together[0], told[1] | put_together[1]), code
    for part in ("now", "reasons", "endings", "terms", "bad"):
        for code in getattr(words, part):
            assert is_used(code, constants, patterns), (part, code)
            if part in GENERAL and code in CATALOGUES["en"][GENERAL[part]]:
                pytest.fail(f"{code} is said by the general catalogue too")
    seats = {seat for seated in rules.seats.values() for seat in seated} | set(rules.players)
    assert set(words.seats) <= seats
    assert set(words.labels) <= seats


@pytest.mark.parametrize("game_id", own_games())
def test_a_game_says_the_same_in_both_languages(game_id: str) -> None:
    english, french = (game(game_id).words[language] for language in LANGUAGES)
    for part in PARTS:
        one, other = getattr(english, part), getattr(french, part)
        assert one.keys() == other.keys(), part
        for code, sentence in one.items():
            assert blanks(sentence) == blanks(other[code]), code


@pytest.mark.parametrize("language", LANGUAGES)
def test_games_do_not_contradict_each_other(language: str) -> None:
    """Whatever games have been played before: a code says one thing, and no term hides a seat."""
    for parts in (("moves",), ("reasons",), ("endings",), ("bad",), ("terms", "seats", "now")):
        said: dict[str, str] = {}
        for game_id in own_games():
            for part in parts:
                for code, text in getattr(game(game_id).words[language], part).items():
                    assert said.setdefault(code, text) == text, (game_id, part, code)
        if "terms" in parts:
            assert not set(said) & set(CATALOGUES[language]["TERMS"])


def test_one_is_not_said_as_several_are() -> None:
    counts = {"file": "log", "events": 1, "games": 1, "pictures": 0, "forgotten": 2}
    assert say("FINDINGS", "chain.whole", counts, "en") == (
        "log is whole: 1 event of 1 game; 0 pictures kept, 2 forgotten"
    )
    assert say("FINDINGS", "chain.whole", counts, "fr") == spaced(
        "log est intact : 1 événement de 1 partie ; 0 image gardée, 2 oubliées", "fr"
    )


@pytest.mark.parametrize(
    ("environment", "language"),
    [({}, "en"), ({"LANG": "fr_FR.UTF-8"}, "fr"), ({"LANG": "fr", "LC_ALL": "C"}, "en"), ({"LANG": "de_DE"}, "en")],
)
def test_the_users_language(environment: dict[str, str], language: str) -> None:
    assert language_of(environment) == language


def test_english_is_spelled_the_american_way() -> None:
    british = re.compile(
        r"\b\w*(?:colour|neighbour|favour|honour|behaviour|grey|recognis|organis|catalogue|metre)\w*", re.I
    )
    texts = [text for section in SECTIONS for text in CATALOGUES["en"][section].values()]
    for game_id in own_games():
        words = game(game_id).words["en"]
        texts += [words.name, words.about, *(text for part in PARTS for text in getattr(words, part).values())]
        texts += [str(game(game_id).sheet("en"))]
    assert [found[0] for text in texts if (found := british.search(text))] == []
