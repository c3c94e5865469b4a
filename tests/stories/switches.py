"""What the switches of several kinds of boards read while a story goes on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from boardfw.squares import (
    EVERY_SWITCH,
    NO_SWITCHES,
    Bitboard,
    Occupancy,
    Orientation,
    Switch,
    bitboard_of,
    squares_in,
    switches_in,
)
from tests.stories.story import Change, Glitch, Story, Turn

BOUNCE_US = {
    "none": (),
    "bounce": (700, 1_300, 1_900, 2_600),
    "worn": (500, 1_100, 1_900, 2_600, 3_700, 4_600),
    "glitches": (700, 1_300, 1_900, 2_600),
    "wooden": (700, 1_300, 1_900, 2_600),
}
"""When a contact chatters after it changed: at an even number of instants."""
GLITCH_US = 400_000
"""On average a glitch comes so often, somewhere."""
POOR_US = 3_000_000
"""How often, on average, the contact of some wooden piece is lost."""
LOST_US = (20_000, 400_000)
ALONE_US = 700_000
"""A contact is lost by itself only this long before and after anything else happens there."""
REST_US = 3_000_000
"""The board is watched for so long after the story."""
WEAK, STRONG = 0.35, 0.55
"""How far a magnet reaches, in squares: a sliding piece is on no square, or on two, in between."""
OTHER_SIDE = 56
"""``square ^ OTHER_SIDE`` is where a piece stands that has changed its colour."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The board on which a story is played. ``mirrored``: with the colours changed."""

    noise: str = "none"
    rate_hz: int = 500
    mirrored: bool = False
    reach: float = WEAK

    def __str__(self) -> str:
        parts = [self.noise, f"{self.rate_hz} Hz", "strong" if self.reach > WEAK else "weak"]
        return ", ".join([*parts, "colours changed"] if self.mirrored else parts)

    @property
    def flip(self) -> int:
        """Squares of the story are xor-ed with this."""
        return OTHER_SIDE if self.mirrored else 0

    @property
    def period_us(self) -> int:
        """From one scan to the next."""
        return 1_000_000 // self.rate_hz

    def set(self, squares: Bitboard) -> Bitboard:
        """Squares of the story as they lie on this board."""
        return bitboard_of(square ^ self.flip for square in squares_in(squares))


def settings_of(story: Story, *, every: bool) -> list[Setting]:
    """The settings that a story is played at: all, or some in which each choice occurs."""
    mirrored = (False, True) if story.is_mirrored else (False,)
    boards = [(is_mirrored, reach) for is_mirrored in mirrored for reach in (WEAK, STRONG)]
    switches = [(noise, rate_hz) for noise in story.noises for rate_hz in story.rates_hz]
    if every:
        return [Setting(*switch, *board) for switch in switches for board in boards]
    switches = switches[::2]  # of three noises at three rates: the corners and the middle
    return [
        Setting(*switch, *boards[number % len(boards)]) for number, switch in enumerate(switches)
    ]


def read_by(setting: Setting, story: Story) -> Iterator[tuple[int, Occupancy]]:
    """Every scan that reads otherwise than the one before it: its instant and the switches."""
    flips: dict[int, Occupancy] = {}
    for t_us, switch in _flips(setting, story):
        scan = -(-t_us // setting.period_us)
        flips[scan] = flips.get(scan, NO_SWITCHES) ^ 1 << switch
    raw = Occupancy(setting.set(story.start.occupied))
    for scan in sorted(flips):
        if flips[scan]:
            raw ^= flips[scan]
            yield scan * setting.period_us, raw


def _flips(setting: Setting, story: Story) -> Iterator[tuple[int, Switch]]:
    """When which contact flips: as the hands have it, with its chatter, and by itself."""
    orientation, touched = Orientation.AS_WIRED, list[tuple[int, Switch]]()
    for happening in story.happenings:
        if isinstance(happening, Turn):
            orientation = Orientation.TURNED
        elif isinstance(happening, Change):
            switch = orientation.switch(happening.square ^ setting.flip)
            t_us = happening.t_us + round(happening.reach_us * setting.reach)
            touched.append((t_us, switch))
            for offset_us in (0, *BOUNCE_US[setting.noise]):
                yield t_us + offset_us, switch
        elif isinstance(happening, Glitch):
            switch = orientation.switch(happening.square ^ setting.flip)
            yield from _glitch(setting, happening.t_us, switch)
    chance, end_us = Random(story.file), story.end_us + REST_US // 2
    if setting.noise == "glitches":
        for _ in range(end_us // GLITCH_US):
            yield from _glitch(
                setting, chance.randrange(end_us), EVERY_SWITCH[chance.randrange(64)]
            )
    if setting.noise == "wooden":
        standing = Occupancy(setting.set(story.start.occupied))
        yield from _lost(chance, end_us, standing, touched)


def _glitch(setting: Setting, t_us: int, switch: Switch) -> Iterator[tuple[int, Switch]]:
    yield t_us, switch
    yield t_us + setting.period_us, switch


def _lost(
    chance: Random, end_us: int, standing: Occupancy, touched: list[tuple[int, Switch]]
) -> Iterator[tuple[int, Switch]]:
    """Contacts of pieces off their centres, lost for a while by themselves."""
    for _ in range(end_us // POOR_US):
        t_us, length_us = chance.randrange(end_us), chance.randint(*LOST_US)
        alone = _alone(t_us, standing, touched)
        if alone:
            switch = chance.choice(alone)
            lost = [(t_us, switch), (t_us + length_us, switch)]
            touched += lost
            yield from lost


def _alone(t_us: int, standing: Occupancy, touched: list[tuple[int, Switch]]) -> list[Switch]:
    """Switches with a piece that is not touched about this time."""
    for touched_us, switch in touched:
        if touched_us < t_us:
            standing ^= 1 << switch
    near = {switch for touched_us, switch in touched if abs(touched_us - t_us) < ALONE_US}
    return [switch for switch in switches_in(standing) if switch not in near]
