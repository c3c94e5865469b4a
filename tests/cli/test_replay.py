"""``boardfw replay``: the files and formats that other programs depend on."""

from __future__ import annotations

import errno
import os
import re
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from boardfw.cli import main
from tests.cli.tapes import MATE, MATE_MOVES, fold, games, lines, moves, save, tape

TWO_CAPTURED_PIECES = "4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1"
TWO_GAMES = "-e2 +e4 2000 -e7 +e5 2000 {} -b1 -g1 -e4 -e5 800 +e2 +e7 +b1 +g1 2000 -d2 +d4"


def replay(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["replay", *map(str, arguments)])


def events_of(folder: Path, hands: str, **options: str) -> list[dict[str, object]]:
    path = save(folder, "g", hands, **options)
    result = replay(path, "--out", folder, "--events")
    assert result.exit_code == 0, result.output
    told = lines(folder / "g.events.jsonl")
    # What was said and what was written are the same game, whatever it was.
    written = [moves(game) for game in games(folder / "g.pgn")]
    assert [game for game in fold(told) if game] == [game for game in written if game]
    return [event for event in told if event["event"] not in ("lift", "drop")]


# ------------------------------------------------------------------------------- files


def test_a_trace_becomes_a_pgn_and_what_else_was_asked_for(tmp_path: Path) -> None:
    path = save(tmp_path, "mate", MATE)
    assert replay(path, "--out", tmp_path / "plain").exit_code == 0
    assert replay(path, "--out", tmp_path / "deep" / "all", "--events", "--frames").exit_code == 0
    assert [p.name for p in (tmp_path / "plain").iterdir()] == ["mate.pgn"]
    names = {p.name for p in (tmp_path / "deep" / "all").iterdir()}
    assert names == {"mate.pgn", "mate.events.jsonl", "mate.frames.jsonl"}


def test_the_pgn_tells_the_game(tmp_path: Path) -> None:
    replay(save(tmp_path, "mate", MATE), "--out", tmp_path)
    (game,) = games(tmp_path / "mate.pgn")
    assert moves(game) == MATE_MOVES
    assert list(game.headers)[:7] == ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
    assert game.headers["Date"] == "????.??.??"
    assert game.headers["Result"] == "1-0"
    assert "SetUp" not in game.headers


def test_a_game_that_starts_elsewhere_says_where(tmp_path: Path) -> None:
    replay(save(tmp_path, "g", "-e4 +e5", start_fen=TWO_CAPTURED_PIECES), "--out", tmp_path)
    (game,) = games(tmp_path / "g.pgn")
    assert (game.headers["SetUp"], game.headers["FEN"]) == ("1", TWO_CAPTURED_PIECES)
    assert (moves(game), game.headers["Result"]) == (["e4e5"], "*")


def test_a_trace_in_which_nothing_was_played_is_a_game_without_moves(tmp_path: Path) -> None:
    assert replay(save(tmp_path, "g", ""), "--out", tmp_path).exit_code == 0
    (game,) = games(tmp_path / "g.pgn")
    assert moves(game) == []


@pytest.mark.parametrize("between", ["", "!resign_white 2000"])
def test_several_games_in_a_trace_are_several_games_in_the_pgn(
    tmp_path: Path, between: str
) -> None:
    told = events_of(tmp_path, TWO_GAMES.format(between))
    assert [event["event"] for event in told].count("new_game") == 1
    first, second = games(tmp_path / "g.pgn")
    assert (moves(first), moves(second)) == (["e2e4", "e7e5"], ["d2d4"])
    assert first.headers["Result"] == ("0-1" if between else "*")
    assert second.headers["Result"] == "*"


def test_copies_of_a_trace_give_the_same_bytes(tmp_path: Path) -> None:
    hands = "-e2 +e3 300 -e3 +e4 900 -d7 +d5 900 -d5 -e4 +d5 900 -g8 +h5 1500 -h5 +f6"
    copies = [save(tmp_path, name, hands) for name in ("one", "two")]
    assert replay(*copies, "--out", tmp_path, "--events", "--frames").exit_code == 0
    for ending in ("pgn", "events.jsonl", "frames.jsonl"):
        one, two = ((tmp_path / f"{name}.{ending}").read_bytes() for name in ("one", "two"))
        assert one == two


# ------------------------------------------------------------------------------ events


@pytest.mark.parametrize("kind", ["pgn", "events.jsonl", "frames.jsonl"])
def test_a_file_of_another_program_is_not_written_over(tmp_path: Path, kind: str) -> None:
    trace = save(tmp_path, "mate", MATE)
    out = tmp_path / "out"
    arguments = (trace, "--out", out, "--events", "--frames")
    for _ in range(2):  # what it has written itself it writes again
        assert replay(*arguments).exit_code == 0
    theirs = out / f"mate.{kind}"
    theirs.write_text("mine")
    before = {file.name: file.read_bytes() for file in out.iterdir()}
    result = replay(*arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"{theirs}: is there already, and is not what boardfw writes")
    assert {file.name: file.read_bytes() for file in out.iterdir()} == before
    assert replay(*arguments, "--force").exit_code == 0
    assert theirs.read_text() != "mine"


def test_a_plain_game_is_told_move_by_move(tmp_path: Path) -> None:
    told = events_of(tmp_path, MATE)
    said = [event for event in told if event["event"] == "move"]
    assert [event["uci"] for event in said] == MATE_MOVES
    assert [event["ply"] for event in said] == [1, 2, 3, 4, 5, 6, 7]
    assert [list(event) for event in said] == [
        ["t", "event", "ply", "uci", "san", "provisional"]
    ] * 7
    assert (said[-1]["san"], said[-1]["provisional"]) == ("Qxf7#", False)
    (check,) = (event for event in told if event["event"] == "check")
    assert check == {"t": said[-1]["t"], "event": "check", "square": "e8"}
    (result,) = (event for event in told if event["event"] == "result")
    assert list(result) == ["t", "event", "result", "termination"]
    assert (result["result"], result["termination"]) == ("1-0", "checkmate")
    finals = [event for event in told if event["event"] == "final"]
    assert [(event["ply"], event["uci"]) for event in finals] == list(enumerate(MATE_MOVES, 1))
    assert [list(event) for event in finals] == [["t", "event", "ply", "uci"]] * 7


def test_lifts_and_drops_are_told_by_square_and_time_never_runs_back(tmp_path: Path) -> None:
    path = save(tmp_path, "g", MATE)
    replay(path, "--out", tmp_path, "--events")
    told = lines(tmp_path / "g.events.jsonl")
    assert [event["t"] for event in told] == sorted(event["t"] for event in told)
    touches = [event for event in told if event["event"] in ("lift", "drop")]
    assert [list(event) for event in touches] == [["t", "event", "square"]] * len(touches)
    sign = {"lift": "-", "drop": "+"}
    assert " ".join(sign[e["event"]] + e["square"] for e in touches) == MATE.replace("900 ", "")


def test_a_piece_who_goes_on_amends_his_move(tmp_path: Path) -> None:
    told = events_of(tmp_path, "-e2 +e3 300 -e3 +e4")
    (amended,) = (event for event in told if event["event"] == "amend")
    assert list(amended) == ["t", "event", "ply", "uci", "san"]
    assert (amended["ply"], amended["uci"], amended["san"]) == (1, "e2e4", "e4")


def test_a_move_undone_is_taken_back_and_no_main_line(tmp_path: Path) -> None:
    told = events_of(tmp_path, "-e2 +e4 2500 -e4 +e2 2500 -d2 +d4")
    (back,) = (event for event in told if event["event"] == "take_back")
    assert list(back) == ["t", "event", "plies"]
    assert back["plies"] == 1
    (game,) = games(tmp_path / "g.pgn")
    assert moves(game) == ["d2d4"]
    assert "e4" in (tmp_path / "g.pgn").read_text()


def test_what_stands_wrong_is_told_until_it_is_put_right(tmp_path: Path) -> None:
    told = events_of(tmp_path, "-g1 +h4 2000 -h4 +g1 2000 -e2 +e4")
    wrong, cleared, *_ = told
    assert list(wrong) == ["t", "event", "missing", "extra"]
    assert (wrong["event"], wrong["missing"], wrong["extra"]) == ("mismatch", ["g1"], ["h4"])
    assert list(cleared) == ["t", "event"]
    assert cleared["event"] == "mismatch_cleared"


def test_two_moves_that_explain_the_board_are_a_question(tmp_path: Path) -> None:
    told = events_of(tmp_path, "-e4 15000", start_fen=TWO_CAPTURED_PIECES)
    (ask,) = (event for event in told if event["event"] == "ask")
    assert list(ask) == ["t", "event", "candidates"]
    assert ask["candidates"] == ["e4d5", "e4f5"]
    assert "final" not in [event["event"] for event in told]


def test_a_new_game_is_told_with_its_time_alone(tmp_path: Path) -> None:
    told = events_of(tmp_path, TWO_GAMES.format(""))
    (new,) = (event for event in told if event["event"] == "new_game")
    assert list(new) == ["t", "event"]


# ------------------------------------------------------------------------------ frames


def test_frames_are_written_when_they_differ_and_only_then(tmp_path: Path) -> None:
    replay(save(tmp_path, "g", MATE), "--out", tmp_path, "--frames")
    text = (tmp_path / "g.frames.jsonl").read_text()
    for line in text.splitlines():
        assert re.fullmatch(r'\{"t":\d+,"rgb":"[0-9a-f]{384}"\}', line)
    frames = lines(tmp_path / "g.frames.jsonl")
    assert frames[0]["t"] == 0
    times = [frame["t"] for frame in frames]
    assert times == sorted(set(times))
    colours = [frame["rgb"] for frame in frames]
    assert all(one != two for one, two in pairwise(colours))


# --------------------------------------------------------------------------- bad input


@pytest.mark.slow
def test_a_recording_that_was_cut_off_is_played_as_far_as_it_goes(tmp_path: Path) -> None:
    whole = tape("-e2 +e4 900 -e7 +e5")
    lengths = range(whole.index("\n") + 1, len(whole))
    for length in lengths:
        (tmp_path / "g.trace.jsonl").write_text(whole[:length])
        scans = whole[:length].count('"occ"')
        result = replay(tmp_path / "g.trace.jsonl", "--out", tmp_path)
        assert (result.exit_code, result.output) == (0, ""), scans
    (game,) = games(tmp_path / "g.pgn")
    assert moves(game) == ["e2e4", "e7e5"]


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("", 1, "is empty"),
        ("nonsense\n", 1, "not JSON"),
        ('{"boardfw_trace":2,"start_fen":"x"}\n', 1, "version"),
        (tape("").replace("rnbqkbnr", "rnbqkbn"), 1, "squares"),
        (tape("").replace(" w ", " x "), 1, "side to move"),
        (tape("").replace("rnbqkbnr", "rnbqqbnr"), 1, "king"),
        (tape("-e2 +e4").replace('"t":1400000', '"t":1'), 4, "backwards"),
        (tape("-e2 +e4").replace('"occ":"ffff', '"occ":"fff'), 2, "16 hex digits"),
        (tape("-e2 +e4").replace('"t":1400000', '"t":"1400000"'), 4, "integer"),
    ],
)
def test_a_broken_trace_is_refused_in_a_line_and_the_others_are_played(
    tmp_path: Path, text: str, line: int, what: str
) -> None:
    bad, out = tmp_path / "bad.trace.jsonl", tmp_path / "out"
    bad.write_text(text)
    out.mkdir()
    (out / "bad.pgn").write_text("of yesterday")
    others = [save(tmp_path, "first", MATE), save(tmp_path, "last", "-e2 +e4")]
    result = replay(others[0], bad, others[1], "--out", out, "--events", "--frames")
    assert result.exit_code == 2
    (said,) = result.output.splitlines()
    assert said.startswith(f"{bad}:{line}: ")
    assert what in said
    assert {p.stem.partition(".")[0] for p in out.iterdir()} == {"bad", "first", "last"}
    assert [p.name for p in out.iterdir() if p.name.startswith("bad")] == ["bad.pgn"]
    assert (out / "bad.pgn").read_text() == "of yesterday"


def test_an_unknown_button_is_told_and_skipped(tmp_path: Path) -> None:
    path = save(tmp_path, "g", "-e2 +e4 !draw")
    path.write_text(path.read_text().replace('"draw"', '"self_destruct"'))
    result = replay(path, "--out", tmp_path)
    assert result.exit_code == 0
    assert result.output == f"{path}:5: unknown button 'self_destruct', skipped\n"
    assert moves(games(tmp_path / "g.pgn")[0]) == ["e2e4"]


def test_two_traces_of_one_name_do_not_overwrite_each_other(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one, two = save(tmp_path / "a", "g", "-e2 +e4"), save(tmp_path / "b", "g", "-d2 +d4")
    result = replay(one, two, "--out", tmp_path)
    assert result.exit_code == 2
    assert result.output == f"{two}: its files would replace those of {one}; rename one\n"
    assert moves(games(tmp_path / "g.pgn")[0]) == ["e2e4"]


@pytest.mark.parametrize("full_after", [0, 1, 2])
def test_a_full_disk_leaves_no_half_of_the_files_of_a_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full_after: int
) -> None:
    path, out = save(tmp_path, "g", MATE), tmp_path / "out"
    out.mkdir()
    (out / "g.pgn").write_text("of yesterday")
    synced: list[int] = []

    def fsync(number: int) -> None:
        synced.append(number)
        if len(synced) > full_after:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fsync)
    result = replay(path, "--out", out, "--events", "--frames", "--force")
    assert result.exit_code == 2
    (said,) = result.output.splitlines()
    assert said.startswith(f"{out}/g.")
    assert "No space left" in said
    assert [p.name for p in out.iterdir()] == ["g.pgn"]
    assert (out / "g.pgn").read_text() == "of yesterday"


# ------------------------------------------------------------------------------ clocks


def test_a_trace_is_replayed_with_the_clock_of_the_settings(tmp_path: Path) -> None:
    path = save(tmp_path, "g", "-e2 +e4 9800 -e7 +e5 4800 -g1 +f3")
    config = tmp_path / "boardfw.toml"
    config.write_text("[clock]\ncontrol = '60s+1'\n", encoding="utf-8")
    for folder, options in (("plain", ()), ("timed", ("--config", config))):
        out = tmp_path / folder
        result = replay(path, "--out", out, "--events", "--frames", *options)
        assert result.exit_code == 0, result.output
    (plain,), (timed,) = (games(tmp_path / folder / "g.pgn") for folder in ("plain", "timed"))
    assert timed.headers["TimeControl"] == "60+1"
    assert [node.clock() for node in timed.mainline()] == [62, 51.8, 57.8]
    assert [node.emt() for node in timed.mainline()] == [0, 10.2, 5.2]
    assert "TimeControl" not in plain.headers
    assert all(node.clock() is None for node in plain.mainline())
    for name in ("g.events.jsonl", "g.frames.jsonl"):  # no flag fell
        assert (tmp_path / "plain" / name).read_bytes() == (tmp_path / "timed" / name).read_bytes()


def test_a_flag_that_falls_is_a_result(tmp_path: Path) -> None:
    path = save(tmp_path, "g", "-e2 +e4 5800 -e7 +e5")
    config = tmp_path / "boardfw.toml"
    config.write_text("[clock]\ncontrol = '5s'\n", encoding="utf-8")
    replay(path, "--out", tmp_path, "--events", "--config", config)
    last = [event for event in lines(tmp_path / "g.events.jsonl") if event["event"] == "result"]
    assert [(event["result"], event["termination"]) for event in last] == [("1-0", "time")]
    (game,) = games(tmp_path / "g.pgn")
    assert (moves(game), game.headers["Result"]) == (["e2e4"], "1-0")
