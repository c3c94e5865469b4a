"""Where a game turned: found by an engine that counts pieces, written as PGN, read by others."""

from __future__ import annotations

import io
from pathlib import Path

import chess.pgn
import pytest

from boardfw.errors import ConfigError, ServiceError
from boardfw.notation.fen import parse_fen
from boardfw.notation.pgn import Game, format_game
from boardfw.rules import Position
from boardfw.services.analysis import analyst as analyst_module
from boardfw.services.analysis.analyst import find_analyst
from boardfw.services.analysis.annotation import annotate
from boardfw.services.analysis.game_analysis import CLOSEST, WeighedPly, analyse
from boardfw.services.analysis.judgement import Judgement
from tests.services.analysis.analysts import moves_of, scripted

START = Position.start()
HANGS_ITS_QUEEN = ("e2e4", "e7e5", "d1h5", "b8c6", "h5h7", "h8h7", "a2a3", "h7h2")
"""The queen takes a defended pawn; Black's rook then takes another one."""
NOBODY_SEES_IT = (*HANGS_ITS_QUEEN[:5], "a7a6", "h7h8")
FOOLS_MATE = ("f2f3", "e7e5", "g2g4", "d8h4")


async def analysed(folder: Path, start: Position, *words: str) -> list[WeighedPly]:
    analyst, plies = scripted(folder), []
    try:
        found = await analyse(
            analyst, start, moves_of(start, *words), 1000, lambda: plies.append(1)
        )
    finally:
        await analyst.close()
    assert len(plies) == len(words)
    assert [(one.ply, one.move.uci()) for one in found] == list(enumerate(words, 1))
    return found


async def test_a_queen_thrown_away_is_a_blunder_and_is_told_with_its_consequences(
    tmp_path: Path,
) -> None:
    found = await analysed(tmp_path, START, *HANGS_ITS_QUEEN)
    turning = [one for one in found if one.turns_the_game]
    assert [one.ply for one in turning] == [5, 8]  # and Black loses the rook again
    queen = turning[0]
    assert queen.judgement is Judgement.BLUNDER
    assert queen.allowed[0].uci() == "h8h7"
    assert queen.best.line[0] is not queen.move
    assert queen.best.chance > queen.played.chance
    assert (queen.white_cp or 0) < -700
    assert (turning[1].white_cp or 0) > -700


async def test_allowing_mate_and_giving_it(tmp_path: Path) -> None:
    found = await analysed(tmp_path, START, *FOOLS_MATE)
    allows, mates = found[2:]
    assert allows.judgement is Judgement.BLUNDER
    assert allows.white_mate == -1
    assert allows.allowed[0].uci() == "d8h4"
    assert mates.judgement is None
    assert mates.white_mate == 0


@pytest.mark.parametrize(("word", "chance"), [("e7f7", 0.5), ("e7g7", 1)])  # stalemate, mate
async def test_how_a_game_ends_needs_no_engine(tmp_path: Path, word: str, chance: float) -> None:
    (last,) = await analysed(tmp_path, parse_fen("7k/4Q3/6K1/8/8/8/8/8 w - - 0 1"), word)
    assert last.played.chance == chance
    assert (last.judgement is Judgement.BLUNDER) == (chance < 1)


async def test_castling_in_chess960_is_understood(tmp_path: Path) -> None:
    start = parse_fen("2q1k3/8/8/8/8/8/2P5/1R2K3 w B - 0 1")
    found = await analysed(tmp_path, start, "e1b1", "c8c2")
    assert [one.judgement for one in found] == [None, Judgement.BLUNDER]
    assert "e1b1" in (tmp_path / "told.log").read_text()  # king takes rook


async def test_a_game_from_any_position_is_seen_from_its_own_side(tmp_path: Path) -> None:
    start = parse_fen("rnb1kbnr/pppp1ppp/8/4p2q/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
    found = await analysed(tmp_path, start, "h5h2", "h1h2")
    assert [one.judgement for one in found] == [Judgement.BLUNDER, None]
    assert (found[0].white_cp or 0) > 500


@pytest.mark.slow
async def test_what_is_nearly_as_good_as_the_best_is_known_and_nothing_else(tmp_path: Path) -> None:
    start = parse_fen("4k3/8/8/3r4/8/8/P7/3QK3 w - - 0 1")  # only to take the rook is good
    (one,) = await analysed(tmp_path, start, "a2a3")
    assert one.judgement is Judgement.BLUNDER
    assert one.best.line[0].uci() == "d1d5"
    assert one.also == ()
    (queen,) = (await analysed(tmp_path, START, *HANGS_ITS_QUEEN[:5]))[-1:]
    assert queen.also
    assert queen.move not in queen.also


async def test_what_exceeds_a_limit_by_a_hair_is_let_pass(tmp_path: Path) -> None:
    start = parse_fen("4k3/1p6/8/6p1/8/8/7P/R3K3 w - - 0 1")
    (pawn,) = await analysed(tmp_path, start, "h2h4")  # of four pawns' worth one is lost: 6.2 %
    assert pawn.best.chance - pawn.played.chance > Judgement.INACCURACY.least
    assert pawn.judgement is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("word", "judgement"), [("a1a5", Judgement.MISTAKE), ("a1c1", Judgement.BLUNDER)]
)
async def test_a_mistake_that_is_no_blunder_is_weighed_most_closely(
    tmp_path: Path, word: str, judgement: Judgement
) -> None:
    start = parse_fen("2r1k3/8/1p6/n7/8/8/5PPP/R3K2R w - - 0 1")
    (one,) = await analysed(tmp_path, start, word)
    assert one.judgement is judgement
    asked = (tmp_path / "told.log").read_text()
    assert (f"nodes {CLOSEST * 1000}" in asked) == (judgement is Judgement.MISTAKE)


@pytest.mark.slow
async def test_an_engine_that_falls_is_started_again_and_one_that_cannot_is_told(
    tmp_path: Path,
) -> None:
    analyst = scripted(tmp_path, "dies", "judges")
    assert (await analyst.weigh(START, (), 10)).line
    await analyst.close()
    (tmp_path / "again").mkdir()
    analyst = scripted(tmp_path / "again", "no-move")
    with pytest.raises(ServiceError, match="Scripted"):
        await analyst.weigh(START, (), 10)
    await analyst.close()


async def test_an_engine_that_weighs_another_move_than_it_is_asked_for_is_not_believed(
    tmp_path: Path,
) -> None:
    analyst = scripted(tmp_path, "fine")
    (move,) = moves_of(START, "e2e4")
    with pytest.raises(ServiceError):
        await analyst.weigh(START, (), 10, only=move)
    await analyst.close()


def test_without_an_engine_it_is_said_that_our_own_player_does_not_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(analyst_module, "usual_program", lambda: None)
    for name in ("", "own"):
        with pytest.raises(ConfigError, match="own player") as told:
            find_analyst(name)
        assert "apt install" in str(told.value)
    with pytest.raises(ConfigError, match="deepthought"):
        find_analyst("deepthought")


@pytest.mark.slow
@pytest.mark.parametrize("words", [HANGS_ITS_QUEEN, NOBODY_SEES_IT, FOOLS_MATE])
async def test_another_reader_finds_all_of_it_in_the_pgn(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    found = await analysed(tmp_path, START, *words)
    game = Game({"White": "Ann"}, START, moves_of(START, *words))
    annotate(game, found, "scripted")
    read = chess.pgn.read_game(io.StringIO(format_game(game)))
    assert read is not None
    assert read.errors == []
    assert [node.move.uci() for node in read.mainline()] == list(words)
    assert read.headers["Annotator"] == "scripted"
    for node, weighed in zip(read.mainline(), found, strict=True):
        score = node.eval()
        if weighed.white_mate == 0:
            assert score is None
        else:
            assert score is not None
            assert score.white().score() == weighed.white_cp
            assert score.white().mate() == weighed.white_mate
        judgement = weighed.judgement
        assert node.nags == ({judgement.nag} if judgement else set())
        tried = [child.move.uci() for child in node.parent.variations[1:]]
        if judgement:
            assert weighed.best.line[0].uci() in tried
        if weighed.turns_the_game and node.variations:
            assert weighed.allowed[0].uci() in [child.move.uci() for child in node.variations]
        assert len(tried) == len(set(tried))
