"""What an emulated Raspberry Pi is made from, fetched once: Debian for its card, and for tools.

The tools (QEMU, compilers) lie in a Debian of their own, since that of this machine may be older:
before Debian 13 QEMU's Raspberry Pi has no I2C bus. Nothing foreign is run to unpack the other one.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from tests.kept import fetch, made

SUITE, PYTHON = "trixie", "3.13"
TOOLS = (
    *("bison", "device-tree-compiler", "dpkg-dev", "e2fsprogs", "flex", "gcc", "kmod", "libc6-dev"),
    *("libfdt-dev", "libglib2.0-dev", "meson", "ninja-build", "pkgconf", "python3-venv"),
    *("qemu-system-arm", "xz-utils", "zlib1g-dev"),
)
"""For running and building QEMU."""
CARD = (
    *("busybox-static", "dbus", "i2c-tools", "kmod", "linux-image-arm64", "make", "procps"),
    *("python3", "python3-venv", "systemd", "systemd-sysv", "udev"),
)
"""What docs/build/config.md has a Pi's owner install, and what Raspberry Pi OS has anyway."""
MULTIARCH = "x86_64-linux-gnu"


def need() -> None:
    """Skip where none of this can be had."""
    if os.getuid() != 0:
        pytest.skip("needs root, to unpack a Debian")
    if os.uname().machine != "x86_64":
        pytest.skip(f"needs an x86-64 machine, not {os.uname().machine}")
    for program, package in {"debootstrap": "debootstrap", "dpkg-deb": "dpkg"}.items():
        if shutil.which(program) is None:
            pytest.skip(f"needs {program} (Debian package {package})")


@cache
def tools() -> Path:
    """The directory of a Debian with the tools.

    Asked for once before anything is made: who makes something holds the lock that this takes.
    """
    command = _debootstrap(TOOLS)
    return made(_name("tools", TOOLS), lambda part: fetch("tools", *command, SUITE, str(part)))


def card_debian() -> Path:
    """The directory of an arm64 Debian, unpacked and not configured: nothing of it was run."""

    def make(part: Path) -> None:
        foreign = (*_debootstrap(CARD), "--foreign", "--arch=arm64")
        fetch("an arm64 Debian", *foreign, SUITE, str(part))
        archives = part / "var/cache/apt/archives"
        for package in sorted(archives.glob("*.deb")):
            subprocess.run(["dpkg-deb", "--extract", package, part], check=True)
        for rest in (archives, part / "debootstrap"):
            shutil.rmtree(rest)

    return made(_name("arm64", CARD), make)


def tool(program: str, *words: str) -> list[str]:
    """The command of a tool. It sees this machine's files, and not only those of its Debian."""
    root = tools()
    loader = root / "usr/lib64/ld-linux-x86-64.so.2"
    (path,) = [
        file for folder in ("usr/bin", "usr/sbin") if (file := root / folder / program).exists()
    ]
    return [str(loader), "--library-path", str(root / f"usr/lib/{MULTIARCH}"), str(path), *words]


def inside(command: str) -> list[str]:
    """The command that runs a shell's line with the Debian of the tools as its root."""
    return ["nice", "-n", "10", "chroot", str(tools()), "sh", "-ec", command]


def apt_source(package: str, folder: str) -> None:
    """Have a package's source in a folder of the tools, by the network as apt has it here."""
    root = tools()
    told = subprocess.run(["apt-config", "dump"], capture_output=True, text=True, check=True)
    acquire = [line for line in told.stdout.splitlines() if line.startswith("Acquire::")]
    settings = root / "etc/apt/apt.conf.d/99-of-this-machine"
    settings.write_text("".join(f"{line}\n" for line in acquire if "IndexTargets" not in line))
    sources = (root / "etc/apt/sources.list").read_text()
    (root / "etc/apt/sources.list.d/sources.list").write_text(sources.replace("deb ", "deb-src "))
    fetch(
        f"the source of {package}",
        *inside(f"mkdir -p {folder}; cd {folder}; apt-get -q update; apt-get -q source {package}"),
    )


def digest(*parts: bytes) -> str:
    """A short name for what something is made from."""
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:8]


def _name(what: str, packages: tuple[str, ...]) -> str:
    return f"{SUITE}-{what}-{digest(' '.join(packages).encode())}"


def _debootstrap(packages: tuple[str, ...]) -> tuple[str, ...]:
    return ("debootstrap", "--variant=minbase", f"--include={','.join(packages)}")
