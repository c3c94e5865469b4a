"""Which opponent a run is to have: by ``--white`` and ``--black``, else by the settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, TypeAlias

from boardfw.cli.run_setup import setting_place
from boardfw.errors import ConfigError
from boardfw.rules.board import COLOR_NAMES
from boardfw.services.levels import Level
from boardfw.services.opponents import Wish, at_level, parse_wish, wished
from boardfw.services.seat import Pace
from boardfw.shell.away_seat import Sitting
from boardfw.shell.config import Settings

Names: TypeAlias = tuple[str | None, str | None]
"""White's and Black's."""


class Wished(NamedTuple):
    """Who plays."""

    usual: Wish
    """What is not said of an opponent."""
    sitting: Sitting | None
    """Who is not at the board; None: both players are."""
    names: Names
    """How White and Black are called; None: as the settings say."""


def usual_opponent(settings: Settings, config: Path | None, seed: int) -> Wish:
    """The opponent of the settings. Raises ConfigError where its engine is not there."""
    told = settings.opponent
    wish = Wish(
        resigns=None if told.resigns == "usual" else told.resigns,
        draws=told.draws,
        book=told.book,
        pace=Pace(is_human=told.pause),
        seed=seed,
    )
    try:
        return at_level(wished(wish, told.engine), str(told.level))
    except ConfigError as error:
        place = setting_place(config, "opponent", "engine")
        raise ConfigError(f"{place}: 'opponent.engine': {error}") from None


def who_plays(
    settings: Settings,
    config: Path | None,
    names: Names,
    *,
    seed: int,
    is_by_hand: bool,
    level_for: Callable[[str], Level],
) -> Wished:
    """Who plays a run. ``names``: what ``--white`` and ``--black`` say.

    ``is_by_hand``: hands make the moves; else the opponent of the settings is not asked.
    ``level_for``: the level that follows the results of the player with a name. Raises ConfigError,
    and what that raises.
    """
    usual = usual_opponent(settings, config, seed)
    wishes = [parse_wish(name or "", usual) for name in names]
    if all(wishes):
        raise ConfigError("--white, --black: one side has to be played on the board")
    if is_by_hand and not any(wishes):
        sides = enumerate(zip(COLOR_NAMES, names, strict=True))
        for color, (side, name) in sides:
            if name is None and settings.opponent.side == side.lower():
                wishes[color] = usual
    called = (settings.tags.white, settings.tags.black)
    for color, wish in enumerate(wishes):
        if wish and wish.adapts:
            person = names[1 - color]
            level = level_for(called[1 - color] if person is None else person)
            wishes[color] = replace(wish, level=level)
    away = [Sitting(color, wish) for color, wish in enumerate(wishes) if wish is not None]
    white, black = (w.title if w else name for w, name in zip(wishes, names, strict=True))
    return Wished(usual, next(iter(away), None), (white, black))
