"""User-Mode Linux, a kernel that runs as a program, does not run on every processor."""

from __future__ import annotations

import pytest


def skip_unless_registers_fit(said: str) -> None:
    """Skip if this kernel, which has ``said`` so, has ended for want of room for all registers.

    Linux 6.1 has none for those of AMX, which new processors for servers have.
    """
    if "ptrace set fp regs failed" in said:
        pytest.skip("needs a processor whose registers User-Mode Linux can put back")
