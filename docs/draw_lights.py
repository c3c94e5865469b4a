"""Draws the pictures and the tables of docs/lights.md from the code.

Run ``make docs``. A test compares the committed files with what this would write, so that they
cannot drift apart.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from boardfw.game.phase import GamePhase
from boardfw.game.setup.placing import NextPieces
from boardfw.game.setup.seat_choice import SeatChoice
from boardfw.game.view import View
from boardfw.lights.cue import STARS, WAYS, Cue
from boardfw.lights.scene import LAYERS, scene
from boardfw.notation.fen import parse_fen, parse_setup
from boardfw.notation.uci import parse_uci
from boardfw.rules import (
    BISHOP,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    Outcome,
    Piece,
    Position,
)
from boardfw.squares import BY_NAME, Bitboard, Square, bitboard_of
from docs import draw_help
from docs.draw_help import pieces_of
from docs.drawing.pages import between, table, write
from docs.drawing.picture import look_in_words, picture
from docs.drawing.rhythms import DESCRIPTIONS

DOCS = Path(__file__).resolve().parent


class Example(NamedTuple):
    """One picture. ``pieces``: what stands on the board, where it is not the position's own."""

    name: str
    title: str
    view: View
    pieces: dict[Square, Piece] | None = None
    mono: bool = False
    legend: bool = True


def squares(names: str) -> Bitboard:
    """The set of squares named in a text like "e4 d5"."""
    return bitboard_of(BY_NAME[name] for name in names.split())


def in_hand(fen: str, name: str) -> View:
    """The view while the piece of the square of this name is in the hand."""
    position = parse_fen(fen)
    origin = BY_NAME[name]
    moves = tuple(move for move in position.legal_moves() if move.origin == origin)
    return View(position, in_hand=origin, destinations=moves)


def after(fen: str, uci: str, provisional: bool = False) -> View:
    """The view after this move."""
    before = parse_fen(fen)
    move = parse_uci(before, uci)
    return View(before.play(move), last_move=move, provisional=provisional)


def asking(fen: str, *answers: str) -> View:
    """The view while the board asks which of these moves was meant."""
    position = parse_fen(fen)
    return View(position, candidates=tuple(parse_uci(position, uci) for uci in answers))


def ended(fen: str, result: str, termination: str) -> View:
    """The view at the end of a game."""
    return View(parse_fen(fen), phase=GamePhase.OVER, outcome=Outcome(result, termination))


def moved(fen: str, steps: str) -> dict[Square, Piece]:
    """Square -> piece after steps like "g1g3 e2e5", legal or not."""
    pieces = pieces_of(parse_fen(fen))
    for step in steps.split():
        pieces[BY_NAME[step[2:]]] = pieces.pop(BY_NAME[step[:2]])
    return pieces


def promoting(piece_type: int) -> View:
    """The view while a white pawn that came to b8 has become this type of piece."""
    before = parse_fen(PROMOTION)
    move = parse_uci(before, "b7b8" + Piece(piece_type, 1).letter)
    return View(before.play(move), last_move=move, promotion=piece_type)


FIRST = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
SPANISH = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"
PASSING = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"
CASTLING = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 4 8"
BEFORE_CHECK = "rnbqkbnr/ppp2ppp/3p4/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3"
CHECK = "rnbqkbnr/ppp2ppp/3p4/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 1 3"
TWO_PAWNS = "rnbqkbnr/ppp1p1pp/8/3p1p2/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3"
PROMOTION = "6k1/1P3ppp/8/8/8/8/5PPP/6K1 w - - 0 1"
MATED = "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4"
FOOLED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"


def examples() -> Iterable[Example]:
    """Every picture of the page."""
    yield Example("knight", "A knight in hand", in_hand(FIRST, "g1"))
    yield Example("capture", "A bishop in hand", in_hand(SPANISH, "b5"))
    yield Example("en-passant", "A pawn in hand that may take in passing", in_hand(PASSING, "e5"))
    yield Example("castling", "A king in hand that may castle", in_hand(CASTLING, "e1"))
    yield Example("last-move", "The last move", after(FIRST, "e2e4"))
    yield Example("provisional", "The last move, not yet certain", after(FIRST, "e2e4", True))
    yield Example("check", "Check", after(BEFORE_CHECK, "f1b5"))
    yield Example("check-in-hand", "A piece in the hand that answers a check", in_hand(CHECK, "c7"))
    yield from mismatches()
    yield from helping()
    yield Example(
        "question", "A question", asking(TWO_PAWNS, "e4d5", "e4f5"), moved(TWO_PAWNS, "e4d5")
    )
    for piece_type in (QUEEN, KNIGHT, ROOK, BISHOP):
        letter = Piece(piece_type, 0).letter
        view = promoting(piece_type)
        yield Example(f"promotion-{letter.lower()}", f"Promotion: {letter}", view, legend=False)
    yield from setting_up()
    yield choosing()
    blind = after(CASTLING, "e1g1")._replace(blind=squares("a3 b3 c3 d3 a4 b4 c4 d4 e4 f4 g4 h4"))
    yield Example("blind", "Switches that cannot be read", blind)
    yield Example("good-bye", "Good-bye", blind._replace(blind=0, good_bye=1))
    yield Example("stuck", "A switch that is stuck", stuck(CASTLING, "e1g1", "a7"))
    yield Example("white-won", "White won", ended(MATED, "1-0", "checkmate"))
    yield Example("black-won", "Black won", ended(FOOLED, "0-1", "checkmate"))
    yield Example("draw", "A draw", ended(STALEMATE, "1/2-1/2", "stalemate"))
    yield Example("mono", "The same king in one colour", in_hand(CASTLING, "e1"), mono=True)


def mismatches() -> Iterable[Example]:
    """A knight after an impossible move, and several pieces in wrong places at once."""
    position = parse_fen(SPANISH)
    step = ((BY_NAME["g4"], BY_NAME["f3"]),)
    wrong = View(position, missing=squares("f3"), extra=squares("g4"), repair=step)
    yield Example("mismatch", "A piece in a wrong place", wrong, moved(SPANISH, "f3g4"))
    steps = (*step, (BY_NAME["a4"], BY_NAME["a2"]), (None, BY_NAME["h2"]))
    missing, extra = squares("f3 a2 h2"), squares("g4 a4")
    knocked = View(position, missing=missing, extra=extra, repair=steps)
    pieces = moved(SPANISH, "f3g4 a2a4")
    del pieces[BY_NAME["h2"]]
    yield Example("knocked", "Several pieces in wrong places", knocked, pieces)


def helping() -> Iterable[Example]:
    """Reasons, hanging pieces, and doubted moves."""
    pinned, there = draw_help.refused(draw_help.PINNED, "f3f1")
    yield Example("pinned", "A pinned rook left its line", pinned, there)
    castled, there = draw_help.refused(draw_help.THROUGH_CHECK, "e1c1")
    yield Example("through-check", "A king castled over an attacked square", castled, there)
    yield Example("in-the-way", "A piece that cannot move", draw_help.held(draw_help.HOME, "a1"))
    queen = draw_help.with_dangers(draw_help.QUEEN, "d1")
    yield Example("danger", "A queen in hand, and where she would be lost", queen)
    knight = draw_help.with_contact(draw_help.KNIGHT, "e4")
    yield Example("contact", "A knight held for long", knight)
    king = draw_help.with_hanging(draw_help.HANGING, "e1")
    yield Example("hanging", "A king held for long", king)
    squares_of = ("d2 d3 d4 e2", "b1 c1", "d5 d6 d7 d8")
    coached = draw_help.coached(draw_help.QUEEN, "d1", *squares_of)
    yield Example("coach", "A queen in hand, and a coach", coached)
    yield Example("coach-mono", "The same in one colour", coached, mono=True)
    yield Example("hint", "A hint", draw_help.hinted(draw_help.QUEEN, "f1d3"))
    yield Example("really", "A ply that hangs a piece", draw_help.doubted(draw_help.QUEEN, "d1d5"))


def stuck(fen: str, uci: str, names: str) -> View:
    """The view after this move, over switches that are stuck."""
    view = after(fen, uci)
    return view._replace(standing=view.position.occupied, stuck=squares(names))


def setting_up() -> Iterable[Example]:
    """Pieces being set up: White's knights next, Black's queen next, and an impossible pawn."""
    home = Position.start()
    pieces = {
        square: piece for square, piece in pieces_of(home).items() if piece.piece_type > KNIGHT
    }
    pieces[BY_NAME["e4"]] = Piece(ROOK, 0)
    yield Example("setting-up", "White's knights are next", placing("N", pieces), pieces)
    kings = {square: piece for square, piece in pieces_of(home).items() if piece.piece_type == KING}
    kings[BY_NAME["d1"]] = Piece(QUEEN, 0)
    yield Example("setting-up-black", "Black's queen is next", placing("q", kings), kings)
    setup = parse_setup("P3k3/8/8/8/8/8/8/4K3 w - - 0 1")
    view = View(home, phase=GamePhase.SETUP, problems=setup.problems())
    pawn = {
        BY_NAME["a8"]: Piece(PAWN, 0),
        BY_NAME["e8"]: Piece(KING, 1),
        BY_NAME["e1"]: Piece(KING, 0),
    }
    yield Example("faulty", "A pawn on an impossible square", view, pawn)


def choosing() -> Example:
    """An opponent of level 5 being chosen by the player of the white pieces."""
    choice, home = SeatChoice(), Position.start()
    for names in ("d1", "d1 e1", "d1 e1 e4", "d1 e4"):
        choice.feed(home.occupied ^ squares(names), may_begin=True)
    pieces = moved(FIRST, "d1e4")
    return Example("level", "An opponent of level 5", View(home, picking=choice.shown), pieces)


def placing(letter: str, pieces: dict[Square, Piece]) -> View:
    """The view while the usual position is set up and this piece is next."""
    standing, asked = bitboard_of(pieces), Piece.of(letter)
    home = Position.start().occupied
    return View(
        Position.start(),
        phase=GamePhase.SETUP,
        standing=standing,
        wanted=home & ~standing,
        surplus=standing & ~home,
        asked=NextPieces(asked, Position.start().pieces_of(*asked) & ~standing),
    )


def draw(example: Example) -> str:
    """The SVG text of an example."""
    view = example.view
    pieces = pieces_of(view.position) if example.pieces is None else dict(example.pieces)
    hand = None if view.in_hand is None else (view.in_hand, pieces.pop(view.in_hand))
    return picture(
        scene(view),
        pieces,
        example.title,
        in_hand=hand,
        mono=example.mono,
        legend=example.legend,
    )


REASONS = frozenset((Cue.REASON_PIECE, Cue.REASON_SQUARE, *WAYS))

LESSONS: dict[str, frozenset[Cue]] = {
    "asking for pieces": REASONS | {Cue.THIS_ONE, Cue.FOUND, Cue.RIPENING, Cue.WRONG},
    "collecting stars": REASONS | {*STARS, Cue.FOUND, Cue.WRONG},
    "leading a hand": REASONS | {Cue.THIS_ONE, Cue.PUT_HERE, Cue.WRONG},
    "looking for some": frozenset({Cue.AREA, Cue.COUNTER, Cue.THIS_ONE, Cue.FOUND}),
    "asking about a square": frozenset({Cue.QUESTION, Cue.FOUND, Cue.WRONG}),
    "asking for a move": frozenset({Cue.RIPENING, Cue.WHO_MOVES, Cue.COUNTER}),
    "all is right": frozenset({Cue.DONE}),
}
"""The cues of each scene of a lesson that is not a scene of play."""


def cue_table() -> str:
    """Every cue: what it says, and how it looks."""
    rows = (
        (cue.sentence, look_in_words(cue.look), f"{cue.look.level:.0%}")
        for cue in Cue
        if cue.look.level
    )
    return table(("it says", "light", "level"), rows)


def rhythm_table() -> str:
    """Every rhythm in words."""
    return table(("rhythm", "what the eye sees"), DESCRIPTIONS.items())


def layer_table() -> str:
    """What is shown when several things could be said."""
    beside = "of the later rows only these are shown with it"
    rows = (
        (number, layer.name, ", ".join(sorted(layer.beside)) or "-")
        for number, layer in enumerate(LAYERS, 1)
    )
    return table(("", "while this is shown", beside), rows).replace("|  |", "| |", 1)


def lesson_table() -> str:
    """The cues of each scene of lessons."""
    rows = (
        (name, " ".join(dict.fromkeys(cue.sentence for cue in sorted(cues))))
        for name, cues in LESSONS.items()
    )
    return table(("a lesson", "what it may say at a time"), rows)


def page(text: str) -> str:
    """docs/lights.md with its tables as the code has them."""
    tables = {
        "cues": cue_table(),
        "rhythms": rhythm_table(),
        "layers": layer_table(),
        "lessons": lesson_table(),
    }
    for name, made in tables.items():
        text = between(text, name, made)
    return text


def files() -> dict[Path, str]:
    """Every file that is made here, and its text."""
    made = {DOCS / "pictures" / f"{example.name}.svg": draw(example) for example in examples()}
    guide = DOCS / "lights.md"
    made[guide] = page(guide.read_text(encoding="utf-8"))
    return made


if __name__ == "__main__":
    write(files())
