"""Folds what is said at the board into the record, and notes what stood in it from when to when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from boardfw.game.events import Action, Amended, Asked, Finalised, Moved, NewGame, TakenBack


@dataclass(frozen=True, slots=True)
class Stand:
    """One move that stood in the record as ply ``ply`` (0 = the first)."""

    ply: int
    uci: str
    since_us: int
    until_us: int


@dataclass(frozen=True, slots=True)
class Undoing:
    """A ply was taken back or amended; ``final``: it had been called final."""

    t_us: int
    ply: int
    uci: str
    final: bool


class Fold:
    """The first game that the actions tell, as anybody knows it who hears nothing else."""

    def __init__(self) -> None:
        self.record: list[str] = []
        self.games = 1
        self.stands: list[Stand] = []
        self.provisional = 0
        self.amended: list[Undoing] = []
        self.taken_back: list[tuple[Undoing, ...]] = []
        """One entry each time plies were taken back."""
        self.asked: list[Asked] = []
        self.finals: list[Finalised] = []
        self._since_us: list[int] = []
        self._final: dict[int, str] = {}

    def hear(self, said: Sequence[Action]) -> None:
        """What was said at once: in between, nothing stood."""
        before = list(self.record)
        for action in said:
            if self.games == 1:
                self._take(action)
        self._compare(before, said[-1].t_us)

    def close(self, t_us: int) -> None:
        """Nothing more is said: what stands stood until this instant."""
        for ply, uci in enumerate(self.record):
            self.stands.append(Stand(ply, uci, self._since_us[ply], t_us))

    def _take(self, action: Action) -> None:
        match action:
            case Moved(uci=uci, provisional=provisional):
                self.record.append(uci)
                self.provisional += provisional
            case Amended(t_us=t_us, ply=ply, uci=uci):
                self.amended.append(self._undone(t_us, ply - 1))
                self.record[ply - 1] = uci
            case TakenBack(t_us=t_us, plies=plies):
                first = len(self.record) - plies
                undone = [self._undone(t_us, ply) for ply in range(first, len(self.record))]
                self.taken_back.append(tuple(undone))
                del self.record[first:]
            case Finalised(ply=ply, uci=uci):
                self.finals.append(action)
                self._final[ply - 1] = uci
            case Asked():
                self.asked.append(action)
            case NewGame() if self.record:
                self.games += 1

    def _undone(self, t_us: int, ply: int) -> Undoing:
        final = self._final.pop(ply, None) is not None
        return Undoing(t_us, ply, self.record[ply], final)

    def _compare(self, before: list[str], t_us: int) -> None:
        """Note which moves stand no longer, and since when others do."""
        for ply, uci in enumerate(before):
            if self.record[ply : ply + 1] != [uci]:
                self.stands.append(Stand(ply, uci, self._since_us[ply], t_us))
                self._since_us[ply] = t_us
        since = self._since_us[: len(self.record)]
        self._since_us = since + [t_us] * (len(self.record) - len(since))
