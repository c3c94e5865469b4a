"""A second generator of traces: pieces are moved through space, and switches feel their magnets.

It shares nothing with the simulator of the firmware, neither code nor guesses about hands. It was
written from the trace format, from data sheets and from how people play. Data flow one way:

`games` -> `people` and `sitting` -> `hand` -> `table` (paths of `motion`) -> `switches` -> `trace`

`scoring` plays the traces through the firmware. `python -m tests.foreign_hands --help` runs it.
"""
