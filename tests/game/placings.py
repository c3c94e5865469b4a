"""Positions to be set up, and hands that do what the lights say."""

from __future__ import annotations

from random import Random

from hypothesis import settings
from hypothesis import strategies as st

from boardfw.game.build_view import look
from boardfw.game.phase import GamePhase
from boardfw.notation.fen import parse_setup
from boardfw.rules import Move, Position
from boardfw.rules.chess960 import start_position
from boardfw.squares import NAMES, START, Bitboard, squares_in
from tests.dances import Table, plain
from tests.rules.scrambles import scramble
from tests.sizes import sized

HOME = Position.start()
ROOK_ENDING = "8/5pk1/6p1/8/8/1P3R2/r5PP/7K w - - 0 40"


def any_position(seed: int) -> Position:
    """Scrambled, or out of a game, perhaps of Chess960; some move is legal."""
    random = Random(seed)
    setup = parse_setup(scramble(seed).fen())
    if seed % 3 == 0 and not setup.problems() and plies(setup.position()):
        return setup.position()
    position = HOME if seed % 3 == 1 else start_position(random.randrange(960))
    for _ in range(random.randrange(60)):
        after = position.play(random.choice(plies(position)))
        position = after if plies(after) else position
    return position


def plies(position: Position) -> list[Move]:
    """Legal moves, without those in which a piece goes to a square that another has to leave."""
    return [move for move in position.legal_moves() if not move.is_castling]


POSITIONS = st.integers(0, 1_000_000)
"""Seeds of positions, and of what else is left to chance."""
sampled = settings(max_examples=sized(6, 30))


def standing_rightly(position: Position) -> Bitboard:
    """Squares with the same piece in the usual start and in this position."""
    shared = squares_in(int(START) & position.occupied)
    return sum(1 << s for s in shared if HOME.piece_at(s) == position.piece_at(s))


def first_ply(table: Table, random: Random) -> None:
    """The game has begun: it takes the next ply."""
    assert table.session.phase.kind is not GamePhase.SETUP  # it may be drawn already
    position = table.session.game.position
    move = random.choice(plies(position))
    table.play(plain(move))
    assert table.moves == move.uci()


def follow_the_lights(table: Table, random: Random) -> int:
    """Do what the lights say until play begins; return how many pieces were put."""
    put = 0
    while table.session.phase.kind is GamePhase.SETUP:
        view = look(table.session)
        if view.surplus:
            table.play(f"-{NAMES[random.choice([*squares_in(view.surplus)])]}")
            continue
        assert view.asked is not None
        assert put < 64
        table.play(f"+{NAMES[random.choice([*squares_in(view.asked.squares)])]}")
        put += 1
    return put
