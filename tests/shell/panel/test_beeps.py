"""What is heard: a rhythm for each thing, silence at the end, and no more than the owner wants."""

from __future__ import annotations

import itertools

import pytest

from boardfw.game.events import Action, Ended, Lifted, Mismatched, Moved
from boardfw.shell.panel.beeps import Beep, Buzzer, beep_of, is_wanted
from boardfw.squares import Square
from tests.panels import HeldPanel

MOVED = Moved(0, 1, "e2e4", "e4", provisional=False)


def test_any_two_beeps_can_be_told_apart() -> None:
    for one, other in itertools.combinations(Beep, 2):
        pairs = list(zip(one.value, other.value, strict=False))
        alike = len(one.value) == len(other.value) and all(
            max(pair) < 1.5 * min(pair) for pair in pairs
        )
        assert not alike, (one, other)


@pytest.mark.parametrize(
    ("action", "beep"),
    [
        (MOVED, Beep.PLY),
        (Ended(0, "1-0", "time"), Beep.FLAG),
        (Ended(0, "1-0", "checkmate"), Beep.OVER),
        (Lifted(0, Square(12)), None),
    ],
)
def test_what_is_said_is_answered(action: Action, beep: Beep | None) -> None:
    assert beep_of(action) is beep


def test_the_owner_chooses_what_is_heard() -> None:
    wishes = ("all", "trouble", "none")
    assert [wish for wish in wishes if is_wanted(Beep.PLY, wish)] == ["all"]
    assert [wish for wish in wishes if is_wanted(Beep.FLAG, wish)] == ["all", "trouble"]


def test_the_buzzer_sounds_a_beep_and_is_silent_then() -> None:
    panel, pauses = HeldPanel(), list[float]()
    buzzer = Buzzer(panel, "all", pauses.append)
    buzzer.start()
    buzzer.answer([MOVED, Mismatched(0, 1, 2)])
    buzzer.stop()
    assert panel.buzzes == [True, False]
    assert pauses == [ms / 1000 for ms in Beep.ILLEGAL.value]


def test_nobody_waits_for_the_end_of_a_beep() -> None:
    panel = HeldPanel()
    buzzer = Buzzer(panel, "all")
    buzzer.start()
    buzzer.say(Beep.BLIND)
    buzzer.stop()
    assert panel.buzzes in ([True, False], [])


def test_a_buzzer_that_is_cut_short_does_not_sound_for_ever() -> None:
    def fail(_: float) -> None:
        raise RuntimeError

    panel = HeldPanel()
    buzzer = Buzzer(panel, "all", fail)
    buzzer.start()
    buzzer.say(Beep.PLY)
    buzzer.stop()
    assert panel.buzzes[-1] is False
