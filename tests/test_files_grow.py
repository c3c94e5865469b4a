"""However long a file of settings, a board file or a course is, its time grows no faster."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from boardfw.errors import BoardError
from boardfw.shell.config import load_config
from boardfw.shell.learning.course_files import load_course, read_outlines
from hardware.boards.board_file import load_wiring
from tests.growth import MOST_GROWTH, growth
from tests.learning.lessons import written


class Growing(NamedTuple):
    """A text in which one piece comes more and more often; ``{n}`` in it is a number."""

    begin: str
    piece: str
    end: str = ""

    def of_size(self, size: int) -> str:
        pieces = (self.piece.replace("{n}", str(n)) for n in range(size // len(self.piece)))
        return self.begin + "".join(pieces) + self.end


SETTINGS = {
    "unknown keys": Growing("", "k{n} = 1\n"),
    "an unknown key at the end": Growing("[tags]\n", "# a\n", "k = 1\n"),
    "a long name": Growing("[tags]\nwhite = '", "a", "'\n"),
    "a long opponent": Growing("[tags]\nwhite = 'enginee:", "a", "'\n"),
    "a word without quotes": Growing("[tags]\nwhite = ", "a ", '#"\n'),
    "many words without quotes": Growing("[tags]\n", "k{n} = word\n"),
    "a long clock": Growing("[clock]\ncontrol = '", "40/90+30, ", "5+3'\n"),
    "a clock of many digits": Growing("[clock]\ncontrol = '", "1", "+3'\n"),
    "a long level": Growing("[opponent]\nlevel = '", "1", "'\n"),
    "options of an engine": Growing("[opponent.options]\n", "k{n} = 'v'\n"),
}
CHIP = "[[chips]]\nkind = 'mcp23017'\naddress = 0x20\n"
BOARDS = {
    "chips": Growing("", f"{CHIP}a = ['e1', '', '', '', '', '', '', '']\n"),
    "dead squares": Growing("dead = [", "'e4', ", f"]\n{CHIP}"),
    "inputs of a chip": Growing(f"{CHIP}a = [\n", "'e4',\n", "]\n"),
    "rows of a matrix": Growing(f"{CHIP.replace('17', '17-matrix')}rows = [", "['e4'], ", "]\n"),
    "lights": Growing(f"{CHIP}[leds]\ndriver = 'ws281x'\nsquares = [\n", "'e4',\n", "]\n"),
    "buttons": Growing(f"{CHIP}[buttons]\n", "k{n} = 4\n"),
}
STATEMENTS = Growing(
    "", "[[statement]]\nnumber = 1{n}\ntext = 'a'\ndocuments = ['A']\ntaught = 'lesson'\n"
)
ROOK = "7k/8/8/3R1P2/8/8/3b4/K7 w - - 0 1"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
HEAD = 'format = 1\nid = "l"\n'
EXERCISE = f'[[exercise]]\nid = "x"\nfen = "{ROOK}"\n'
LESSON = f'{HEAD}{EXERCISE}task = {{ reach = "d5" }}\n'
GAME = f'{HEAD}[[exercise]]\nid = "x"\nfen = "{START}"\ntask = {{ line = "'
LESSONS = {
    "exercises": Growing(LESSON, EXERCISE.replace('"x"', '"x{n}"') + 'task = { reach = "d5" }\n'),
    "exercises of one name": Growing(LESSON, EXERCISE + 'task = { reach = "d5" }\n'),
    "exercises without a position": Growing(
        LESSON, '[[exercise]]\nid = "x{n}"\nfen = "8"\ntask = { reach = "d5" }\n'
    ),
    "other lessons before": Growing(f"{HEAD}after = [", '"a{n}", ', f"]\n{EXERCISE}task = {{}}\n"),
    "itself before": Growing(f"{HEAD}after = [\n", '"l",\n', f"]\n{EXERCISE}task = {{}}\n"),
    "numbers of statements": Growing(f"{HEAD}statements = [\n", "9{n},\n", f"]\n{EXERCISE}"),
    "answers": Growing(f"{LESSON}answer = [", '"e{n}", ', "]\n"),
    "variants": Growing(f"{LESSON}variants = [\n", '"mirror",\n', "]\n"),
    "moves of a line": Growing(GAME, "Nf3 Nf6 Ng1 Ng8 ", '" }\n'),
    "other moves in a line": Growing(GAME, "Nf3/", 'Nf3" }\n'),
    "a long query": Growing(f'{HEAD}{EXERCISE}task = {{ move = "', "check:", '" }\n'),
}
TEXT = '[l.x]\nsay = "You are {you}."\n'
TEXTS = {
    "a long text": Growing(f'{TEXT}hint1 = "', "a ", '"\n'),
    "unknown placeholders": Growing(f'{TEXT}hint1 = "', "{a} ", '"\n'),
    "known placeholders": Growing(f'{TEXT}hint1 = "', "{you} ", '"\n'),
    "open brackets": Growing(f'{TEXT}hint1 = "', "{", '"\n'),
    "names of files": Growing(f'{TEXT}hint1 = "', "file ", '"\n'),
    "lessons that are not there": Growing(TEXT, "[x{n}]\n"),
    "exercises that are not there": Growing(TEXT, "[l.x{n}]\n"),
    "unknown texts": Growing(TEXT, 'x{n} = "a"\n'),
}
TRANSLATIONS = {
    "texts without an English one": Growing("[l.x]\n", 'x{n} = "a"\n'),
    "other placeholders": Growing('[l.x]\nsay = "', "{a}", '"\n'),
}


def course(directory: Path, **files: str) -> None:
    """Read a course of one lesson, in which these files are other ones."""
    usual = {"lesson": LESSON, "texts": TEXT, "statements": STATEMENTS.of_size(100)}
    named = {
        "lesson": "course/01_l.toml",
        "statements": "course/statements.toml",
        "texts": "text/en.toml",
        "translation": "text/fr.toml",
    }
    written(directory, {named[name]: text for name, text in {**usual, **files}.items()})
    load_course(directory)
    read_outlines(directory)


def one_file(load: Callable[[Path], object]) -> Callable[[Path, str], None]:
    def read(directory: Path, text: str) -> None:
        path = directory / "file.toml"
        path.write_text(text, encoding="utf-8")
        load(path)

    return read


READERS: dict[str, tuple[Callable[[Path, str], None], dict[str, Growing]]] = {
    "settings": (one_file(load_config), SETTINGS),
    "board": (one_file(load_wiring), BOARDS),
    "lesson": (lambda directory, text: course(directory, lesson=text), LESSONS),
    "texts": (lambda directory, text: course(directory, texts=text), TEXTS),
    "translation": (lambda directory, text: course(directory, translation=text), TRANSLATIONS),
    "statements": (lambda directory, text: course(directory, statements=text), {"": STATEMENTS}),
}


ALL = [(name, what) for name, (_, texts) in READERS.items() for what in texts]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "what"), ALL)
def test_time_grows_with_the_length_of_a_file(name: str, what: str, tmp_path: Path) -> None:
    load, texts = READERS[name]

    def read(text: str) -> None:
        with suppress(BoardError):
            load(tmp_path, text)

    assert growth(read, texts[what].of_size) < MOST_GROWTH
