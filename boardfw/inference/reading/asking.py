"""The question to the players: which of several games that no later touch can tell apart was it?

Games that end in the same occupancy are at rest together, so their odds do not change while the
board stands still. Where the odds are neither small nor overwhelming, the board asks.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from boardfw.inference.reading import constants
from boardfw.inference.reading.beam import Beam
from boardfw.inference.reading.hypothesis import Hypothesis
from boardfw.inference.reading.suspecting import p_unproved
from boardfw.inference.reading.touches import Kind, Touch
from boardfw.rules.move import Move
from boardfw.squares import Bitboard, Square

LIKELY = 0.05
"""What is as probable as this counts as possible: that a piece in a hand captures the lit one, or
that a switch is faulty, in a question."""


@dataclass(frozen=True, slots=True)
class Question:
    """Which of these moves was it? It is answered by one lift, by a button, or by later play."""

    ply: int
    """0 = the first ply of the game."""
    moves: tuple[Move, ...]
    """Every move that is still credible, sorted by their UCI text."""
    since_us: int
    """When the board asked,"""
    depth: int
    """and how many plies it had read by then."""

    def square_of(self, move: Move) -> Square | None:
        """The lit square: lifting and replacing its piece answers with this move.

        None where several moves end on that square, so only a button answers.
        """
        ends = [one.target for one in self.moves]
        return move.target if ends.count(move.target) == 1 else None

    def answered_by(self, square: Square) -> Move | None:
        """The move that a piece lifted from a square and replaced answers with."""
        return next((move for move in self.moves if self.square_of(move) == square), None)

    def is_news(self, asked: Question | None) -> bool:
        """True if this has not been asked: it is about an earlier ply, or has one more answer."""
        if asked is None or self.ply != asked.ply:
            return asked is None or self.ply < asked.ply
        return not set(self.moves) <= set(asked.moves)


class Answer(NamedTuple):
    """A move that the players have chosen."""

    ply: int
    move: Move
    landed_us: int | None
    """When the piece was replaced that answered; None: a button was pressed."""
    line: int = 0
    """The moves before the ply, as the board had announced them then."""
    may_be_capture: bool = False
    """True if that may be a capture, too: a later ply."""

    def agrees(self, game: Hypothesis) -> bool:
        """True if a game has the move, and takes the touch that answered for nothing else."""
        node = game
        while node.depth > self.ply + 1 and node.before is not None:
            if node.landed_us == self.landed_us and not self.may_be_capture:
                return False
            node = node.before
        if node.depth <= self.ply or node.move is not self.move:
            return False
        is_its_own = node.landed_us == self.landed_us
        return not is_its_own or (node.before is not None and node.before.line == self.line)


class Asking:
    """What is asked at the moment, and the touches that may answer it."""

    def __init__(self, limit: float) -> None:
        """``limit``: what is less probable than that is not credible any more."""
        self._limit = limit
        self.question: Question | None = None
        self._latest: Touch | None = None
        self._line = 0
        """The moves before the ply in question when a lit piece was lifted."""
        self._may_be_capture = False
        """True if a piece that attacks the lit square was in a hand when its piece was lifted."""
        self._lift: Touch | None = None
        """The lift of a lit square that has not been replaced yet."""
        self._answer: tuple[Touch, Touch] | None = None
        """Lift and landing of the answer, until it has stood for long enough."""

    @property
    def deadline_us(self) -> int | None:
        """When the last answer counts, unless the hand corrects it before."""
        return None if self._answer is None else self._answer[1].t_us + self._stands_us

    @property
    def _stands_us(self) -> int:
        """So long after an answer hardly any hand corrects it."""
        surplus = constants.P_MIND / self._limit
        return int(constants.MIND_US * (surplus ** (1 / constants.MIND_SHAPE) - 1))

    def watch(self, beam: Beam, first: int, t_us: int, *, is_stuck: bool) -> None:
        """Find out what is asked now. The first ``first`` plies are final for everybody.

        ``is_stuck``: the best game is at rest, and time alone will not make its next ply final.
        """
        if self._lift or self._answer:
            return  # a question does not change under the hand that answers it
        if self.question is not None:
            self._narrow(beam, first)
        asked = question_at_rest(beam, self._limit, t_us) if is_stuck else None
        if asked is not None and asked.is_news(self.question):
            self.question = asked
            self._forget_touches()

    def note(self, touch: Touch, game: Hypothesis, beam: Beam, board: Bitboard) -> None:
        """Note a touch that may answer, in the announced game; the ``board`` shows this then.

        One hand answers with one piece, and touches nothing else meanwhile. ``beam``: the games as
        they were before it.
        """
        latest, self._latest = self._latest, touch
        question, lift = self.question, self._lift
        if question is None or not touch.is_settled:
            return
        self._lift = None
        if lift is not None and touch.square == lift.square:
            is_by_hand = touch.t_us - lift.t_us >= constants.REACTION_US
            is_shown = game.as_shown(board) == game.occupied
            self._answer = (lift, touch) if is_by_hand and is_shown else None
            return
        is_lit = touch.kind is Kind.LIFT and question.answered_by(touch.square) is not None
        is_alone = latest is None or touch.t_us - latest.t_us >= constants.BURST_US
        if is_lit or not is_alone:
            self._answer = None
        if is_lit and is_alone and lift is None and self._may_answer(game, touch):
            self._lift = touch
            self._line = game.at(question.ply).line
            self._may_be_capture = any(
                one.position.attackers(touch.square, one.position.turn)
                & one.own
                & ~beam.shown_of(one)
                for one, weight in zip(beam.games, beam.weights(), strict=True)
                if weight >= LIKELY
            )

    def _may_answer(self, game: Hypothesis, lift: Touch) -> bool:
        """True unless the other player may have lifted the piece to move it, and thought again.

        For a piece of the player who is asked about, that says the same.
        """
        question = self.question
        if question is None or lift.t_us <= question.since_us:
            return False
        return game.depth == question.depth or (game.depth - question.ply) % 2 == 0

    def answer(self, t_us: int) -> Answer | None:
        """Return what a touch has answered and that counts by now, once."""
        question, answer, due_us = self.question, self._answer, self.deadline_us
        if question is None or answer is None or due_us is None or t_us < due_us:
            return None
        lift, landed = answer
        self._answer, move = None, question.answered_by(lift.square)
        if move is None:
            return None
        lift.price = landed.price = 0.0  # they are explained
        return Answer(question.ply, move, landed.t_us, self._line, self._may_be_capture)

    def answer_by_button(self, index: int) -> Answer | None:
        """Return what a button answers, 0 = the first move; None if there are fewer."""
        question = self.question
        if question is None or not 0 <= index < len(question.moves):
            return None
        return Answer(question.ply, question.moves[index], None)

    def close(self) -> None:
        """The question is answered."""
        self.question = None
        self._forget_touches()

    def _forget_touches(self) -> None:
        self._lift = self._answer = None

    def _narrow(self, beam: Beam, first: int) -> None:
        """Drop the moves that are not credible any more; fewer than two are no question."""
        question = self.question
        if question is None:
            return
        weighed = zip(beam.games, beam.weights(), strict=True)
        credible = _credible_moves(weighed, question.ply, self._limit)
        moves = tuple(move for move in question.moves if move in credible)
        if question.ply < first or len(moves) < 2:
            self.close()
        elif moves != question.moves:
            self.question = replace(question, moves=moves)


def question_at_rest(beam: Beam, limit: float, t_us: int) -> Question | None:
    """Return the question about the first ply in which games that the board shows differ."""
    alike = [
        (game, weight)
        for game, weight in zip(beam.games, beam.weights(), strict=True)
        if game.occupied == beam.shown_of(game) and (weight >= LIKELY or p_unproved(game) < limit)
    ]
    best = beam.best
    apart = [
        best.shared_with(game)
        for game, weight in alike
        if game is not best and weight >= limit and game.depth == best.depth
    ]
    ply = min(apart, default=best.depth)
    moves = _credible_moves(alike, ply, limit)
    return Question(ply, moves, t_us, best.depth) if len(moves) > 1 else None


def confirmable(beam: Beam, limit: float) -> tuple[Move, ...]:
    """Return the captures that a lifted piece may have made unseen, the likeliest first.

    They are no question, however long it is held. But lifting and replacing the piece on the
    target of one of them makes it a ply.
    """
    best = beam.best
    held = best.before if best.is_unseen and best.before else best
    return tuple(
        game.move
        for game, weight in zip(beam.games, beam.weights(), strict=True)
        if game.is_unseen
        and game.before is held
        and game.move is not None
        and weight >= limit
        and game.occupied == beam.shown_of(game)
    )


def _credible_moves(
    weighed: Iterable[tuple[Hypothesis, float]], ply: int, limit: float
) -> tuple[Move, ...]:
    """Return the moves at a ply of games that are together as probable as ``limit``."""
    weights: dict[Move, float] = {}
    for game, weight in weighed:
        if game.depth > ply:
            move = game.at(ply + 1).move
            if move is not None:
                weights[move] = weights.get(move, 0.0) + weight
    credible = [move for move, weight in weights.items() if weight >= limit]
    return tuple(sorted(credible, key=lambda move: move.uci()))
