"""What every file of a user relies on: each mistake has its line, its key and its remedy."""

from __future__ import annotations

import tempfile
import tomllib
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from boardfw.document import Document, Place, keys_of, read_document
from boardfw.errors import TraceError
from tests.growth import MOST_GROWTH, growth

Size = Annotated[int, Meta(ge=1, description="a whole number from 1")]
Name = Annotated[str, Meta(description="a name in quotes")]
Flag = Annotated[bool, Meta(description="true or false")]
Word = Annotated[Literal["auto", "never"], Meta(description="'auto' or 'never'")]
Colour = Annotated[tuple[Name, ...], Meta(description="a list of names")]


class Wheel(msgspec.Struct, frozen=True):
    """A table that may come often."""

    size: Size
    colours: Colour = ()


class Bell(msgspec.Struct, frozen=True):
    """A table in a table."""

    tone: Size = 1


class Frame(msgspec.Struct, frozen=True):
    """A table."""

    bell: Bell = Bell()
    spare: dict[str, Size] = {}


class Cart(msgspec.Struct, frozen=True):
    """The whole file."""

    wheels: tuple[Wheel, ...]
    frame: Frame = Frame()
    name: Name = ""


def complaint(tmp_path: Path, text: str) -> str:
    path = tmp_path / "cart.toml"
    path.write_text(text, encoding="utf-8", newline="")
    with pytest.raises(TraceError) as caught:
        read_document(path, TraceError).fit(Cart)
    message = str(caught.value)
    assert "\n" not in message
    return message.replace(str(path), "FILE")


def test_what_fits_becomes_the_struct(tmp_path: Path) -> None:
    path = tmp_path / "cart.toml"
    path.write_text(
        "[[wheels]]\nsize = 1\n[[wheels]]\nsize = 2\ncolours = ['red']\n[frame.spare]\nnut = 3\n"
    )
    cart = read_document(path, TraceError).fit(Cart)
    assert cart == Cart((Wheel(1), Wheel(2, ("red",))), Frame(spare={"nut": 3}))


def test_keys_are_dotted_whatever_stands_above_them() -> None:
    assert list(keys_of(Cart)) == [
        "wheels.size", "wheels.colours", "frame.bell.tone", "frame.spare", "name"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("name = 'x'\n", "FILE:1: 'wheels' is missing; write [[wheels]] and its keys on lines"),
        ("[[wheels]]\nsize = 1\n\n[[wheels]]\n", "FILE:4: 'wheels.size' is missing; it must be"),
        ("[[wheels]]\nsize = 1\n[[wheels]]\nsize = 0\n", "FILE:4: 'wheels.size' must be a whole"),
        ("[[wheels]]\nsize = 1\n[[wheels]]\nsizes = 2\n", "FILE:4: unknown key 'wheels.sizes'; "),
        ("[wheels]\nsize = 1\n", "FILE:1: 'wheels' may come often; write [[wheels]] and its keys"),
        ("wheels = []\n", "FILE:1: 'wheels' may come often; write [[wheels]] and its keys"),
        ("[[wheel]]\nsize = 1\n", "FILE:1: unknown section 'wheel'; did you mean [[wheels]]?"),
        ("[[wheels]]\nsize = 1\nname = 'x'\n", "FILE:3: unknown key 'wheels.name'; did you mean "
         "'name' above the first section?"),
        ("[frame.bells]\n", "FILE:1: unknown section 'frame.bells'; did you mean [frame.bell]?"),
        ("[frame]\nbell = 3\n", "FILE:2: 'frame.bell' is a section; write [frame.bell] and"),
        ("[frame.bell]\ntone = 'la'\n", "FILE:2: 'frame.bell.tone' must be a whole number from 1, "
         "not 'la'"),
        ("[frame.spare]\nnut = 1\nbolt = -1\n", "FILE:3: 'frame.spare.bolt' must be a whole n"),
        ("[[wheels]]\nsize = 1\ncolours = ['red', 7]\n", "FILE:3: 'wheels.colours' item 2 must be "
         "a name in quotes, not 7"),
        ("[[wheels]]\nsize = 1\ncolours = 'red'\n", "FILE:3: 'wheels.colours' must be a list of"),
        ("\nsiz = 1\n", "FILE:2: unknown key 'siz'; did you mean 'wheels.size'?"),
        ("qqq = 1\n", "FILE:1: unknown key 'qqq'; there are wheels, frame, name"),
    ],
)  # fmt: skip
def test_a_mistake_has_its_line_its_key_and_its_remedy(
    tmp_path: Path, text: str, expected: str
) -> None:
    assert complaint(tmp_path, text).startswith(expected)


class Lamp(msgspec.Struct, frozen=True):
    """A table of texts, numbers and truth values."""

    url: Name = ""
    mono: Flag = False
    size: Size = 1
    word: Word = "auto"
    last: Name = ""


class House(msgspec.Struct, frozen=True):
    """A file with this table."""

    lamp: Lamp = Lamp()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("url = sim:", 'text stands in quotes: write url = "sim:", not sim:'),
        (
            "url = sim:?seed=7  # mine",
            'text stands in quotes: write url = "sim:?seed=7", not sim:?s',
        ),
        ("url=5+3", 'text stands in quotes: write url= "5+3", not 5+3'),
        ("url = Ann Berg\r", 'text stands in quotes: write url = "Ann Berg", not Ann Berg'),
        (
            "url = \u201csim:\u201d",
            'text stands in quotes: write url = "sim:", not \u201csim:\u201d',
        ),
        ("word = auto", 'text stands in quotes: write word = "auto", not auto'),
        ("mono = yes", "'lamp.mono' must be true or false, not 'yes'"),
        ("mono = True", "'lamp.mono' must be true or false, not 'True'"),
        ("mono = off", "'lamp.mono' must be true or false, not 'off'"),
        ("size = 2 ms", "'lamp.size' must be a whole number from 1, not '2 ms'"),
        ("size = 0,8", "'lamp.size' must be a whole number from 1, not '0,8'"),
        ("word = atuo", "'lamp.word' must be 'auto' or 'never', not 'atuo'; did you mean 'auto'?"),
        ("urn = sim:", "unknown key 'lamp.urn'; did you mean 'lamp.url'?"),
        ("url =", "not TOML: "),
        ("url sim:", "not TOML: "),
        ('url = "a\\b"c', "not TOML: "),
    ],
)
@pytest.mark.parametrize("more", ["\n", "\nlast = never\n", "\n# the end\n[other"])
def test_a_word_without_quotes_is_told_as_what_it_is(
    tmp_path: Path, line: str, expected: str, more: str
) -> None:
    path = tmp_path / "house.toml"
    path.write_text(f"# a house\n[lamp]\n{line}{more}", encoding="utf-8", newline="")
    with pytest.raises(TraceError) as caught:
        read_document(path, TraceError).fit(House)
    message = str(caught.value)
    assert "\n" not in message
    if "other" in more:
        assert message.startswith((f"{path}:3: ", f"{path}:5: not TOML"))
    else:
        assert message.startswith(f"{path}:3: {expected}")


def test_who_reads_values_as_they_are_hears_of_missing_quotes_too(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text("a = 1\nb = word\nc = other\n", encoding="utf-8")
    with pytest.raises(TraceError, match='2: text stands in quotes: write b = "word"'):
        _ = read_document(path, TraceError).values


def test_many_words_without_quotes_are_read_in_linear_time(tmp_path: Path) -> None:
    def of_size(size: int) -> Path:
        path = tmp_path / f"{size}.toml"
        path.write_text("".join(f"k{n} = word\n" for n in range(size // 10)), encoding="utf-8")
        return path

    def read(path: Path) -> None:
        with pytest.raises(TraceError, match='1: text stands in quotes: write k0 = "word"'):
            _ = read_document(path, TraceError).values

    assert growth(read, of_size) < MOST_GROWTH


@given(st.text(max_size=60))
def test_any_text_is_a_document_or_one_line_of_complaint(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.toml"
        path.write_text(f"[lamp]\nurl = {text}", encoding="utf-8", newline="")
        said = ""
        try:
            read_document(path, TraceError).fit(House)
        except TraceError as error:
            said = str(error)
    assert "\n" not in said


def line_of(text: str, place: Place) -> int:
    """The line that a message about this place names."""
    document = Document(Path("x"), text, tomllib.loads(text), TraceError)
    return int(document.at(place).removeprefix("x:"))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("lights.mono = 1\n", 1),
        ("\nlights = { gamma = 2, mono = 1 }\n", 2),
        ('[tags]\nevent = """\n[lights]\nmono = 1\n"""\n[lights]\nmono = 1\n', 7),
        ("[lights]\n# mono = 1\n'mono' = 1\n", 3),
        ("[lights]\nmono = [\n1,\n2]\n", 2),
        ("# a\u2028b\u0085c\n[lights]\r\nmono = 1\r\n", 3),
        ('["lights"]\na = 1.5 # [\n"\\u006dono" = 1\n', 3),
        ("x = [1.5, 1979-05-27 07:32:00, {a.b = \"]\"}]\n[ lights . 'mono' ]\n", 2),
        ("a = '''\n[lights]''''\nb = \"\"\"\\\"\"\"\"\"\"\nlights = {a = [\n'['], mono = 1}\n", 5),
    ],
)
def test_the_line_of_a_key_is_found_however_it_is_written(text: str, line: int) -> None:
    assert line_of(text, ("lights", "mono")) == line


ARRAYS = """\
lamps = [
    # the first
    "a1", "b1",

    "c1",  # ] "d1"
    "d1" ]
rows = [
    [1, 2],
    [3,
     4],
]
[[chips]]
address = 1
[[chips]]  # the second
address = 2
a = ["e1", "f1"]
b = [
    "g1",
    "h1",
]
"""


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ((), 1),
        (("lamps",), 1),
        (("lamps", 1), 3),
        (("lamps", 2), 5),
        (("lamps", 3), 6),
        (("rows", 0), 8),
        (("rows", 1, 0), 9),
        (("rows", 1, 1), 10),
        (("chips", 0), 12),
        (("chips", 0, "address"), 13),
        (("chips", 1), 14),
        (("chips", 1, "address"), 15),
        (("chips", 1, "a", 1), 16),
        (("chips", 1, "b"), 17),
        (("chips", 1, "b", 1), 19),
        (("chips", 0, "b", 1), 12),
        (("chips", 7), 12),
        (("nowhere",), 1),
    ],
)
def test_the_line_of_what_stands_in_arrays(place: Place, line: int) -> None:
    assert line_of(ARRAYS, place) == line


@given(st.lists(st.lists(st.sampled_from(["", "# size = 1"]), max_size=3), min_size=1, max_size=6))
def test_the_line_of_a_key_in_each_of_many_tables(comments: list[list[str]]) -> None:
    lines: list[str] = []
    expected = []
    for above in comments:
        lines += ["[[wheels]]", *above, "size = 1"]
        expected.append(len(lines))
    text = "\n".join(lines)
    found = [line_of(text, ("wheels", number, "size")) for number in range(len(comments))]
    assert found == expected
