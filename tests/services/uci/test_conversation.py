"""An answer belongs to the question that was asked last, and nothing is waited for without end."""

from __future__ import annotations

from collections import deque

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.rules import Position
from boardfw.services.uci.commands import Go, SetPosition
from boardfw.services.uci.conversation import (
    MOST_BYTES,
    MOST_LINES,
    TABLE,
    Conversation,
    Effect,
    Failed,
    Found,
    Patience,
    Search,
    Send,
)
from tests.sizes import sized

THINK_US = 1_000_000
LONG_US = 10**12


def search_of(number: int) -> Search:
    return Search(SetPosition(Position.start()), Go(nodes=number), THINK_US)


def move_of(number: int) -> str:
    """The answer to the search with this number, unlike that to any other."""
    return f"{'abcdefgh'[number % 8]}{1 + number // 8 % 8}a1"


class SlowEngine:
    """Does what it is told in its order, when it is let, and may repeat an old answer.

    It repeats it only before it says that it is ready, or begins to think anew: what comes after
    that nobody could tell from an answer to the next question.
    """

    def __init__(self, *, repeats: bool) -> None:
        self.told: deque[str] = deque()
        self.repeats = repeats
        self.thinking: int | None = None
        self.last: list[str] = []

    def obey(self) -> list[str]:
        """Do the first thing that it was told; return what it says."""
        if not self.told:
            return []
        words = self.told.popleft().split()
        again: list[str] = []
        if words[0] in ("isready", "go"):
            again, self.last = self.last if self.repeats else [], []
        if words[0] == "isready":
            return [*again, "readyok"]
        if words[0] == "go":
            assert self.thinking is None, "told to think while it thinks"
            self.thinking = int(words[words.index("nodes") + 1])
        return again if words[0] != "stop" else self.answer()

    def answer(self) -> list[str]:
        """Come to an end with thinking, if it thinks."""
        if self.thinking is None:
            return []
        self.last = [f"bestmove {move_of(self.thinking)}"]
        self.thinking = None
        return self.last


class Evening:
    """A conversation, an engine, the lines on their way between them, and the open question."""

    def __init__(self, *, repeats: bool) -> None:
        self.engine = SlowEngine(repeats=repeats)
        self.talk = ready()
        self.said: deque[str] = deque()
        self.asked: Search | None = None
        self.number = 0

    def do(self, deed: str) -> None:
        match deed:
            case "ask":
                self.number += 1
                self.asked = search_of(self.number)
                self.perform(self.talk.search(0, self.asked))
            case "ask again" if self.asked:
                search, self.asked = self.asked, None
                self.perform(self.talk.stop(0))
                self.asked = search
                self.perform(self.talk.search(0, search))
            case "stop":
                self.asked = None
                self.perform(self.talk.stop(0))
            case "obey":
                self.said += self.engine.obey()
            case "answer":
                self.said += self.engine.answer()
            case "hear" if self.said:
                self.perform(self.talk.hear(0, self.said.popleft()))

    def perform(self, effects: list[Effect]) -> None:
        for effect in effects:
            assert not isinstance(effect, Failed)
            if isinstance(effect, Send):
                self.engine.told.append(effect.line)
            else:
                assert effect.search is self.asked
                assert effect.best.move == move_of(effect.search.go.nodes or 0)
                self.asked = None


DEEDS = st.sampled_from(["ask", "ask again", "stop", "obey", "obey", "answer", "hear", "hear"])


@settings(max_examples=sized(60, 300))
@given(st.lists(DEEDS, max_size=60), st.booleans())
def test_an_answer_is_always_one_to_the_last_question(deeds: list[str], repeats: bool) -> None:
    evening = Evening(repeats=repeats)
    for deed in deeds:
        evening.do(deed)
    for _ in range(30):  # let everything come to its end
        for deed in ("obey", "answer", "hear", "hear"):
            evening.do(deed)
    assert evening.asked is None
    assert evening.talk.state == "ready"
    assert evening.talk.deadline_us is None


LINES = st.sampled_from(
    ["uciok", "readyok", "bestmove e2e4", "bestmove (none)", "bestmove what", "info depth 1", "ok"]
)


@given(st.lists(st.sampled_from(["ask", "stop", "wait"]) | LINES, max_size=30))
def test_whatever_it_says_silence_after_it_ends(deeds: list[str]) -> None:
    """From any state a silent engine is given up, or nothing is owed."""
    patience = Patience(5, 4, 3, 2)
    talk, t_us = Conversation("any", patience=patience), 0
    talk.begin(t_us)
    for deed in deeds:
        t_us += 1
        match deed:
            case "ask":
                talk.search(t_us, search_of(t_us))
            case "stop":
                talk.stop(t_us)
            case "wait":
                talk.wait(t_us)
            case line:
                talk.hear(t_us, line)
    is_owed = talk.state not in ("ready", "gone")
    assert (talk.deadline_us is not None) == is_owed
    failed: list[Effect] = []
    for _ in range(3):
        if talk.deadline_us is not None:
            assert talk.deadline_us - t_us <= THINK_US + max(5, 4, 3, 2)
            t_us = talk.deadline_us
            failed += [one for one in talk.wait(t_us) if isinstance(one, Failed)]
    assert talk.deadline_us is None
    assert talk.state in ("ready", "gone")
    assert len(failed) == is_owed


def ready() -> Conversation:
    talk = Conversation("engine", {"Hash": "99", "Nothing": "1"})
    talk.begin(0)
    for line in ("option name Hash type spin default 1 min 1 max 9", "uciok", "readyok"):
        talk.hear(0, line)
    return talk


def thinking() -> Conversation:
    talk = ready()
    talk.search(0, search_of(1))
    talk.hear(0, "readyok")
    assert talk.state == "thinking"
    return talk


def test_options_are_set_once_within_their_bounds_and_only_if_offered() -> None:
    talk = Conversation("engine", {"hash": "99", "Nothing": "1"})
    talk.begin(0)
    talk.hear(0, "option name Hash type spin default 1 min 1 max 9")
    assert talk.hear(0, "uciok") == [Send("setoption name Hash value 9"), Send("isready")]
    talk.hear(0, "readyok")
    search = Search(SetPosition(Position.start()), Go(nodes=1), 1, {"Hash": "9"})
    assert talk.search(0, search) == [Send("ucinewgame"), Send("isready")]


def test_out_of_time_it_is_called_in_and_its_move_counts() -> None:
    talk = thinking()
    assert talk.deadline_us is not None
    assert talk.wait(talk.deadline_us - 1) == []
    assert talk.wait(talk.deadline_us) == [Send("stop")]
    (found,) = talk.hear(talk.deadline_us, "bestmove e2e4")
    assert isinstance(found, Found)
    assert found.best.move == "e2e4"


def test_called_in_and_then_unwanted_it_is_told_to_stop_once() -> None:
    talk = thinking()
    assert talk.deadline_us is not None
    talk.wait(talk.deadline_us)
    assert talk.stop(talk.deadline_us) == []
    assert talk.state == "stopping"


def test_an_answer_that_is_not_a_move_is_not_waited_for() -> None:
    (failed,) = thinking().hear(1, "bestmove what")
    assert isinstance(failed, Failed)


def test_of_each_variation_the_last_with_an_exact_score_is_kept() -> None:
    talk = thinking()
    for line in (
        "info multipv 1 score cp 1 pv a2a3",
        "info multipv 2 score cp 0 pv b2b3",
        "info multipv 1 score cp 9 pv c2c3",
        "info multipv 1 score cp 99 lowerbound pv d2d3",
        "info multipv 2 depth 7",
    ):
        talk.hear(0, line)
    (found,) = talk.hear(0, "bestmove c2c3")
    assert isinstance(found, Found)
    assert [info.pv for info in found.lines] == [("c2c3",), ("b2b3",)]


@pytest.mark.slow
def test_talk_without_end_ends() -> None:
    talk = thinking()
    said = [effect for _ in range(MOST_LINES + 5) for effect in talk.hear(1, "info depth 1")]
    assert [type(effect) for effect in said] == [Failed]
    talk = thinking()
    said = [effect for _ in range(MOST_BYTES // 4096 + 5) for effect in talk.count(4096)]
    assert [type(effect) for effect in said] == [Failed]


def test_every_state_can_be_reached_and_left() -> None:
    states = {state for state, _ in TABLE} | set(TABLE.values())
    for state in states - {"gone", "starting"}:
        assert state in TABLE.values()
        assert any(at == state for at, _ in TABLE)
