"""A message quotes at most 80 characters of the input, so that the rest of it can be seen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from boardfw.cli import main
from boardfw.errors import MOST_QUOTED, BoardError
from tests.cli.test_bad_input import BASES, SERVES, commands, without

FILES = ("--play", "--board", "trace")
"""Options and arguments that may name a file, and are no ``click.Path``."""
LONG = 10_000
ALPHABET = "abcdefghjkmnpqrstuvwxyz023456789"
LETTERS = "".join(ALPHABET[number * number % 31] for number in range(LONG))
KINDS = {
    "letters": LETTERS,
    "words": " ".join(LETTERS[at : at + 7] for at in range(0, LONG, 8)),
    "umlauts": "äöü" * (LONG // 3),
    "digits": "1234567890" * (LONG // 10),
    "slashes": "8/" * (LONG // 2),
    "list": "e4=open," * (LONG // 8),
    "engine": "engine:" + LETTERS,
    "board": "i2c:" + LETTERS,
}


def overlong(message: str, given: str) -> str:
    """Return a part of the message that quotes too much of what was given; empty: none does."""
    size = MOST_QUOTED + 1
    spelt = (given, ascii(given)[1:-1])
    parts = {text[at : at + size] for text in spelt for at in range(len(text) - size + 1)}
    runs = (message[at : at + size] for at in range(len(message) - size + 1))
    return next((run for run in runs if run in parts), "")


def lines_with(given: str) -> Iterator[list[str]]:
    """Yield every command line with this value for an option or argument that names no file.

    A message gives the whole name of a file, so that its owner finds it.
    """
    for words, command in commands(main):
        base = BASES[words].split()
        for parameter in command.params:
            if isinstance(parameter.type, click.Path) or parameter.opts[0] in FILES:
                continue
            if isinstance(parameter, click.Option):
                name = parameter.opts[0]
                if not parameter.is_flag:
                    yield [*words.split(), *without(name, base), f"{name}={given}"]
            else:
                first = next((n for n, one in enumerate(base) if one.startswith("-")), len(base))
                yield [*words.split(), *base[first:], "--", given]


@pytest.mark.parametrize("kind", KINDS)
def test_a_wrong_word_is_quoted_in_a_short_part(kind: str) -> None:
    given = KINDS[kind]
    for words in ([given], [f"--{given}"], ["run", f"--{given}"], ["games", given]):
        result = CliRunner().invoke(main, words)
        assert result.exit_code == 2
        assert result.stderr
        assert not overlong(result.stderr, given)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_every_option_is_quoted_in_a_short_part(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    given, found = KINDS[kind], []
    for line in lines_with(given):
        if line[0] in ("status", "learn", SERVES, "perft", "accuracy"):
            continue
        result = CliRunner().invoke(main, line)
        if run := overlong(result.stderr, given):
            found.append(f"{line[:2]} {line[-1][:20]}: {run}")
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("games import FILE --record g.db", "1. e4 {} *"),
        ("games import FILE --record g.db", '[FEN "{}"]\n\n1. e4 *'),
        ("run --config FILE", "{} = 1"),
        ("run --config FILE", "[{}]"),
        ("run --config FILE", "[tags]\nwhite = {}"),
        ("run --board i2c:./FILE", "[[chips]]\nkind = '{}'"),
        ("replay FILE --out out", "{}"),
    ],
)
def test_a_word_of_a_file_is_quoted_in_a_short_part(
    command: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("FILE").write_text(text.format(LETTERS))
    result = CliRunner().invoke(main, command.split())
    assert result.exit_code in (1, 2)
    assert result.stderr
    assert not overlong(result.stderr, LETTERS)


def test_a_path_keeps_its_beginning_and_its_end() -> None:
    path = "/srv/ann/" + "folder/" * 40 + "games.pgn"
    message = str(BoardError(f"{path!a}: cannot be read"))
    assert message.startswith("'/srv/ann/folder/")
    assert message.endswith("folder/games.pgn': cannot be read")
    assert not overlong(message, path)


@pytest.mark.parametrize(
    "text",
    [
        "'" + "x" * MOST_QUOTED + "': is short enough",
        f"the board's own player, {'and others ' * 10}of the players' choice",
        "x" * 500,
    ],
)
def test_what_is_no_long_quotation_stays_as_it_is(text: str) -> None:
    assert str(BoardError(text)) == text
