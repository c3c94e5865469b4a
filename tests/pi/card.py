"""The SD card of an emulated Raspberry Pi 3: a Debian, our libraries for arm64, kernel and modules.

Libraries are the ready-made files for arm64 that ``requirements/`` names. ``make install`` would
fetch them, so they are on the card, too.
"""

from __future__ import annotations

import lzma
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.kept import fetch, made
from tests.pi.debians import PYTHON, card_debian, digest, tool, tools

ROOT = Path(__file__).parents[2]
MODULES = ("bcm2835", "crc32c_generic", "ext4", "i2c_bcm2835", "i2c_dev", "spi_bcm2835")
"""Of the kernel; the first is the driver of the card."""
SPI, BUS, UART = "/soc/spi@7e204000", "/soc/i2c@7e804000", "/soc/serial@7e201000"
CARD_BYTES = 2 << 30
"""QEMU wants a power of two; the file takes as much of the disk as is in it."""
REVISION = "a02082"  # of a Raspberry Pi 3 Model B


@dataclass(frozen=True)
class Card:
    """A directory with all that a machine starts from."""

    folder: Path

    @property
    def image(self) -> Path:
        """The card itself; nobody writes to it."""
        return self.folder / "card.img"

    @property
    def kernel(self) -> Path:
        """The kernel, as Debian has it."""
        return self.folder / "vmlinuz"

    @property
    def tree(self) -> Path:
        """The device tree, Debian's but for what ``_change_tree`` says."""
        return self.folder / "pi3.dtb"

    @property
    def busybox(self) -> Path:
        """The program that finds the card and starts what is on it."""
        return self.folder / "busybox"

    @property
    def modules(self) -> list[Path]:
        """Modules of the kernel, in the order in which they can be loaded."""
        return sorted((self.folder / "modules").iterdir())


def card() -> Card:
    """A card, made if there is none for these libraries. Skips where it cannot be had."""
    lists = [ROOT / f"requirements/{name}.txt" for name in ("build", "pi")]
    made_by = [*lists, Path(__file__)]
    debian = card_debian()
    tools()
    name = f"pi3-{digest(str(debian).encode(), *(file.read_bytes() for file in made_by))}"
    return Card(made(name, lambda part: _make(part, debian, lists)))


def _make(part: Path, debian: Path, lists: list[Path]) -> None:
    part.mkdir()
    root = part / "root"
    subprocess.run(["cp", "--archive", "--link", debian, root], check=True)
    (release,) = (root / "usr/lib/modules").iterdir()
    _take_modules(part / "modules", release)
    shutil.copy(next((root / "boot").glob("vmlinuz-*")), part / "vmlinuz")
    shutil.copy(root / "usr/bin/busybox", part)
    (tree,) = root.glob("usr/lib/linux-image-*/broadcom/bcm2837-rpi-3-b.dtb")
    shutil.copy(tree, part / "pi3.dtb")
    _change_tree(part / "pi3.dtb")
    _fetch_libraries(root / "srv/wheels", lists)
    (root / "srv/libraries").mkdir()
    for wheel in sorted((root / "srv/wheels").glob("*.whl")):
        shutil.unpack_archive(wheel, root / "srv/libraries", "zip")
    compile_python(root / f"usr/lib/python{PYTHON}", f"/usr/lib/python{PYTHON}")
    compile_python(root / "srv/libraries", "/srv/libraries")
    _configure(root)
    for unused in (release, *root.glob("usr/lib/linux-image-*"), root / "boot"):
        shutil.rmtree(unused)
    for name in ("doc", "locale", "man"):
        shutil.rmtree(root / "usr/share" / name, ignore_errors=True)
    image = part / "card.img"
    with image.open("wb") as file:
        file.truncate(CARD_BYTES)
    fill = tool("mke2fs", "-q", "-t", "ext4", "-O", "^orphan_file", "-d", str(root), str(image))
    subprocess.run(fill, check=True)
    shutil.rmtree(root)


def _take_modules(folder: Path, release: Path) -> None:
    """Unpacked modules with all that they need, numbered in the order of loading."""
    there = {file.name.removesuffix(".ko.xz"): file for file in release.rglob("*.ko.xz")}
    there = {name.replace("-", "_"): file for name, file in there.items()}
    taken: dict[str, bytes] = {}

    def take(name: str) -> None:
        if name in taken or name not in there:  # what is not there is built into the kernel
            return
        module = lzma.decompress(there[name].read_bytes())
        needs = re.search(rb"\0depends=([^\0]*)\0", module)
        for other in needs[1].decode().split(",") if needs else ():
            take(other.replace("-", "_"))
        taken[name] = module

    for name in MODULES:
        assert name in there, name
        take(name)
    folder.mkdir()
    for number, (name, module) in enumerate(taken.items()):
        (folder / f"{number:02}-{name}.ko").write_bytes(module)


def _change_tree(tree: Path) -> None:
    """What config.txt asks for on a real one, and what QEMU lacks.

    QEMU has no DMA for SPI and for the card, where the drivers would wait for it, and no Bluetooth
    behind the serial line that is our console.
    """
    changes = (
        ("-r", f"{UART}/bluetooth"),
        ("-d", SPI, "dmas", "dma-names"),
        ("-d", "/soc/mmc@7e202000", "dmas", "dma-names"),
        ("-t", "s", SPI, "status", "okay"),
        ("-c", f"{SPI}/spidev@0"),
        ("-t", "s", f"{SPI}/spidev@0", "compatible", "rohm,dh2228fv"),
        ("-t", "i", f"{SPI}/spidev@0", "reg", "0"),
        ("-t", "i", f"{SPI}/spidev@0", "spi-max-frequency", "125000000"),
        ("-t", "i", BUS, "clock-frequency", "400000"),
        ("-t", "s", "/aliases", "i2c1", BUS),
        ("-t", "s", "/aliases", "spi0", SPI),
        ("-p", "-t", "x", "/system", "linux,revision", REVISION),
    )
    for first, *words in changes:
        options = [first, *(words.pop(0) for word in list(words) if word in ("-t", "s", "i", "x"))]
        subprocess.run(tool("fdtput", *options, str(tree), *words), check=True)


def _fetch_libraries(wheels: Path, lists: list[Path]) -> None:
    """Files that ``requirements/`` names, and no others: pip compares their hashes."""
    wheels.mkdir(parents=True)
    pip = [sys.executable, "-m", "pip", "--quiet", "download", f"--dest={wheels}"]
    pip += ["--require-hashes", "--no-deps", "--only-binary=:all:"]
    abis = ("manylinux2014", "manylinux_2_17", "manylinux_2_28", "manylinux_2_34")
    target = [f"--platform={abi}_aarch64" for abi in abis]
    target += ["--platform=any", "--implementation=cp", f"--python-version={PYTHON}"]
    for file in lists:
        # Some of their markers are true on a Raspberry Pi only.
        every = wheels.with_name(file.name)
        every.write_text(re.sub(r" ;.*?(?= \\\n)", "", file.read_text("utf-8")))
        fetch("libraries", *pip, *target, f"--requirement={every}")


def compile_python(folder: Path, place: str) -> None:
    """Compile a folder that will lie at this place; an emulated machine would take long for it."""
    words = ("-m", "compileall", "-q", "--invalidation-mode=unchecked-hash")
    python = tool(f"python{PYTHON}", *words, "-s", str(folder), "-p", place, str(folder))
    home = {"PYTHONHOME": str(tools() / "usr")}
    # Some files of Python itself are there to fail.
    subprocess.run(python, env=os.environ | home, stdout=subprocess.DEVNULL, check=False)


def _configure(root: Path) -> None:
    """What the packages' scripts would have done; none of them can run here."""
    for name in ("passwd", "group"):
        shutil.copy(root / f"usr/share/base-passwd/{name}.master", root / f"etc/{name}")
    (root / "etc/hostname").write_text("pi\n")
    (root / "etc/machine-id").write_text("")
    (root / "etc/fstab").write_text("")
