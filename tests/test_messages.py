"""The catalogues say everything the code can say, alike in both languages."""

import ast
from importlib import import_module
from pathlib import Path
from string import Formatter

import pytest

import companion
import vision
import web
from companion.messages import LANGUAGES, language_of

SOURCES = [file for package in (companion, vision, web) for file in Path(package.__file__).parent.rglob("*.py")]
SECTIONS = ("REASONS", "BAD", "VERDICTS", "QUESTIONS", "PAGE", "FINDINGS", "ENDINGS", "TERMS", "HELP")
CATALOGUES = {
    language: {section: getattr(import_module(f"companion.messages.{language}"), section) for section in SECTIONS}
    for language in LANGUAGES
}


def codes(call: str) -> set[str]:
    """The texts given as codes to Reason(…) or BadInput(…) anywhere in the package."""
    found = set()
    for file in SOURCES:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == call:
                place = 0 if call in ("CannotBeRead", "CannotRead") else 1
                for code in ast.walk(node.args[place]) if len(node.args) > place else []:
                    if isinstance(code, ast.Constant) and isinstance(code.value, str) and len(code.value) > 1:
                        found.add(code.value)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_its_sentence(language: str) -> None:
    reasons, bad = CATALOGUES[language]["REASONS"], CATALOGUES[language]["BAD"]
    assert codes("Reason") | codes("CannotBeRead") <= set(reasons)
    assert codes("BadInput") | codes("CannotRead") <= set(bad)
    assert codes("Finding") <= set(CATALOGUES[language]["FINDINGS"])
    assert len(codes("Reason")) > 40


def test_no_sentence_is_left_over() -> None:
    said = "".join(file.read_text() for file in SOURCES if file.name not in ("en.py", "fr.py")).replace("'", '"')
    for section in ("REASONS", "BAD", "VERDICTS", "QUESTIONS", "FINDINGS", "ENDINGS"):
        for code in CATALOGUES["en"][section]:
            assert f'"{code}"' in said, code


def test_both_languages_say_the_same() -> None:
    def blanks(sentence: str) -> set[tuple[str | None, str | None]]:
        return {(name, conversion) for _, name, _, conversion in Formatter().parse(sentence) if name}

    english, french = CATALOGUES["en"], CATALOGUES["fr"]
    for section in SECTIONS:
        assert english[section].keys() == french[section].keys(), section
        for code, sentence in english[section].items():
            if section not in ("HELP", "TERMS"):
                assert blanks(sentence) == blanks(french[section][code]), code


@pytest.mark.parametrize(
    ("environment", "language"),
    [({}, "en"), ({"LANG": "fr_FR.UTF-8"}, "fr"), ({"LANG": "fr", "LC_ALL": "C"}, "en"), ({"LANG": "de_DE"}, "en")],
)
def test_the_users_language(environment: dict[str, str], language: str) -> None:
    assert language_of(environment) == language
