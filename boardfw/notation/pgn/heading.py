"""The tags of a game while they are read."""

from __future__ import annotations

from boardfw.errors import NotationError
from boardfw.notation.errors import quoted
from boardfw.notation.fen import parse_fen
from boardfw.notation.pgn.faults import FaultBook
from boardfw.notation.pgn.tags import START, parse_tag
from boardfw.notation.result import parse_result

CHESS = frozenset(
    (
        *("", "standard", "chess", "normal", "classical", "fromposition"),
        *("chess960", "960", "frc", "fischerandom", "fischerrandom", "fischerrandomchess"),
        *("freestyle", "freestylechess"),
    )
)
"""What tag Variant says of games that are played by the rules of chess, in letters and digits."""


class Heading:
    """The tags, and the start that one of them may give."""

    def __init__(self, report: FaultBook) -> None:
        self.tags: dict[str, str] = {}
        self.start = START
        self.is_startless = False
        """Whether the start could not be read: no move can be played."""
        self._report = report

    def take(self, word: str) -> bool:
        """A tag, or what should be one. False if it could not be taken."""
        tag = parse_tag(word)
        if tag is None:
            self._report(
                f'{quoted(word)} is no tag; write one such as [White "Anna"] on a line of its own'
            )
            return False
        name, value, is_strict = tag
        if name in self.tags:
            self._report(f"tag {name} stands here twice; the first counts, remove one")
            return False
        if not is_strict:
            self._report(f'tag {name}: a " or \\ inside the value needs a \\ before it')
        self.tags[name] = value
        if name == "Result" and parse_result(value) is None:
            self._report(
                f"tag Result: {quoted(value)} is no result; write one of 1-0 0-1 1/2-1/2 *"
            )
        if name == "Variant" and "".join(filter(str.isalnum, value)).lower() not in CHESS:
            self._report(f"this is a game of {quoted(value)}, and no chess", breaks=True)
            self.is_startless = True
        return name != "FEN" or self._take_start(value)

    def _take_start(self, fen: str) -> bool:
        try:
            self.start = parse_fen(fen)
        except NotationError as error:
            self._report(str(error), breaks=True)
            self.is_startless = True
            return False
        return True

    def goes_on_with(self, word: str) -> bool:
        """Whether this tag may belong here although text has come between: it is none that
        every game begins with, nor one that stands here already."""
        tag = parse_tag(word)
        return tag is None or (tag[0] not in self.tags and not (self.tags and tag[0] == "Event"))

    def repeats_event(self, word: str) -> bool:
        """Whether this tag begins the next game although this one has no moves yet."""
        if not word.startswith("[Event") or "Event" not in self.tags:
            return False
        tag = parse_tag(word)
        return tag is not None and tag[0] == "Event"

    def result(self) -> str | None:
        """What tag Result says, None if nothing or nonsense."""
        return parse_result(self.tags.get("Result", "*"))
