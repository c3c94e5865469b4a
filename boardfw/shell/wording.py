"""Actions as the lines of an events file: one JSON object each, squares by name."""

from __future__ import annotations

from typing import Any

import msgspec

from boardfw.frame import Frame
from boardfw.game.events import (
    Action,
    Amended,
    Asked,
    Checked,
    Claimed,
    Doubted,
    Dropped,
    Ended,
    Finalised,
    HelpOffered,
    Lifted,
    MismatchCleared,
    Mismatched,
    Misplaced,
    Moved,
    NewGame,
    Offered,
    Outage,
    Ready,
    Restored,
    Ruled,
    Stuck,
    TakenBack,
    Unruled,
    Unstuck,
    Unwatched,
    Wanted,
)
from boardfw.squares import NAMES, names_of

EVENTS: dict[type[Action], str] = {
    Lifted: "lift",
    Dropped: "drop",
    Moved: "move",
    Amended: "amend",
    TakenBack: "take_back",
    Finalised: "final",
    Checked: "check",
    Asked: "ask",
    Mismatched: "mismatch",
    MismatchCleared: "mismatch_cleared",
    Wanted: "wanted",
    Misplaced: "misplaced",
    Ready: "ready",
    Stuck: "stuck",
    Unstuck: "unstuck",
    Outage: "outage",
    Restored: "restored",
    Unwatched: "unwatched",
    Offered: "offer",
    Claimed: "claim",
    Ended: "result",
    Ruled: "ruling",
    Unruled: "no_ruling",
    Doubted: "doubt",
    HelpOffered: "help_offer",
    NewGame: "new_game",
}


def event_line(action: Action) -> str:
    """The action as one line of an events file, newline included."""
    fields: dict[str, Any] = {"t": action.t_us, "event": EVENTS[type(action)]}
    for name in action.__slots__[1:]:
        fields[name] = getattr(action, name)
    if "square" in fields:
        fields["square"] = NAMES[fields["square"]]
    for squares in ("missing", "extra", "squares"):
        if squares in fields:
            fields[squares] = names_of(fields[squares])
    return msgspec.json.encode(fields).decode() + "\n"


def frame_line(t_us: int, frame: Frame) -> str:
    """The frame as one line of a frames file, newline included."""
    return f'{{"t":{t_us},"rgb":"{frame.hex()}"}}\n'
