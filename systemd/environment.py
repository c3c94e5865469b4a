"""The service's virtual environments: each is made whole beside the others, then put in use.

One is named after what it was made from, so the same sources make no second one. It is put in use
by one rename of a link; whatever fails before leaves the one in use as it was.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from place import InstallError, Place, say

SOURCES = Path(__file__).resolve().parents[1]
PARTS = ("LICENSE", "README.md", "boardfw", "hardware", "pyproject.toml")
"""What pip needs of the sources. It builds from a copy: root would leave its own files in them."""
OPT = "/opt/boardfw"
CURRENT = f"{OPT}/current"
NO_WHEELS = (3, 13)
"""From this Python on PyPI has no wheel of lgpio: Debian's is used, and with it its libraries."""
PI = ("aarch64", "armv7l", "armv6l")
"""Machines for which the extra ``pi`` of pyproject.toml is."""
UNFIT = ("PYTHONPATH", "PYTHONHOME", "PIP_USER", "PIP_TARGET", "PIP_PREFIX")
"""Variables that would have other packages seen, or ours installed elsewhere."""


def name_of_new() -> str:
    """What the environment of these sources and this Python is called."""
    digest = hashlib.sha256(f"{sys.version} {sys.base_prefix}".encode())
    for file in _files():
        digest.update(f"\n{file.relative_to(SOURCES)}\n".encode() + file.read_bytes())
    return digest.hexdigest()[:12]


def _files() -> Iterator[Path]:
    for part in PARTS:
        path = SOURCES / part
        found = [path] if path.is_file() else sorted(path.rglob("*"))
        yield from (f for f in found if f.is_file() and "__pycache__" not in f.parts)


def uses_system() -> bool:
    """Whether the libraries of Debian are seen by the environment."""
    return sys.version_info >= NO_WHEELS


def missing_packages() -> list[str]:
    """Debian packages without which this Python makes no environment, or one without GPIO."""
    modules = {"ensurepip": "python3-venv"}
    if uses_system() and platform.machine() in PI:
        modules["lgpio"] = "python3-lgpio"
    return [package for name, package in modules.items() if importlib.util.find_spec(name) is None]


def make(place: Place, name: str) -> bool:
    """Make an environment, all of it or none; False: it is there. Raises InstallError."""
    path = f"{OPT}/{name}"
    whole = place.at(path)
    if whole.exists():
        return False
    say(f"making {path}, a virtual environment (some minutes on a small Raspberry Pi)")
    part = whole.with_name(f".{name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.parent.mkdir(parents=True, exist_ok=True)
    try:
        _fill(part)
        _move_names(part, path)
        _compile(part, path)
        part.rename(whole)
    finally:
        shutil.rmtree(part, ignore_errors=True)
        with suppress(OSError):  # there are others, as a rule
            part.parent.rmdir()
    say(f"made {path}")
    return True


def _fill(part: Path) -> None:
    options = ["--system-site-packages"] if uses_system() else []
    _run("Python made no virtual environment", sys.executable, "-m", "venv", *options, str(part))
    python = str(part / "bin/python")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "boardfw"
        _copy(copy)
        pip = [python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
        _run("pip could not install boardfw", *pip, "--no-compile", f"{copy}[pi]")
    _run("what pip installed does not start", python, "-B", "-m", "boardfw", "--version")


def _copy(copy: Path) -> None:
    copy.mkdir()
    for part in PARTS:
        source = SOURCES / part
        if source.is_file():
            shutil.copy(source, copy)
        else:
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(source, copy / part, ignore=ignored)


def _run(trouble: str, *command: str) -> None:
    environment = {key: value for key, value in os.environ.items() if key not in UNFIT}
    # Outside the sources: Python looks for modules where it is started.
    told = subprocess.run(command, cwd="/", env=environment, stdout=subprocess.DEVNULL, check=False)
    if told.returncode:
        raise InstallError(f"{trouble} (see above)")


def _move_names(part: Path, path: str) -> None:
    """Scripts name the place of their Python: let it be the one where they will lie."""
    old, new = os.fsencode(part), os.fsencode(path)
    for file in [*(part / "bin").iterdir(), part / "pyvenv.cfg"]:
        if file.is_file() and not file.is_symlink() and old in (text := file.read_bytes()):
            file.write_bytes(text.replace(old, new))


def _compile(part: Path, path: str) -> None:
    """The service may not write there, and would compile at each start. Errors tell for others."""
    compiling = ["-m", "compileall", "-qq", "-s", str(part), "-p", path, str(part / "lib")]
    subprocess.run([part / "bin/python", *compiling], cwd="/", check=False)


def use(place: Place, name: str) -> str | None:
    """Let the service use this environment when it starts; the one that it used before."""
    return place.link(CURRENT, name)


def remove_others(place: Place) -> None:
    """Remove all environments but the one in use, and what is left of unfinished ones."""
    current = place.at(CURRENT).readlink().name
    for other in sorted(place.at(OPT).iterdir()):
        if other.name not in ("current", current):
            place.remove(f"{OPT}/{other.name}")
