"""While the switches cannot be read the game waits; afterwards it goes on where it was."""

from __future__ import annotations

import pytest

from boardfw.game.build_view import look
from boardfw.game.events import Finalised, Outage, Restored, Tick
from boardfw.game.session import Session
from boardfw.lights.cue import Cue
from boardfw.lights.scene import scene
from boardfw.notation.fen import parse_fen
from boardfw.recording import START_FEN, Press, Scan
from boardfw.rules import Position
from boardfw.squares import BY_NAME, START, SWITCH_BY_NAME, Occupancy, occupancy_of
from tests.dances import Table
from tests.lights.shown import cues_of, squares_of

SECOND = 1_000_000
SQUARES = occupancy_of(SWITCH_BY_NAME[name] for name in ("e3", "e4", "e5"))


def stood(*names: str, instead: tuple[str, ...] = ()) -> Occupancy:
    """The start without the pieces of these squares, and with pieces on those."""
    gone = occupancy_of(SWITCH_BY_NAME[name] for name in names)
    return START & ~gone | occupancy_of(SWITCH_BY_NAME[name] for name in instead)


def session_at_rest() -> Session:
    session = Session(Position.start())
    session.handle(Scan(0, START))
    session.handle(Tick(2 * SECOND))
    return session


def after_an_outage(occupancy: Occupancy, *, lasting_us: int = SECOND) -> Session:
    """A session whose switches read like this when they can be read again, and 2 s later."""
    session = session_at_rest()
    suffer(session, occupancy, lasting_us=lasting_us)
    return session


def suffer(session: Session, occupancy: Occupancy, *, lasting_us: int = SECOND) -> None:
    """Let the switches be unreadable for a while, read so afterwards, and rest for two seconds."""
    begun_us, over_us = session.t_us + SECOND, session.t_us + SECOND + lasting_us
    session.handle(Outage(begun_us, SQUARES, "chip 0x21: no acknowledgement"))
    session.handle(Restored(over_us))
    session.handle(Scan(over_us, occupancy, begun_us))
    while (due_us := session.deadline_us) is not None and due_us < over_us + 2 * SECOND:
        session.handle(Tick(due_us))
    session.handle(Tick(over_us + 2 * SECOND))


def moves(session: Session) -> str:
    return " ".join(move.uci() for move in session.record.moves)


@pytest.mark.parametrize("lasting_us", [50_000, SECOND, 60 * SECOND])
def test_a_move_made_meanwhile_is_seen_afterwards(lasting_us: int) -> None:
    session = after_an_outage(stood("e2", instead=("e4",)), lasting_us=lasting_us)
    assert moves(session) == "e2e4"


def test_two_plies_made_meanwhile_are_seen_in_their_order() -> None:
    session = after_an_outage(stood("e2", "e7", instead=("e4", "e5")))
    assert moves(session) == "e2e4 e7e5"


def test_a_piece_captured_meanwhile_need_not_have_been_seen_to_leave() -> None:
    """Bishop captures knight, pawn captures bishop: on c3 a piece stood all the time."""
    start = parse_fen("4k3/3p4/8/8/1b6/2N5/1P6/4K3 b - - 0 1")
    session = Session(start)
    session.handle(Scan(0, Occupancy(start.occupied)))
    for name in ("b4", "b2"):
        suffer(session, session.standing & ~(1 << SWITCH_BY_NAME[name]))
    suffer(session, session.standing & ~(1 << SWITCH_BY_NAME["d7"]) | 1 << SWITCH_BY_NAME["d6"])
    assert moves(session) == "b4c3 b2c3 d7d6"
    assert not look(session).candidates


def test_a_piece_in_a_hand_is_in_it_afterwards() -> None:
    session = after_an_outage(stood("e2"))
    assert moves(session) == ""
    assert look(session).in_hand == BY_NAME["e2"]


def test_an_outage_is_said_with_its_remedy_and_lit_where_nothing_is_seen() -> None:
    session = session_at_rest()
    outage = Outage(3 * SECOND, SQUARES, "chip 0x21: no acknowledgement")
    assert session.handle(outage) == [outage]
    shown = scene(look(session))
    assert squares_of(shown, Cue.BLIND) == SQUARES
    assert cues_of(shown).keys() == {SWITCH_BY_NAME[name] for name in ("e3", "e4", "e5")}
    restored = Restored(4 * SECOND)
    assert session.handle(restored) == [restored]
    assert not squares_of(scene(look(session)), Cue.BLIND)


def test_no_time_passes_for_the_game_while_the_board_is_not_read() -> None:
    table = Table(START_FEN)
    table.play("-e2 +e4 100")
    session = table.session
    session.handle(Outage(table.t_us, SQUARES, "gone"))
    assert session.deadline_us is None
    assert session.handle(Press(table.t_us + SECOND, "hint")) == []
    assert session.handle(Tick(table.t_us + 5 * SECOND)) == []
    assert table.heard(Finalised) == []


def test_what_was_read_just_before_is_not_believed_because_time_has_passed() -> None:
    """One wrong scan, and then none for a second: no piece was lifted."""
    session = session_at_rest()
    session.handle(Scan(3 * SECOND - 1_000, stood("d2")))
    session.handle(Outage(3 * SECOND, SQUARES, "gone"))
    session.handle(Restored(4 * SECOND))
    said = session.handle(Scan(4 * SECOND, START, 3 * SECOND))
    said += session.handle(Tick(5 * SECOND))
    assert said == []
