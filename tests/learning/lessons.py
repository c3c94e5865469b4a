"""A small course of two lessons: tests write it as authors do, and get it wrong as they do."""

from __future__ import annotations

from pathlib import Path

from boardfw.shell.learning.course_files import load_course

ROOK = """\
format = 1
id = "rook"
documents = ["A"]
statements = [5]

[[exercise]]
id = "stopped"
fen = "7k/8/8/3R1P2/8/8/3b4/K7 w - - 0 1"
task = { reach = "d5" }
answer = ["d2", "d3", "d4", "a5", "b5", "c5", "e5", "d6", "d7", "d8"]
variants = ["mirror", "colours", "both"]

[[exercise]]
id = "way_round"
fen = "7k/8/8/2P5/8/8/2R5/K7 w - - 0 1"
task = { stars = ["c7", "e7"] }
answer = 3
"""
CASTLE = """\
format = 1
id = "castle"
after = ["rook"]
documents = ["B", "E"]
statements = [58, 60]

[[exercise]]
id = "through_check"
fen = "3rk3/8/8/8/8/8/8/R3K3 w Q - 0 1"
task = { may = "e1c1" }
answer = "put_back"
why = "castle_through_check"
variants = ["colours"]
lights = false

[[exercise]]
id = "all_checks"
fen = "4k3/8/8/8/4N3/8/8/4K3 w - - 0 1"
task = { all = "check" }
answer = ["Nd6+", "Nf6+"]

[[exercise]]
id = "checkers"
fen = "4k3/8/2n5/1B6/8/4r3/8/4K3 w - - 0 1"
task = { touch = "checkers" }
answer = ["e3"]

[[exercise]]
id = "game"
fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
task = { line = "e4 e5 Nf3/Nc3", you = "white", notation = "descriptive" }
"""
TEXTS = """\
[rook]
name = "The rook"
goal = "The rook goes straight."

[rook.stopped]
say = "You are {you}. Touch all {n} squares of the {piece} on {square}."
hint1 = "It goes straight."
hint2 = "It never jumps."
solved = "So the rook goes: {squares}."

[rook.way_round]
say = "You are {you}. Visit {squares} in {n} moves; {they} waits."
hint1 = "Go round the pawn on c5."
hint2 = "Go sideways first."
solved = "Well done."

[castle]
name = "Castling"
goal = "When it is forbidden."

[castle.through_check]
say = "You are {you}. May you play {move}?"
hint1 = "Look at the square between."
hint2 = "{they} looks at it."
solved = "Not over an attacked square."

[castle.all_checks]
say = "You are {you}. There are {n} checks with the {piece} on {square}; {move} is one."
hint1 = "Jump."
hint2 = "Jump nearer."
solved = "Check."

[castle.checkers]
say = "You are {you}. Who gives check?"
hint1 = "Look along lines."
hint2 = "It is a {piece}."
solved = "The {piece} on {square}."

[castle.game]
say = "You are {you}. Play {n} of these: {move}"
hint1 = "Pawns first."
hint2 = "In the middle."
solved = "Well done."
"""
FILES = {"course/01_rook.toml": ROOK, "course/02_castle.toml": CASTLE, "text/en.toml": TEXTS}


def written(directory: Path, files: dict[str, str]) -> Path:
    """The directory, with these files in it."""
    for name, text in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return directory


def changed(name: str, old: str, new: str) -> dict[str, str]:
    """The files with one change, which must be one."""
    (path,) = [path for path in FILES if name in path]
    assert FILES[path].count(old) == 1, f"{old!r} is there {FILES[path].count(old)} times"
    return {**FILES, path: FILES[path].replace(old, new)}


def complaints(directory: Path, files: dict[str, str]) -> list[str]:
    """What is said of them, each file by its name alone."""
    _, found = load_course(written(directory, files))
    assert not any("\n" in complaint for complaint in found)
    for folder in (f"{directory}/course/", f"{directory}/text/", f"{directory}/"):
        found = [complaint.replace(folder, "") for complaint in found]
    return found
