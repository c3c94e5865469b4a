"""What a PGN file says about the moves of a game: comments, NAGs and variations.

Times are no part of it. They belong to the record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from boardfw.errors import NotationError
from boardfw.notation.pgn import Game, Node, Spot, read_games
from boardfw.notation.pgn.tags import written_tags
from boardfw.rules import Move, Position


def is_annotated(game: Game) -> bool:
    """True if the game has more than tags, moves and a result."""
    nodes = list(game.mainline())
    has_signs = any(node.nags for node in nodes)
    has_comments = any(spot.comments for spot in (game, *nodes)) or bool(game.closing)
    return has_signs or has_comments or any(spot.children[1:] for spot in (game, *nodes))


def counted(game: Game) -> Counter[str]:
    """How many ``comments``, ``signs`` (NAGs) and ``variations`` a game has."""
    count = Counter(comments=len(game.comments) + len(game.closing))
    spots: list[Spot] = [game]
    for _, node in game.walk():
        spots.append(node)
        count["comments"] += len(node.before) + len(node.comments) + len(node.behind)
        count["signs"] += len(node.nags)
    count["variations"] = sum(len(spot.children[1:]) for spot in spots)
    return +count


def parse_annotations(start: Position, movetext: str) -> Game:
    """The game of a movetext from this position. Raises NotationError if the text has faults."""
    tags = written_tags({}, start, "*")
    head = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    games = list(read_games(f"{head}\n{movetext}", "annotations"))
    if len(games) != 1 or games[0].faults:
        raise NotationError("the annotations of a game cannot be read")
    return games[0]


def spots_of(annotations: Game, moves: Sequence[Move]) -> Iterator[Spot]:
    """The spots of the annotated game, the start first, as far as these moves are its own."""
    yield annotations
    for node, move in zip(annotations.mainline(), moves, strict=False):
        if node.move != move:
            return
        yield node


def add_annotations(game: Game, annotations: Game) -> None:
    """Write annotations into a game, up to the first move that differs from theirs."""
    spots: list[Spot] = [game, *game.mainline()]
    noted = list(spots_of(annotations, game.moves))
    for spot, one in zip(spots, noted, strict=False):
        first = " ".join(filter(None, [*spot.comments, *one.comments[:1]]))
        spot.comments = (*filter(None, [first]), *one.comments[1:])
        if isinstance(spot, Node) and isinstance(one, Node):
            spot.nags = one.nags
    for spot, one in zip(spots, noted[:-1], strict=False):
        spot.children += one.children[1:]
    if len(noted) == len(spots) and not noted[-1].children:
        game.closing = annotations.closing
