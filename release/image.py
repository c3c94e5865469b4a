"""``make image``: a Debian for the card of a Raspberry Pi, with boardfw as a service.

No loop device is needed: both file systems are made from directories, and laid into the image.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from release.chroots import Chroot, chroot, debian, need_root
from release.deb import DIST, deb
from release.kept import CACHE, CannotError, FailedError

ROOT = Path(__file__).resolve().parents[1]
CARD = ROOT / "release/card"
SUITE, ARCHITECTURE = "trixie", "arm64"
PACKAGES = (
    *("ca-certificates", "dbus", "e2fsprogs", "fdisk", "firmware-brcm80211", "i2c-tools"),
    *("initramfs-tools", "iproute2", "kmod", "libnss-resolve", "linux-image-arm64"),
    *("openssh-server", "python3", "raspi-firmware", "systemd-resolved", "systemd-sysv"),
    *("systemd-timesyncd", "udev", "wireless-regdb", "wpasupplicant"),
)
"""What the card has beside boardfw. Its Wi-Fi and its first files are no free software."""
HOOKS = (
    # The firmware's own script wants to see that the boot partition is there.
    '--essential-hook=mkdir -p "$1/boot/firmware"',
    '--essential-hook=mount --bind "$1/boot/firmware" "$1/boot/firmware"',
    '--customize-hook=umount "$1/boot/firmware"',
)
TOOLS = {
    "dtc": "device-tree-compiler",
    "mcopy": "mtools",
    "mke2fs": "e2fsprogs",
    "mkfs.vfat": "dosfstools",
    "sfdisk": "fdisk",
    "xz": "xz-utils",
}
MIB = 1 << 20
BOOT_MIB = 512
"""Room for two kernels, of which each brings some 80 MB."""
SPARE_MIB = 256
"""What is free on the card before it has grown."""
MOST_MB = 700
"""What somebody has to fetch."""

# Everything in it is for all of them; models are told apart by the firmware when it starts.
CONFIG_TXT = """\
dtoverlay=boardfw
[pi3]
core_freq=250
[pi02]
core_freq=250
[pi4]
core_freq=500
core_freq_min=500
[all]
"""
FSTAB = """\
LABEL=RASPIROOT / ext4 defaults,noatime 0 1
LABEL=RASPIFIRM /boot/firmware vfat defaults,umask=0077 0 2
"""
NETWORK = """\
[Match]
Name=eth* wlan*

[Network]
DHCP=yes
MulticastDNS=yes
"""
# The key of the card's text file has a file of its own, so that clearing the line leaves others.
SSHD = """\
AuthorizedKeysFile .ssh/authorized_keys /etc/ssh/boardfw_key
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
"""
# What it would else look up on the machine on which the image is made. A Pi 4 does not start with
# the memory that is set aside for pictures by default, and a board shows none.
FIRMWARE = """\
ROOTPART=LABEL=RASPIROOT
CONSOLES="ttyS1,115200 tty0"
CMA=0
"""
# In there, by the emulated Debian. No machine has another one's keys, number or log.
INSTALL = """
export DEBIAN_FRONTEND=noninteractive
dpkg --install /deb/*.deb
systemctl enable boardfw-card.service systemd-networkd.service systemd-resolved.service
systemctl disable ssh.service
mount --bind /boot/firmware /boot/firmware
DEB_MAINT_PARAMS=configure /etc/kernel/postinst.d/z50-raspi-firmware
cat /boot/firmware/cmdline.txt
rm -f /etc/ssh/ssh_host_* /var/lib/dbus/machine-id ~root/.bash_history
: >/etc/machine-id
find /var/log -type f -delete
rm -rf /var/cache/apt/* /var/lib/apt/lists/*
"""


def image(package: Path | None = None) -> Path:
    """Build the image of this checkout, or with a package that is there.

    Raises CannotError or FailedError.
    """
    need_root(TOOLS)
    if package and not package.is_file():
        raise CannotError(f"there is no package {package}; without PACKAGE one is made")
    package = package or deb(SUITE, ARCHITECTURE)
    base = debian(SUITE, ARCHITECTURE, PACKAGES, "main,non-free-firmware", HOOKS)
    with tempfile.TemporaryDirectory(dir=CACHE) as at:
        work = Path(at)
        (work / "deb").mkdir()
        shutil.copy(package, work / "deb")
        with chroot(base, {work / "deb": "/deb"}) as there:
            there.outside(_files())
            print(there.run(INSTALL))
            _lay(there, work)
        target = DIST / f"{package.stem.replace('boardfw_', 'boardfw-image_')}.img.xz"
        with target.open("wb") as file:
            packing = ["xz", "-2", "--threads=2", "--stdout", str(work / "card.img")]
            subprocess.run(packing, stdout=file, check=True)
    if target.stat().st_size > MOST_MB * 1e6:
        raise FailedError(f"{target}: more than {MOST_MB} MB")
    return target


def _files() -> str:
    """Lines of the shell that put the card's own files in their places."""
    texts = {
        "etc/fstab": FSTAB,
        "etc/hostname": "chessboard\n",
        "etc/systemd/network/50-boardfw.network": NETWORK,
        "etc/ssh/sshd_config.d/50-boardfw.conf": SSHD,
        "etc/default/raspi-firmware": FIRMWARE,
        "etc/default/raspi-firmware-custom": CONFIG_TXT,
    }
    lines = [
        f"install -D -m 755 {CARD}/first-start usr/lib/boardfw-card/first-start",
        f"install -D -m 644 {CARD}/boardfw-card.service -t usr/lib/systemd/system",
        f"install -D -m 644 {CARD}/boardfw.txt -t boot/firmware",
        "mkdir -p boot/firmware/overlays",
        f"dtc -q -@ -I dts -O dtb -o boot/firmware/overlays/boardfw.dtbo {CARD}/boardfw.dts",
    ]
    for path, text in texts.items():
        lines.append(f"mkdir -p $(dirname {path})\ncat >{path} <<'END'\n{text}END")
    return "\n".join(lines)


def _lay(there: Chroot, work: Path) -> None:
    """Make both file systems from what is in there, and the image of them."""
    boot, root, card = work / "boot.img", work / "root.img", work / "card.img"
    lines = [
        "ln -sf ../run/systemd/resolve/stub-resolv.conf etc/resolv.conf",
        "rmdir deb",
        f"truncate --size={BOOT_MIB}M {boot}",
        f"mkfs.vfat -n RASPIFIRM {boot} >/dev/null",
        f"mcopy -s -i {boot} boot/firmware/* ::",
        "rm -rf boot/firmware/*",
        f"truncate --size=$(($(du -sm --exclude=./proc . | cut -f1) + {SPARE_MIB}))M {root}",
        f"mke2fs -q -t ext4 -L RASPIROOT -d . {root}",
    ]
    there.outside("\n".join(lines))
    boot_at, root_at = 4, 4 + BOOT_MIB
    whole = root_at * MIB + root.stat().st_size
    with card.open("wb") as file:
        file.truncate(whole)
    table = f"label: dos\nstart={boot_at}MiB, size={BOOT_MIB}MiB, type=c, bootable\n"
    table += f"start={root_at}MiB, type=83\n"
    subprocess.run(["sfdisk", "--quiet", str(card)], input=table, text=True, check=True)
    for part, at in ((boot, boot_at), (root, root_at)):
        laying = ["dd", f"if={part}", f"of={card}", "bs=1M", f"seek={at}"]
        subprocess.run([*laying, "conv=notrunc,sparse", "status=none"], check=True)


def main() -> None:
    """The command line, as the Makefile writes it."""
    parser = argparse.ArgumentParser(description="Build a Raspberry Pi's card into dist/.")
    parser.add_argument("--package", type=Path, help="a package for it; else one is made")
    options = parser.parse_args()
    began = time.monotonic()
    try:
        built = image(options.package)
    except (CannotError, FailedError) as error:
        sys.exit(f"make image: {error}")
    size, took = built.stat().st_size / 1e6, (time.monotonic() - began) / 60
    print(f"{built.relative_to(ROOT)}: {size:.0f} MB, in {took:.0f} min")


if __name__ == "__main__":
    main()
