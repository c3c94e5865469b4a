"""The validator: what is wrong with lessons, what of the rules they teach, what could be better."""

from boardfw.learning.checking.examining import examine
from boardfw.learning.checking.matrix import matrix
from boardfw.learning.checking.remarks import remarks_on
from boardfw.learning.checking.statements import Statement, read_statements

__all__ = ["Statement", "examine", "matrix", "read_statements", "remarks_on"]
