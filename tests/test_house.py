"""Rules of the house that no linter knows."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from functools import cache
from pathlib import Path

import pytest

import boardfw

ROOT = Path(__file__).parents[1]
PACKAGES = ("boardfw", "hardware")
LONGEST = 500
"""Lines of a source file; beyond that it holds two concepts."""

FORBIDDEN = re.compile(r"/(home|root)/|\b(TODO|FIXME|XXX)\b")
"""Paths of one machine, and promises that are not kept."""


@cache
def tracked() -> tuple[Path, ...]:
    """Every file under version control."""
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listing.returncode:
        pytest.skip("not a git checkout: the project's files are not known")
    files = (ROOT / name for name in listing.stdout.split("\0") if name)
    return tuple(file for file in files if file.is_file())


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


def imported(*arguments: str) -> set[str]:
    """Top-level names of all modules that Python imports while it runs this."""
    result = run("-X", "importtime", *arguments)
    assert result.returncode == 0, result.stderr[-2000:]
    lines = [line for line in result.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}


def test_importing_boardfw_costs_nothing() -> None:
    names = imported("-c", "import boardfw")
    assert "boardfw" in names
    assert not names & {"asyncio", "gpiozero", "smbus2", "msgspec", "rich", "textual", "hardware"}


def test_help_comes_without_the_terminal_board() -> None:
    names = imported("-m", "boardfw", "--help")
    assert "boardfw" in names
    assert not names & {"textual", "gpiozero", "smbus2", "fsrs"}


def test_who_only_plays_does_not_wait_for_what_teaches(tmp_path: Path) -> None:
    pgn, record = tmp_path / "game.pgn", tmp_path / "games.db"
    pgn.write_text("1. e4 e5 *\n")
    options = ("--play", str(pgn), "--speed", "max", "--pgn", f"{pgn}.out", "--record", str(record))
    assert "fsrs" not in imported("-m", "boardfw", "run", *options)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_says_what_it_is_for(package: str) -> None:
    folders = {file.parent for file in (ROOT / package).rglob("*.py")}
    silent = []
    for folder in sorted(folders):
        front = folder / "__init__.py"
        text = front.read_text(encoding="utf-8") if front.is_file() else ""
        if not ast.get_docstring(ast.parse(text)):
            silent.append(str(folder.relative_to(ROOT)))
    assert folders
    assert silent == []


def test_every_room_has_its_place_in_the_order() -> None:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = " ".join(config["tool"]["importlinter"]["contracts"][0]["layers"])
    rooms = {
        child.stem
        for child in (ROOT / "boardfw").iterdir()
        if child.suffix == ".py" or (child / "__init__.py").is_file()
    }
    assert rooms - {"__init__"} <= set(re.findall(r"boardfw\.(\w+)", layers))


def test_no_source_file_is_too_long() -> None:
    sizes = {
        str(file.relative_to(ROOT)): len(file.read_text(encoding="utf-8").splitlines())
        for file in tracked()
        if file.suffix == ".py"
    }
    assert sizes
    assert {name: size for name, size in sizes.items() if size > LONGEST} == {}


def test_the_files_speak_of_the_project_alone() -> None:
    found = []
    for file in set(tracked()) - {Path(__file__)}:
        try:
            lines = file.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:  # a picture
            continue
        found += [
            f"{file.relative_to(ROOT)}:{number}: {line.strip()}"
            for number, line in enumerate(lines, 1)
            if FORBIDDEN.search(line)
        ]
    assert found == []


def test_the_glossary_is_in_alphabetical_order_and_names_each_thing_once() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    names = re.findall(r"^\| ([^|]+?) \|", text, re.MULTILINE)[1:]
    assert len(names) > 40
    assert names == sorted(set(names), key=str.casefold)


def test_the_files_that_the_documents_name_are_there() -> None:
    names = [str(file.relative_to(ROOT)) for file in tracked()]
    missing = [
        f"{document}: {name}"
        for document in names
        if document.endswith(".md") and document != "CHANGELOG.md"
        for name in re.findall(r"[`=]([\w./-]+\.py)\b", (ROOT / document).read_text("utf-8"))
        if not any(f"/{one}".endswith(f"/{name}") for one in names)
    ]
    assert missing == []


def test_every_decision_is_listed() -> None:
    folder = ROOT / "docs" / "decisions"
    listed = re.findall(r"\]\((\d{4}-[^)]+\.md)\)", (folder / "README.md").read_text("utf-8"))
    assert listed == sorted(file.name for file in folder.glob("[0-9]*.md"))


def test_the_changelog_knows_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"\n## [{boardfw.__version__}] - " in text


@pytest.mark.slow
def test_a_wheel_carries_every_file_that_is_no_source(tmp_path: Path) -> None:
    source = tmp_path / "source"  # building leaves its traces beside the sources
    for file in tracked():
        copy = source / file.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(file, copy)
    built = run("-m", "pip", "wheel", "--no-deps", "--wheel-dir", str(tmp_path), str(source))
    assert built.returncode == 0, built.stderr[-2000:]
    (wheel,) = tmp_path.glob("boardfw-*.whl")
    inside = set(zipfile.ZipFile(wheel).namelist())
    names = {file.relative_to(ROOT) for file in tracked()}
    assert {str(name) for name in names if name.parts[0] in PACKAGES} <= inside
    assert not any(name.startswith("tests/") for name in inside)
