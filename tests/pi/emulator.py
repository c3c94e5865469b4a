"""The emulator: Debian's QEMU as it is, or one built with the chips of ``chips/`` in it."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path

from tests.kept import made
from tests.pi.debians import apt_source, digest, inside, tool, tools

CHIPS = Path(__file__).parent / "chips"
FOLDER, BUILT = "/srv", "build/qemu-system-aarch64"
DEVICES = "CONFIG_RASPI=y\nCONFIG_ARM_VIRT=y\nCONFIG_OR_IRQ=y\nCONFIG_UNIMP=y\n"
CONFIGURE = (
    "../configure --without-default-features --without-default-devices --enable-system --enable-tcg"
    " --target-list=aarch64-softmmu --with-devices-aarch64=boardfw --enable-fdt=system"
    " --disable-install-blobs --disable-download --disable-werror"
)


def stock() -> list[str]:
    """The command of QEMU as Debian has it."""
    return tool("qemu-system-aarch64", "-L", str(tools() / "usr/share/qemu"))


@cache
def with_chips() -> list[str]:
    """The command of a QEMU that knows our chips; five minutes of a processor when it is new.

    What was compiled stays with the tools, so that a change of a chip costs seconds.
    """
    tools()
    sources = b"".join(file.read_bytes() for file in _chips())
    built = made(f"qemu-{digest(sources, DEVICES.encode(), CONFIGURE.encode())}", _build)
    loader = tool("true")
    return [*loader[:3], str(built / "qemu-system-aarch64")]


def _chips() -> list[Path]:
    return sorted(CHIPS.glob("*.[ch]"))


def _build(part: Path) -> None:
    whole = tools() / FOLDER.strip("/")
    if not list(whole.glob("qemu-*/configure")):
        apt_source("qemu", FOLDER)
    (source,) = (file.parent for file in whole.glob("qemu-*/configure"))
    _put(source / "configs/devices/aarch64-softmmu/boardfw.mak", DEVICES)
    for chip in _chips():
        _put(source / "hw/gpio" / chip.name, chip.read_text("utf-8"))
    meson = source / "hw/gpio/meson.build"
    names = ", ".join(repr(chip.name) for chip in _chips() if chip.suffix == ".c")
    others = [line for line in meson.read_text().splitlines() if "# boardfw" not in line]
    ours = f"system_ss.add(files({names}))  # boardfw"
    _put(meson, "\n".join([*others, ours, ""]))
    steps = [f"cd {FOLDER}/{source.name}", "mkdir -p build", "cd build"]
    if not (source / "build/build.ninja").exists():
        steps.append(CONFIGURE)
    steps.append("ninja qemu-system-aarch64")
    told = subprocess.run(
        inside("\n".join(steps)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stdout[-3000:]
    part.mkdir()
    shutil.copy(source / BUILT, part)


def _put(file: Path, text: str) -> None:
    """Write a file that is not so already: what is older need not be compiled again."""
    if not file.exists() or file.read_text("utf-8") != text:
        file.write_text(text, "utf-8")
