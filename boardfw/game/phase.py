"""The phase of a game: it is set up, played or over, each with what is known only then."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, NamedTuple, TypeAlias

from boardfw.game.ending import is_decision
from boardfw.game.setup.placing import Placing
from boardfw.game.setup.planned_game import PlannedGame
from boardfw.inference import ReadGame
from boardfw.rules import Move, Outcome
from boardfw.rules.move import alike


class GamePhase(Enum):
    """The phase of a game as a view shows it."""

    SETUP = "setup"
    PLAY = "play"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class SettingUp:
    """The pieces of a game are set up."""

    placing: Placing
    """How far they stand."""
    planned: PlannedGame
    """The game that begins, or goes on, as soon as they do."""
    asked_in: SettingUp | Playing | Over | None = None
    """The phase in which the button asked for a new game; None if it did not."""
    kind: ClassVar[GamePhase] = GamePhase.SETUP
    reads_plies: ClassVar[bool] = False

    @property
    def ended(self) -> ReadGame | None:
        """As of the phase in which a new game was asked for."""
        return self.asked_in.ended if self.asked_in else None


class Withdrawn(NamedTuple):
    """A result that the players have shown, and then they have played on."""

    moves: tuple[Move, ...]
    """The game until then."""
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Playing:
    """The game is played."""

    ended: ReadGame | None = None
    """The game as the rules ended it; None unless that ply was taken back and few followed."""
    withdrawn: Withdrawn | None = None
    """The result that holds after all if what followed it was setting up."""
    kind: ClassVar[GamePhase] = GamePhase.PLAY
    reads_plies: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Over:
    """The game has ended. What the rules have ended may be taken back, or played on."""

    outcome: Outcome
    ended: ReadGame | None
    """The game as the rules ended it; None if the players did, or if many plies have followed."""
    kind: ClassVar[GamePhase] = GamePhase.OVER

    @property
    def is_by_kings(self) -> bool:
        """True if the kings have shown the result: they may go on, or home."""
        return self.outcome.termination == "kings"

    @property
    def is_decided(self) -> bool:
        """Whether the players have ended it: then nothing more is recorded."""
        return is_decision(self.outcome)

    @property
    def reads_plies(self) -> bool:
        """Whether a change on the board may be a move."""
        return not self.is_decided


AnyPhase: TypeAlias = SettingUp | Playing | Over


def held_result(phase: AnyPhase, last: ReadGame) -> Outcome | None:
    """Return the withdrawn result that ``last`` ends with after all; None if there is none.

    The players have ended that game, and what followed was setting up.
    """
    withdrawn = phase.withdrawn if isinstance(phase, Playing) else None
    return withdrawn.outcome if withdrawn and alike(withdrawn.moves, last.moves) else None
