"""The panel: what its buttons mean, and what its buzzer says."""
