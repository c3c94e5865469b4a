"""Configuration: a TOML file becomes frozen settings, or one line that says what to mend.

Every key has a default, so that no file at all is a good configuration. `docs/boardfw.toml`
explains each key; a test holds it to what stands here.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from boardfw.document import ONE_LINE, Trouble, read_document
from boardfw.errors import ConfigError, NotationError
from boardfw.game.clock import ClockUse, TimeControl, parse_control
from boardfw.game.help import Help, Helps
from boardfw.lights import palette
from boardfw.lights.palette import DEFAULT as LIGHTS
from boardfw.lights.render import Dimming
from boardfw.sensing.debounce import SETTLE_US
from boardfw.services.levels import is_adaptive, level_of
from boardfw.services.opponent_names import is_opponent, misspelt
from boardfw.shell.panel.buttons import PanelSettings

# Each description completes the sentence "KEY must be ...".
Flag = Annotated[bool, Meta(description="true or false")]
BoardUrl = Annotated[
    str,
    Meta(
        pattern=r"^[a-z][a-z0-9-]*:[^\x00-\x1f\x7f]*\Z",
        description="a board URL in quotes, such as 'sim:'",
    ),
]
MaybeStart = Annotated[
    str,
    Meta(
        pattern=ONE_LINE,
        description="a start in quotes, such as '960:518' or a FEN, or '' for the usual one",
    ),
]
ScanPeriod = Annotated[
    # More, and with a scan's own time it would count as a gap (``sight.GAP_US``).
    int, Meta(ge=500, le=15_000, description="a whole number of microseconds, 500 to 15000")
]
SettleTime = Annotated[
    int, Meta(ge=1, le=100_000, description="a whole number of microseconds, 1 to 100000")
]
Fraction = Annotated[float, Meta(ge=0, le=1, description="a number from 0 to 1")]
Budget = Annotated[
    int, Meta(ge=64, le=20_000, description="a whole number of milliamperes, 64 to 20000")
]
Gamma = Annotated[float, Meta(ge=1, le=3, description="a number from 1 to 3")]
HelpLevel = Annotated[
    int,
    Meta(
        ge=0,
        le=4,
        description="0 (no help), 1 (the rules), 2 (also what hangs), 3 (a guard) or 4 (a coach)",
    ),
]
HelpDelay = Annotated[
    int, Meta(ge=0, le=60_000, description="a whole number of milliseconds, 0 to 60000")
]
PlayersLevel = Annotated[
    Annotated[int, Meta(ge=0, le=4)] | Literal["usual"],
    Meta(description="0, 1, 2, 3 or 4, or 'usual' (as lights.help_level says)"),
]
PlayersDelay = Annotated[
    Annotated[int, Meta(ge=0, le=60_000)] | Literal["usual"],
    Meta(description="milliseconds, 0 to 60000, or 'usual' (as lights.help_delay_ms says)"),
]
HelpBudget = Annotated[
    int, Meta(ge=0, le=32, description="a whole number of pieces a turn, 0 (all) to 32")
]
Hints = Annotated[
    int, Meta(ge=0, le=1000, description="a whole number of hints a game, 0 (no end) to 1000")
]
EngineShare = Annotated[
    int, Meta(ge=5, le=100, description="a whole number of percent of the time, 5 to 100")
]
Idle = Annotated[
    int, Meta(ge=0, le=604_800, description="a whole number of seconds, 0 (never) or 1 to 604800")
]
Control = Annotated[
    str,
    Meta(
        pattern=ONE_LINE,
        description="a time control in quotes, such as '5+3' (minutes and seconds), or 'none'",
    ),
]
Waiting = Annotated[
    Literal["stand", "run"],
    Meta(description="'stand' (both clocks stand) or 'run' (the player's runs)"),
]
Side = Annotated[
    Literal["none", "white", "black"],
    Meta(description="'white', 'black' or 'none' (both players are at the board)"),
]
Engine = Annotated[
    str,
    Meta(
        pattern=ONE_LINE,
        description="an engine's name or its whole path in quotes, 'own' or '' for the usual one",
    ),
]
Strength = Annotated[
    int | str,
    Meta(
        description="a level from 1 to 11, its name in quotes, an Elo such as 'elo 1350', "
        "or 'adaptive'"
    ),
]
Resigning = Annotated[
    bool | Literal["usual"],
    Meta(description="true, false or 'usual' (from level 5 on)"),
]
Presser = Annotated[
    Literal["ply", "button"],
    Meta(description="'ply' (the ply presses the clock) or 'button' (the players do)"),
]
Directory = Annotated[
    str, Meta(pattern=ONE_LINE, min_length=1, description="a directory's name in quotes")
]
MaybeDirectory = Annotated[
    str, Meta(pattern=ONE_LINE, description="a directory's name in quotes, or '' for none")
]
Dates = Annotated[
    Literal["auto", "always", "never"],
    Meta(description="'auto' (where the clock is known to be right), 'always' or 'never'"),
]
Size = Annotated[int, Meta(ge=0, le=10_000, description="0 to 10000 megabytes; 0 for none")]
MaybeFile = Annotated[
    str, Meta(pattern=ONE_LINE, description="a file's name in quotes, or '' for none")
]
WebAddress = Annotated[
    str,
    Meta(
        pattern=ONE_LINE,
        description="'HOST:PORT', 'auto', 'apart', 'systemd', 'off' or 'usual' (auto at the "
        "terminal board, apart as a service)",
    ),
]
HostNames = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9. -]*\Z",
        description="further names of this machine in quotes, blanks between them",
    ),
]
# PGN allows 255 characters between the quotation marks of a tag.
Tag = Annotated[
    str,
    Meta(pattern=ONE_LINE, max_length=255, description="one line of text, at most 255 characters"),
]


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """One ``[section]`` of the file."""


class BoardSettings(Section, frozen=True, kw_only=True):
    """Which board is played on."""

    url: BoardUrl = "sim:"
    start: MaybeStart = ""


class ScanSettings(Section, frozen=True, kw_only=True):
    """How often the switches are read."""

    period_us: ScanPeriod = 2_000  # a burst over five chips takes 1.0 ms at 400 kHz on a Pi 3


class SettleSettings(Section, frozen=True, kw_only=True):
    """How long a switch must rest before it is believed."""

    square_us: SettleTime = SETTLE_US


class LightSettings(Section, frozen=True, kw_only=True):
    """How the lights look, and how much they help."""

    brightness: Fraction = LIGHTS.brightness
    budget_ma: Budget = LIGHTS.budget_ma
    gamma: Gamma = LIGHTS.gamma
    mono: Flag = LIGHTS.mono
    help_level: HelpLevel = 1
    help_delay_ms: HelpDelay = 0
    dim_after_s: Idle = 300
    off_after_s: Idle = 3600

    def dimming(self) -> Dimming:
        """When they dim and go out."""
        return Dimming(self.dim_after_s * 1_000_000 or None, self.off_after_s * 1_000_000 or None)

    def palette(self, level: float = 1.0) -> palette.Settings:
        """What the lights need to know, at a share 0..1 of their brightness."""
        return palette.Settings(
            brightness=self.brightness * level,
            mono=self.mono,
            budget_ma=self.budget_ma,
            gamma=self.gamma,
        )


class PlayerHelp(Section, frozen=True, kw_only=True):
    """How much one player is helped."""

    level: PlayersLevel = "usual"
    delay_ms: PlayersDelay = "usual"
    budget: HelpBudget = 0
    hints: Hints = 10
    locked: Flag = False

    def of(self, lights: LightSettings) -> Help:
        """What the game needs to know; what is usual, the lights say."""
        level = lights.help_level if self.level == "usual" else self.level
        delay_ms = lights.help_delay_ms if self.delay_ms == "usual" else self.delay_ms
        return Help(level, delay_ms * 1000, self.budget, self.locked, self.hints)


class HelpSettings(Section, frozen=True, kw_only=True):
    """How much each player is helped."""

    rated: Flag = False
    engine_share: EngineShare = 25
    white: PlayerHelp = PlayerHelp()
    black: PlayerHelp = PlayerHelp()


class ClockSettings(Section, frozen=True, kw_only=True):
    """Which clock is played with."""

    control: Control = "none"
    press: Presser = "ply"
    pause_on_mismatch: Flag = False
    while_owed: Waiting = "stand"

    def use(self) -> ClockUse | None:
        """What a session needs to know; None: no clock. Raises NotationError."""
        named = self.control != "none"
        return self.pressed(parse_control(self.control, in_minutes=True) if named else None)

    def pressed(self, control: TimeControl | None) -> ClockUse | None:
        """The same with another time control; None: no clock."""
        if control is None:
            return None
        return ClockUse(
            control,
            by_button=self.press == "button",
            pauses_on_mismatch=self.pause_on_mismatch,
            runs_while_owed=self.while_owed == "run",
        )


class OpponentSettings(Section, frozen=True, kw_only=True):
    """Which opponent plays without being at the board, and how."""

    side: Side = "none"
    engine: Engine = ""
    level: Strength = 3
    pause: Flag = True
    resigns: Resigning = "usual"
    draws: Flag = True
    book: Flag = True


class RecordSettings(Section, frozen=True, kw_only=True):
    """Where games and recordings of the switches are kept."""

    database: MaybeFile = "games/boardfw.db"
    pgn: Directory = "games"
    trace: MaybeDirectory = ""
    traces_mb: Size = 50
    export: MaybeDirectory = ""
    dates: Dates = "auto"


class WebSettings(Section, frozen=True, kw_only=True):
    """The board's page."""

    address: WebAddress = "usual"
    names: HostNames = ""


class TagSettings(Section, frozen=True, kw_only=True):
    """What the PGN says about a game beside its moves; "?" is PGN's word for unknown."""

    event: Tag = "Casual game"
    site: Tag = "?"
    round: Tag = "-"
    white: Tag = "?"
    black: Tag = "?"


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the owner of a board may choose."""

    board: BoardSettings = BoardSettings()
    scan: ScanSettings = ScanSettings()
    settle: SettleSettings = SettleSettings()
    lights: LightSettings = LightSettings()
    help: HelpSettings = HelpSettings()
    clock: ClockSettings = ClockSettings()
    opponent: OpponentSettings = OpponentSettings()
    panel: PanelSettings = PanelSettings()
    record: RecordSettings = RecordSettings()
    web: WebSettings = WebSettings()
    tags: TagSettings = TagSettings()

    def helps(self) -> Helps:
        """How much White and Black are helped."""
        return self.help.white.of(self.lights), self.help.black.of(self.lights)

    def with_players(self, white: str | None, black: str | None, control: str | None) -> Settings:
        """The same with other players and another time control; None: as it is.

        Raises ConfigError.
        """
        tags, clock = self.tags, self.clock
        for colour, name in (("white", white), ("black", black)):
            if name is None:
                continue
            try:
                tags = msgspec.structs.replace(tags, **{colour: msgspec.convert(name, Tag)})
            except msgspec.ValidationError:
                raise ConfigError(f"--{colour}: give one line of 255 letters at most") from None
            if told := misspelt(name):
                raise ConfigError(f"--{colour}: {told}")
        if control is not None:
            clock = msgspec.structs.replace(clock, control=control)
            try:
                clock.use()
            except NotationError as error:
                raise ConfigError(f"--clock: {error}") from None
        return msgspec.structs.replace(self, tags=tags, clock=clock)

    def with_budget(self, budget_ma: int) -> Settings:
        """The same with another budget of the lights, in milliamperes."""
        lights = msgspec.structs.replace(self.lights, budget_ma=budget_ma)
        return msgspec.structs.replace(self, lights=lights)


def load_config(path: Path | None = None) -> Settings:
    """Settings of a file; without a file, the defaults.

    Raises ConfigError, one line that begins with ``FILE:LINE:``, for the first thing that is
    wrong in it.
    """
    if path is None:
        return Settings()
    document = read_document(path, ConfigError)
    settings = document.fit(Settings)
    document.check(_troubles(settings))
    return settings


def _troubles(settings: Settings) -> Iterator[Trouble]:
    """What fits its description and is wrong all the same."""
    try:
        settings.clock.use()
    except NotationError as error:
        yield ("clock", "control"), f"'clock.control': {error}"
    level = str(settings.opponent.level)
    try:
        if not is_adaptive(level):
            level_of(level)
    except ConfigError as error:
        yield ("opponent", "level"), f"'opponent.level': {error}"
    for colour, name in (("white", settings.tags.white), ("black", settings.tags.black)):
        place = ("tags", colour), f"'tags.{colour}': "
        if is_opponent(name):
            yield place[0], f"{place[1]}an opponent is chosen by side and engine in [opponent]"
        elif told := misspelt(name):
            yield place[0], f"{place[1]}{told}"
