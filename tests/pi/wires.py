"""What is wired to an emulated machine: header, strip, and eight chips on one bus."""

from __future__ import annotations

INTERRUPT, RESET, TAKE_BACK = 17, 27, 6
"""GPIOs of the reference board."""
STRANGERS = (0x25, 0x26, 0x27)
"""Addresses of chips that the reference board has not."""
PARTS = [
    "boardfw-header,id=header",
    "boardfw-strip,id=strip",
    *(
        f"boardfw-mcp23017,bus=i2c-bus.1,address={at:#x},id=chip-{at:x},int={INTERRUPT},reset={RESET}"
        for at in range(0x20, 0x25)
    ),
    *(
        f"boardfw-tca9555,bus=i2c-bus.1,address={at:#x},id=chip-{at:x},int={INTERRUPT}"
        for at in STRANGERS
    ),
]
