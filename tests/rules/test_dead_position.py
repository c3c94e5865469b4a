"""Positions that cannot be won, their look-alikes that can, and proof that none is mistaken."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import pytest

from boardfw.notation.fen import format_fen
from boardfw.rules import BLACK, WHITE, Piece, Position
from boardfw.rules.blockade import is_walled
from boardfw.rules.board import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, Color, placement_of
from boardfw.rules.dead_position import cannot_win, is_dead
from boardfw.rules.setup import Setup
from boardfw.squares import EVERY_SQUARE, Square, square_at
from tests.rules.boards import board

ALIVE, DEAD, UNKNOWN = False, True, False
"""Whether it is proved that a side cannot win. UNKNOWN: it cannot, and no proof is found."""
WALL = "8 ....k...\n5 .p.p.p.p\n4 pPpPpPpP\n3 P.P.P.P.\n"

Case = tuple[str, str, bool, bool]
"""Diagram, side to move, and whether White and Black cannot win."""

MATERIAL: dict[str, Case] = {
    "bare kings": ("6 ....k...\n3 ....K...", "w", DEAD, DEAD),
    "a bishop": ("6 ....k...\n3 ....KB..", "w", DEAD, DEAD),
    "a knight": ("6 ....k...\n3 ....KN..", "w", DEAD, DEAD),
    "two knights": ("6 ....k...\n3 ...NKN..", "w", ALIVE, DEAD),
    "knight against knight": ("6 ....k.n.\n3 ....KN..", "w", ALIVE, ALIVE),
    "knight against rook": ("6 ....k.r.\n2 ...K.N..", "w", ALIVE, ALIVE),
    "knight against pawn": ("6 ....k.p.\n3 ....KN..", "w", ALIVE, ALIVE),
    "a knight's king is never shut in by queens": ("6 ....kqq.\n2 ....KN..", "w", DEAD, ALIVE),
    "bishop against knight": ("6 ....kn..\n3 ....K.B.", "w", ALIVE, ALIVE),
    "bishop against rook": ("6 ....kr..\n2 ....K.B.", "w", DEAD, ALIVE),
    "bishops of one colour": ("6 ....kb..\n3 ....K.B.", "w", DEAD, DEAD),
    "bishops of both colours": ("6 ....kb..\n3 ....KB..", "w", ALIVE, ALIVE),
    "bishop against pawn": ("6 ....kp..\n3 ....K.B.", "w", ALIVE, ALIVE),
    "two bishops on one colour": ("6 ....k...\n3 ..B.K.B.", "w", DEAD, DEAD),
    "two alike against a queen": ("7 q...k...\n3 ..B.K.B.", "w", DEAD, ALIVE),
    "a pawn": ("6 ....k...\n3 ...PK...", "w", ALIVE, DEAD),
}
WALLS: dict[str, Case] = {
    "a wall from edge to edge": (f"{WALL}1 ....K...", "w", DEAD, DEAD),
    "Black to move is no better": (f"{WALL}1 ....K...", "b", DEAD, DEAD),
    "a bishop that attacks own pawns only": (f"{WALL}1 ..B.K...", "w", DEAD, DEAD),
    "a bishop that can be sacrificed": (f"{WALL}1 ....KB..", "w", ALIVE, ALIVE),
    "a knight leaps": (f"{WALL}1 ....KN..", "w", ALIVE, ALIVE),
    "three rams are a wall": (
        "7 ..k.....\n5 .p..p..p\n4 .P..P..P\n2 ....K...",
        "w",
        DEAD,
        DEAD,
    ),
    "two rams leave a gap": (
        "7 ..k.....\n5 .p...p..\n4 .P...P..\n2 ....K...",
        "w",
        ALIVE,
        ALIVE,
    ),
    "kings beyond the wall": (
        "6 ...K....\n5 .p..p..p\n4 .P..P..P\n2 ....k...",
        "w",
        ALIVE,
        ALIVE,
    ),
    "rams on different ranks": (
        "7 ..k.....\n5 .p..p...\n4 .P..P..p\n3 .......P\n2 ....K...",
        "w",
        ALIVE,
        ALIVE,
    ),
    "a wall with a door": (
        "8 ....k...\n5 .p.p.p.p\n4 .PpPpPpP\n3 P.P.P.P.\n1 ....K...",
        "w",
        ALIVE,
        ALIVE,
    ),
    "the door is guarded": (
        "8 ....k...\n5 .p.p.p..\n4 pPpPpPp.\n3 P.P.P.P.\n1 ....K...",
        "w",
        DEAD,
        DEAD,
    ),
    "pawns that may step but never pass": (
        "7 ..k.....\n6 p.......\n5 .p..p..p\n4 .P..P..P\n3 P.......\n2 ....K...",
        "w",
        ALIVE,
        ALIVE,
    ),
}
WALLS |= {
    "each king lacks one piece to be shut in": (
        "8 ....k...\n6 p.p.p.p.\n5 PpPpPpPp\n4 .P.P.P.P\n3 ..B.....\n2 ....b...\n1 ....K...",
        "w",
        DEAD,
        DEAD,
    ),
    "mate stands before the wall": (
        "7 pp......\n6 kp......\n5 .P..p..p\n4 PP..P..P\n1 ....K...",
        "b",
        ALIVE,
        DEAD,
    ),
}
FORCED: dict[str, Case] = {
    "the only move takes the queen": ("8 .......k\n2 .q......\n1 K.......", "w", DEAD, DEAD),
    "both moves take the queen": ("8 .......k\n3 ..N.....\n1 Kq......", "w", DEAD, DEAD),
    "it leaves a pawn": ("8 .......k\n3 .......p\n2 .q......\n1 K.......", "w", DEAD, ALIVE),
    "the pawn may be left": ("8 .......k\n2 .p......\n1 K.......", "w", DEAD, ALIVE),
    "taken by the king, a knight stays": ("7 ....k...\n2 .......q\n1 ......NK", "w", DEAD, DEAD),
    "both bishops end on one colour": (
        "6 b.......\n5 .....B..\n4 ...k....\n2 ......q.\n1 ......K.",
        "w",
        DEAD,
        DEAD,
    ),
    "or on two": ("6 .b......\n5 .....B..\n4 ...k....\n2 ......q.\n1 ......K.", "w", ALIVE, ALIVE),
    "the only moves are into stalemate": ("3 .....k..\n2 .......p\n1 .......K", "w", DEAD, DEAD),
    "mate stands": ("8 k.......\n7 .Q......\n6 .K......", "b", ALIVE, DEAD),
    "stalemate stands": ("8 k.......\n7 ..Q.....\n5 .K......", "b", DEAD, DEAD),
    "mate is possible against more pieces": (
        "8 k.......\n7 .Q......\n6 .K......\n1 q.......",
        "b",
        ALIVE,
        DEAD,
    ),
}
UNDECIDED: dict[str, Case] = {
    "a rook that may be sacrificed only to open the wall": (
        f"{WALL}1 ....K..R",
        "w",
        UNKNOWN,
        ALIVE,
    ),
}
CASES = MATERIAL | WALLS | FORCED | UNDECIDED


@pytest.mark.parametrize("name", CASES)
def test_chances(name: str) -> None:
    diagram, turn, white, black = CASES[name]
    position = board(diagram, turn)
    assert cannot_win(position, WHITE) is white
    assert cannot_win(position, BLACK) is black
    assert is_dead(position) == (white is black is DEAD)


def test_a_capture_en_passant_breaks_a_wall() -> None:
    wall = "7 ..k.....\n6 .......p\n5 .p..p.pP\n4 .P..P.P.\n2 ....K..."
    assert is_dead(board(wall))
    position = board(wall, en_passant="g6")
    assert not is_dead(position)
    assert not cannot_win(position, WHITE)
    assert not cannot_win(position, BLACK)


def test_a_smaller_budget_proves_less_and_mistakes_nothing() -> None:
    assert cannot_win(board(*CASES["two knights"][:2]), BLACK, 1)
    position = board(*LITTLE)
    assert cannot_win(position, WHITE)
    assert not cannot_win(position, WHITE, 1)


LITTLE = "8 ........\n7 k.......\n5 p....p..\n4 P.p..Pp.\n3 KpPp..Pp\n2 .P.P...P", "b"
"""Piece by piece the pawns might be freed. What can follow is little, and holds no mate."""


def test_a_king_without_new_squares_is_searched_to_the_end() -> None:
    position = board(*LITTLE)
    assert not is_dead(position)
    assert cannot_win(position, WHITE)
    assert cannot_win(position, BLACK)


@pytest.mark.parametrize("rams", [2, 3])
@pytest.mark.parametrize("file", [0, 4, 7])
def test_a_wall_needs_three_rams_and_a_pawn_before_every_pawn(file: int, rams: int) -> None:
    others = [other for other in (1, 3, 5, 6) if other != file][:rams]
    for pawns in map("".join, product(".Pp", repeat=6)):
        if max(pawns.count("P"), pawns.count("p")) + rams > 8:
            continue
        pieces = {square_at(4, 0): Piece(KING, WHITE), square_at(4, 7): Piece(KING, BLACK)}
        for other in others:
            pieces[square_at(other, 3)] = Piece(PAWN, WHITE)
            pieces[square_at(other, 4)] = Piece(PAWN, BLACK)
        for rank, pawn in enumerate(pawns, 1):
            if pawn != ".":
                pieces[square_at(file, rank)] = Piece(PAWN, WHITE if pawn == "P" else BLACK)
        is_faced = all(
            "p" in pawns[n:] if pawn == "P" else "P" in pawns[:n]
            for n, pawn in enumerate(pawns)
            if pawn != "."
        )
        has_rams = rams + pawns.count("Pp") >= 3
        position = Setup(placement_of(pieces), WHITE).position()
        assert is_walled(position) == (is_faced and has_rams), pawns
        pieces[square_at(2, 0)] = Piece(KNIGHT, WHITE)
        assert not is_walled(Setup(placement_of(pieces), WHITE).position())


# --- never wrong: against everything that can be played


def walled(dice: random.Random) -> dict[Square, Piece]:
    """Pawns rammed in most files, seldom able to capture one another."""
    pieces: dict[Square, Piece] = {}
    rank = dice.choice([2, 3, 3, 4])
    for file in range(8):
        rank = max(1, min(5, rank + dice.choice([-1, 1, -1, 1, -1, 1, 2])))
        if dice.random() < 0.85:
            pieces[square_at(file, rank)] = Piece(PAWN, WHITE)
            pieces[square_at(file, rank + 1)] = Piece(PAWN, BLACK)
            if dice.random() < 0.2:
                spare = dice.randint(1, 6)
                pieces.setdefault(
                    Square(8 * spare + file), Piece(PAWN, WHITE if spare < rank else BLACK)
                )
    return pieces


def scattered(dice: random.Random) -> dict[Square, Piece]:
    """A few pieces anywhere."""
    kinds = dice.choices((PAWN, KNIGHT, BISHOP, ROOK, QUEEN), (3, 1, 2, 1, 1), k=dice.randint(1, 4))
    return {EVERY_SQUARE[dice.randrange(8, 56)]: Piece(kind, dice.randrange(2)) for kind in kinds}


def positions(seed: int, count: int, *, walls: bool) -> Iterator[Position]:
    """``count`` random legal positions with few pieces."""
    dice = random.Random(seed)
    while count:
        pieces = walled(dice) if walls else scattered(dice)
        empty = dice.sample([square for square in EVERY_SQUARE if square not in pieces], 20)
        at_home = walls and dice.random() < 0.8
        pieces[min(empty) if at_home else empty[0]] = Piece(KING, WHITE)
        pieces[max(empty) if at_home else empty[1]] = Piece(KING, BLACK)
        if walls:
            for square in empty[2 : 2 + dice.choice((0, 0, 0, 1, 1, 2))]:
                piece = Piece(dice.choice((BISHOP, BISHOP, ROOK)), dice.randrange(2))
                pieces.setdefault(square, piece)
        setup = Setup(placement_of(pieces), dice.randrange(2))
        if not setup.problems():
            count -= 1
            yield setup.position()


def winners(position: Position, most: int) -> set[Color]:
    """The sides that mate somewhere among the positions that can follow, up to a limit."""
    met, queue = {position.key}, [position]
    mated = set()
    for here in queue:
        if not here.legal_moves() and here.is_check():
            mated.add(1 - here.turn)
        for move in here.legal_moves():
            there = here.play(move)
            if there.key not in met and len(met) < most:
                met.add(there.key)
                queue.append(there)
    return mated


def check_proofs(seed: int, count: int, most: int, *, walls: bool) -> int:
    """Look for mates where there is said to be none; return how often that was said."""
    said = 0
    for position in positions(seed, count, walls=walls):
        dead = {color for color in (WHITE, BLACK) if cannot_win(position, color, 400)}
        if is_dead(position):
            dead = {WHITE, BLACK}
        if dead:
            said += 1
            assert not winners(position, most) & dead, format_fen(position)
    return said


@pytest.mark.slow
def test_much_that_is_called_dead_holds_no_mate(*, full: bool) -> None:
    size, most = (20, 20_000) if full else (1, 5_000)
    assert check_proofs(77, 150 * size, most, walls=True) >= 5 * size
    assert check_proofs(78, 50 * size, most, walls=False) >= 5 * size


def played_out(position: Position, dice: random.Random) -> list[Position]:
    """A random game from here, mate preferred to anything else."""
    game = [position]
    for _ in range(120):
        after = [game[-1].play(move) for move in game[-1].legal_moves()]
        if not after:
            break
        mates = [there for there in after if there.is_check() and not there.legal_moves()]
        game.append(dice.choice(mates or after))
    return game


def check_games(seed: int, count: int) -> int:
    """A side that mates was never said to be unable to; return how often a side mated."""
    dice, mates = random.Random(seed), 0
    starts = [*positions(seed, count, walls=True), *positions(seed, count, walls=False)]
    for game in (played_out(start, dice) for start in [Position.start(), *starts]):
        end = game[-1]
        if end.is_check() and not end.legal_moves():
            mates += 1
            for position in game[:-1]:
                assert not is_dead(position), format_fen(position)
            for position in game[-40::4]:
                assert not cannot_win(position, 1 - end.turn, 60), format_fen(position)
    return mates


@pytest.mark.slow
def test_a_side_that_mates_in_many_games_was_never_called_unable_to(*, full: bool) -> None:
    assert check_games(99, 500 if full else 60) >= 10
