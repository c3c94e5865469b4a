"""One game: hands play it, the firmware watches, the score says what became of it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from boardfw.accuracy.afterwards import analysed
from boardfw.accuracy.chain_score import ChainScore
from boardfw.accuracy.games import Played
from boardfw.accuracy.gesture_truth import truths
from boardfw.accuracy.score import Cost, GameScore, score_game
from boardfw.accuracy.truth import GameTruth
from boardfw.game.ending import automatic_end
from boardfw.game.events import Action
from boardfw.inference.hypothesis import Hypothesis
from boardfw.notation.fen import parse_fen
from boardfw.notation.uci import parse_uci
from boardfw.players.game_player import hand_moves
from boardfw.recording import Recording
from boardfw.rules import WHITE, Move, Position
from boardfw.shell.config import Settings
from boardfw.shell.replay import Replay
from boardfw.shell.runtime import seldom_collecting
from boardfw.squares import NO_SWITCHES, Occupancy, Orientation
from hardware.sim.board import pieces_of
from hardware.sim.broken import Wires
from hardware.sim.hand_profiles import HandProfile, person
from hardware.sim.record import SCAN_PERIOD_US, HandGame, Simulated, Watched, play_evening
from hardware.sim.worlds import Setting, split


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What is the same in all games: how the board is read, what is broken, how hands are scaled.

    ``scan_period_us``: None for the usual one, or that of the world in which hands play.
    ``times``, ``chances``, ``bounce``: as in ``HandProfile.scaled``.
    """

    scan_period_us: int | None = None
    stuck_open: Occupancy = NO_SWITCHES
    stuck_closed: Occupancy = NO_SWITCHES
    times: float = 1.0
    chances: float = 1.0
    bounce: float = 1.0

    def hands(self, kind: str, seed: int) -> HandProfile:
        """The hands of this kind with this seed, and the board they play on.

        ``kind``: as of ``hardware.sim.worlds.split``.
        """
        name, setting = split(kind)
        hands = setting.hands(person(name, seed)).scaled(
            times=self.times, chances=self.chances, bounce=self.bounce
        )
        board = replace(hands.board, stuck_open=self.stuck_open, stuck_closed=self.stuck_closed)
        return replace(hands, board=board)

    def period_us(self, setting: Setting) -> int:
        """How often the switches are read in these worlds."""
        return self.scan_period_us or setting.scan_period_us or SCAN_PERIOD_US


@dataclass(frozen=True, slots=True)
class Task:
    """A game, or a chain of them, to be played: as the how manieth of which hands."""

    games: tuple[Played, ...]
    kind: str
    number: int
    seed: int
    circumstances: Circumstances = field(default_factory=Circumstances)

    def truth(
        self,
        game: Played,
        moves: Sequence[Move],
        simulated: Simulated,
        orientation: Orientation = Orientation.AS_WIRED,
    ) -> GameTruth:
        """What was really played of one of its games, of which these were the moves."""
        there = self.circumstances
        plies, shown = truths(parse_fen(game.start_fen), moves, simulated, orientation)
        return GameTruth(
            kind=self.kind,
            number=self.number,
            name=game.name,
            seed=self.seed,
            start_fen=game.start_fen,
            plies=plies,
            end_us=simulated.end_us,
            shown=shown,
            broken=simulated.broken | there.stuck_open | there.stuck_closed,
        )


@dataclass(frozen=True, slots=True)
class Recorded:
    """What was really played in a game, and what the switches read meanwhile."""

    truth: GameTruth
    watched: Watched = field(repr=False)

    def recording(self) -> Recording:
        """What a board would have recorded of it."""
        return self.watched.recording(self.truth.start_fen)


Score = TypeVar("Score", GameScore, ChainScore)
Truth = TypeVar("Truth")


@dataclass(frozen=True, slots=True)
class Result(Generic[Score, Truth]):
    """What became of a game, or of a chain of them."""

    score: Score
    truth: Truth
    """What was really played."""
    trace: str = field(repr=False)
    """The recording as text."""


def play(task: Task) -> Result[GameScore, GameTruth]:
    """Play a game and score it."""
    recorded = record(task)
    said, cost = _watched(recorded)
    score = score_game(recorded.truth, said, cost, recorded.watched.scans)
    return Result(score, recorded.truth, recorded.watched.trace(recorded.truth.start_fen))


def record(task: Task) -> Recorded:
    """Let the hands play a game in their worlds."""
    (game,) = task.games
    _, setting = split(task.kind)
    start = parse_fen(game.start_fen)
    moves = moves_of(start, game.moves)
    if setting.is_analysed:
        moves = _without_end(start, moves)
    by_white = (start.turn == WHITE) == (len(moves) % 2 == 0)
    hand_game = HandGame(
        tuple(hand_moves(start, moves)),
        pieces_of(game.start_fen),
        button=("resign_white" if by_white else "resign_black") if setting.is_analysed else None,
        afterwards=analysed(start, moves) if setting.is_analysed else None,
        cleared=False,
    )
    simulated = play_evening(
        [hand_game],
        task.circumstances.hands(task.kind, task.seed),
        task.seed,
        scan_period_us=task.circumstances.period_us(setting),
        interferences=setting.interferences,
    ).game(0)
    read, wrong = setting.wired(task.seed)
    truth = task.truth(game, moves, replace(simulated, broken=simulated.broken | wrong))
    return Recorded(truth, as_wired(simulated, read))


def _without_end(start: Position, moves: list[Move]) -> list[Move]:
    """The moves up to where the rules have not yet ended the game: so players can end it."""
    while moves and automatic_end(Hypothesis.told(start, tuple(moves), 0)) is not None:
        moves = moves[:-1]
    return moves


def as_wired(watched: Watched, read: Wires) -> Watched:
    """What is read of the switches by these wires."""
    scans = [(t_us, read(occupancy)) for t_us, occupancy in watched.scans]
    return Watched(_changed(scans), watched.end_us, presses=watched.presses)


def _changed(scans: list[tuple[int, Occupancy]]) -> list[tuple[int, Occupancy]]:
    """The first scan, and those in which anything changed."""
    return [scan for at, scan in enumerate(scans) if not at or scan[1] != scans[at - 1][1]]


def moves_of(start: Position, texts: tuple[str, ...]) -> list[Move]:
    """The moves of a game in UCI."""
    position, moves = start, []
    for text in texts:
        moves.append(parse_uci(position, text))
        position = position.play_unchecked(moves[-1])
    return moves


def _watched(recorded: Recorded) -> tuple[list[list[Action]], Cost]:
    return read_by_firmware(recorded.recording())


def read_by_firmware(recording: Recording) -> tuple[list[list[Action]], Cost]:
    """What the firmware says to a recording, and what it takes of the processor."""
    listener = _Listener()
    replay = Replay(recording, Settings(), hear=listener.hear)
    with seldom_collecting():  # as in a running board
        listener.begin()
        replay.play()
    return listener.said, listener.cost()


class _Listener:
    """Notes what is said, and the processor's time after each event."""

    def __init__(self) -> None:
        self.said: list[list[Action]] = []
        self._begin_ns = self._last_ns = self._slowest_ns = 0

    def begin(self) -> None:
        self._begin_ns = self._last_ns = time.process_time_ns()

    def hear(self, said: list[Action]) -> None:
        now_ns = time.process_time_ns()
        self._slowest_ns = max(self._slowest_ns, now_ns - self._last_ns)
        self._last_ns = now_ns
        if said:
            self.said.append(said)

    def cost(self) -> Cost:
        return Cost((self._last_ns - self._begin_ns) // 1000, self._slowest_ns // 1000)
