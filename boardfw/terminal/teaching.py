"""Help in words: why something is no move, what a trained eye sees, and how much help there is."""

from __future__ import annotations

from boardfw.game.events import Doubted, HelpOffered
from boardfw.game.help import LEVELS
from boardfw.game.view import View
from boardfw.rules import BLACK, WHITE
from boardfw.rules.board import COLOR_NAMES
from boardfw.rules.reasons import in_words
from boardfw.shell.desk import Desk
from boardfw.squares import names_of

COLORS = {"white": (WHITE,), "black": (BLACK,), "": (WHITE, BLACK)}
NAMED = {str(level): level for level in LEVELS}
WHICH = "level: write a level from 0 to 3, such as 'level 2' or 'level white 1'"


def choose_level(desk: Desk, text: str) -> str:
    """Let one player, or both, be helped as a line says: ``white 2``, ``1``; empty: what is."""
    color, _, level = f" {text.lower()}".rpartition(" ")
    colors = COLORS.get(color.strip())
    if not text:
        return levels_in_words(desk)
    if colors is None or level not in NAMED:
        return WHICH
    refused = [told for one in colors if (told := desk.help(one, NAMED[level]))]
    return "; ".join(refused) or levels_in_words(desk)


def levels_in_words(desk: Desk) -> str:
    """``help: White level 1, Black level 0``."""
    told = (
        f"{COLOR_NAMES[color]} level {desk.prompter.helps[color].level}" for color in COLORS[""]
    )
    return f"help: {', '.join(told)}"


def reason_of(view: View) -> list[str]:
    """Why what stands is no move, or why the man in the hand has none."""
    if view.reason is None or view.tried is None:
        return []
    return [in_words(view.position, view.reason, view.tried)]


def eyes_of(view: View) -> list[str]:
    """What a trained eye sees of the man who is held."""
    told = {
        "lost on": view.dangers,
        "attacked by": view.attackers,
        "guarded by": view.guards,
        "hanging:": view.hanging,
    }
    return [f"{words} {' '.join(names_of(squares))}" for words, squares in told.items() if squares]


def help_news(action: Doubted | HelpOffered) -> str:
    """That a ply may have been a slip; or that a player can do with less help."""
    if isinstance(action, Doubted):
        return action.text
    return f"{action.player} hardly needs help any more: 'level {action.player} {action.level}'"
