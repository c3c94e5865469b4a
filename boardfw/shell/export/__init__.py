"""Finished games, copied to where their owner wants them: a stick, a share."""
