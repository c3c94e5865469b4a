"""The service's virtual environments: each is made whole beside the others, then put in use.

One is named after what it was made from, so the same sources make no second one. It is put in use
by one rename of a link; whatever fails before leaves the one in use as it was.
"""

from __future__ import annotations

import hashlib
import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import packages
from place import InstallError, Place, say

SOURCES = Path(__file__).resolve().parents[1]
PARTS = ("LICENSE", "README.md", "boardfw", "hardware", "pyproject.toml", "requirements")
"""What pip needs of the sources. It builds from a copy: root would leave its own files in them."""
OPT = "/opt/boardfw"
CURRENT = f"{OPT}/current"
UNFIT = ("PYTHONPATH", "PYTHONHOME", "PIP_USER", "PIP_TARGET", "PIP_PREFIX")
"""Variables that would have other packages seen, or ours installed elsewhere."""
NOBODY = "nobody"


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


def make(place: Place, name: str) -> bool:
    """Make an environment, all of it or none; False: it is there. Raises InstallError."""
    path = f"{OPT}/{name}"
    whole = place.at(path)
    if whole.exists():
        return False
    say(f"making {path}, a virtual environment (some minutes on a small Raspberry Pi)")
    part = whole.with_name(f".{name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    try:
        _fill(part, path)
        _give_to_root(part)
        _move_names(part, path)
        part.rename(whole)
    finally:
        shutil.rmtree(part, ignore_errors=True)
        with suppress(OSError):  # there are others, as a rule
            part.parent.rmdir()
    say(f"made {path}")
    return True


def builder() -> pwd.struct_passwd | None:
    """The user that runs pip: not root, since downloaded code also runs when it is built.

    The user who called sudo, else nobody. None: this is not run as root, or nobody is unknown.
    """
    if os.getuid() != 0:
        return None
    for name in (os.environ.get("SUDO_USER"), NOBODY):
        with suppress(KeyError):
            user = pwd.getpwnam(name or NOBODY)
            if user.pw_uid != 0:
                return user
    return None


def _fill(part: Path, path: str) -> None:
    """All that runs anything of what is installed, by another user where this is root."""
    user = builder()
    work = part / "work"
    copy = work / "boardfw"
    work.mkdir()
    _copy(copy)
    if user:
        for file in (part, work, *work.rglob("*")):
            os.chown(file, user.pw_uid, user.pw_gid)
    _run("Python made no virtual environment", sys.executable, "-m", "venv", str(part), work=work)
    python = str(part / "bin/python")
    pip = [python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    # --no-deps, as the lists are whole: pip would else take a newer release of what a library wants
    # with an extra (markdown-it-py[linkify]), and then refuse it for having no hash.
    pip += ["--no-compile", "--no-build-isolation", "--no-deps"]
    # One version of each library, and none but the files that `make lock` saw; what builds them
    # comes first, as pip would else fetch it unseen.
    locked = [*pip, "--require-hashes", "--use-pep517", "--requirement"]
    for name in ("build", packages.libraries()):
        trouble = "pip could not install the libraries"
        _run(trouble, *locked, str(copy / f"requirements/{name}.txt"), work=work)
    _run("pip could not install boardfw", *pip, str(copy), work=work)
    starting = [python, "-B", "-m", "boardfw", "--version"]
    _run("what pip installed does not start", *starting, work=work)
    _compile(part, path, work)
    shutil.rmtree(work)


def _copy(copy: Path) -> None:
    copy.mkdir()
    for part in PARTS:
        source = SOURCES / part
        if source.is_file():
            shutil.copy(source, copy)
        else:
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(source, copy / part, ignore=ignored)


def _run(trouble: str, *command: str, work: Path) -> None:
    if _ended(*command, work=work):
        raise InstallError(f"{trouble} (see above)")


def _ended(*command: str, work: Path) -> int:
    """The exit status of a command that a user other than root runs."""
    environment = {key: value for key, value in os.environ.items() if key not in UNFIT}
    # In memory, where /tmp often is, there may be no room; and root's own is closed to others.
    environment["TMPDIR"] = str(work)
    user = builder()
    owner: dict[str, Any] = {}
    if user:
        environment["HOME"] = user.pw_dir if Path(user.pw_dir).is_dir() else str(work)
        owner = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    # Outside the sources: Python looks for modules where it is started.
    return subprocess.run(
        command, cwd="/", env=environment, stdout=subprocess.DEVNULL, check=False, **owner
    ).returncode


def _compile(part: Path, path: str, work: Path) -> None:
    """The service may not write there, and would compile at each start. Errors tell for others."""
    compiling = ["-m", "compileall", "-qq", "-s", str(part), "-p", path, str(part / "lib")]
    _ended(str(part / "bin/python"), *compiling, work=work)


def _give_to_root(part: Path) -> None:
    """What root and the service run, only root may change."""
    if os.getuid() == 0:
        for file in (part, *part.rglob("*")):
            os.chown(file, 0, 0, follow_symlinks=False)


def _move_names(part: Path, path: str) -> None:
    """Scripts name the place of their Python: let it be the one where they will lie."""
    old, new = os.fsencode(part), os.fsencode(path)
    for file in [*(part / "bin").iterdir(), part / "pyvenv.cfg"]:
        if file.is_file() and not file.is_symlink() and old in (text := file.read_bytes()):
            file.write_bytes(text.replace(old, new))


def remove_others(place: Place, previous: str | None) -> None:
    """Remove all environments but the one in use and the one before it, and unfinished ones."""
    kept = {"current", place.at(CURRENT).readlink().name, Path(previous or "").name}
    for other in sorted(place.at(OPT).iterdir()):
        if other.name not in kept:
            place.remove(f"{OPT}/{other.name}")
