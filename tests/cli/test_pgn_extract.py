"""Every kind of game that leaves the board is read by two other programs without complaint.

The games are played and brought out as an owner does it: by ``boardfw run`` from recordings of
hands, by ``games import``, ``games tag`` and ``games export``.
"""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import chess.pgn
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.cli import main
from boardfw.notation.fen import format_fen
from boardfw.notation.pgn import Game, read_file, read_games
from boardfw.notation.san import format_san, numbered_san
from boardfw.recording import START_FEN
from tests.cli.runs import run
from tests.cli.tapes import MATE, save
from tests.notation.pgn_trees import games as trees
from tests.pgn_extract import heard, needs_pgn_extract
from tests.shell.collection.games import written
from tests.sizes import sized

pytestmark = [pytest.mark.slow, needs_pgn_extract]

EVENINGS = Path(__file__).with_name("evenings.pgn")
TIMES = """[TimeControl "300+3"]

1. e4 {[%clk 0:05:03] [%emt 0:00:00]} e5 {[%clk 0:05:01.5] [%emt 0:00:04.5]} *
"""
KINGS = "-e2 +e4 900 -e7 +e5 900 -e1 -e8"
SHUFFLE = "-g1 +f3 900 -g8 +f6 900 -f3 +g1 900 -f6 +g8 900 "
ODD = r"""O'Neil "Zoë" \ {brace} } % ; ( ) [x] $1 1-0 * 世界 ĳ 🂡 --"""
LONG = "Wolfeschlegelsteinhausenbergerdorff " * 40
TIMED = '[clock]\ncontrol = "5+3"\n'
BUTTONS = '[clock]\ncontrol = "40/60s:30s"\npress = "button"\n'
TAGS = f"""[tags]
event = {json.dumps(ODD, ensure_ascii=False)}
site = {json.dumps(LONG[:255])}
round = "1.2.3"
white = "Ünal, \\\\ \\"B\\""
black = "%"
"""


@dataclass(frozen=True)
class Kind:
    """A game, what hands do in it, and what has to come of it."""

    hands: str
    result: str
    san: str = ""
    """Its last move; empty: no move was made."""
    fen: str = START_FEN
    config: str = ""
    says: tuple[str, ...] = ()
    """What the PGN has besides."""


KINDS = {
    "checkmate by White": Kind(MATE, "1-0", "Qxf7#", says=('[Termination "normal"]',)),
    "checkmate by Black": Kind("-f2 +f3 900 -e7 +e5 900 -g2 +g4 900 -d8 +h4", "0-1", "Qh4#"),
    "stalemate": Kind("-g5 +g6", "1/2-1/2", "Qg6", fen="7k/8/8/6Q1/8/8/8/K7 w - - 0 1"),
    "insufficient material": Kind(
        "-a1 -b2 +b2", "1/2-1/2", "Kxb2", fen="8/8/8/8/2k5/8/1p6/K7 w - - 0 1"
    ),
    "dead position": Kind(
        "-h3 +h4", "1/2-1/2", "h4", fen="8/2k5/8/1p2p2p/1P2P3/7P/4K3/8 w - - 0 1"
    ),
    "threefold repetition": Kind(SHUFFLE * 2 + "!claim", "1/2-1/2", "Ng8"),
    "fivefold repetition": Kind(SHUFFLE * 4, "1/2-1/2", "Ng8"),
    "fifty moves": Kind("!claim", "1/2-1/2", fen="4k3/8/8/8/8/8/4P3/R3K3 w - - 100 80"),
    "seventy-five moves": Kind(
        "-e1 +d1", "1/2-1/2", "Kd1", fen="4k3/8/8/8/8/8/4P3/R3K3 w - - 149 90"
    ),
    "agreement": Kind("-e2 +e4 900 !draw !draw", "1/2-1/2", "e4"),
    "resignation of White": Kind("-e2 +e4 900 !resign_white", "0-1", "e4"),
    "resignation of Black": Kind("!resign_black", "1-0"),
    "time": Kind(
        "-e2 +e4 900 -e7 +e5 4000",
        "0-1",
        "e5",
        config='[clock]\ncontrol = "3s"\n',
        says=('[Termination "time forfeit"]', '[TimeControl "3"]', "[%clk 0:00:0"),
    ),
    "kings: White": Kind(f"{KINGS} -e4 +e4 +d5", "1-0", "e5"),
    "kings: Black": Kind(f"{KINGS} -e5 +d4 +e5", "0-1", "e5"),
    "kings: draw": Kind(f"{KINGS} +d4 +d5", "1/2-1/2", "e5"),
    "no end": Kind("-e2 +e4 900 -e7 +e5", "*", "e5"),
    "cut off in the middle of a move": Kind("-e2 +e4 900 -e7", "*", "e4"),
    "taken back": Kind(
        "-e2 +e4 900 -e7 +e5 900 -e5 +e7 900 -e4 +e2 900 -d2 +d4",
        "*",
        "d4",
        says=("{taken back: 1.e4 e5} 1. d4",),
    ),
    "amended": Kind(
        "-e2 +e4 900 -b8 +c6 900 -c6 +b8 -g8 +f6 900 -f6 +h6", "*", "Nh6", says=("taken back:",)
    ),
    "illegal move": Kind("-e2 +e4 900 -e7 +e3 900 -e3 +e5 900", "*", "e5"),
    "clock": Kind(
        "-e2 +e4 900 -e7 +e5 900 -g1 +f3", "*", "Nf3", config=TIMED, says=("[%clk", "[%emt")
    ),
    "clock of buttons": Kind(
        "-e2 +e4 !clock_white 900 -e7 +e5 !clock_black 900", "*", "e5", config=BUTTONS
    ),
    "several stages and a take-back": Kind(
        "-e2 +e4 900 -e4 +e2 900 -e2 +e3 900 -e7 +e5",
        "*",
        "e5",
        config=TIMED,
        says=("taken back: 1.e4", "[%clk"),
    ),
    "odd tags": Kind("-e2 +e4 900 -e7 +e5", "*", "e5", config=TAGS, says=(r"\"Zoë\" \\ {brace}",)),
    "Chess960": Kind(
        "-f2 +f4 900 -f7 +f5 900 -h1 +g3 900 -h8 +g6 900 -f1 -g1 +g1 +f1",
        "*",
        "O-O",
        fen="bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1",
        says=('[Variant "Chess960"]', '[SetUp "1"]'),
    ),
    "Chess960 with king and rooks at home": Kind(
        "-e2 +e4",
        "*",
        "e4",
        fen="rbbqknnr/pppppppp/8/8/8/8/PPPPPPPP/RBBQKNNR w KQkq - 0 1",
        says=('[Variant "Chess960"]',),
    ),
    "set up, Black to move": Kind(
        "-c7 +c5 900 -d5 -c5 +c6",
        "*",
        "dxc6",
        fen="4k3/2p5/8/3P4/8/8/8/R3K2R b KQ - 3 40",
        says=("40... c5 41. dxc6",),
    ),
    "set up with en passant": Kind(
        "-d4 +e3 -e4", "*", "dxe3", fen="4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"
    ),
    "castling to both sides": Kind(
        "-e1 +g1 -h1 +f1 900 -e8 +c8 -a8 +d8",
        "*",
        "O-O-O",
        fen="r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    ),
    **{
        f"promotion to {san[-1]}": Kind(
            "-b7 -a8 +a8" + " -a8 +a8" * times, "*", san, fen="r3k3/1P6/8/8/8/8/7P/4K3 w - - 0 1"
        )
        for san, times in (("bxa8=Q+", 1), ("bxa8=N", 2), ("bxa8=R+", 3), ("bxa8=B", 4))
    },
}


@pytest.mark.parametrize("name", KINDS)
def test_a_game_that_was_played_at_the_board(tmp_path: Path, name: str) -> None:
    kind = KINDS[name]
    text = written_by(kind, tmp_path)
    (game,) = read_by_all(text, 1)
    assert (game.result, last_san(game)) == (kind.result, kind.san)
    assert [part for part in kind.says if part not in text] == []


def test_games_one_after_the_other_of_which_some_were_left(tmp_path: Path) -> None:
    again = "900 -e4 +e2 -e5 +e7 2000 "
    left = "-e2 +e4 900 -e7 +e5 !new_game " + again
    text = written_by(
        Kind(left + "-d2 +d4 !resign_white " + "!new_game 900 -d4 +d2 2000 " + MATE, "", ""),
        tmp_path,
    )
    games = read_by_all(text, 3)
    assert [game.result for game in games] == ["*", "0-1", "1-0"]


def test_a_game_that_went_on_after_a_power_cut_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run("960:96").play("f4 f5 Ng3 Ng6 O-O")
    run(None).play("O-O d4")
    begun = run(None)
    begun.play("d5")
    (game,) = read_by_all(ran(["games", "export", "--all", "--record", "games.db"]), 1)
    assert numbered_san(game.start, game.moves) == begun.game
    words = begun.opened.words
    (ours,) = read_by_all(words.text(begun.opened.desk.session.games), 1)
    assert ours.moves == game.moves


@settings(max_examples=sized(10, 50))
@given(st.lists(trees(), min_size=1, max_size=4), st.text(max_size=20), st.text(max_size=200))
def test_games_that_were_imported_with_all_that_pgn_can_hold_and_tagged(
    several: list[Game], white: str, event: str
) -> None:
    with TemporaryDirectory() as folder:
        source, record = written(Path(folder) / "in.pgn", several), str(Path(folder) / "games.db")
        ran(["games", "import", "--again", str(source), "--record", record])
        ran(["games", "tag", "1", f"White={white}", f"Event={event}", "--record", record])
        text = ran(["games", "export", "--all", "--record", record])
        games = read_by_all(text, len(several))
    assert [game.moves for game in games] == [game.moves for game in several]


def test_games_of_the_evenings_and_those_with_times(tmp_path: Path) -> None:
    record = str(tmp_path / "games.db")
    (tmp_path / "timed.pgn").write_text(TIMES, encoding="utf-8")
    ran(["games", "import", str(EVENINGS), str(tmp_path / "timed.pgn"), "--record", record])
    text = ran(["games", "export", "--all", "--record", record])
    assert "{[%clk 0:05:01.5] [%emt 0:00:04.5]}" in text.replace("\n", " ")
    read_by_all(text, len(list(read_file(EVENINGS))) + 1)


def written_by(kind: Kind, folder: Path) -> str:
    """The PGN of a run that plays these hands."""
    config, out = folder / "settings.toml", folder / "out.pgn"
    config.write_text(kind.config, encoding="utf-8")
    trace = save(folder, "g", kind.hands, kind.fen)
    board = ["--board", f"replay:{trace}", "--speed", "max"]
    ran(["run", *board, "--config", str(config), "--pgn", str(out)])
    return out.read_text("utf-8")


def ran(command: list[str]) -> str:
    result = CliRunner().invoke(main, command, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def read_by_all(text: str, count: int) -> list[Game]:
    """The games, of which two other programs complain not at all, and play the same moves."""
    ours, told, theirs = list(read_games(text)), heard(text), python_chess(text)
    assert told.complaints == ""
    assert [game.errors for game in theirs] == [[]] * count
    played = [(game.tags, game.start, game.moves, game.result) for game in ours]
    assert [(game.tags, game.start, game.moves, game.result) for game in told.games] == played
    last = [format_fen([*game.positions()][-1]) for game in ours]
    assert [game.end().board().fen() for game in theirs] == last
    return ours


def python_chess(text: str) -> list[chess.pgn.Game]:
    file, games = io.StringIO(text), []
    while (game := chess.pgn.read_game(file)) is not None:
        games.append(game)
    return games


def last_san(game: Game) -> str:
    """How its last move is written; "" where there is none."""
    if not game.moves:
        return ""
    return format_san([*game.positions()][-2], game.moves[-1])
