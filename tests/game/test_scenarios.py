"""Every story of ``tests/scenarios`` is told to a session on boards of several kinds."""

from __future__ import annotations

from pathlib import Path
from zlib import crc32

import pytest

from tests.sizes import IS_FULL
from tests.stories.playing import troubles
from tests.stories.reading import parse_story, read_story
from tests.stories.story import StoryError
from tests.stories.switches import Setting, settings_of

FOLDER = Path(__file__).parent.parent / "scenarios"
FILES = sorted(FOLDER.glob("*.txt"))
EACH = 9
"""Without FULL=1 a story is played at one of so many settings; each board is among them."""
TOLD = "hands:\n    e2-e4\ngame: 1. e4\n"


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def path(request: pytest.FixtureRequest) -> Path:
    found: Path = request.param
    return found


def tell(path: Path, request: pytest.FixtureRequest, *, every: bool) -> None:
    """Tell a story at many settings, else at one: other stories are told at others.

    One that fails today is told at all: it may fail at a few of them only.
    """
    story = read_story(path)
    settings = settings_of(story, every=every or bool(story.fails_today))
    which = crc32(path.stem.encode())
    if every and not (IS_FULL or story.fails_today):
        settings = settings[which % EACH :: EACH] or settings[:1]
    elif not (every or story.fails_today):
        settings = [settings[which % len(settings)]]
    if story.fails_today:
        request.applymarker(pytest.mark.xfail(strict=True, reason=story.fails_today))
    wrong = [
        f"[{setting}] {trouble}" for setting in settings for trouble in troubles(story, setting)
    ]
    assert not wrong, "\n".join([story.title, *wrong])


def test_scenario(path: Path, request: pytest.FixtureRequest) -> None:
    tell(path, request, every=False)


@pytest.mark.slow
def test_scenario_on_every_board(path: Path, request: pytest.FixtureRequest) -> None:
    tell(path, request, every=True)


def test_every_story_has_a_title() -> None:
    assert [path.name for path in FILES if not read_story(path).title] == []


# --- a story that is not true is found out


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("hands:\n  e2-e4\ngame: 1. d4", "game e2e4, not d2d4"),
        ("hands:\n  e2-e4\ngame:", "game e2e4, not "),
        ("hands:\n  e2-e4\n  silence\ngame: 1. e4", "told:3: not silence"),
        ("hands:\n  e2-e4\n  says move 1. d4\ngame: 1. e4", "told:3: move 1 d2d4 was not said"),
        ("hands:\n  e2-e4\n  so far 1. d4\ngame: 1. e4", "told:3: the record is e2e4, not d2d4"),
        ("hands:\n  e2-e4\ngame: 1. e4\nsays: ask", "ask was not said in its turn"),
        ("hands:\n  e2-e5\n  wait 1 s\ngame:", "mismatch was said 1 times, not 0"),
        ("hands:\n  e2-e4\ngame: 1. e4\nresult: 1-0 by kings", "result *, not 1-0 kings"),
        ("hands:\n  lift e2\n  lights quiet e4\ngame:", "quiet is on e3 e4, not on e4"),
        ("hands:\n  lift e2\n  lights off\ngame:", "light is on e3 e4, not on no square"),
        ("hands:\n  e2-e3\n  wait 8 s\n  e3-e2\n  e2-e4\ngame: 1. e4", "final 1 e2e3"),
    ],
)
def test_a_story_that_is_not_true_fails(text: str, trouble: str) -> None:
    assert any(trouble in told for told in troubles(parse_story("told", text), Setting()))


def test_a_true_story_with_the_colours_changed_is_true() -> None:
    story = parse_story("told", TOLD)
    assert troubles(story, Setting(mirrored=True)) == []


# --- a story that cannot be read says where


@pytest.mark.parametrize(
    ("text", "place", "wrong"),
    [
        ("hands:\n  lift e4\ngame:", 2, "no piece stands on e4"),
        ("hands:\n  lift e9\ngame:", 2, "no square 'e9'"),
        ("hands:\n  throw e2\ngame:", 2, "hands cannot 'throw e2'"),
        ("hands:\n  wait long\ngame:", 2, "no time 'long'"),
        ("hands:\n  says hello\ngame:", 2, "the board never says 'hello'"),
        ("# A title\nlegs:\n  e2-e4\n" + TOLD, 2, "no such part 'legs'"),
        ("hands:\ne2-e4\ngame:", 2, "lines of a part are indented"),
        ("hands:\n  e2-e4\n", 2, "the story has no 'game'"),
        ("position: 8/8 w\n" + TOLD, 1, "8/8"),
        ("noise: thunder\n" + TOLD, 1, "no 'thunder'"),
    ],
)
def test_a_story_that_cannot_be_read_names_its_line(text: str, place: int, wrong: str) -> None:
    with pytest.raises(StoryError) as error:
        parse_story("field.txt", text)
    assert str(error.value).startswith(f"field.txt:{place}: ")
    assert wrong in str(error.value)
    assert "\n" not in str(error.value)
