"""Why a move is not legal: one reason for each that is refused, with the squares that show it."""

from boardfw.rules.reasons.reason import Reason, Why, in_words, not_like_that, piece_on
from boardfw.rules.reasons.why_not import why_none, why_not

__all__ = ["Reason", "Why", "in_words", "not_like_that", "piece_on", "why_none", "why_not"]
