"""The lights of lessons, frame by frame, while hands answer rightly and wrongly."""

from __future__ import annotations

from random import Random

import pytest

from boardfw.frame import Frame
from boardfw.game.events import Tick
from boardfw.learning.course import Exercise
from boardfw.learning.sparring import reply
from boardfw.lights.flash_limiter import FlashLimiter
from boardfw.lights.lesson_scene import lesson_scene
from boardfw.lights.palette import Settings
from boardfw.lights.render import next_change_us, render
from boardfw.lights.scene import MAX_IDEAS, Scene
from boardfw.recording import Scan
from tests.learning.courses import name, varied
from tests.learning.lectures import BEGIN_US, Lecture, Watched
from tests.learning.samples import samples
from tests.learning.wrong_touches import RIPENS_US, gestures
from tests.learning.wrongs import wrongs_of
from tests.lights.cue_compatibility import may_meet
from tests.shell.test_latency import held

ENOUGH_US = 600_000_000
BRIGHT = Settings(brightness=1.0)
WHITE = Settings(brightness=1.0, mono=True)


class Lit(Watched):
    """All scenes and frames of a lesson."""

    def take(self, event: Scan | Tick) -> None:
        super().take(event)
        if not hasattr(self, "scenes"):
            self.scenes: list[tuple[int, Scene]] = []
        shown = lesson_scene(self.tutor.lesson())
        if not self.scenes or self.scenes[-1][1] != shown:
            self.scenes.append((self.tutor.t_us, shown))

    def frames(self, settings: Settings) -> list[tuple[int, Frame]]:
        """What the strip is sent, and when."""
        course, calm = [], FlashLimiter()
        ends = [t_us for t_us, _ in self.scenes[1:]] + [self.tutor.t_us]
        for (t_us, scene), end_us in zip(self.scenes, ends, strict=True):
            at_us: int | None = t_us
            while at_us is not None and (at_us < end_us or at_us == t_us):
                course.append((at_us, calm.show(at_us, render(scene, at_us, settings))))
                moves_us = next_change_us(scene, at_us, settings)
                at_us = min((t for t in (moves_us, calm.due_us) if t is not None), default=None)
        return course


def lesson(exercise: Exercise, kind: str, seed: int) -> Lit:
    """Hands answer wrongly first, if they can, and then solve the exercise."""
    lecture = Lecture([exercise], kind, seed, reply, Lit)
    lecture.rest(BEGIN_US)
    if mistakes := wrongs_of(exercise):
        wrong = Random(seed).choice(mistakes)
        begin_us = lecture.now_us + BEGIN_US
        lecture.do(gestures(exercise, wrong, lecture.hands, begin_us, lecture.board.pieces))
        lecture.rest(2 * RIPENS_US)
    lecture.solve(ENOUGH_US)
    lecture.rest(RIPENS_US)
    lit = lecture.watched
    assert isinstance(lit, Lit)
    return lit


def check(lit: Lit) -> None:
    """What may not be seen together is not, and nothing flickers or draws too much."""
    for _, scene in lit.scenes:
        cues = [cue for cue, _ in scene.lit]
        assert len({cue.idea for cue in cues} - {""}) <= MAX_IDEAS
        for number, one in enumerate(cues):
            assert all(may_meet(one, other) for other in cues[:number]), cues
    for settings in (BRIGHT, WHITE):
        held(lit.frames(settings), settings.budget_ma)


@pytest.mark.slow
@pytest.mark.parametrize("exercise", samples()[::15], ids=name)
def test_lights_of_a_lesson_are_told_apart_and_never_flicker(exercise: Exercise) -> None:
    check(lesson(exercise, "club", 1))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["careful", "child"])
def test_lights_of_the_course_are_told_apart_and_never_flicker(kind: str, full: bool) -> None:
    for number, exercise in enumerate([*varied()][:: 1 if full else 96]):
        check(lesson(exercise, kind, number))
