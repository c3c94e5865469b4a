"""Why a move is not legal: one reason for each that is refused, with the squares that show it."""

from boardfw.rules.reasons.reason import Reason, Why
from boardfw.rules.reasons.why_not import why_not

__all__ = ["Reason", "Why", "why_not"]
