"""How a game ends: by the rules or by a button. What the kings show is read elsewhere."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import TypeAlias

from boardfw.game.events import Action, Claimed, Offered
from boardfw.inference import AtRest, ReadGame
from boardfw.rules import Move, Outcome
from boardfw.rules.claim import can_claim, claims, stood_after
from boardfw.rules.outcome import DRAW, agreed, outcome
from boardfw.rules.position import Key

AUTOMATIC = frozenset(
    {
        "checkmate",
        "stalemate",
        "insufficient_material",
        "dead_position",
        "fivefold_repetition",
        "seventyfive_moves",
    }
)
"""Ends that the rules decide; they are undone with their last ply. Players decide all others."""
Said: TypeAlias = tuple[list[Action], Outcome | None]
"""What is to be said, and the outcome if the game has ended."""


class Ending:
    """What players have said to end one game."""

    def __init__(self) -> None:
        self.offered: tuple[Move, ...] | None = None
        """The game as it was when a draw was offered; None if none is."""
        self.claimed: tuple[Move, ...] | None = None
        """The game as it was when a draw was claimed with the move to come."""

    def offer_draw(self, t_us: int, game: ReadGame) -> Said:
        """A draw is offered; offered again before another ply, it is agreed."""
        if self.offered == game.moves:
            return [], agreed()
        self.offered = game.moves
        return [Offered(t_us)], None

    def claim_draw(self, t_us: int, game: ReadGame) -> Said:
        """A draw is claimed as the board stands, or with the move to come."""
        claimed = claim(t_us, game, may_move=True)
        self.claimed = game.moves if claimed.awaits_move else None
        return _answered(claimed)

    def judge_claim(self, t_us: int, game: ReadGame, final: int) -> Said:
        """Judge a claim with the move to come, once that is final.

        The claim is void if the plies before it were taken back and others played.
        """
        before = self.claimed
        if before is None or final <= len(before):
            return [], None
        self.claimed = None
        if game.moves[: len(before)] != before:
            return [], None
        return _answered(claim(t_us, _after(game, len(before) + 1)))


def is_decision(outcome: Outcome) -> bool:
    """Whether players, and not the rules, end a game like this."""
    return outcome.termination not in AUTOMATIC


@lru_cache(maxsize=1)  # nearly always the same is asked about again
def automatic_end(game: ReadGame) -> Outcome | None:
    """The end that the rules put to this game without a claim; None if it goes on."""
    return outcome(game.position, _earlier(game))


def shown_end(seen: AtRest | None, game: ReadGame) -> Outcome | None:
    """Return how the board at rest shows a game to have ended; None if it goes on.

    ``seen``: None if the same has been judged before.
    """
    if seen is None:
        return None  # nearly always
    if seen.result:
        return Outcome(seen.result, "kings")
    return automatic_end(game) if seen.is_chosen else None


def _answered(claimed: Claimed) -> Said:
    return [claimed], Outcome(DRAW, claimed.kind) if claimed.kind else None


def claim(t_us: int, game: ReadGame, *, may_move: bool = False) -> Claimed:
    """What a draw claim is worth as the board stands; or whether a move may yet support it."""
    position, earlier = game.position, _earlier(game)
    backed = claims(position, earlier)
    first = len(game.moves) - len(earlier)
    stood = (*stood_after(position, earlier), len(earlier))
    kind = backed[0].kind if backed else ""
    plies = tuple(first + ply for ply in stood)
    awaits_move = may_move and not kind and can_claim(position, earlier)
    return Claimed(t_us, kind, plies, position.halfmove_clock, awaits_move)


def _after(game: ReadGame, plies: int) -> ReadGame:
    """The game as it was after ``plies``, or as it is if it has fewer."""
    while game.parent is not None and len(game.moves) > plies:
        game = game.parent
    return game


def _earlier(game: ReadGame) -> list[Key]:
    """Repetition keys of the earlier positions that may equal the last one, oldest first."""
    plies = islice(game.plies_since(0), game.position.halfmove_clock)
    return [before.position.key for before, _ in plies][::-1]
