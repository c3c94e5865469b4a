"""Why a move is not legal: one reason for each that is refused, with the squares that show it."""

from boardfw.rules.reasons.reason import Reason, Why
from boardfw.rules.reasons.why_none import why_none
from boardfw.rules.reasons.why_not import why_not
from boardfw.rules.reasons.words import in_words

__all__ = ["Reason", "Why", "in_words", "why_none", "why_not"]
