"""What runs among mocked devices: our drivers over the real libraries, one job a run.

python -m tests.metal.client spi|rpi_ws281x   frames from standard input to a strip
python -m tests.metal.client i2c              transfers over /dev/i2c-1
"""

from __future__ import annotations

import json
import os
import socket
import sys
import threading

from boardfw.errors import BusError
from boardfw.frame import Frame
from hardware.bus import I2cBus
from hardware.spi import SpiStrip
from hardware.wiring import Leds, StripKind
from hardware.ws281x import Ws281xStrip


def main() -> None:
    """Do the job that the command line names."""
    if descriptor := os.environ.get("MEANWHILE"):
        other = socket.socket(fileno=int(descriptor))
        threading.Thread(target=answer, args=(other,), daemon=True).start()
    if sys.argv[1] == "i2c":
        print(json.dumps(transfers(I2cBus("/dev/i2c-1"))))
        return
    for line in sys.stdin:
        strip = json.loads(line)
        kind = StripKind(strip["kind"])
        leds = Leds(squares=tuple(strip["squares"]), colours=strip["colours"], kind=kind)
        light(leds, [Frame(bytes.fromhex(digits)) for digits in strip["frames"]])


def answer(device: socket.socket) -> None:
    """Answer a device that asks, in the middle of a transfer, whether anything else runs."""
    device.recv(1)
    device.send(b"!")


def light(leds: Leds, frames: list[Frame]) -> None:
    """Show frames, one after the other; what cannot be done is said in its one line."""
    strip = SpiStrip(leds) if sys.argv[1] == "spi" else Ws281xStrip(leds, model="")
    try:
        for frame in frames:
            strip.show(frame)
    except BusError as error:
        print(error)
    strip.close()


def transfers(bus: I2cBus) -> dict[str, object]:
    """The results of one transfer of each kind, and of one that is not acknowledged."""
    seen: dict[str, object] = {"registers": list(bus.write_read(0x20, bytes((0x12,)), 2))}
    bus.write(0x20, bytes([0x14, 0xA5, 0x5A]))
    seen["written"] = list(bus.write_read(0x20, bytes((0x14,)), 2))
    seen["bare"] = list(bus.read(0x20, 2))
    seen["other chip"] = list(bus.write_read(0x21, bytes((0x14,)), 2))
    try:
        bus.write_read(0x27, bytes((0x12,)), 2)
    except BusError as error:
        seen["error"] = str(error)
    seen["tried"] = bus.transfers
    seen["failures"] = [[*what, count] for what, count in bus.failures.items()]
    bus.close()
    return seen


if __name__ == "__main__":
    main()
