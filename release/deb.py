"""``make deb``: the Debian package, built and looked at by lintian in the Debian that it is for."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from release.chroots import SUITES, chroot, debian, native
from release.kept import CannotError, FailedError

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
BUILD = """
mkdir -p /build && cp -a /src /build/boardfw && cd /build/boardfw
dpkg-buildpackage --no-sign --build=binary --no-check-builddeps >/build/log 2>&1 || {
    tail -n 40 /build/log
    exit 1
}
cp ../boardfw_*.* /out
"""
LOOK = "lintian --allow-root --fail-on error,warning /out/boardfw_*.changes"


def deb(suite: str, architecture: str) -> Path:
    """Build the package of this checkout for a Debian. Raises CannotError or FailedError."""
    with tempfile.TemporaryDirectory() as out:
        with (
            sources() as copy,
            chroot(debian(suite, architecture), {copy: "/src", Path(out): "/out"}) as there,
        ):
            there.run(BUILD)
        # It is all in Perl, and the same for packages of every kind of machine.
        with chroot(debian(suite, native(), ("lintian",)), {Path(out): "/out"}) as there:
            print(there.run(LOOK), end="")
        (built,) = Path(out).glob("*.deb")
        DIST.mkdir(exist_ok=True)
        return Path(shutil.copy(built, DIST))


@contextmanager
def sources() -> Iterator[Path]:
    """A copy of what is under version control here, as it is now, without what lies beside it."""
    with tempfile.TemporaryDirectory() as directory:
        listing = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
        )
        if listing.returncode:
            raise CannotError("not a git checkout: what belongs to the sources is not known")
        for name in filter(None, listing.stdout.split("\0")):
            if (ROOT / name).exists():  # else its removal is not committed yet
                copy = Path(directory, name)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, copy)
        Path(directory).chmod(0o755)
        yield Path(directory)


def main() -> None:
    """The command line, as the Makefile writes it."""
    parser = argparse.ArgumentParser(description="Build the Debian package into dist/.")
    parser.add_argument("--suite", choices=[*SUITES], default="bookworm")
    parser.add_argument("--architecture", default=native())
    options = parser.parse_args()
    began = time.monotonic()
    try:
        built = deb(options.suite, options.architecture)
    except (CannotError, FailedError) as error:
        sys.exit(f"make deb: {error}")
    size = built.stat().st_size / 1e6
    print(f"{built.relative_to(ROOT)}: {size:.1f} MB, in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
