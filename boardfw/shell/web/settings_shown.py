"""The settings as a page shows them, and the few that a page can change while a board plays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Literal

import msgspec

from boardfw.errors import ConfigError
from boardfw.game.events import Event, Tick
from boardfw.game.help import LEVELS
from boardfw.languages import also_said
from boardfw.phrase import Phrase
from boardfw.ports import Clock
from boardfw.rules import BLACK, WHITE
from boardfw.services.web.api import SettingInfo, SettingList
from boardfw.services.web.refusals import RefusedError
from boardfw.shell.config import Settings
from boardfw.shell.desk import Desk
from boardfw.shell.web.new_game import Controls

HELP = {"help.white.level": WHITE, "help.black.level": BLACK}
NAMES = {"tags.white": "White", "tags.black": "Black"}
_KINDS: dict[str, Literal["bool", "number", "text"]] = {
    "boolean": "bool",
    "integer": "number",
    "number": "number",
    "string": "text",
}


@cache
def _schema() -> dict[str, Any]:
    """What settings there may be, described; to make it takes longer than all else here."""
    return msgspec.json.schema(Settings)


class ShownSettings:
    """The settings of a run; in the thread of the board's loop."""

    def __init__(self, desk: Desk, clock: Clock, controls: Controls) -> None:
        self._desk = desk
        self._clock = clock
        self._controls = controls

    def all(self) -> SettingList:
        """Each of them as it is now."""
        schema = _schema()
        values = msgspec.to_builtins(self._desk.settings)
        shown = list(_shown(schema, schema, values, ""))
        return SettingList(settings=[self._as_it_is(one) for one in shown])

    def change(self, key: str, value: object) -> None:
        """Change one. Raises RefusedError."""
        if key in HELP:
            self._change_help(key, value)
        elif key in NAMES:
            self._change_name(key, value)
        else:
            known = any(one.key == key for one in self.all().settings)
            remedy = "write it into the settings file, and start again"
            if not known:
                raise RefusedError(422, "there is no such setting", where=key[:60])
            raise RefusedError(409, "this is read at the start only", where=key, remedy=remedy)

    def _as_it_is(self, one: SettingInfo) -> SettingInfo:
        if one.key in HELP:
            # "usual" is for the file alone: a player that plays has one of the levels.
            told = _schema()["$defs"]["LightSettings"]["properties"]["help_level"]
            level = self._desk.help_policy.helps[HELP[one.key]].level
            return msgspec.structs.replace(_info(one.key, level, told), needs_restart=False)
        if one.key in NAMES:
            name = self._controls.names.last.get(NAMES[one.key], one.value)
            return msgspec.structs.replace(one, value=name, needs_restart=False)
        return one

    def _change_help(self, key: str, value: object) -> None:
        if isinstance(value, bool) or not isinstance(value, int) or value not in LEVELS:
            what = Phrase("write a level from {0} to {1}", str(LEVELS[0]), str(LEVELS[-1]))
            raise RefusedError(422, what, where=key)
        if refused := self._desk.help(HELP[key], value):
            raise RefusedError(409, refused, where=key)

    def _change_name(self, key: str, value: object) -> None:
        side = NAMES[key]
        try:
            if not isinstance(value, str) or not value.strip():
                raise ConfigError("write a name, or ? where it is not known")
            self._desk.settings.with_players(value, None, None)
        except ConfigError as error:
            raise RefusedError(422, str(error).lstrip("-"), where=key) from None
        self._controls.names.say(self._desk.session.record, {side: value})
        tick: Event = Tick(self._clock.now_us())
        self._controls.tell(tick)  # the writers of the game notice the names now


def _shown(
    schema: Mapping[str, Any], part: Mapping[str, Any], values: Mapping[str, Any], before: str
) -> Iterator[SettingInfo]:
    """The settings of a part of the schema, each behind its sections' names."""
    for name, told in _followed(schema, part).get("properties", {}).items():
        key, value = f"{before}{name}", values[name]
        if isinstance(value, Mapping):
            yield from _shown(schema, told, value, f"{key}.")
        elif isinstance(value, bool | int | float | str):
            yield _info(key, value, told)


def _followed(schema: Mapping[str, Any], part: Mapping[str, Any]) -> Mapping[str, Any]:
    name = str(part.get("$ref", "")).rpartition("/")[2]
    found: Mapping[str, Any] = schema["$defs"][name] if name else part
    return found


def _info(key: str, value: bool | float | str, told: Mapping[str, Any]) -> SettingInfo:
    choices, says = [str(one) for one in told.get("enum", ())], told.get("description", "")
    return SettingInfo(
        key=key,
        value=value,
        kind="choice" if choices else _KINDS.get(told.get("type", ""), "text"),
        choices=choices,
        min=told.get("minimum"),
        max=told.get("maximum"),
        says=says,
        needs_restart=True,
        also=also_said(says=says),
    )
