"""Whether the pieces are played with, or only handled, and what ends such a disturbance.

People show a trick, clear a corner, or let a child at the board. Enough handling can always be read
as some game, so the score alone does not tell play from it; the board itself does. A game is
*shown* when every piece stands as the game has it. Once what stands cannot become a ply, the last
game shown stays the best one until the board shows a game again: that same one, since the pieces
were put back, an earlier one, or one that goes on from it and explains what the hands have done
since.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from boardfw.inference.evidence import REST_US
from boardfw.inference.hypothesis import Hypothesis
from boardfw.inference.kings_result import kings_result
from boardfw.rules.move import alike, common
from boardfw.sensing.trace import Trace
from boardfw.squares import NO_SWITCHES, Occupancy, Switch, bitboard_of, occupancy_of, switches_in

KEPT = 8
"""Games shown that are remembered: no more plies are taken back at once."""
AT_ONCE = 8
"""More squares than this do not differ even in the quickest play."""
LONG_PLAY = 16
"""This many edges explained by plies are play, though no game has been shown since: a contact may
be lost, and quick hands overlap for many plies."""
IN_THE_AIR = 3
"""This many pieces off their squares with the hands at rest are no ply."""
MOST, NEARLY_ALL = 2 / 3, 4 / 5
"""Shares of the edges that play explains: contacts are lost and pieces adjusted meanwhile. More has
to be explained if a switch is blamed for the rest or the hands are still at work."""
MOST_UNDONE = 3
"""Final plies that may be undone. Further back, pieces that go home only pass a position of the
game while they are set up."""
A_PLY_OR_TWO = 2
"""Plies made or undone since a game was shown, each of which the players may have looked at."""


class Shown(NamedTuple):
    """A game that the board showed, and its state then."""

    hypothesis: Hypothesis
    score: float
    findings: int

    @classmethod
    def of(cls, hypothesis: Hypothesis) -> Shown:
        """The game as it is now."""
        return cls(hypothesis, hypothesis.state.score, len(hypothesis.state.found))

    def undisturbed(self, trace: Trace) -> Hypothesis:
        """The same game now: the pieces were handled up to now, and then put back."""
        return self.hypothesis.undisturbed(trace, self.score, self.findings)


class Disturbance:
    """Remembers which games the board has shown, and whether it shows one now."""

    def __init__(self, hypotheses: Sequence[Hypothesis]) -> None:
        self.is_on = False
        self._shown: deque[tuple[Shown, ...]] = deque(
            [tuple(map(Shown.of, hypotheses))], maxlen=KEPT
        )
        self._memories: tuple[Shown, ...] = ()
        """Games far behind the last one shown, which the board has shown just as well."""
        self._since_us = -REST_US
        """Since when the board has shown the last game."""
        self._doubted: Hypothesis | None = None
        """The last game shown that differs from what was shown before."""
        self._is_taken_up = False
        """Whether the piece moved last was the first to leave since: its ply is open again."""
        self._has_rested = True
        """Whether the board showed the last game until the hands were off it."""
        self._felt: list[Switch] = []
        """The switches that have settled since the last game was shown, edge by edge."""
        self._left: tuple[Shown, ...] = ()
        """The games from which the board has gone back, until play goes on from there."""
        self._is_aftermath = False
        """Whether the last game shown is the first one since the pieces were only handled."""
        self._glimpsed: tuple[Hypothesis, int] | None = None
        """A game that the board has shown in passing, and how many edges had been felt then."""

    @property
    def last(self) -> Hypothesis:
        """The game that the board showed last."""
        return self._shown[-1][0].hypothesis

    def feel(self, switch: Switch, t_us: int) -> None:
        """Take note of a switch that has settled, and when."""
        if not self._felt:
            self._is_taken_up = switch in self.last.targets()
            self._has_rested = t_us - self._since_us >= REST_US
        self._felt.append(switch)

    def begin(
        self, hypotheses: Sequence[Hypothesis], t_us: int, memories: Sequence[Hypothesis] = ()
    ) -> None:
        """The board shows these games, equally credible, the best one first.

        ``memories`` are shown as well, but far less credible; they come back with the others.

        Plies that were undone since they were shown, or that stood only for a moment and are
        replaced now, are forgotten.
        """
        moves = hypotheses[0].moves
        if _goes_on(hypotheses[0], self.last):
            self._left = ()
        is_again = any(alike(games[0].hypothesis.moves, moves) for games in self._shown)
        while len(self._shown) > 1 and (
            _goes_on(self.last, hypotheses[0]) or (is_again and self.last.moves != moves)
        ):
            self._shown.pop()
        is_passing = t_us - self._since_us < REST_US and not hypotheses[0].begins_with(
            self.last.moves
        )
        if is_passing and len(self._shown) > 1:
            self._shown.pop()
        if moves != self.last.moves:
            self._since_us = t_us
            self._is_aftermath = self.is_on
        if hypotheses[0] is not self.last:
            self._shown.append(tuple(map(Shown.of, hypotheses)))
            self._memories = tuple(map(Shown.of, memories))
        self._felt.clear()
        self._doubted = self._glimpsed = None
        self.is_on = False

    def begins(self, hypothesis: Hypothesis, trace: Trace, *, at_rest: bool) -> bool:
        """Whether what stands cannot become a ply of the most credible game."""
        wrong = hypothesis.wrong(trace.now)
        if wrong.bit_count() > AT_ONCE:
            return True
        if not at_rest or hypothesis.owed:
            return False
        extra = wrong & trace.now
        return bool(extra) or wrong.bit_count() >= IN_THE_AIR

    def is_untouched(self, hypothesis: Hypothesis) -> bool:
        """Whether a game rewrites plies that the board has shown, though their squares have not
        been touched since."""
        base = self._base(hypothesis)
        told, touched = _since(base, common(hypothesis.moves, base.moves)), occupancy_of(self._felt)
        squares = [occupancy_of(node.touched_by(node.moves[-1])) for node in told]
        return bool(squares) and not any(one & touched for one in squares)

    def rouse(self, hypothesis: Hypothesis, trusted: int) -> None:
        """Begin a disturbance while ``hypothesis`` is believed.

        Plies that were never shown are dropped, unless they explain what the hands have done; so is
        a ply whose piece was lifted first, since it may have gone on to another square.
        ``trusted``: how many plies are final; none of these is dropped.
        """
        if self._is_play(hypothesis):
            self._shown.append((Shown.of(hypothesis),))
            self._memories = ()
            self._felt.clear()
        elif self._is_taken_up and len(self.last.moves) > trusted and len(self._shown) > 1:
            taken_up, self._memories = self._shown.pop(), ()
            before = [one.hypothesis.parent for one in taken_up if one.hypothesis.parent]
            has_replaced = before and not _goes_on(taken_up[0].hypothesis, self.last)
            if has_replaced and before[0].expected != self.last.expected:
                # What the board had shown before was wrong: it would look otherwise.
                self._shown.append(tuple(map(Shown.of, before)))
        self.is_on = True

    def put_back(self, trace: Trace) -> list[Hypothesis]:
        """The games shown last, if the board shows one of them again; that one first."""
        standing = _standing(self._shown[-1], trace)
        return standing and [*standing, *_standing(self._memories, trace)]

    def gone_back(self, trace: Trace, trusted: int) -> list[Hypothesis]:
        """The games of some plies earlier, if the board shows one of them again; that one first.

        Or the games from which it has gone back: that was a mistake, now corrected. ``trusted``:
        how many plies are final; no more than a few of these were undone.
        """
        if standing := _standing(self._left, trace):
            return standing
        for back, games in enumerate(reversed(self._shown)):
            undone = len(self.last.moves) - len(games[0].hypothesis.moves)
            is_start = not games[0].hypothesis.moves and undone > A_PLY_OR_TWO  # it is set up again
            is_long_ago = undone > MOST_UNDONE and len(games[0].hypothesis.moves) < trusted
            is_slide = self._is_a_slide(games[0].hypothesis, trace)
            if is_long_ago or is_start or (is_slide and not self._is_aftermath):
                continue
            if standing := _standing(games, trace):
                self._left = self._shown[-1]
                # What follows tells whether handling went on, or a piece was slid after it.
                standing += [left.hypothesis for left in self._left] if is_slide else []
                for _ in range(back):
                    self._shown.pop()
                self._memories = ()
                return standing
        return []

    def in_a_hand(self, trace: Trace) -> tuple[list[Hypothesis], Switch | None]:
        """The games shown last and the switch of a piece, if only that piece of the side to move
        is missing from the first of them; else no games.

        What was done meanwhile was no play, but that piece may have pushed another one off. Nor is
        it in a hand if it is a king and the kings show a result.
        """
        first = self._shown[-1][0].hypothesis
        wrong = first.wrong(trace.now)
        if wrong.bit_count() != 1 or not wrong & first.expected & first.own:
            return [], None
        if kings_result(first, trace, trace.t_us):
            return [], None
        (switch,) = switches_in(wrong)
        games = (*self._shown[-1], *self._memories)
        return [shown.undisturbed(trace) for shown in games], switch

    def _is_a_slide(self, hypothesis: Hypothesis, trace: Trace) -> bool:
        """Whether a piece that rests on its way only seems to show an earlier game.

        Undoing plies would have moved more than one piece, or changed the one on an untouched
        square; and a ply from the last game shown has just come to the one switch that is closed
        beyond that game.
        """
        if self._is_on_a_path(hypothesis, trace):
            return True
        changed = 0
        placements = self.last.position.placement, hypothesis.position.placement
        for now, then in zip(*placements, strict=True):
            changed |= now ^ then
        touched = occupancy_of(self._felt) | hypothesis.state.dead
        is_reached = not hypothesis.orientation.switches(changed) & ~touched
        if is_reached and len(self._felt) > 1:
            return False
        wrong = self.last.orientation.squares(self.last.wrong(trace.now))
        arrived = (move.targets for move in self.last.legal_moves())
        return any(wrong == bitboard_of(targets) for targets in arrived)

    def _is_on_a_path(self, hypothesis: Hypothesis, trace: Trace) -> bool:
        """Whether one piece that stands on the path of a ply would undo several plies.

        Only where play has come back to a position can it: the other pieces stand as they did.
        """
        wrong = self.last.orientation.squares(self.last.wrong(trace.now))
        undone = len(self.last.moves) - len(hypothesis.moves)
        return (
            undone > 1
            and wrong.bit_count() == 2
            and any(wrong >> m.origin & 1 and wrong & m.passed for m in self.last.legal_moves())
        )

    def gone_on(self, trace: Trace) -> list[Hypothesis]:
        """The games that go on from the last one shown by the ply that the board shows now.

        Captures are left out: without its edges, a piece in a hand looks just like one.
        """
        games: list[Hypothesis] = []
        for shown in self._shown[-1]:
            hypothesis = shown.undisturbed(trace)
            quiet = (move for move in hypothesis.legal_moves() if move.captured != move.target)
            plies = (hypothesis.played(move, hypothesis.state.copy()) for move in quiet)
            shown_now = (Shown.of(game) for game in plies if not game.wrong(trace.now))
            games += [game.undisturbed(trace) for game in shown_now]
        return games

    def ends(self, hypothesis: Hypothesis, *, at_rest: bool, is_shown: bool) -> bool:
        """Whether a game, shown by the board or not, goes on from the last ones by play."""
        base = self._base(hypothesis)
        new_dead = hypothesis.state.dead & ~base.state.dead
        if new_dead.bit_count() > 1:
            return False
        if self._has_rested and _rewrites(hypothesis, base, occupancy_of(self._felt)):
            return is_shown and at_rest and self._is_confirmed(hypothesis)
        kept, explained = common(hypothesis.moves, base.moves), self._explained(hypothesis, base, 0)
        has_unseen = any(node.is_unseen for node in _since(hypothesis, kept))
        made, undone = len(hypothesis.moves) - kept, len(base.moves) - kept
        if explained >= len(self._felt) * (NEARLY_ALL if new_dead or not at_rest else MOST):
            if explained >= LONG_PLAY and not new_dead:
                return True
            if not is_shown or (new_dead and has_unseen):
                return False
            # An unseen capture undoes what was shown only when play has gone on from it.
            return not (has_unseen and undone) or self._has_come_by(hypothesis, made)
        if not is_shown or new_dead or (has_unseen and not at_rest):
            return False
        plies = made if has_unseen else made + undone
        is_near = at_rest and not has_unseen and plies <= A_PLY_OR_TWO
        is_near |= made == plies == 1 and explained == self._counted(hypothesis, base, 0)
        return is_near or self._has_come_by(hypothesis, plies)

    def _has_come_by(self, hypothesis: Hypothesis, plies: int) -> bool:
        """Whether a game on the board goes on from one that it has shown in passing, and little
        else was done since: the pieces were handled before, and are played with now."""
        if self._glimpsed is None or not hypothesis.begins_with(self._glimpsed[0].moves):
            self._glimpsed = (hypothesis, len(self._felt)) if plies <= A_PLY_OR_TWO else None
            return False
        before, felt = self._glimpsed
        has_gone_on = len(hypothesis.moves) > len(before.moves)
        since = self._counted(hypothesis, before, felt)
        return has_gone_on and self._explained(hypothesis, before, felt) >= since * MOST

    def _is_confirmed(self, hypothesis: Hypothesis) -> bool:
        """Whether play has gone on from a game that differs from what was shown, and the board
        shows it again: then what was shown before was wrong."""
        before, self._doubted = self._doubted, hypothesis
        if before is None or hypothesis.moves == before.moves:
            return False
        return hypothesis.begins_with(before.moves)

    def _base(self, hypothesis: Hypothesis) -> Hypothesis:
        """Of the games that the board showed last, the one from which a game goes on."""
        return max(
            (shown.hypothesis for shown in self._shown[-1]),
            key=lambda one: common(hypothesis.moves, one.moves),
        )

    def _is_play(self, hypothesis: Hypothesis) -> bool:
        """Whether the plies since the last game shown explain most of what the hands have done.

        Nothing else stood wrong when they were made: players would have corrected it first.
        """
        base = self._base(hypothesis)
        if any(
            node.state.before for node in _since(hypothesis, common(hypothesis.moves, base.moves))
        ):
            return False
        return self._explained(hypothesis, base, 0) >= len(self._felt) * MOST

    def _counted(self, hypothesis: Hypothesis, base: Hypothesis, felt: int) -> int:
        """How many edges, without the first ``felt`` ones, are to be explained.

        A square that was and is empty does not count: a piece was tried there, or held.
        """
        stood = base.expected | hypothesis.expected
        return sum(stood >> switch & 1 for switch in self._felt[felt:])

    def _explained(self, hypothesis: Hypothesis, base: Hypothesis, felt: int) -> int:
        """How many edges, without the first ``felt`` ones, lie on squares of the plies made or
        undone since a game, on their paths, or where a piece that was pushed off may lie."""
        kept, told = common(hypothesis.moves, base.moves), NO_SWITCHES
        for game in (hypothesis, base):
            for node in _since(game, kept):
                told |= occupancy_of(node.touched_by(node.moves[-1]))
                told |= node.passed(node.moves[-1]) | node.beside_pushed()
        told &= ~hypothesis.state.dead
        return sum(told >> switch & 1 for switch in self._felt[felt:])


def _goes_on(hypothesis: Hypothesis, before: Hypothesis) -> bool:
    """Whether a game is another one with plies added."""
    return len(hypothesis.moves) > len(before.moves) and hypothesis.begins_with(before.moves)


def _since(hypothesis: Hypothesis, plies: int) -> Iterator[Hypothesis]:
    """The hypotheses after the last ply, after the one before it, and so on, for all but the first
    ``plies``."""
    node: Hypothesis | None = hypothesis
    while node is not None and len(node.moves) > plies:
        yield node
        node = node.parent


def _standing(games: tuple[Shown, ...], trace: Trace) -> list[Hypothesis]:
    """These games, one that the board shows first; empty if it shows none."""
    ranked = sorted(games, key=lambda shown: bool(shown.hypothesis.wrong(trace.now)))
    if not ranked or ranked[0].hypothesis.wrong(trace.now):
        return []
    return [shown.undisturbed(trace) for shown in ranked]


def _rewrites(hypothesis: Hypothesis, base: Hypothesis, touched: Occupancy) -> bool:
    """Whether a game differs from what the board has shown without having undone it.

    The piece moved last may go on, or go back so that another moves instead, if it was ``touched``.
    """
    kept = common(hypothesis.moves, base.moves)
    if kept == len(hypothesis.moves) or kept == len(base.moves):
        return False
    touched |= base.state.dead  # a dead switch does not tell
    is_gone = any(touched >> target & 1 for _, target in base.steps(base.moves[kept]))
    # Put-backs may choose another piece for the same steps.
    is_alike = hypothesis.moves[kept].steps() == base.moves[kept].steps()
    return kept < len(base.moves) - 1 or is_alike or not is_gone
