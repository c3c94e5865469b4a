"""Games with everything that PGN can hold, for hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from boardfw.notation.fen import parse_fen
from boardfw.notation.nag import HIGHEST
from boardfw.notation.pgn import NULL, Game, Spot, after
from boardfw.rules import Position

STARTS = [
    Position.start(),
    parse_fen("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 30"),
    parse_fen("nnrbkrbq/pppppppp/8/8/8/8/PPPPPPPP/NNRBKRBQ w FCfc - 0 1"),
    parse_fen("8/PPPk4/8/8/8/8/4Kppp/8 w - - 0 1"),
]
WORDS = st.sampled_from(
    [
        "%",
        "{",
        "}",
        "(",
        ")",
        ";",
        "[%clk 0:00:01]",
        "[%x",
        "]",
        "1-0",
        "*",
        "e4",
        '"',
        "[Event ",
        "\\",
    ]
)
COMMENTS = st.lists(
    st.lists(WORDS | st.text(max_size=12), max_size=12).map(" ".join), max_size=2
).map(tuple)
NAGS = st.lists(st.integers(0, HIGHEST), max_size=2).map(tuple)
TAGS = st.dictionaries(
    st.sampled_from(["Event", "White", "Black", "ECO", "Annotator", "SetUp"])
    | st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_]{0,8}", fullmatch=True),
    st.text(max_size=20),
    max_size=4,
)


@st.composite
def games(draw: st.DrawFn) -> Game:
    """A game of some plies, with variations of variations."""
    game = Game(draw(TAGS), draw(st.sampled_from(STARTS)))
    game.result = draw(st.sampled_from(["1-0", "0-1", "1/2-1/2", "*"]))
    game.comments, game.closing = draw(COMMENTS), draw(COMMENTS)
    open_ends: list[tuple[Spot, Position]] = [(game, game.start)]
    for _ in range(draw(st.integers(0, 30))):
        spot, position = draw(st.sampled_from(open_ends[-6:]))
        moves = list(position.legal_moves())
        if spot.children and not position.is_check():
            moves.append(NULL)
        if not moves:
            continue
        move = draw(st.sampled_from(moves))
        node = spot.add(move)
        node.nags, node.comments = draw(NAGS), draw(COMMENTS)
        if len(spot.children) > 1:
            node.before, node.behind = draw(COMMENTS), draw(COMMENTS)
        open_ends.append((node, after(position, move)))
    return game
