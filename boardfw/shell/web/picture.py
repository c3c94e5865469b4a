"""What a page is shown and told of a board, made of what was seen at one instant of its loop.

``see`` runs in the loop of the board and only takes hold of values that never change; a ``Painter``
makes a ``BoardState`` of them wherever there is time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from boardfw.game.clock import ChessClock
from boardfw.game.events import (
    Action,
    Amended,
    CoachAsked,
    CoachRests,
    Consulted,
    Moved,
    Notified,
    Released,
)
from boardfw.game.opponent import Chosen
from boardfw.game.phase import GamePhase
from boardfw.game.record import PlyTime, Undone
from boardfw.game.view import View
from boardfw.languages import also_said
from boardfw.lights import palette
from boardfw.lights.render import render
from boardfw.lights.scene import Scene
from boardfw.notation.fen import format_fen, format_pieces
from boardfw.notation.san import format_san
from boardfw.rules import BLACK, WHITE, Move, Piece, Position
from boardfw.rules.board import placement_of
from boardfw.rules.move import common
from boardfw.rules.reasons import in_words
from boardfw.services.web.api import BoardHealth, SwitchHealth
from boardfw.services.web.state import (
    BoardState,
    Candidate,
    ChoosingPiece,
    Clock,
    Game,
    Lesson,
    Mismatch,
    Opponent,
    Ply,
    Setup,
    Side,
)
from boardfw.shell.desk import Desk
from boardfw.shell.replay import event_of
from boardfw.shell.review_desk import ReviewDesk
from boardfw.shell.taught_desk import TaughtDesk
from boardfw.squares import EVERY_SWITCH, NAMES, Square, Switch, names_of, squares_in

SIDES: tuple[Side, Side] = ("w", "b")
Labels = Mapping[Switch, str]
"""Letters of pieces, by the switches over which they stand."""
Lifted = tuple[str, Switch | None]
"""A piece in a hand, and the switch over which it stood; None: the box, or nobody knows."""


class Table(Protocol):
    """A simulated board as its user sees it; all in the thread of the board's loop."""

    @property
    def pieces(self) -> Labels:
        """What stands on the board."""

    @property
    def lifted(self) -> Sequence[Lifted]:
        """The pieces in any hand, the next to be put down last."""

    @property
    def beside(self) -> str:
        """Letters of the pieces beside the board."""

    @property
    def sets_up(self) -> bool:
        """Whether simulated hands set up the pieces that the board asks for."""

    @property
    def is_demo(self) -> bool:
        """Whether they play a game by themselves."""

    @property
    def to_go(self) -> int:
        """Squares on which they have yet to put a piece, or to take one off."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands on a simulated board, and what is in a hand or beside it."""

    pieces: Labels
    lifted: tuple[Lifted, ...]
    beside: str
    sets_up: bool
    is_demo: bool
    to_go: int


@dataclass(frozen=True, slots=True)
class Seen:
    """A board at one instant."""

    t_us: int = field(compare=False)
    view: View
    scene: Scene
    start: Position
    moves: tuple[Move, ...]
    ply_times: tuple[PlyTime, ...]
    history: tuple[Undone, ...]
    final: int
    opponent: Chosen | None
    is_rated: bool
    tags: Mapping[str, str]
    standing: Standing | None
    """None: real pieces, of which only the game knows."""
    lesson: Lesson | None = None
    """What a tutor asks; None: there is none, and this is a game."""
    number: int | None = None
    """The game's in the collection; None: it has none yet."""
    can_look_back: bool = False
    """As of ``ReviewDesk.may_look_back``."""


def see(
    desk: Desk,
    tags: Mapping[str, str],
    table: Table | None,
    lesson: Lesson | None = None,
    number: int | None = None,
) -> Seen:
    """The board now; ``table``: the simulated one, None: a real one. The others: as of ``Seen``."""
    session = desk.session
    if lesson is not None and isinstance(desk, TaughtDesk) and desk.tutor is not None:
        session = desk.tutor.session
        if not (isinstance(desk, ReviewDesk) and desk.is_looking_back):
            tags = {}  # of the players' game nothing is seen meanwhile
    record = session.record
    standing = None
    if table is not None:
        standing = Standing(
            dict(table.pieces),
            tuple(table.lifted),
            table.beside,
            table.sets_up,
            table.is_demo,
            table.to_go,
        )
    return Seen(
        desk.session.t_us,
        desk.view,
        desk.scene,
        record.start,
        record.moves,
        record.ply_times,
        tuple(record.history),
        session.course.final,
        session.away.chosen,
        desk.help_policy.is_rated,
        dict(tags),
        standing,
        lesson,
        number,
        isinstance(desk, ReviewDesk) and desk.may_look_back,
    )


class Painter:
    """Makes states of what was seen; it remembers what is costly and seldom changes."""

    def __init__(self, board: str, lights: palette.Settings) -> None:
        """``board``: its name. ``lights``: as they are set, but they never dim here."""
        self._board = board
        self._lights = lights
        self._positions: list[Position] = []
        self._moves: tuple[Move, ...] = ()
        self._sans: list[str] = []
        self._undone: tuple[tuple[Undone, ...], list[tuple[int, str, str]]] = ((), [])
        self._lit: tuple[Scene | None, str] = (None, "")

    def paint(self, seen: Seen) -> BoardState:
        """The state of the board; its boot, number and role are the feed's."""
        self._follow(seen)
        view, orientation, is_game = seen.view, seen.view.orientation, seen.lesson is None
        # What stands wrong in a lesson its sentences say: the way back may be the answer.
        is_task = seen.lesson is not None and seen.lesson.step != "setup"
        return BoardState(
            board=self._board,
            simulated=seen.standing is not None,
            mono=self._lights.mono,
            demo=seen.standing is not None and seen.standing.is_demo,
            to_go=seen.standing.to_go if seen.standing else 0,
            rated=seen.is_rated,
            turned=orientation.is_turned,
            phase="play" if is_task else view.phase.value,
            turn=SIDES[view.position.turn],
            game=self._game(seen),
            history=self._history(seen),
            occ=f"{view.standing:016x}",
            placement=format_pieces(view.position.placement),
            shown=_shown(seen),
            hand=_hand(seen),
            box=seen.standing.beside if seen.standing else "",
            cues={
                cue.name.lower(): names_of(where)
                for cue, where in seen.scene.lit
                if cue.look.level  # others leave a square dark, and say nothing
            },
            lights=self._frame(seen),
            clock=_clock(view.clock, seen.t_us),
            check=_check(view) if is_game else None,
            ask=self._candidates(view),
            choosing=_choosing(view),
            mismatch=_mismatch(view) if is_game else None,
            setup=None if is_task else _setup(seen),
            stuck=names_of(view.stuck),
            blind=names_of(view.blind),
            late=list(view.notes),
            doubt=str(view.doubted.text) if view.doubted else None,
            also=also_said(doubt=view.doubted.text) if view.doubted else None,
            unwritten=view.unwritten,
            opponent=_opponent(seen),
            lesson=seen.lesson,
            health=_health(view),
        )

    def _follow(self, seen: Seen) -> None:
        """Let the positions and the SAN be those of the game that was seen."""
        if not self._positions or self._positions[0] != seen.start:
            self._positions, self._moves, self._sans = [seen.start], (), []
        kept = common(self._moves, seen.moves)
        del self._positions[kept + 1 :], self._sans[kept:]
        for move in seen.moves[kept:]:
            position = self._positions[-1]
            self._sans.append(format_san(position, move))
            self._positions.append(position.play_unchecked(move))
        self._moves = seen.moves

    def _game(self, seen: Seen) -> Game:
        outcome = seen.view.outcome
        return Game(
            id=seen.number,
            start_fen=format_fen(seen.start),
            tags=dict(seen.tags),
            plies=[self._ply(seen, at, move) for at, move in enumerate(seen.moves)],
            result=outcome.result if outcome else "*",
            termination=outcome.termination if outcome else "",
            can_look_back=seen.can_look_back,
        )

    def _ply(self, seen: Seen, at: int, move: Move) -> Ply:
        times = seen.ply_times
        left_ms = times[at].left_ms if at < len(times) else None
        return move.uci(), self._sans[at], "f" if at < seen.final else "p", left_ms

    def _history(self, seen: Seen) -> list[tuple[int, str, str]]:
        if self._undone[0] != seen.history:
            told = [ply for undone in seen.history for ply in self._plies_of(undone)]
            self._undone = seen.history, told
        return self._undone[1]

    def _plies_of(self, undone: Undone) -> Iterable[tuple[int, str, str]]:
        """Plies that were undone; the SAN is empty where the plies before them are others now."""
        is_there = undone.ply < len(self._positions)
        position = self._positions[undone.ply] if is_there else None
        for number, move in enumerate(undone.moves, undone.ply + 1):
            if position is None or move not in position.legal_moves():
                position = None
                yield number, move.uci(), ""
            else:
                yield number, move.uci(), format_san(position, move)
                position = position.play_unchecked(move)

    def _frame(self, seen: Seen) -> str:
        if self._lit[0] != seen.scene:
            self._lit = seen.scene, render(seen.scene, seen.t_us, self._lights).hex()
        return self._lit[1]

    def _candidates(self, view: View) -> list[Candidate] | None:
        if not view.candidates:
            return None
        wanted = set(view.candidates)
        before = (one for one in reversed(self._positions) if wanted <= set(one.legal_moves()))
        position = next(before, None)
        targets = {move.target for move in view.candidates}
        by_origin = len(targets) == 1
        return [
            Candidate(
                n=number,
                uci=move.uci(),
                san=format_san(position, move) if position else move.uci(),
                squares=[NAMES[move.origin if by_origin else move.target]],
            )
            for number, move in enumerate(view.candidates, 1)
        ]


def _shown(seen: Seen) -> str | None:
    if seen.standing is None:
        return None
    square = seen.view.orientation.square
    pieces = {square(switch): Piece.of(label) for switch, label in seen.standing.pieces.items()}
    return format_pieces(placement_of(pieces))


def _hand(seen: Seen) -> list[tuple[str, str | None]]:
    view = seen.view
    if seen.standing is not None:
        square = view.orientation.square
        lifted = seen.standing.lifted
        return [(label, None if at is None else NAMES[square(at)]) for label, at in lifted]
    if view.phase is GamePhase.SETUP:
        return []
    away = list(squares_in(view.position.occupied & ~view.standing))
    away.sort(key=lambda square: square == view.in_hand)
    pieces = [(view.position.piece_at(square), square) for square in away]
    return [(piece.letter, NAMES[square]) for piece, square in pieces if piece]


def _clock(clock: ChessClock | None, t_us: int) -> Clock | None:
    """The clock at the instant since which it runs, so that it is another one only if pressed."""
    if clock is None:
        return None
    runs = clock.is_running and clock.flag_fallen(t_us) is None
    at_us = clock.since_us if runs and clock.since_us is not None else t_us
    return Clock(
        w=clock.remaining_us(WHITE, at_us) // 1000,
        b=clock.remaining_us(BLACK, at_us) // 1000,
        runs=SIDES[clock.turn] if runs else None,
        at=at_us // 1000 if runs else 0,
    )


def _check(view: View) -> str | None:
    position = view.position
    return NAMES[position.king(position.turn)] if position.checkers() else None


def _choosing(view: View) -> ChoosingPiece | None:
    if view.promotion is None or view.choosing is None or view.last_move is None:
        return None
    return ChoosingPiece(
        square=NAMES[view.last_move.target],
        piece=Piece(view.promotion, BLACK).letter,
        then=Piece(view.choosing.then, BLACK).letter,
    )


def _mismatch(view: View) -> Mismatch | None:
    if not view.missing | view.extra:
        return None
    why = None
    if view.reason is not None and view.tried is not None:
        why = in_words(view.position, view.reason, view.tried)
    return Mismatch(
        missing=names_of(view.missing),
        extra=names_of(view.extra),
        repair=[(_name(origin), _name(target)) for origin, target in view.repair],
        why=None if why is None else str(why),
        also={} if why is None else also_said(why=why),
    )


def _name(square: Square | None) -> str | None:
    return None if square is None else NAMES[square]


def _setup(seen: Seen) -> Setup | None:
    view = seen.view
    if view.phase is not GamePhase.SETUP:
        return None
    asked = view.asked
    return Setup(
        wanted=names_of(view.wanted),
        surplus=names_of(view.surplus),
        next=asked.piece.letter if asked else None,
        next_squares=names_of(asked.squares) if asked else [],
        problems=[problem.text for problem in view.problems],
        helped=seen.standing is not None and seen.standing.sets_up,
    )


def _opponent(seen: Seen) -> Opponent | None:
    if seen.opponent is None:
        return None
    color, _ = seen.opponent
    tag = "White" if color == WHITE else "Black"
    owed = seen.view.owed
    return Opponent(
        name=seen.tags.get(tag, "?"),
        side=SIDES[color],
        owed=owed.uci() if owed else None,
        owed_san=format_san(seen.view.position, owed) if owed else None,
        thinking=seen.view.is_awaited,
    )


def _health(view: View) -> str:
    if view.blind:
        return "not all switches can be read: please wait"
    return view.unwritten or next(iter(view.notes), "ok")


# --- what it is told

BETWEEN_OURSELVES = (Consulted, Released, CoachAsked, CoachRests)
"""What the session says to an engine, which is nobody else's concern."""


def events_of(said: Iterable[Action], ply_times: tuple[PlyTime, ...]) -> list[dict[str, Any]]:
    """The actions as an events file tells them; plies with what the mover's clock showed, in ms."""
    return [_told(one, ply_times) for one in said if not isinstance(one, BETWEEN_OURSELVES)]


def _told(action: Action, ply_times: tuple[PlyTime, ...]) -> dict[str, Any]:
    told = {key: _plain(value) for key, value in event_of(action).items()}
    if isinstance(action, Moved | Amended):
        at = action.ply - 1
        told["clk"] = ply_times[at].left_ms if at < len(ply_times) else None
    if isinstance(action, Notified):
        told["also"] = also_said(text=action.text)
    return told


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


# --- how the board is

SECOND_US = 1_000_000


def health_of(desk: Desk, troubles: Callable[[], Mapping[str, int]]) -> BoardHealth:
    """The switches that have moved or are in trouble, by the squares over them, and what is wrong
    besides.

    ``troubles``: failures of the bus, by what they were.
    """
    session, view = desk.session, desk.view
    stuck = view.orientation.switches(view.stuck)
    squares: dict[str, SwitchHealth] = {}
    for switch in EVERY_SWITCH:
        health, is_stuck = session.senses.health[switch], bool(stuck >> switch & 1)
        name = NAMES[view.orientation.square(switch)]
        if health.moved or health.lost or is_stuck:
            squares[name] = SwitchHealth(
                touches=health.moved,
                bounce_us=health.bounce_us,
                longest_bounce_us=health.longest_bounce_us,
                short=health.lost,
                verdict=health.verdict.value,
                stuck=is_stuck,
            )
    return BoardHealth(
        squares=squares,
        scan_hz=SECOND_US // desk.settings.scan.period_us,
        bus_errors=dict(troubles()),
        notes=[*view.notes, *filter(None, [view.unwritten])],
    )
