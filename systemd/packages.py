"""What pip does not bring: the Debian packages with which Python makes environments and compiles.

``python3 systemd/packages.py run``, as ``make`` calls it, ends with 0 when they are there. Root
gets those that are not by apt, anybody else is told how.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import shutil
import sys
import sysconfig
from pathlib import Path

import host
from place import InstallError

PI = ("aarch64", "armv7l", "armv6l")
"""Machines for which the extra ``pi`` of pyproject.toml is."""
RUN, ON_PI, ON_OLD_PI = "run", "pi", "rpigpio"
"""Files of requirements/: what every machine needs to play, and what a Raspberry Pi does, of late
and with a kernel before 6.6."""


def libraries() -> str:
    """Which of the two this machine needs for a board of its own."""
    return ON_PI if platform.machine() in PI else RUN


def missing(libraries: str) -> list[str]:
    """Debian packages that have to be installed before these libraries can be.

    No machine has all libraries of a Raspberry Pi ready-made, least of all for Python 3.13: they
    are compiled, lgpio with the help of swig.
    """
    there = {"python3-venv": importlib.util.find_spec("ensurepip") is not None}
    if libraries != RUN:
        there["gcc"] = shutil.which("gcc") is not None
        there["python3-dev"] = Path(sysconfig.get_path("include"), "Python.h").is_file()
        there["swig"] = shutil.which("swig") is not None
    return [package for package, is_there in there.items() if not is_there]


def main() -> None:
    """The command line, as the Makefile writes it."""
    parser = argparse.ArgumentParser(description="See that the system has what pip needs.")
    parser.add_argument("libraries", choices=[RUN, ON_PI, ON_OLD_PI])
    try:
        packages = missing(parser.parse_args().libraries)
        if packages and os.getuid() != 0:
            raise InstallError(f"first: sudo apt-get install {' '.join(packages)}")
        if packages:
            host.install_packages(packages)
    except InstallError as error:
        sys.exit(f"make: {error}")


if __name__ == "__main__":
    main()
