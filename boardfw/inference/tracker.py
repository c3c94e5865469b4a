"""The tracker: keeps rival hypotheses alive and decides which of them the switches support best.

Every settled edge may complete a ply, so every hypothesis is tried with every ply that the edge
could complete; the parent stays beside its children, because the edge may have meant nothing.
Hypotheses far behind the best are dropped. Slides, changed minds, wrong squares and overlapping
plies need no case of their own: the game in which they make sense overtakes the others.
"""

from __future__ import annotations

from collections import deque
from itertools import chain
from operator import itemgetter

from boardfw.inference.adjustments import notice
from boardfw.inference.apply import candidates, instead, paid_by, played, taken_back
from boardfw.inference.disturbance import Disturbance
from boardfw.inference.evidence import LEAD, REST_US, RIVAL, RIVAL_OF_FINAL, TURNED, Reason
from boardfw.inference.explain import explain, explain_take_back
from boardfw.inference.hypothesis import SWITCHES, Hypothesis
from boardfw.inference.pruning import DOUBT, HIDDEN, hidden_plies, prune, wrong_readings
from boardfw.inference.score import charge, charge_alike, next_change_us, score_of
from boardfw.rules.move import Move, alike
from boardfw.rules.position import Position
from boardfw.sensing.debounce import Blip, Edge
from boardfw.sensing.trace import Trace
from boardfw.squares import NO_SWITCHES, Occupancy, Orientation, Switch, occupancy_of

UPSET = 8
"""More squares than this that stand otherwise than a hypothesis has them cannot become a ply."""
RESTS_KEPT = 8
"""Rests remembered: a ply that is recognised only so much later has no chance."""
SUSPECTED = 8
"""Hypotheses for which dead switches are considered: the others are not worth the time."""
NEAR = 4
"""The most credible hypotheses, one of which may be the true one."""
LASTING = 2
"""For how many plies a switch has stood wrong that is suspected by itself."""
MOTION = 16
"""Edges of the longest slide, two for each square: for so long appearances may deceive."""
CATCH_UP = 4
"""Plies that may become known at once, when a late edge makes sense of others."""

_RANK = itemgetter(0)


class Tracker:
    """Rival hypotheses over one trace."""

    def __init__(self, roots: list[Hypothesis], trace: Trace) -> None:
        self.trace = trace
        self.now_us = trace.t_us
        self._rests: deque[tuple[int, Occupancy, bool]] = deque(maxlen=RESTS_KEPT)
        """When hands left the board, what stood, and whether the best hypothesis explained it."""
        self.hypotheses: list[Hypothesis] = roots
        """The hypotheses alive, the most credible first."""
        self.best: Hypothesis = roots[0]
        """The most credible hypothesis without pending edges."""
        self.deadline_us: int | None = None
        """When a score changes by the passing of time alone; None if never."""
        self._worth: dict[Hypothesis, float] = {}
        self._trusted: tuple[Move, ...] = ()
        self._loyal: Hypothesis | None = None
        """A parent hypothesis that has all trusted plies."""
        self._rested_us = -1
        self._is_over = False
        self._credible: set[Hypothesis] = set()
        """Hypotheses that were credible when the board was last at rest, for so long as"""
        self._moved = 0
        """no more than ``MOTION`` edges have settled since."""
        self._roots = roots
        self._disturbance = Disturbance(roots)
        self._shown_us = trace.t_us
        """When the board last showed the best hypothesis."""
        self._choose(roots)

    @classmethod
    def of(cls, position: Position, trace: Trace, *, turnable: bool = False) -> Tracker:
        """A tracker of a game that starts here, or, ``turnable``, with the board turned round."""
        roots = [Hypothesis.root(position, trace.t_us)]
        if turnable:
            way = Orientation.TURNED
            roots.append(Hypothesis.root(position, trace.t_us, orientation=way, cost=TURNED))
        return cls(roots, trace)

    def score_of(self, hypothesis: Hypothesis) -> float:
        """How credible a hypothesis is now, in settled edges."""
        worth = self._worth.get(hypothesis)
        return score_of(hypothesis, self.trace, self.now_us) if worth is None else worth

    def trust(self, moves: tuple[Move, ...]) -> None:
        """A game that begins with these moves wins a tie from now on."""
        node = self.best
        while len(node.moves) > len(moves) and node.parent is not None:
            node = node.parent
        # The hypothesis's own tuple lets other hypotheses see at once that they begin alike.
        self._trusted = node.moves if alike(node.moves, moves) else moves
        self._loyal = None

    def _undone(self, hypothesis: Hypothesis) -> int:
        """How many trusted plies a hypothesis undoes; replacing any of them counts as one."""
        trusted = self._trusted
        if hypothesis.parent is not None and hypothesis.parent is self._loyal:
            return 0  # nearly always: it goes on from where the trusted plies lead
        if not hypothesis.begins_with(trusted):
            return max(len(trusted) - len(hypothesis.moves), 1)
        if len(hypothesis.moves) > len(trusted):
            self._loyal = hypothesis.parent
        return 0

    @property
    def is_at_rest(self) -> bool:
        """Whether the hands are off the board: nothing has changed for half a second."""
        return self.now_us - self.trace.t_us >= REST_US

    def feed(self, known: Edge | Blip) -> None:
        """Take in what a switch did, and choose again."""
        self._rest(known.t_us)
        self.trace.append(known)
        self.now_us = max(self.now_us, known.t_us)
        if isinstance(known, Edge):
            self._disturbance.feel(known.switch, known.t_us)
            self._moved += 1
            if self._moved > MOTION:
                self._credible = set()
            for hypothesis in self.hypotheses:
                hypothesis.revive(known.switch, known.t_us)
        paid = [paid_by(hypothesis, known) for hypothesis in self.hypotheses]
        # An edge that was pending may as well be part of the next ply, so both are tried.
        hypotheses = self.hypotheses + [
            hypothesis for hypothesis in paid if hypothesis not in self.hypotheses
        ]
        children = [
            child for hypothesis in hypotheses for child in self._children(hypothesis, known.switch)
        ]
        if isinstance(known, Edge):
            self._notice(known, paid + children)
        self._choose(paid + children)

    def _notice(self, edge: Edge, hypotheses: list[Hypothesis]) -> None:
        """Let an edge count beside plies.

        A hypothesis that believes in more dead switches than the best one has to earn that by
        plies: put-backs count for it only if they count for the best, too.
        """
        known_dead = self.best.state.dead
        best = next(
            (hypothesis for hypothesis in hypotheses if alike(hypothesis.moves, self.best.moves)),
            None,
        )
        is_told = best is not None and notice(best, edge, self.trace)
        for hypothesis in hypotheses:
            if hypothesis is not best:
                counts = is_told or not hypothesis.state.dead & ~known_dead
                notice(hypothesis, edge, self.trace, counts=counts)

    def wait(self, t_us: int) -> None:
        """Let time pass without an edge: a piece long in the air may have been used."""
        due_us, self.now_us = self.deadline_us, max(self.now_us, t_us)
        self._rest(t_us)
        if due_us is not None and due_us <= t_us:
            self._choose(self.hypotheses)

    def _rest(self, t_us: int) -> None:
        """Charge every hypothesis, once for each rest of the hands, for what stands wrong.

        Where the board makes little sense, dead switches are considered first.
        """
        if t_us - self.trace.t_us < REST_US or self._rested_us == self.trace.t_us:
            return
        self._rested_us = self.trace.t_us
        # No switch is suspected for a time in which the board could not be read.
        is_seen = self.trace.clouded_us is None and self.trace.unwatched_us <= self._shown_us
        if is_seen and not self._makes_sense():
            suspicions = [self._suspicions(hypothesis) for hypothesis in self._suspected()]
            self.hypotheses = [*self.hypotheses, *chain.from_iterable(suspicions)]
        least = self._worth[self.hypotheses[0]] - RIVAL_OF_FINAL
        self._credible = {hypothesis for hypothesis, worth in self._worth.items() if worth >= least}
        self._moved = 0
        told = not self.best.wrong(self.trace.now) and not self.best.owed
        self._rests.append((self.trace.t_us, self.trace.now, told))
        for hypothesis in self.hypotheses:
            charge(hypothesis, self.trace, self.trace.now, self.trace.t_us, told=told)
        if not any(self._is_shown(hypothesis) for hypothesis in self.hypotheses):
            # However it was handled, a game that is shown again is as credible as it was.
            self.hypotheses = [*self.hypotheses, *self._disturbance.put_back(self.trace)]

    def _makes_sense(self) -> bool:
        """Whether the best hypothesis explains all that stands, except pieces in a hand.

        An unseen capture makes little sense, even in a hypothesis that is not quite the best; but a
        piece in a hand may still capture.
        """
        best = self.best
        if self.hypotheses[0].owed or not self._are_in_a_hand(best.wrong(self.trace.now), best):
            return False
        rivals = (
            hypothesis for hypothesis in self.hypotheses[:NEAR] if hypothesis.parent is not best
        )
        return not any(hypothesis.was_untouched() for hypothesis in rivals)

    def _are_in_a_hand(self, switches: Occupancy, hypothesis: Hypothesis) -> bool:
        """Whether only one piece of the side to move is away, and one that was there till now.

        Only pieces that were there at the last rest have been lifted since; the switches of others
        may be dead.
        """
        there = hypothesis.expected & self._rests[-1][1] if self._rests else NO_SWITCHES
        are_lifted = not switches & ~(hypothesis.own | there)
        return are_lifted and switches.bit_count() <= 1 + bool(switches & there)

    def _suspected(self) -> list[Hypothesis]:
        """The hypotheses whose children, with a dead switch, may be near enough to stay alive."""
        least = score_of(self.hypotheses[0], self.trace, self.now_us) - DOUBT - HIDDEN
        near = [
            hypothesis
            for hypothesis in self.hypotheses[:SUSPECTED]
            if hypothesis.state.score >= least
        ]
        # One dead switch at a time.
        return [hypothesis for hypothesis in near if hypothesis.has_told()]

    def _suspicions(self, hypothesis: Hypothesis) -> list[Hypothesis]:
        """Hypotheses in which a switch is dead, with what else the hands have done since."""
        worked = self.trace.moved
        lasting = [
            hypothesis.distrusting(dead, worked, told_by=LASTING)
            for dead in wrong_readings(hypothesis, self.trace)
        ]
        hidden = []
        for move, dead in hidden_plies(hypothesis, self.trace):
            child = self._applied(hypothesis.distrusting(dead, worked), move)
            if child is not None:
                hidden.append(child)
        hidden = self._caught_up(hidden, depth=0)
        for child in hidden:  # several plies recognised at once may be one odd gesture
            child.state.suspected_at = max(child.state.suspected_at, len(child.moves) - LASTING)
        return [*self._caught_up(lasting, depth=0), *hidden]

    def _applied(self, hypothesis: Hypothesis, move: Move) -> Hypothesis | None:
        """The hypothesis with this move as its next ply; None if nothing supports it."""
        evidence = explain(hypothesis, move, self.trace)
        if evidence is None:
            return None
        child = played(hypothesis, move, evidence, self.trace)
        for rested_us, standing, _ in self._rests:
            if evidence.left_us <= rested_us < evidence.landed_us:
                for switch in SWITCHES[standing & hypothesis.passed(move)]:
                    child.state.note(Reason.PAUSED, switch, rested_us)
        return child

    def try_again(self) -> None:
        """A side that is away has made its move: the hands may have been quicker than the news."""
        children = []
        for hypothesis in self.hypotheses:
            for switch in self._unexplained(hypothesis):
                children += self._children(hypothesis, switch)
        self._choose([*self.hypotheses, *children])

    def conclude(self, t_us: int) -> None:
        """Close the game: no reply will come, so believe what time alone makes credible, and what
        makes sense only with a dead switch."""
        self._is_over = True
        self.wait(t_us)
        self._choose(self.hypotheses)

    def decide(self, hypothesis: Hypothesis) -> None:
        """Drop all hypotheses but this one: a player has said which it is."""
        self.keep([hypothesis])

    def keep(self, hypotheses: list[Hypothesis]) -> None:
        """Drop all hypotheses but these: a player has ruled the others out."""
        self._disturbance.begin(hypotheses, self.now_us)
        self._choose(hypotheses)
        self.best = self.hypotheses[0]

    def _charge_belatedly(self, hypothesis: Hypothesis) -> None:
        """Charge a hypothesis found only now for the rests since its last piece stood."""
        for rested_us, standing, told in self._rests:
            if rested_us >= hypothesis.state.landed_us:
                charge(hypothesis, self.trace, standing, rested_us, told=told)

    def _choose(self, hypotheses: list[Hypothesis]) -> None:
        """Keep the best hypothesis of each position, and of those the credible ones."""
        # Ties go to the hypothesis that blames the fewest switches, then to the one that the board
        # shows, then to the one chosen before, since nothing is announced without a reason, then to
        # the one whose unseen captures win most.
        trace, is_at_rest, best, ranked = self.trace, self.is_at_rest, self.best, []
        for hypothesis in hypotheses:
            worth = score_of(hypothesis, trace, self.now_us)
            is_shown = not hypothesis.wrong(trace.now)
            # The board at rest refutes even trusted plies.
            refuted = is_at_rest and not is_shown
            lag = LEAD * (self._undone(hypothesis) or refuted)
            state = hypothesis.state
            blamed = state.dead.bit_count()
            likely = round(worth - lag, 6), -blamed, is_shown, hypothesis is best, state.won
            ranked.append((likely, worth, hypothesis))
        ranked.sort(key=_RANK, reverse=True)
        self._worth = {hypothesis: worth for _, worth, hypothesis in ranked}
        self.hypotheses = prune(self._worth, self._credible)
        if all(self._undone(hypothesis) for hypothesis in self.hypotheses):
            # Trusted plies outlast a long slide, however many games it looks like meanwhile.
            self.hypotheses += [
                hypothesis for *_, hypothesis in ranked if not self._undone(hypothesis)
            ][:1]
        self.best = self._best()
        if not self.best.moves and len(self._roots) > 1:
            self._reopen()
        self.deadline_us = next_change_us(self.hypotheses, trace, self.now_us)
        if self.is_disturbed and not is_at_rest:  # an earlier game may be shown then
            rest_us = trace.t_us + REST_US
            self.deadline_us = min(rest_us, self.deadline_us or rest_us)

    @property
    def is_disturbed(self) -> bool:
        """Whether the pieces are handled and not played with; the best is the last one shown."""
        return self._disturbance.is_on

    def _best(self) -> Hypothesis:
        """The most credible one without pending edges; in a disturbance, the last one shown."""
        trace, at_rest, disturbance = self.trace, self.is_at_rest, self._disturbance
        hypothesis = next(
            (hypothesis for hypothesis in self.hypotheses if self._may_be_best(hypothesis)),
            self.best,
        )
        if not disturbance.is_on and disturbance.begins(hypothesis, trace, at_rest=at_rest):
            disturbance.rouse(hypothesis, len(self._trusted))
        is_doubtful = self._undone(hypothesis) and not self._is_shown(hypothesis)
        if not disturbance.is_on and is_doubtful and disturbance.is_untouched(hypothesis):
            disturbance.is_on = True
        if disturbance.is_on:
            if put_back := disturbance.put_back(trace):
                suspects = (one for one in self.hypotheses if one.hides_one_end(put_back[0]))
                return self._settle(put_back, tuple(suspects))
            shown = (one for one in self.hypotheses if self._is_shown(one) and not one.is_unseen)
            hypothesis = next(shown, self.hypotheses[0])
            if not disturbance.ends(
                hypothesis, at_rest=at_rest, is_shown=self._is_shown(hypothesis)
            ):
                # A position may recur: a game that goes on from the last one has not gone back.
                trusted = len(self._trusted)
                games = disturbance.gone_on(trace) or disturbance.gone_back(trace, trusted)
                if at_rest and games:
                    return self._settle(games)
                return (at_rest and self._resume()) or disturbance.last
        if self._is_shown(hypothesis) and (at_rest or not hypothesis.is_unseen):
            equals = [hypothesis, *self._equals(hypothesis)]
            others = [one for one in self.hypotheses if one not in equals and self._is_shown(one)]
            disturbance.begin(equals, self.now_us, others)
            self._shown_us = self.now_us
        else:
            disturbance.is_on = False
        return hypothesis

    def _reopen(self) -> None:
        """Before the first ply either orientation is possible again, whatever was undone."""
        state = self.best.state
        known = {one.orientation for one in self.hypotheses if not one.moves}
        for root in self._roots:
            if root.orientation not in known and not root.wrong(self.trace.now):
                other = root.undisturbed(self.trace, state.score, 0)
                self.hypotheses.append(other)
                self._worth[other] = state.score

    def _equals(self, shown: Hypothesis) -> list[Hypothesis]:
        """Other hypotheses that the board shows just as well, and that are nearly as credible.

        For a capture that was not quite seen, that includes the game with its piece in a hand.
        """
        least = self.score_of(shown) - RIVAL
        equals = [
            hypothesis
            for hypothesis in self.hypotheses
            if hypothesis is not shown
            and self._worth[hypothesis] >= least
            and self._is_shown(hypothesis)
        ]
        if shown.parent is None or not (shown.is_unseen or shown.has_blinked):
            return equals
        return [*equals, shown.parent]

    def _is_shown(self, hypothesis: Hypothesis) -> bool:
        """Whether every piece stands as this game has it."""
        is_told = hypothesis.has_told() or self._is_over
        return is_told and not hypothesis.pending and not hypothesis.wrong(self.trace.now)

    def _settle(self, games: list[Hypothesis], suspects: tuple[Hypothesis, ...] = ()) -> Hypothesis:
        """Restart from the first of these, which the board shows: what was done was no play.

        ``suspects`` stay as well, for what is played next to confirm them.
        """
        self.hypotheses = [*games, *suspects]
        self._worth = {one: score_of(one, self.trace, self.now_us) for one in self.hypotheses}
        self._rests.clear()
        self._disturbance.begin(games, self.now_us)
        return games[0]

    def _resume(self) -> Hypothesis | None:
        """Go on from the games shown last if only one piece is away, and weigh again what it may
        have done; None if more stands otherwise.

        A game that the board shows now stays, too: that piece may not have been in a hand.
        """
        games, switch = self._disturbance.in_a_hand(self.trace)
        if switch is None:
            return None
        shown = [hypothesis for hypothesis in self.hypotheses if self._is_shown(hypothesis)]
        best = self._settle(games)
        children = (child for game in games for child in self._children(game, switch))
        for other in (*children, *shown):
            self.hypotheses.append(other)
            self._worth[other] = score_of(other, self.trace, self.now_us)
        return best

    def _may_be_best(self, hypothesis: Hypothesis) -> bool:
        """Whether the hands may have finished with this game.

        While they have not finished with the most credible one, what has been told is undone only
        by one that is nearly as credible.
        """
        if not (hypothesis.has_told() or self._is_over):
            return False  # one odd gesture proves no dead switch
        top, best = self.hypotheses[0], self.best
        is_agreed = (
            hypothesis is top
            or hypothesis.begins_with(best.moves)
            or top.begins_with(hypothesis.moves)
        )
        is_near = self._worth[top] - self._worth[hypothesis] <= RIVAL
        return self._is_whole(hypothesis) and (is_agreed or is_near or best not in self.hypotheses)

    def _is_whole(self, hypothesis: Hypothesis) -> bool:
        """Whether the hands may have finished: no piece is due, or was just put down wrong.

        What was left undone after the reply, or stood wrong before each of the last two plies
        began, does not hold up the game.
        """
        overdue = hypothesis.overdue
        extra = hypothesis.wrong(self.trace.now) & self.trace.now & ~hypothesis.lasting & ~overdue
        return not hypothesis.pending & ~overdue and (not extra or hypothesis is self.best)

    def _children(self, hypothesis: Hypothesis, switch: Switch, depth: int = 0) -> list[Hypothesis]:
        """Hypotheses that go on from this one with a ply that this switch may have completed."""
        if hypothesis.wrong(self.trace.now).bit_count() > UPSET:
            return []
        children = []
        for move in candidates(hypothesis, switch, self.trace):
            child = self._applied(hypothesis, move)
            if child is not None:
                children.append(child)
        if hypothesis.parent is not None and depth == 0:
            evidence = explain_take_back(hypothesis, self.trace)
            if evidence is not None:
                children.append(taken_back(hypothesis, hypothesis.parent, evidence))
            children += self._gone_on(hypothesis)
        children = self._caught_up(children, depth) if children else children
        for move in hypothesis.unseen() if depth == 0 else ():
            unseen = self._applied(hypothesis, move)
            children += [unseen, *self._children(unseen, switch, 1)] if unseen else []
        return children

    def _gone_on(self, hypothesis: Hypothesis) -> list[Hypothesis]:
        """Hypotheses in which the piece of the last ply has gone on from where it came to."""
        children = []
        for move in instead(hypothesis, self.trace):
            child = self._applied(hypothesis.before_last(), move)
            if child is None:
                continue
            child.parent = hypothesis.parent
            children.append(child)
            path = occupancy_of(
                hypothesis.touched_by(hypothesis.moves[-1]) | hypothesis.touched_by(move)
            )
            charge_alike(child, hypothesis, path | hypothesis.passed(move))
            if not move.passed >> hypothesis.moves[-1].target & 1:
                self._note_stood(child, hypothesis.orientation.switch(hypothesis.moves[-1].target))
        return children

    def _note_stood(self, hypothesis: Hypothesis, switch: Switch) -> None:
        """Charge that the piece stood off the path of its last ply with the hands off."""
        state = hypothesis.state
        for rested_us, standing, _ in self._rests:
            if standing >> switch & 1 and state.left_us <= rested_us < state.landed_us:
                state.note(Reason.STOOD, switch, rested_us)
                return

    def _caught_up(self, children: list[Hypothesis], depth: int) -> list[Hypothesis]:
        """These hypotheses, and those that go on with what they leave unexplained."""
        for child in children:
            self._charge_belatedly(child)
        if depth < CATCH_UP:
            for child in list(children):
                for other in self._unexplained(child):
                    children += self._children(child, other, depth + 1)
        return children

    def _unexplained(self, hypothesis: Hypothesis) -> tuple[Switch, ...]:
        """Switches beyond what the hypothesis explains: an extra piece, or an own one in a hand."""
        return SWITCHES[hypothesis.wrong(self.trace.now) & (self.trace.now | hypothesis.own)]
