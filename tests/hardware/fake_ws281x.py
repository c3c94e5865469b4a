"""The low-level calls of rpi_ws281x 5.0.0, without a strip; its memory can be misused as there.

``tests/metal`` drives the real library.
"""

from __future__ import annotations

from itertools import permutations
from types import ModuleType, SimpleNamespace
from typing import Any

CODES = {
    "SUCCESS": 0,
    "ERROR_HW_NOT_SUPPORTED": -3,
    "ERROR_MEM_LOCK": -4,
    "ERROR_MMAP": -5,
    "ERROR_MAP_REGISTERS": -6,
    "ERROR_MAILBOX_DEVICE": -9,
    "ERROR_SPI_SETUP": -13,
}


class Library(ModuleType):
    """The package rpi_ws281x, with ``ws`` in it, and what was done to it."""

    def __init__(self) -> None:
        super().__init__("rpi_ws281x")
        self.ws: Any = self
        self.init_code = 0
        self.render_code = 0
        self.shown: list[dict[int, int]] = []
        self.strips: list[SimpleNamespace] = []
        for name, code in CODES.items():
            setattr(self, f"WS2811_{name}", code)
        for order in map("".join, permutations("RGB")):
            setattr(self, f"WS2811_STRIP_{order}", order)
            setattr(self, f"SK6812_STRIP_{order}W", f"{order}W")

    def new_ws2811_t(self) -> SimpleNamespace:
        channels = [SimpleNamespace(leds={}), SimpleNamespace(leds={})]
        self.strips.append(SimpleNamespace(channels=channels, ready=False, alive=True))
        return self.strips[-1]

    def delete_ws2811_t(self, strip: SimpleNamespace) -> None:
        assert strip.alive
        strip.alive = False

    def ws2811_t_freq_set(self, strip: SimpleNamespace, freq: int) -> None:
        strip.freq = freq

    def ws2811_t_dmanum_set(self, strip: SimpleNamespace, dmanum: int) -> None:
        strip.dmanum = dmanum

    def ws2811_channel_get(self, strip: SimpleNamespace, number: int) -> SimpleNamespace:
        channel: SimpleNamespace = strip.channels[number]
        return channel

    def ws2811_channel_t_count_set(self, channel: SimpleNamespace, count: int) -> None:
        channel.count = count

    def ws2811_channel_t_gpionum_set(self, channel: SimpleNamespace, gpionum: int) -> None:
        channel.gpionum = gpionum

    def ws2811_channel_t_invert_set(self, channel: SimpleNamespace, invert: int) -> None:
        channel.invert = invert

    def ws2811_channel_t_brightness_set(self, channel: SimpleNamespace, brightness: int) -> None:
        channel.brightness = brightness

    def ws2811_channel_t_strip_type_set(self, channel: SimpleNamespace, kind: str) -> None:
        channel.strip_type = kind

    def ws2811_init(self, strip: SimpleNamespace) -> int:
        strip.ready = self.init_code == 0
        return self.init_code

    def ws2811_led_set(self, channel: SimpleNamespace, led: int, colour: int) -> None:
        assert 0 <= led < channel.count
        channel.leds[led] = colour

    def ws2811_render(self, strip: SimpleNamespace) -> int:
        assert strip.ready
        assert strip.alive
        self.shown += [dict(channel.leds) for channel in strip.channels if channel.leds]
        return self.render_code

    def ws2811_fini(self, strip: SimpleNamespace) -> None:
        assert strip.ready, "a crash: this strip was never made ready"
        strip.ready = False

    def ws2811_get_return_t_str(self, code: int) -> str:
        return f"code {code}"
