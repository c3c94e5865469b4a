"""``boardfw learn start`` and its kin: what is given, what is kept, what cannot be given."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import ClassVar, NoReturn

import pytest
from click.testing import CliRunner, Result

from boardfw.cli import main
from boardfw.cli.learn import Place, lessons
from boardfw.learning.lesson import Kind, Told
from boardfw.learning.source import Source
from boardfw.learning.tutor import Tutor
from boardfw.phrase import Table
from boardfw.players.lesson_player import Learner
from boardfw.shell.config import Settings
from boardfw.shell.learning.learner import Log
from boardfw.shell.learning.lesson_desk import LessonDesk
from boardfw.shell.runtime import Runtime
from boardfw.shell.store.record_lock import own
from docs.drawing.still import Still
from hardware.clock import VirtualClock
from hardware.sim.board import SimBoard
from hardware.sim.hands import Hands
from tests.cli.runs import hear_ctrl_c, without_late_scans
from tests.cli.tapes import save
from tests.learning.lessons import FILES, changed, written
from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[2]
RECORD = "learnt.db"
LOOK_US = 50_000
FEN = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
SQUARES = {
    "course/01_squares.toml": f"""\
format = 1
id = "squares"
documents = ["E"]
statements = [81]

[[exercise]]
id = "first"
fen = "{FEN}"
task = {{ find = ["e4"] }}

[[exercise]]
id = "second"
fen = "{FEN}"
task = {{ find = ["d5"] }}
""",
    "text/en.toml": """\
[squares]
name = "The squares"
goal = "Every square has a name."

[squares.first]
say = "You are {you}. Put the pawn on {squares}."
hint1 = "First the letter."
hint2 = "Then the number."
solved = "So it is."

[squares.second]
say = "You are {you}. Now {squares}."
hint1 = "First the letter."
hint2 = "Then the number."
solved = "That too."
""",
}
FIRST = ["ask: You are White. Put the pawn on e4.", "solved: So it is."]
SECOND = "setup: Set up the pieces. White: king e1, pawn e2. Black: king e8."


@pytest.fixture(autouse=True)
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty directory to start from, with lessons below it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    return written(Path("mine"), FILES)


def learn(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["learn", *map(str, arguments)])


# ------------------------------------------------------------------------ what cannot be given

MINE = ("--course", "mine")
UNREAD = "cannot be read: No such file or directory"
WRONG: list[tuple[tuple[str, ...], str, str]] = [
    # what is given, what is wrong with it, and what there is instead
    (("start", "rok", *MINE), "rok: no lesson", "rook, castle"),
    (("play", "rok.stars", *MINE), "rok: no lesson", "rook, castle"),
    (("play", "rook", *MINE), "rook: no exercise", "rook.stopped, rook.way_round"),
    (("play", "rook.stars/mirror", *MINE), "rook.stars/mirror: no ex", "rook.stopped"),
    (("play", "rook.stopped/upside", *MINE), "rook.stopped/upside: no v", "rook.stopped/mirror"),
    (("play", "rook.way_round/mirror", *MINE), "rook.way_round/mirror: no variant", "has none"),
    *(
        ((*command, "--profile", "Ben", "--record", RECORD), f"{RECORD}: ", "profiles add NAME")
        for command in (("start", "rook", *MINE), ("next", *MINE), ("endings", "kpk"), ("setup",))
    ),
    (("start", "rook", *MINE, "--hands", "both"), "--hands: no hands 'both'", "careful, club"),
    (("play", "rook.stopped", *MINE, "--board", "usb:"), "--board: 'usb:'", "'sim:'"),
    (("guess", "famous", "--game", "2"), "famous: has no game 2", ""),
]


@pytest.fixture
def nothing_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lesson that begins all the same fails; else the test would wait for its end."""

    def refuse(_: Runtime) -> NoReturn:
        raise AssertionError("a lesson has begun")

    monkeypatch.setattr(Runtime, "run", refuse)


@pytest.mark.usefixtures("nothing_begins")
@pytest.mark.parametrize(
    ("command", "wrong", "instead"), WRONG, ids=[" ".join(one) for one, *_ in WRONG]
)
def test_what_cannot_be_given_is_told_in_a_line(
    command: tuple[str, ...], wrong: str, instead: str
) -> None:
    result = learn(*command)
    assert isinstance(result.exception, SystemExit)
    assert (result.exit_code, result.output.count("\n")) == (2, 1)
    assert result.output.startswith(wrong)
    assert instead in result.output
    assert not Path(RECORD).exists()  # no file is made for an unknown profile


@pytest.mark.usefixtures("nothing_begins")
def test_lessons_that_are_not_there_are_told_with_their_file() -> None:
    result = learn("start", "--course", "no", "--record", RECORD)
    assert result.exit_code == 2
    assert result.output.splitlines() == [
        f"no/text/en.toml: {UNREAD}; name a file that is there and readable",
        "there is no lesson that can be given",
    ]
    assert not Path(RECORD).exists()


@pytest.mark.usefixtures("nothing_begins")
def test_a_faulty_lesson_is_told_with_its_line_and_the_others_are_given() -> None:
    written(Path("mine"), changed("rook", "answer = 3", "answer = 4"))
    fault = (
        "mine/course/01_rook.toml:17: 'answer' is 4, the rules say 3; write that, or mend the "
        "exercise"
    )
    listed = learn("list", *MINE, "--record", RECORD)
    assert (listed.exit_code, listed.stderr) == (0, f"{fault}\n")
    assert [line[2:8] for line in listed.stdout.splitlines()[:-1]] == ["castle"]
    result = learn("start", "rook", *MINE, "--record", RECORD)
    assert result.exit_code == 2
    assert result.output.splitlines() == [
        fault,
        "rook: no lesson has this name; there are castle",
    ]


@pytest.mark.usefixtures("nothing_begins")
def test_who_learns_or_plays_already_keeps_others_from_it() -> None:
    with own(Path(RECORD)):
        result = learn("start", "rook", *MINE, "--record", RECORD)
    assert result.exit_code == 2
    assert result.output == (
        f"{RECORD}: another boardfw plays this record on (process {os.getpid()}); end it, or name "
        "another file with --record\n"
    )


# ------------------------------------------------------------------------------ without a terminal


E4_AND_BACK = "-e2 +e4 3000 -e4 +e2"
"""This is done in real time, so that a machine which stands still for a second sees all of it."""


def answered(hands: str) -> list[str]:
    """The options of a board on which this is done."""
    return ["--board", f"replay:{save(Path(), 'hands', hands, FEN)}", "--course", "squares"]


def test_without_a_terminal_the_words_are_printed_to_the_end_of_a_lesson() -> None:
    written(Path("squares"), SQUARES)
    options = answered(E4_AND_BACK)
    result = learn("play", "squares.first", *options, "--log", "words.txt")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.output.splitlines() == [*FIRST, "over: That is all for now."]
    assert Path("words.txt").read_text(encoding="utf-8") == result.output
    assert not list(Path().rglob("*.db")), "an exercise that is tried is not kept"


def test_a_lesson_may_be_given_in_german() -> None:
    written(Path("squares"), SQUARES)
    options = answered(E4_AND_BACK)
    result = learn("play", "squares.first", *options, "--language", "de")
    assert result.exit_code == 0
    # What these lessons do not have in German is said in English.
    assert result.output.splitlines() == [*FIRST, "over: Das ist alles für jetzt."]


@pytest.mark.slow
def test_words_are_added_to_a_file_of_these_words_and_to_no_other() -> None:
    written(Path("squares"), SQUARES)
    given = ["play", "squares.first", *answered(E4_AND_BACK), "--log", "words.txt"]
    said = learn(*given).output
    assert learn(*given).exit_code == 0
    assert Path("words.txt").read_text(encoding="utf-8") == said * 2
    Path("words.txt").write_text("1. e4 e5 *\n")
    result = learn(*given)
    assert (result.exit_code, result.output) == (
        2,
        "words.txt: is there already, and is not what boardfw writes; name another file\n",
    )
    assert Path("words.txt").read_text() == "1. e4 e5 *\n"


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_lesson_that_is_stopped_ends_without_a_word_and_keeps_what_was_answered(
    number: signal.Signals,
) -> None:
    written(Path("squares"), SQUARES)
    options = [*answered("-e2 +e4 900000"), "--record", RECORD]
    running = subprocess.Popen(
        [sys.executable, "-m", "boardfw", "learn", "start", "squares", *options],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hear_ctrl_c,  # noqa: PLW1509
    )
    assert running.stdout is not None
    seen = [running.stdout.readline().rstrip() for _ in range(3)]
    running.send_signal(number)
    out, err = running.communicate(timeout=PATIENCE_S)
    assert seen == [*FIRST, SECOND]
    assert (running.returncode, out, without_late_scans(err)) == (1, "", "")
    progress = learn("progress", "--course", "squares", "--record", RECORD).output.splitlines()
    assert progress[1] == "squares   1 of  2"
    assert progress[-1] == "next: squares.second"


@pytest.mark.parametrize("command", ["start", "next", "play", "guess", "openings"])
def test_the_exit_status_is_explained(command: str) -> None:
    words = " ".join(learn(command, "--help").output.split())
    assert "Exit status 0: it was given to its end" in words
    assert "1: stopped before its end" in words


# -------------------------------------------------------------------------------- what is kept


class InVirtualTime:
    """Lessons given as ``Teaching`` does, to careful hands, as fast as the arithmetic goes."""

    titles: ClassVar[list[str]] = []

    def __init__(self, place: Place, title: str, table: Table) -> None:
        self.titles.append(title)

    def run(self, source: Source, log: Log | None = None) -> int:
        clock = VirtualClock()
        sim, tutor = SimBoard(clock, pieces={}), Tutor(source)
        desk = LessonDesk(tutor, Settings())
        learner = Learner(tutor, sim, Hands("careful", 1))
        told: list[Told] = []
        desk.hear(told.append)
        if log:
            desk.keep(log.keep)
        loop = Still(sim, clock, desk)
        while learner.due_us is not None:
            learner.hear(told)
            told.clear()
            learner.keep_up(clock.now_us())
            loop.go_on(LOOK_US)
        assert told[-1].kind is Kind.OVER
        return 0


@pytest.fixture
def hands(monkeypatch: pytest.MonkeyPatch) -> type[InVirtualTime]:
    """Whatever lesson is started, hands solve it."""
    monkeypatch.setattr(InVirtualTime, "titles", [])
    monkeypatch.setattr(lessons, "Teaching", InVirtualTime)
    return InVirtualTime


def said(*arguments: str | Path) -> list[str]:
    result = learn(*arguments, "--record", RECORD, *MINE)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.output.splitlines()


def test_what_hands_have_answered_is_what_progress_shows(hands: type[InVirtualTime]) -> None:
    learn("profiles", "add", "Anna", "--record", RECORD)
    said("start", "rook", "--profile", "anna")
    assert hands.titles == ["The rook · Anna"]
    lines = said("progress", "--profile", "Anna")
    assert lines[1:3] == ["rook     2 of  2  gold", "castle   0 of  4"]
    assert lines[-1] == "next: castle.through_check"
    assert said("list", "--profile", "Anna")[0].startswith("* rook ")
    assert said("progress")[1] == "rook     0 of  2", "the guest has answered nothing"


@pytest.mark.slow
def test_next_goes_on_where_the_learner_is_until_nothing_is_due(
    hands: type[InVirtualTime],
) -> None:
    said("start", "rook")
    said("next")
    rows = said("progress", "--csv")[1:]
    assert [row.split(",")[0].partition(".")[0] for row in rows] == ["rook"] * 2 + ["castle"] * 4
    assert "2 of 2 lessons passed" in said("progress")[-1]
    assert hands.titles == ["The rook · guest", "lessons · guest"]


def test_what_is_only_tried_is_not_kept(hands: type[InVirtualTime]) -> None:
    assert learn("play", "rook.stopped/colours", *MINE).exit_code == 0
    assert hands.titles == ["rook.stopped/colours"]
    assert not list(Path().rglob("*.db"))
