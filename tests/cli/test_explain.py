"""``boardfw explain``: a player reads why a move was believed, a program reads it as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from boardfw.cli import main
from tests.cli.tapes import MATE, MATE_MOVES, games, moves, save

PUSHED = "4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1"
TWO_GAMES = "-e2 +e4 2000 -e7 +e5 2000 -b1 -g1 -e4 -e5 800 +e2 +e7 +b1 +g1 2000 -d2 +d4"


def explain(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["explain", *map(str, arguments)])


def stories(folder: Path, hands: str, **options: str) -> list[dict[str, Any]]:
    result = explain(save(folder, "g", hands, **options), "--json")
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.output.splitlines()]


def points(terms: list[dict[str, Any]]) -> float:
    return sum(float(term["points"]) for term in terms)


def test_the_story_of_a_capture_is_told_in_80_columns(tmp_path: Path) -> None:
    path = save(tmp_path, "g", MATE)
    whole = explain(path)
    assert whole.exit_code == 0
    assert max(len(line) for line in whole.output.splitlines()) <= 80
    assert whole.output.count("\nPly ") == len(MATE_MOVES) - 1
    one = explain(path, "--ply", "7")
    assert one.output in whole.output
    told = [" ".join(line.split()) for line in one.output.splitlines()]
    assert told[0] == "Ply 7: 4.Qxf7# (h5f7), said at 0:09.405"
    for line in (
        "-200 f7 opened the pawn is taken off",
        "+0 h5 opened the queen leaves",
        "+200 f7 closed the queen arrives",
        "+1.0 a piece left h5",
        "+1.0 the piece captured on f7 had left before",
        "+1.0 a piece came to f7 after that",
        "0:09.405 said: Qxf7#",
    ):
        assert line in told
    assert told[-2].endswith(" final: Qxf7#")


def test_json_holds_an_object_a_ply(tmp_path: Path) -> None:
    told = stories(tmp_path, MATE)
    assert [story["uci"] for story in told] == MATE_MOVES
    assert [story["ply"] for story in told] == list(range(1, 8))
    for story in told:
        assert story["points"] == pytest.approx(points(story["evidence"]))
        assert story["t"] >= story["left"]
        assert all(touch["t"] <= story["t"] for touch in story["switches"])
        assert [said["event"] for said in story["said"]] == ["move", "final"]
        assert story["rivals"]
        for rival in story["rivals"]:
            assert rival["behind"] > 0
            assert points(rival["why"]) == pytest.approx(-rival["behind"])


def test_a_station_on_the_way_is_told_as_a_rival_that_lost(tmp_path: Path) -> None:
    (story,) = stories(tmp_path, "-e2 +e3 300 -e3 +e4")
    assert story["san"] == "e4"
    assert [(said["event"], said["text"]) for said in story["said"][:2]] == [
        ("move", "said: e3"),
        ("amend", "amended to: e4, as e3 opened, e4 closed"),
    ]
    station = next(rival for rival in story["rivals"] if rival["uci"] == ["e2e3"])
    assert station["moves"] == "1.e3"
    assert "an extra piece stands on e4" in [term["text"] for term in station["why"]]
    assert [touch["square"] for touch in story["switches"]] == ["e2", "e3", "e3", "e4"]
    meanings = [touch["meaning"] for touch in story["switches"]]
    assert meanings == ["the pawn leaves", "on the way", "and further", "the pawn arrives"]


def test_a_captured_whose_switch_never_opened_is_told_as_what_it_costs(tmp_path: Path) -> None:
    story, *_ = stories(tmp_path, "-e4 15000", start_fen=PUSHED)
    (captured,) = (t for t in story["evidence"] if "never seen to leave" in t["text"])
    assert captured["points"] < 0
    assert {story["uci"], *story["rivals"][0]["uci"]} == {"e4d5", "e4f5"}
    assert story["rivals"][0]["behind"] == pytest.approx(0)
    assert [said["event"] for said in story["said"]] == ["move", "ask"]
    assert story["said"][1]["text"] in ("asked: exd5 or exf5?", "asked: exf5 or exd5?")
    assert "level with it" in explain(tmp_path / "g.trace.jsonl").output


def test_a_switch_that_is_stuck_is_told_where_it_was_inferred_around(tmp_path: Path) -> None:
    hands = "-g1 900 -e7 +e5 900 -e2 +e4 900 -b8 +c6 900 +d4 900 -h7 +h6 900"
    first, *_, fifth, _ = stories(tmp_path, hands)
    assert (first["san"], fifth["san"]) == ("Nf3", "Nd4")
    told = [term["text"] for term in first["evidence"]]
    assert "the switch of f3 has to be stuck" in told
    assert "f3 tells nothing: its switch is stuck" in told
    assert "the switch of f3 has to be stuck" not in [t["text"] for t in fifth["evidence"]]
    found = [said["text"] for said in fifth["said"] if said["event"] == "stuck"]
    assert found == ["found out: the switch of f3 does not close"]


def test_the_example_in_the_docs_is_what_is_told(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "explain.md").read_text("utf-8")
    shown = page.split("<!-- example -->\n```\n")[1].split("```\n<!-- /example -->")[0]
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    path = save(tmp_path, "g", "-h1 +f1 900 -e1 +g1 900 -e8 +d7", start_fen=fen)
    assert explain(path, "--ply", "1").output.strip() == shown.strip()


def test_every_touch_is_told_as_what_it_was_taken_for(tmp_path: Path) -> None:
    fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
    story, *_ = stories(tmp_path, "-e1 +e1 -e5 +d6 600 -d5 900 -e8 +d7", start_fen=fen)
    assert story["san"] == "exd6"
    assert [touch["meaning"] for touch in story["switches"]] == [
        "is lifted",
        "is put back",
        "the pawn leaves",
        "the pawn arrives",
        "the pawn is taken off",
    ]


def test_a_reply_that_was_first_is_told_apart_from_the_ply(tmp_path: Path) -> None:
    ply, reply, *_ = stories(tmp_path, "-e2 -e7 +e5 +e4 900 -g1 +f3")
    assert [touch["meaning"] for touch in ply["switches"]] == [
        "the pawn leaves",
        "of a later ply",
        "of a later ply",
        "the pawn arrives",
    ]
    assert reply["switches"][-1]["meaning"] == "of the ply before"


def test_what_was_taken_back_stays_in_the_story(tmp_path: Path) -> None:
    (story,) = stories(tmp_path, "-e2 +e4 2500 -e4 +e2 2500 -d2 +d4")
    assert story["uci"] == "d2d4"
    assert [said["text"] for said in story["said"]] == [
        "said: e4",
        "final: e4",
        "taken back: e4",
        "said: d4",
        "final: d4",
    ]


def test_every_game_of_a_trace_is_told(tmp_path: Path) -> None:
    told = stories(tmp_path, TWO_GAMES)
    assert [(story["game"], story["uci"]) for story in told] == [
        (1, "e2e4"),
        (1, "e7e5"),
        (2, "d2d4"),
    ]
    first = explain(tmp_path / "g.trace.jsonl", "--ply", "1").output
    assert [line.split()[2] for line in first.splitlines() if line.startswith("Ply")] == [
        "1.e4",
        "1.d4",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["blitz", "child", "wooden"])
def test_the_stories_tell_the_game_that_replay_writes(tmp_path: Path, kind: str) -> None:
    trace, out = tmp_path / "g.trace.jsonl", tmp_path / "x.pgn"
    run = ["run", "--play", "famous", "--hands", kind, "--trace", str(trace), "--pgn", str(out)]
    CliRunner().invoke(main, run)
    CliRunner().invoke(main, ["replay", str(trace), "--out", str(tmp_path)])
    result = explain(trace, "--json")
    told = [json.loads(line) for line in result.output.splitlines()]
    assert [story["uci"] for story in told] == [
        uci for game in games(tmp_path / "g.pgn") for uci in moves(game)
    ]


@pytest.mark.parametrize("ply", ["0", "-1", "8", "1000"])
def test_a_ply_that_was_not_played_is_told_in_a_line(tmp_path: Path, ply: str) -> None:
    path = save(tmp_path, "g", MATE)
    result = explain(path, "--ply", ply)
    assert result.exit_code == 2
    assert result.output == f"--ply {ply}: the plies of {path} are 1 to 7\n"


def test_a_trace_without_plies_has_no_story(tmp_path: Path) -> None:
    path = save(tmp_path, "g", "")
    assert (explain(path).exit_code, explain(path).output) == (0, "")
    result = explain(path, "--ply", "1")
    assert result.exit_code == 2
    assert result.output == f"--ply 1: no ply was played in {path}\n"


def test_a_broken_trace_is_told_with_its_line(tmp_path: Path) -> None:
    path = save(tmp_path, "g", MATE)
    path.write_text(path.read_text().replace("rnbqkbnr", "rnbqkbn"))
    result = explain(path)
    assert (result.exit_code, len(result.output.splitlines())) == (2, 1)
    assert result.output.startswith(f"{path}:1: ")
