"""A few exercises of every type, each a line: what is asked, and where."""

from __future__ import annotations

from boardfw.learning import queries
from boardfw.learning.course import Exercise
from boardfw.learning.lone_piece import way
from boardfw.learning.queries import may, reach, state
from boardfw.learning.task import (
    All,
    Find,
    Goal,
    Line,
    May,
    OneMove,
    Place,
    Play,
    Reach,
    Stars,
    Task,
    Touch,
    Verdict,
)
from boardfw.notation.fen import parse_fen
from boardfw.notation.san import parse_san
from boardfw.recording import START_FEN
from boardfw.rules import BLACK, WHITE, Move, Position
from boardfw.squares import BY_NAME, bitboard_of

SAMPLES = """
find e4 d5 a6 h3              | START
find d5 e2 g8                 | START
place guided                  | 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1
place kind:K kind:R           | 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1
touch kind:N                  | START
touch kind:N                  | 7k/8/8/8/8/8/8/K1B2B2 w - - 0 1
touch captures_of:d4          | k7/8/8/2rnr3/3P4/7p/7B/7K w - - 0 1
touch checkers                | 4k3/8/2n5/1B6/8/4r3/8/4K3 w - - 0 1
reach d5                      | 7k/8/8/3R1P2/8/8/3b4/K7 w - - 0 1
reach e5                      | 7k/6n1/8/1P2Q3/8/8/8/K7 w - - 0 1
reach e5                      | 7k/8/3PPP2/3PNP2/3PPP2/8/8/K7 w - - 0 1
reach c2                      | 4k3/8/8/8/8/2n5/2P5/4K3 w - - 0 1
reach c5                      | 8/8/3q4/1Pk5/3r4/8/8/6K1 b - - 0 1
reach f3                      | 4k3/8/8/8/4b3/5R2/6K1/8 w - - 0 1
stars c6 f6 f3                | 7k/8/8/8/8/8/2R5/K7 w - - 0 1
stars c7                      | 4k3/8/8/8/8/8/2P5/4K3 w - - 0 1
stars d4 e5 d6                | 7k/8/3n4/4b3/3r4/4P3/8/K7 w - - 0 1
stars c7 f5 f3                | 7k/2p5/8/2R2n2/8/5b2/8/K7 w - - 0 1
move safe                     | 4k3/8/2b5/8/4N3/6P1/8/R3K3 w - - 0 1
move best_capture             | 4k3/3p4/2n5/8/4Nb2/6P1/8/2R1K3 w - - 0 1
move mate                     | 3k4/8/8/5B2/8/8/2Q5/R3R1K1 w - - 0 1
move castle                   | r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1
move castle                   | r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1
move en_passant               | 8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1
move san:a8=Q+                | 7k/P7/8/8/8/8/8/K7 w - - 0 1
move san:c8=N+                | 8/q1P1k3/8/8/8/8/8/4K3 w - - 0 1
move san:bxa8=Q+              | r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1
all capture                   | 4k3/r7/2n5/1P1p4/4P1b1/5P2/8/R3K3 w - - 0 1
all check                     | 4k3/8/8/8/8/8/8/3QK3 w - - 0 1
all legal                     | k1R5/b7/1n6/8/8/8/8/6K1 b - - 0 1
may d5f5                      | 7k/8/8/3R1P2/8/8/3b4/K7 w - - 0 1
may d5d2                      | 7k/8/8/3R1P2/8/8/3b4/K7 w - - 0 1
may e1g1                      | 4k2r/8/8/8/8/8/8/4K2R w K - 0 1
may e1c1                      | 3rk3/8/8/8/8/8/8/R3K3 w Q - 0 1
may b5c6                      | 4k3/8/8/1Pp5/8/8/8/4K3 w - - 0 2
may e5d6                      | 8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2
verdict                       | R2k4/8/8/5B2/8/8/2Q5/4R1K1 b - - 0 1
verdict                       | R2k4/8/8/8/8/8/2Q5/4R1K1 b - - 0 1
verdict                       | 4R3/8/7B/4b3/4k1P1/8/8/3Q3K b - - 0 1
verdict                       | 8/8/4k3/8/8/4KB2/8/8 w - - 0 1
verdict                       | 7k/8/8/8/8/8/R7/K7 w - - 100 80
line white c5 bxc6            | 4k3/2p5/8/1P6/8/8/8/4K3 b - - 0 1
line black g4 fxg3/hxg3       | 4k3/8/8/8/5p1p/8/6P1/4K3 w - - 0 1
line both e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O | START
line claim Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 | START
line no_claim Ra2 Ra7 Ra1 Ra8 Ra2 Ra7 Ra1 Ra8 | r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1
play mate                     | 7k/8/6K1/8/8/8/8/5Q2 w - - 0 1
"""
COLORS = {"white": WHITE, "black": BLACK}
CLAIMS = {"claim": True, "no_claim": False}


def samples() -> list[Exercise]:
    """All of them, by the number of their line."""
    lines = SAMPLES.strip().splitlines()
    return [_exercise(number, *line.split("|")) for number, line in enumerate(lines)]


def _exercise(number: int, asked: str, where: str) -> Exercise:
    position = parse_fen(START_FEN if where.strip() == "START" else where.strip())
    word, *about = asked.split()
    task = _task(word, about, position)
    you = task.you if isinstance(task, Line) and task.you is not None else position.turn
    return Exercise(f"{word}.{number}", position, task, you=you)


def _task(word: str, about: list[str], position: Position) -> Task:
    squares = [BY_NAME[name] for name in about if name in BY_NAME]
    match word:
        case "find":
            return Find(tuple(squares))
        case "place":
            proof = [queries.squares(position, one) for one in about if one != "guided"]
            return Place("guided" in about, tuple(proof))
        case "touch":
            return Touch(queries.squares(position, about[0]))
        case "reach":
            return Reach(squares[0], reach(position, squares[0]))
        case "stars":
            stars = bitboard_of(squares)
            return Stars(stars, len(way(position, stars) or ()))
    return _played(word, about, position)


def _played(word: str, about: list[str], position: Position) -> Task:
    match word:
        case "move":
            return OneMove(tuple(queries.moves(position, about[0])))
        case "all":
            return All(tuple(queries.moves(position, about[0])))
        case "may":
            origin, target = BY_NAME[about[0][:2]], BY_NAME[about[0][2:]]
            return May(origin, target, may(position, origin, target))
        case "verdict":
            return Verdict(state(position))
        case "line":
            return Line(_plies(position, about[1:]), COLORS.get(about[0]), CLAIMS.get(about[0]))
    return Play(Goal(about[0]), position.turn, 60)


def _plies(position: Position, sans: list[str]) -> tuple[tuple[Move, ...], ...]:
    plies = []
    for san in sans:
        plies.append(tuple(parse_san(position, one) for one in san.split("/")))
        position = position.play(plies[-1][0])
    return tuple(plies)
