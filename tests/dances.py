"""Dances: what hands do on a board, written as a line of text, and what a session says to it.

    -e2 +e4     the piece on e2 is lifted, a piece is put on e4; 200 ms between two touches
    600         600 ms pass instead
    ~d5         the switch of d5 flips for 3 ms: too short to settle
    !draw       a button of the panel

A dance ends with the hands off the board for a second, unless it ends with a time. Whatever is
danced, the actions are folded as any other program would fold them, and the game that comes out
must be the session's record: the promise on which everything outside the session rests.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from boardfw.game.clock import ClockUse
from boardfw.game.events import (
    Action,
    Amended,
    Asked,
    Checked,
    Ended,
    Event,
    Finalised,
    MismatchCleared,
    Mismatched,
    Moved,
    NewGame,
    Stuck,
    TakenBack,
    Tick,
    Unstuck,
)
from boardfw.game.session import Session
from boardfw.game.setup.planned_game import Unfinished
from boardfw.notation.fen import parse_fen
from boardfw.notation.san import format_san
from boardfw.notation.uci import parse_uci
from boardfw.recording import Press, Scan
from boardfw.rules import Move, Position
from boardfw.rules.faults import Problem
from boardfw.squares import BY_NAME, Bitboard, Occupancy, Orientation, names_of
from tests.dance_words import word, words
from tests.panels import known_button

STEP_US = 200_000
REST_US = 1_000_000
MOVE_MS = (REST_US + 2 * STEP_US) // 1000
"""A plain move lands so long after the one before it."""
FIRST_US = 1_000_000
"""The board is watched for so long before the first touch."""
BLIP_US = 3_000
BOUNCE_US = (700, 1_300, 1_900, 2_600)
"""When a bouncing contact flips again after the first touch: its last level is the right one."""
MOST_TICKS = 10_000
"""More ticks in one wait are a session that asks for the same instant again and again."""

PROMOTING = {"q": 0, "n": 2, "r": 3, "b": 4}
"""Put-backs that choose each promotion piece."""


@dataclass
class Fold:
    """The game that the actions tell to a listener that knows nothing else."""

    start: Position
    games: list[list[str]] = field(default_factory=lambda: [[]])
    sans: list[str] = field(default_factory=list)
    final: int = 0
    t_us: int = 0
    mismatched: bool = False
    stuck: Bitboard = 0

    @property
    def game(self) -> list[str]:
        return self.games[-1]

    def take(self, action: Action) -> None:
        """Fold one action in; each must make sense after those before it."""
        assert action.t_us >= self.t_us
        self.t_us = action.t_us
        if isinstance(action, Moved):
            assert action.ply == len(self.game) + 1
            self.game.append(action.uci)
            self.sans.append(action.san)
        elif isinstance(action, Amended):
            assert self.final < action.ply <= len(self.game), "only a take-back undoes a final ply"
            before = self.game[action.ply - 1], self.sans[action.ply - 1]
            assert (action.uci, action.san) != before, "an amendment that changes nothing"
            self.game[action.ply - 1] = action.uci
            self.sans[action.ply - 1] = action.san
        elif isinstance(action, TakenBack):
            assert 0 < action.plies <= len(self.game)
            del self.game[-action.plies :], self.sans[-action.plies :]
            self.final = min(self.final, len(self.game))
        elif isinstance(action, Finalised):
            assert action.ply == self.final + 1
            assert action.uci == self.game[action.ply - 1]
            self.final = action.ply
        elif isinstance(action, NewGame):
            self.games.append([])
            self.sans.clear()
            self.start, self.final, self.mismatched = Position.start(), 0, False
        else:
            self._take_remark(action)

    def _take_remark(self, action: Action) -> None:
        if isinstance(action, Mismatched):
            assert action.extra
            self.mismatched = True
        elif isinstance(action, MismatchCleared):
            assert self.mismatched, "nothing was wrong before"
            self.mismatched = False
        elif isinstance(action, Ended):
            self.mismatched = False
        elif isinstance(action, Asked):
            assert len(set(action.candidates)) > 1
        elif isinstance(action, Stuck | Unstuck):
            known = bool(self.stuck >> action.square & 1)
            assert known == isinstance(action, Unstuck), "it is so already"
            self.stuck ^= 1 << action.square


class Table:
    """A session at a simulated table: dances in, words out."""

    def __init__(
        self,
        fen: str | None = None,
        *,
        turned: bool = False,
        bounce: bool = False,
        standing: Bitboard | Occupancy | None = None,
        first_us: int = FIRST_US,
        unfinished: Unfinished | None = None,
        clock: ClockUse | None = None,
        problems: tuple[Problem, ...] = (),
    ) -> None:
        """``turned``: the board lies the other way round."""
        start = parse_fen(fen) if fen else Position.start()
        self.session = Session(start, unfinished=unfinished, clock=clock, problems=problems)
        self.fold = Fold(start)
        if unfinished is not None:
            record = unfinished.record
            self.fold.games = [[move.uci() for move in record.moves]]
            self.fold.sans = [""] * len(record.moves)
            self.fold.final = len(record.moves) - bool(unfinished.asked)
            start = record.positions()[-1]
        self.actions: list[Action] = []
        self.t_us = 0
        self.turned = turned
        self._bounce = bounce
        self._raw = start.occupied if standing is None else int(standing)
        self.take(Scan(0, self.orientation.switches(self._raw)))
        self.wait(first_us)

    # --- dancing

    def play(self, dance: str) -> list[str]:
        """Dance; what was said (see ``words``)."""
        said = len(self.actions)
        gap_us: int | None = None
        for token in dance.split():
            if token.isdigit():
                self.wait(int(token) * 1000)
                gap_us = 0
                continue
            self.wait(STEP_US if gap_us is None else gap_us)
            self._touch(token)
            gap_us = None
        self.wait(REST_US if gap_us is None else 0)
        return words(self.actions[said:])

    def move(self, moves: str) -> list[str]:
        """Play legal moves one after the other, unhurried, everything in its plainest order."""
        said = len(self.actions)
        for text in moves.split():
            position = self.session.game.position
            self.play(plain(parse_uci(position, text)))
        return words(self.actions[said:])

    def wait(self, duration_us: int) -> None:
        """Let time pass; the session sees every instant it waits for."""
        until_us = self.t_us + duration_us
        for _ in range(MOST_TICKS):
            due_us = self.session.deadline_us
            if due_us is None or due_us >= until_us:
                self.t_us = until_us
                if duration_us:
                    self.take(Tick(until_us))
                return
            self.take(Tick(due_us))
        raise AssertionError("the session asks for ever more ticks")

    def finish(self) -> list[str]:
        """The board is watched no longer."""
        said = len(self.actions)
        self._hear(self.session.finish())
        return words(self.actions[said:])

    def scan(self, t_us: int, occupancy: Occupancy) -> None:
        """A raw scan of the switches at an instant not before now."""
        self.wait(t_us - self.t_us)
        self._raw = self.orientation.squares(occupancy)
        self.take(Scan(t_us, occupancy))

    def take(self, event: Event) -> None:
        """Hand the session an event; hear and check what it says."""
        self._hear(self.session.handle(event))
        due_us = self.session.deadline_us
        assert due_us is None or due_us > event.t_us, "a deadline that has passed already"

    @property
    def orientation(self) -> Orientation:
        """How the board lies on the table of the dances."""
        return Orientation.of(turned=self.turned)

    def _touch(self, token: str) -> None:
        if token[0] == "!":
            self.take(Press(self.t_us, known_button(token[1:])))
            return
        bit = 1 << BY_NAME[token[1:]]
        if token[0] == "~":
            self._flip(bit)
            self.wait(BLIP_US)
            self._flip(bit)
            return
        assert token[0] in "+-", f"no touch: {token}"
        assert bool(self._raw & bit) == (token[0] == "-"), f"{token}: so it stands already"
        self._flip(bit)
        if self._bounce:
            begin_us = self.t_us
            for offset_us in BOUNCE_US:
                self.wait(begin_us + offset_us - self.t_us)
                self._flip(bit)

    def _flip(self, bit: Bitboard) -> None:
        self._raw ^= bit
        self.take(Scan(self.t_us, self.orientation.switches(self._raw)))

    # --- hearing

    @property
    def moves(self) -> str:
        """The record as it stands, in UCI."""
        return " ".join(move.uci() for move in self.session.record.moves)

    @property
    def games(self) -> list[str]:
        """All games with a ply, in UCI."""
        games = [[move.uci() for move in game.moves] for game in self.session.games]
        return [" ".join(game) for game in games if game]

    @property
    def result(self) -> str:
        """The record's result and termination; "*" while there is none."""
        outcome = self.session.record.outcome
        return f"{outcome.result} {outcome.termination}" if outcome else "*"

    @property
    def told(self) -> list[str]:
        """Everything that was said, without lifts, drops, checks and finals."""
        return words(self.actions)

    def heard(self, kind: type[Action]) -> list[str]:
        """Everything of one kind that was said so far."""
        return [word(action) for action in self.actions if isinstance(action, kind)]

    def _hear(self, said: list[Action]) -> None:
        for action in said:
            self.fold.take(action)
            self.actions.append(action)
        assert self.fold.game == [move.uci() for move in self.session.record.moves]
        assert self.fold.stuck == self.session.game.orientation.squares(self.session.stuck.known)
        if any(isinstance(action, Moved | Amended | TakenBack) for action in said):
            self._check_words(said)
        if any(isinstance(action, NewGame) for action in said):
            assert [" ".join(game) for game in self.fold.games if game] == self.games

    def _check_words(self, said: list[Action]) -> None:
        """The record is a legal game, and SAN and checks are of its positions."""
        position = self.session.record.start
        sans = []
        for ply, move in enumerate(self.session.record.moves):
            assert move in position.legal_moves() or ply in self.session.record.illegal
            sans.append(format_san(position, move))
            position = position.play_unchecked(move)
        told = [action for action in said if isinstance(action, Moved | Amended)]
        if not told or {NewGame, TakenBack} & set(map(type, said)):
            return  # what was told has been overtaken within the same event
        # One event may settle several edges; only the last word is about the game as it stands.
        assert told[-1].san == sans[told[-1].ply - 1]
        checks = [action.square for action in said if isinstance(action, Checked)]
        if position.is_check():
            assert checks[-1:] == [position.king(position.turn)]
        else:
            assert not checks or len(told) > 1


def plain(move: Move) -> str:
    """The dance of a move in its plainest order: captured piece off, then the steps one by one."""
    dance = [] if move.captured is None else ["-" + names_of(1 << move.captured)[0]]
    for origin, target in move.steps():
        dance += ["-" + names_of(1 << origin)[0], "+" + names_of(1 << target)[0]]
    if move.promotion:
        square = names_of(1 << move.target)[0]
        # Nobody exchanges a piece so quickly that its contact may have been lost instead.
        dance += [f"-{square}", "500", f"+{square}"] * PROMOTING[move.uci()[4]]
    return " ".join(dance)
