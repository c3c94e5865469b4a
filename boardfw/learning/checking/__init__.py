"""The validator: what is wrong with lessons, what of the rules they teach, what could be better."""

from boardfw.learning.checking.coverage import Statement, matrix, read_statements
from boardfw.learning.checking.lesson_checks import examine
from boardfw.learning.checking.text_checks import remarks_on

__all__ = ["Statement", "examine", "matrix", "read_statements", "remarks_on"]
