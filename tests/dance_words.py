"""What a session says to a dance, as short words."""

from __future__ import annotations

from collections.abc import Iterable

from boardfw.game.events import (
    Action,
    Amended,
    Asked,
    Checked,
    Claimed,
    Consulted,
    Dropped,
    Ended,
    Finalised,
    Lifted,
    MismatchCleared,
    Mismatched,
    Misplaced,
    Moved,
    NewGame,
    Notified,
    Offered,
    Owed,
    Picked,
    Ready,
    Released,
    Ruled,
    Stuck,
    TakenBack,
    Unruled,
    Unstuck,
    Wanted,
)
from boardfw.squares import names_of


def words(actions: Iterable[Action]) -> list[str]:
    """Actions as short words, without lifts, drops, checks, finals, stuck switches, and leading."""
    quiet = (
        *(Lifted, Dropped, Checked, Finalised, Stuck, Unstuck),
        *(Wanted, Misplaced, Ready, Consulted),
    )
    return [word(action) for action in actions if not isinstance(action, quiet)]


def word(action: Action) -> str:
    """One action as short words, its time left out: ``move 1 e2e4``, ``mismatch -g1 +h3``."""
    if isinstance(action, Moved | Amended | Finalised | Owed):
        kinds = {Moved: "move", Amended: "amend", Finalised: "final", Owed: "owed"}
        return f"{kinds[type(action)]} {action.ply} {action.uci}"
    if isinstance(action, TakenBack):
        return f"take_back {action.plies}"
    if isinstance(action, Lifted | Dropped | Checked | Stuck | Unstuck | Misplaced):
        kinds_of_square = {
            Lifted: "lift",
            Dropped: "drop",
            Checked: "check",
            Stuck: "stuck",
            Unstuck: "unstuck",
            Misplaced: "misplaced",
        }
        return f"{kinds_of_square[type(action)]} {names_of(1 << action.square)[0]}"
    if isinstance(action, Asked):
        return f"ask {' '.join(action.candidates)}"
    if isinstance(action, Mismatched):
        missing = [f"-{name}" for name in names_of(action.missing)]
        return " ".join(["mismatch", *missing, *(f"+{name}" for name in names_of(action.extra))])
    if isinstance(action, Wanted | Claimed | Ended | Ruled | Unruled | Notified | Picked):
        return _word_for_people(action)
    said = {
        MismatchCleared: "cleared",
        NewGame: "new_game",
        Offered: "offer",
        Ready: "ready",
        Consulted: "consulted",
        Released: "released",
    }
    return said[type(action)]


def _word_for_people(
    action: Wanted | Claimed | Ended | Ruled | Unruled | Notified | Picked,
) -> str:
    if isinstance(action, Picked):
        return f"picked {action.side} {action.level}"
    if isinstance(action, Notified):
        return f"notified {action.text}"
    if isinstance(action, Ruled):
        return f"ruled {action.what}"
    if isinstance(action, Unruled):
        return f"unruled {action.text}"
    if isinstance(action, Wanted):
        return f"{action.piece} {' '.join(names_of(action.squares))}"
    if isinstance(action, Ended):
        return f"result {action.result} {action.termination}"
    kind = action.kind or ("awaits" if action.awaits_move else "wrong")
    return " ".join(["claim", kind, *map(str, action.plies)])
