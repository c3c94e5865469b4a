"""The judge: does the session say of a dance what the hands have done?"""

from __future__ import annotations

from dataclasses import dataclass

from boardfw.game.build_view import look
from boardfw.game.ending import AUTOMATIC
from boardfw.game.events import Action, Amended, Ended, Finalised, Mismatched, Moved, TakenBack
from boardfw.notation.fen import format_fen
from boardfw.rules.outcome import outcome
from boardfw.squares import BY_NAME, Bitboard, Occupancy, names_of
from tests.dance_words import word
from tests.dances import Table
from tests.inference.dancing.dancer import dance
from tests.inference.dancing.plans import Plan
from tests.inference.dancing.stage import Stage
from tests.inference.dancing.switches import end_ms, forced, scans

SETTLING_MS = 1_000
"""What stood wrong until now may still be told for so long."""


@dataclass
class Verdict:
    """A dance that was watched, and what is wrong with what was said."""

    stage: Stage
    table: Table
    faults: list[str]
    was_asked: bool
    """Whether the board asked in the end what had been played, and was told."""


def watch(plan: Plan) -> Verdict:
    """Dance a plan before a session."""
    stage = dance(plan)
    for noise in forced(stage, plan):
        if noise.kind == "lost":
            stage.was_taken(noise.square, noise.from_ms, noise.to_ms)
    return judged(stage, scans(stage, plan), end_ms(stage))


def judged(stage: Stage, read: list[tuple[int, Bitboard]], until_ms: int) -> Verdict:
    (_, standing), *rest = read
    table = Table(format_fen(stage.start), standing=standing, first_us=0)
    for t_ms, occupancy in rest:
        table.scan(t_ms * 1000, Occupancy(occupancy))
    table.wait(until_ms * 1000 - table.t_us)
    was_asked = _answer(stage, table)
    table.finish()
    faults = [*_record(stage, table), *_promises(stage, table), *_remarks(stage, table)]
    return Verdict(stage, table, faults, was_asked)


def _answer(stage: Stage, table: Table) -> bool:
    """Answer a question that stands, as players do, if what they played may be answered."""
    asked = [move.uci() for move in table.session.course.read.candidates]
    plies = list(zip(table.moves.split(), stage.game, strict=False))
    for told, played in reversed(plies):
        if told in asked and played in asked:
            table.play(f"!answer_{asked.index(played) + 1}")
            return True
    return False


def _record(stage: Stage, table: Table) -> list[str]:
    faults = []
    if table.moves != " ".join(stage.game):
        faults.append(f"the record is {table.moves!r}, played was {' '.join(stage.game)!r}")
    if len(table.session.games) != 1:
        faults.append("a new game was begun")
    if look(table.session).extra:
        faults.append("something is said to stand wrong at the end")
    expected = outcome(stage.position, [p.key for p in stage.positions[:-1]])
    found = table.session.record.outcome
    if expected is not None and found != expected:
        faults.append(f"the result is {found}, not {expected}")
    return faults


def _promises(stage: Stage, table: Table) -> list[str]:
    """What was said to be final was played, and is undone only where hands undo it."""
    faults = list[str]()
    told, finals = list[str](), dict[int, int]()
    for action in table.actions:
        t_ms = action.t_us // 1000
        if isinstance(action, Moved):
            told.append(action.uci)
        elif isinstance(action, Amended):
            told[action.ply - 1] = action.uci
        elif isinstance(action, Finalised):
            finals[action.ply] = t_ms
            if not _was_played(stage, tuple(told[: action.ply]), t_ms):
                faults.append(f"at {t_ms} {word(action)}: never played")
        elif isinstance(action, TakenBack):
            del told[-action.plies :]
            undone = {ply: said_ms for ply, said_ms in finals.items() if ply > len(told)}
            finals = {ply: said_ms for ply, said_ms in finals.items() if ply <= len(told)}
            if any(not _was_undone(stage, ply, said, t_ms) for ply, said in undone.items()):
                faults.append(f"at {t_ms} {word(action)}: final plies that were not taken back")
    return faults


def _was_played(stage: Stage, game: tuple[str, ...], t_ms: int) -> bool:
    return any(since_ms <= t_ms and _begins(played, game) for since_ms, played in stage.played)


def _begins(played: tuple[str, ...], game: tuple[str, ...]) -> bool:
    return played[: len(game)] == game


def _was_undone(stage: Stage, ply: int, from_ms: int, to_ms: int) -> bool:
    return any(
        u.plies < ply and u.since_ms <= to_ms and u.until_ms >= from_ms for u in stage.undone
    )


def _remarks(stage: Stage, table: Table) -> list[str]:
    """Mismatches are said of what stands wrong, results of games that have ended."""
    faults = []
    for action in table.actions:
        if isinstance(action, Mismatched) and not _stood_wrong(stage, action.t_us // 1000):
            faults.append(f"at {action.t_us // 1000} {word(action)}: nothing stood wrong")
        if isinstance(action, Ended) and action.termination not in AUTOMATIC:
            faults.append(f"at {action.t_us // 1000} {word(action)}: the game was not ended")
    return faults


def _stood_wrong(stage: Stage, t_ms: int) -> bool:
    return any(a <= t_ms <= b + SETTLING_MS for a, b in stage.wrong)


def tell(plan: Plan, verdict: Verdict) -> str:
    """A dance in words, and as a dance of ``tests.dances`` that says the same."""
    stage = verdict.stage
    lines = [f"{format_fen(stage.start)}, a scan every {plan.period_ms} ms, bounce {plan.bounce}"]
    marks = dict[int, list[str]]()
    for at, text in stage.notes:
        marks.setdefault(at, []).append(text)
    for n, touch in enumerate(stage.touches):
        lines += [f"    [{text}]" for text in marks.get(n, [])]
        lines.append(f"    {touch.t_ms:6} {touch}")
    lines += [f"    noise: {noise}" for noise in forced(stage, plan)]
    lines.append(f'Table("{format_fen(stage.start)}").play("{_as_dance(stage, plan)}")')
    lines.append(f"said: {_said(verdict.table.actions)}")
    lines += [f"FAULT: {fault}" for fault in verdict.faults]
    return "\n".join(lines)


def _said(actions: list[Action]) -> str:
    kinds = ("move", "amend", "take_back", "final", "ask", "mismatch", "cleared", "result")
    told = [(action.t_us // 1000, word(action)) for action in actions]
    return ", ".join(f"{t_ms} {text}" for t_ms, text in told if text.startswith(kinds))


def _as_dance(stage: Stage, plan: Plan) -> str:
    """The scans as flips, with the milliseconds between them."""
    words, before, t_ms = [], stage.start.occupied, 1_000
    for at_ms, occupancy in scans(stage, plan)[1:]:
        words.append(str(at_ms - t_ms))
        flipped = occupancy ^ before
        for name in names_of(flipped):
            closed = occupancy >> BY_NAME[name] & 1
            words += [f"{'+' if closed else '-'}{name}", "0"]
        words.pop()
        before, t_ms = occupancy, at_ms
    return " ".join([*words, str(end_ms(stage) - t_ms)])
