"""An engine as a player: how it is asked for a move at a level, and what its answer is worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from boardfw.errors import NotationError
from boardfw.game.clock import SECOND_US
from boardfw.game.opponent import Situation
from boardfw.notation.errors import quoted
from boardfw.notation.uci import parse_uci
from boardfw.rules import BLACK, WHITE, Move, Position
from boardfw.services.human_time import bounds_us
from boardfw.services.levels import FLAWLESS, Candidate, Errors, Level, choice, errors_at
from boardfw.services.seat import Failure, Question, Thought
from boardfw.services.uci.commands import Go, SetPosition, needs_chess960
from boardfw.services.uci.conversation import Found, Search
from boardfw.services.uci.engine import Broken, Engine
from boardfw.services.uci.options import Options

THINK_US = SECOND_US
"""For a move where neither a clock nor a person's pace says how long."""
LEAST_US, MOST_US = SECOND_US // 20, 10 * SECOND_US
"""Of thinking; a person's pause may be longer, and is then waited for with a cool processor."""
CLOCK_MARGIN_US = SECOND_US // 5
"""Of its time on the clock that an engine is not told, for the way there and back."""
LONG_MOVES = 8
"""No engine thinks so many times as long about one move as the clock gives it on average."""


@dataclass(frozen=True, slots=True)
class Handicap:
    """What makes an engine as weak as a level, by what it offers."""

    options: Mapping[str, str] = field(default_factory=dict)
    depth: int | None = None
    nodes: int | None = None
    """None: no bound but time."""
    multipv: int = 1
    errors: Errors = FLAWLESS


SKILL_ELO = (1300, 2900)
"""What the least and the most of ``Skill Level`` are taken for: no engine says it."""
DEPTHS = ((2500, 8), (2200, 7), (1900, 6), (1600, 5), (1400, 4), (1000, 3), (600, 2))
"""From which Elo on an engine without any option for it searches how deep; below that 1 ply.

The deepest takes toga2 0.03 s on a laptop: what is not reached in the time of a move orders
nothing."""
FIRST_NODES = 1000
"""Of one ply; each further one takes twice as many, or what is deeper would not be stronger."""
ERRING_MOVES = 8
"""Among so many moves an erring player chooses."""


def handicap(level: Level, options: Options) -> Handicap:
    """How an engine with these options plays at a level."""
    elo = level.elo
    if elo is None:
        return Handicap(unlimited(options))
    limited, rated = options.get("uci_limitstrength"), options.get("uci_elo")
    if limited and rated and elo >= (rated.least or 0):
        return Handicap({"UCI_LimitStrength": "true", "UCI_Elo": str(rated.nearest(elo))})
    skill = options.get("skill level")
    if skill and skill.least is not None and skill.most is not None and elo >= SKILL_ELO[0]:
        share = (elo - SKILL_ELO[0]) / (SKILL_ELO[1] - SKILL_ELO[0])
        number = round(skill.least + share * (skill.most - skill.least))
        return Handicap({**unlimited(options), "Skill Level": str(skill.nearest(number))})
    depth = next((depth for least, depth in DEPTHS if elo >= least), 1)
    errors = errors_at(elo)
    multipv = ERRING_MOVES if errors.spread_cp and "multipv" in options else 1
    return Handicap(unlimited(options), depth, FIRST_NODES << depth - 1, multipv, errors)


def unlimited(options: Options) -> dict[str, str]:
    """What undoes any earlier handicap."""
    skill = options.get("skill level")
    undone = {"UCI_LimitStrength": "false"}
    return undone if skill is None else undone | {"Skill Level": str(skill.most)}


class EnginePlayer:
    """A ``Thinker``: an engine at a level."""

    def __init__(self, engine: Engine, level: Level) -> None:
        self._engine = engine
        self._level = level
        engine.launch()

    async def think(self, question: Question) -> Thought | Failure:
        """As ``Thinker.think``."""
        if broken := await self._engine.start():
            return Failure(broken.text, broken.cannot_start)
        situation = question.situation
        chess960 = needs_chess960(situation.start)
        if chess960 and "uci_chess960" not in self._engine.offered:
            return Failure(f"{self._engine.name} cannot play Chess960; choose another engine", True)
        weakened = handicap(self._level, self._engine.offered)
        go, time_us = _go(question, weakened)
        options = {
            "MultiPV": str(weakened.multipv),
            "UCI_Chess960": "true" if chess960 else "false",
            **weakened.options,
        }
        game = SetPosition(situation.start, situation.moves, chess960)
        answer = await self._engine.search(Search(game, go, time_us, options))
        if isinstance(answer, Broken):
            return Failure(answer.text, answer.cannot_start)
        return self._thought(question, answer, weakened.errors)

    async def close(self) -> None:
        """As ``Thinker.close``."""
        await self._engine.close()

    def _thought(self, question: Question, found: Found, errors: Errors) -> Thought | Failure:
        best = found.best.move
        move = _legal(question.position, best)
        if move is None:
            said = "says that it has no move" if best is None else f"plays {quoted(best)}"
            return Failure(self._engine.condemn(f"{said}, which is not legal here").text)
        candidates = _candidates(question.position, move, found)
        chosen = choice(question.position, candidates, errors, question.chance)
        return Thought(chosen.move, chosen.worth_cp)


def _go(question: Question, weakened: Handicap) -> tuple[Go, int]:
    """The search for a question, and how long it may take at most, microseconds."""
    situation = question.situation
    if question.time_us is None and situation.times and not weakened.depth:
        return _go_by_clock(situation)
    time_us = min(max(question.time_us or THINK_US, LEAST_US), MOST_US)
    if situation.times and situation.times.left_us[situation.color] < 2 * time_us:
        time_us = situation.times.left_us[situation.color] // 2
    movetime = max(1, time_us // 1000)
    return Go(movetime=movetime, depth=weakened.depth, nodes=weakened.nodes), time_us


def _go_by_clock(situation: Situation) -> tuple[Go, int]:
    """By the clocks alone: the engine decides how long it thinks."""
    times = situation.times
    if times is None:
        raise ValueError("a search by the clock needs a clock")
    made = times.moves_made
    stages = tuple(times.control.place(made[color] + 1).stage for color in (WHITE, BLACK))
    incs = tuple(max(s.increment_us, s.delay_us, s.refund_us) // 1000 for s in stages)
    left_ms = [max(1, left // 1000) for left in times.left_us]
    left_us = times.left_us[situation.color]
    left_ms[situation.color] = max(1, (left_us - min(CLOCK_MARGIN_US, left_us // 2)) // 1000)
    go = Go(
        wtime=left_ms[WHITE],
        btime=left_ms[BLACK],
        winc=incs[WHITE],
        binc=incs[BLACK],
        movestogo=times.moves_to_control(situation.color),
    )
    usual_us, _, _ = bounds_us(times, situation.color)
    return go, min(left_us // 2, LONG_MOVES * usual_us)


def _legal(position: Position, text: str | None) -> Move | None:
    """The move of a text; None: it is not a legal one."""
    try:
        return parse_uci(position, text) if text else None
    except NotationError:
        return None


def _candidates(position: Position, best: Move, found: Found) -> list[Candidate]:
    """The moves that the engine has looked at, its best first; others only with their worth."""
    worth: dict[Move, float] = {}
    for info in found.lines:
        move = _legal(position, info.pv[0])
        if move is not None and info.score is not None:
            worth.setdefault(move, info.score.worth_cp)
    first = Candidate(best, worth.pop(best, max(worth.values(), default=0)))
    return [first, *(Candidate(move, cp) for move, cp in worth.items())]
