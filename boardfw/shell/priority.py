"""The scan thread goes before the others, where the unit lets it (``systemd/boardfw.service``)."""

from __future__ import annotations

import logging
import os
import sys

log = logging.getLogger(__name__)

ABOVE = 10
"""So much higher than the rest of a real-time process: LimitRTPRIO of the unit allows it."""


def go_first() -> None:
    """Raise the priority of the calling thread above those of the process's other threads.

    Only in a process that runs in real time as a whole. One such thread alone gains nothing: it
    waits for the interpreter's lock while an ordinary thread that holds it waits for a processor.
    """
    if sys.platform != "linux":
        return
    if os.sched_getscheduler(0) not in (os.SCHED_RR, os.SCHED_FIFO):
        return  # started by hand: as any other program
    priority = os.sched_getparam(0).sched_priority + ABOVE
    try:
        os.sched_setparam(0, os.sched_param(priority))
    except OSError as error:
        log.info("scans have no priority of their own: %s", error.strerror)
    else:
        log.info("scans have real-time priority %d", priority)
