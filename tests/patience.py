"""How long a test waits for what is sure to happen."""

PATIENCE_S = 120.0
"""After this time a test has failed, also on a machine with ten other busy processes. A test that
passes waits for an event or a state and never for a time."""
PATIENCE_US = round(PATIENCE_S * 1_000_000)
