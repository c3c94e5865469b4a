"""What engines say is read as they mean it, and no line of theirs is an accident of ours."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.services.uci.options import EMPTY, Option
from boardfw.services.uci.replies import (
    BestMove,
    Identity,
    Info,
    Nonsense,
    Permission,
    ReadyOk,
    Reply,
    Score,
    UciOk,
    format_reply,
    parse_reply,
)

WORD = st.text(st.characters(codec="ascii", categories=["L", "N", "P"]), min_size=1, max_size=8)
TEXT = st.lists(WORD, max_size=4).map(" ".join).filter(lambda text: text != EMPTY)
NAME = st.lists(WORD.filter(lambda word: word != "type"), min_size=1, max_size=4).map(" ".join)
FIELD_WORDS = {"default", "min", "max", "var"}
CHOICE = TEXT.filter(lambda text: not FIELD_WORDS & set(text.split()))
SQUARE = st.from_regex(r"[a-h][1-8]", fullmatch=True)
MOVE = st.builds(lambda a, b, p: a + b + p, SQUARE, SQUARE, st.sampled_from(["", "q", "n"]))
NUMBER = st.integers(-(10**12), 10**12)
MAYBE = st.none() | NUMBER

SCORES = st.builds(
    lambda kind, number, bound: Score(**{kind: number}, bound=bound),
    st.sampled_from(["cp", "mate"]),
    NUMBER,
    st.sampled_from(["", "lowerbound", "upperbound"]),
)
OPTIONS = (
    st.builds(Option, NAME, st.just("check"), st.sampled_from(["true", "false"]))
    | st.builds(Option, NAME, st.just("spin"), NUMBER.map(str), MAYBE, MAYBE)
    | st.builds(
        lambda name, default, choices: Option(name, "combo", default, choices=tuple(choices)),
        NAME,
        CHOICE,
        st.lists(CHOICE, max_size=4),
    )
    | st.builds(Option, NAME, st.just("button"))
    | st.builds(Option, NAME, st.just("string"), st.none() | TEXT)
)
INFOS = st.builds(
    Info,
    depth=MAYBE,
    seldepth=MAYBE,
    multipv=MAYBE,
    score=st.none() | SCORES,
    wdl=st.none() | st.tuples(NUMBER, NUMBER, NUMBER),
    nodes=MAYBE,
    nps=MAYBE,
    hashfull=MAYBE,
    tbhits=MAYBE,
    time=MAYBE,
    currmove=st.none() | MOVE,
    currmovenumber=MAYBE,
    pv=st.lists(MOVE, max_size=5).map(tuple),
    string=st.none() | TEXT,
)
REPLIES: st.SearchStrategy[Reply] = (
    st.builds(Identity, st.sampled_from(["name", "author"]), TEXT)
    | st.just(UciOk())
    | st.just(ReadyOk())
    | st.builds(
        Permission,
        st.sampled_from(["copyprotection", "registration"]),
        st.sampled_from(["checking", "ok", "error"]),
    )
    | OPTIONS
    | INFOS
    | st.builds(BestMove, MOVE, st.none() | MOVE)
    | st.just(BestMove(None))
)


@given(REPLIES)
def test_what_is_written_is_read_back(reply: Reply) -> None:
    assert parse_reply(format_reply(reply)) == reply


KEYWORDS = st.sampled_from(
    """id name author option type default min max var info score cp mate wdl pv string multipv
    bestmove ponder lowerbound - (none) e2e4 1 999999999999999999999999 spin check registration
    check combo button ok string depth""".split()  # noqa: SIM905
)


@given(st.text(max_size=60) | st.lists(KEYWORDS, max_size=12).map(" ".join))
def test_no_line_is_an_accident(line: str) -> None:
    reply = parse_reply(line)
    assert parse_reply(format_reply(reply)) == reply or isinstance(reply, Nonsense)


@given(INFOS.filter(lambda info: info.string is None), st.lists(WORD.map("zz{}".format)))
def test_unknown_words_are_skipped(info: Info, words: list[str]) -> None:
    line = format_reply(info)
    assert parse_reply(f"{line} {' '.join(words)}") == info
    assert parse_reply(line.replace("info", f"info {' '.join(words)}", 1)) == info


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        (
            "option name Debug Log File type string default ",
            Option("Debug Log File", "string", ""),
        ),
        (
            "option name SyzygyPath type string default <empty>",
            Option("SyzygyPath", "string", ""),
        ),
        (
            "option name Bitbases Path type string default /usr/share/min max/",
            Option("Bitbases Path", "string", "/usr/share/min max/"),
        ),
        ("option name Clear Hash type button", Option("Clear Hash", "button")),
        (
            "option name UCI_Elo type spin default 1350 min 1350 max 2850",
            Option("UCI_Elo", "spin", "1350", 1350, 2850),
        ),
        (
            "option name NullMove Pruning type combo default Always var Always"
            " var Fail High var Never",
            Option("NullMove Pruning", "combo", "Always", choices=("Always", "Fail High", "Never")),
        ),
        (
            "info depth 1 seldepth 1 multipv 2 score cp -25 wdl 3 966 31 nodes 41 nps 41000"
            " hashfull 0 tbhits 0 time 1 pv e7e5",
            Info(
                *(1, 1, 2, Score(-25), (3, 966, 31), 41, 41000, 0, 0, 1),
                pv=("e7e5",),
            ),
        ),
        ("info depth 0 score mate 0", Info(0, score=Score(mate=0))),
        (
            "info score cp 12 upperbound depth 3 time 1 nodes 1148 nps 0 cpuload 100",
            Info(3, score=Score(12, bound="upperbound"), time=1, nodes=1148, nps=0),
        ),
        (
            "info time 1 currmove E7E8Q currmovenumber 3",
            Info(time=1, currmove="e7e8q", currmovenumber=3),
        ),
        ("info string pv e2e4 is fine", Info(string="pv e2e4 is fine")),
        ("bestmove g8f6 ponder b1c3", BestMove("g8f6", "b1c3")),
        ("bestmove e7e8Q", BestMove("e7e8q")),
        ("bestmove (none)", BestMove(None)),
        ("bestmove 0000", BestMove(None)),
        ("bestmove e2e4 ponder (none)", BestMove("e2e4")),
    ],
)
def test_lines_of_engines(line: str, reply: Reply) -> None:
    assert parse_reply(line) == reply


@pytest.mark.parametrize(
    "line",
    [
        "",
        "bestmove",
        "bestmove xyzzy",
        "option name type spin",
        "option name Hash type megabytes",
        "option name Hash type spin min few",
        "id",
        "Stockfish 15.1 by the Stockfish developers (see AUTHORS file)",
        "bestmove e2e9",
    ],
)
def test_nonsense(line: str) -> None:
    assert isinstance(parse_reply(line), Nonsense)


@given(st.integers(1, 200), st.integers(-20_000, 20_000))
def test_a_mate_is_worth_more_than_any_advantage_and_the_sooner_the_more(
    moves: int, cp: int
) -> None:
    assert Score(mate=moves).worth_cp > Score(cp).worth_cp > Score(mate=-moves).worth_cp
    assert Score(mate=moves).worth_cp > Score(mate=moves + 1).worth_cp
    assert Score(mate=-moves).worth_cp < Score(mate=-moves - 1).worth_cp


@pytest.mark.parametrize(
    ("option", "value", "fitting"),
    [
        (Option("Hash", "spin", "16", 4, 1024), "16", "16"),
        (Option("Hash", "spin", "16", 4, 1024), "2", "4"),
        (Option("Hash", "spin", "16", 4, 1024), "99999", "1024"),
        (Option("Hash", "spin", "16", 4, 1024), "much", None),
        (Option("Ponder", "check", "false"), "True", "true"),
        (Option("Ponder", "check", "false"), "1", None),
        (Option("Style", "combo", "Calm", choices=("Calm", "Very Wild")), "very wild", "Very Wild"),
        (Option("Style", "combo", "Calm", choices=("Calm",)), "Wild", None),
        (Option("Path", "string", ""), "", EMPTY),
        (Option("Path", "string", ""), "/a b", "/a b"),
    ],
)
def test_a_value_is_made_to_fit_or_refused(option: Option, value: str, fitting: str | None) -> None:
    assert option.fitting(value) == fitting
