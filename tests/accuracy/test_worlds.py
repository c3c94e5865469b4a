"""What happens in each world, and whether the truth says so."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest

from boardfw.accuracy.games import FAMOUS, games_of
from boardfw.accuracy.playing import Recorded, Task, moves_of, play, record
from boardfw.game.events import Action, Ended
from boardfw.notation.fen import parse_fen
from boardfw.recording import Press
from boardfw.rules import Position
from boardfw.shell.config import Settings
from boardfw.shell.replay import Replay
from boardfw.squares import EVERY_SWITCH, SWITCH_BY_NAME, Occupancy, occupancy_of, switches_in
from hardware.sim.worlds import WORLDS, split

GAME, LONG = (game for game in games_of([FAMOUS], 2, 1))
BROKEN = {"lost-row": 8, "bridged": 2, "frozen": 16, "dead": 2, "swapped": 2, "mirrored": 64}
SEED = 7


@cache
def recorded(kind: str, seed: int = SEED) -> Recorded:
    return record(Task((GAME,), kind, 1, seed))


def final(game: Recorded) -> Occupancy:
    """What a working board reads when the game is over."""
    position = parse_fen(GAME.start_fen)
    for move in moves_of(position, game.truth.moves):
        position = position.play_unchecked(move)
    return Occupancy(position.occupied)


def tags(game: Recorded) -> set[str]:
    return {tag for ply in game.truth.plies for tag in ply.tags}


def changes(game: Recorded) -> list[tuple[int, int]]:
    """Each scan's time, and how many switches it read otherwise than the scan before."""
    return [
        (after_us, (before ^ after).bit_count())
        for (_, before), (after_us, after) in pairwise(game.watched.scans)
    ]


@pytest.mark.parametrize("world", WORLDS)
def test_the_same_seed_plays_the_same_and_another_one_otherwise(world: str) -> None:
    one = recorded(f"club+{world}").watched.scans
    assert one == recorded.__wrapped__(f"club+{world}").watched.scans
    assert one != recorded(f"club+{world}", SEED + 1).watched.scans


@pytest.mark.parametrize("world", sorted(set(WORLDS) - set(BROKEN) - {"parking", "analysis"}))
def test_a_world_without_a_broken_switch_ends_as_the_game_does(world: str) -> None:
    game = recorded(f"blitz+{world}")
    assert game.watched.scans[-1][1] == final(game)
    assert not game.truth.broken


@pytest.mark.parametrize(("world", "count"), BROKEN.items())
def test_the_truth_names_the_broken_switches(world: str, count: int) -> None:
    assert recorded(f"club+{world}").truth.broken.bit_count() == count


@pytest.mark.parametrize(
    ("world", "tag"),
    [
        ("holding", "long_hold"),
        ("holding", "two_held"),
        ("parking", "parked"),
        ("parking", "unparked"),
        ("sleeves", "brush"),
        ("toppling", "knock"),
    ],
)
def test_hands_do_what_their_world_is_about(world: str, tag: str) -> None:
    assert any(tag in tags(recorded(f"club+{world}", seed)) for seed in range(4))


def test_a_piece_is_held_for_eight_seconds_or_longer() -> None:
    held = [ply for ply in recorded("club+holding").truth.plies if "long_hold" in ply.tags]
    assert held
    assert all(ply.landed_us - ply.begin_us >= 8_000_000 for ply in held)


def test_a_piece_in_the_hand_is_not_felt_by_a_switch() -> None:
    game = recorded("careful+holding")
    alone = [
        ply
        for ply in game.truth.plies
        if "long_hold" in ply.tags and not {"adjust", "two_held"}.intersection(ply.tags)
    ]
    assert alone
    for ply in alone:
        lifted_us, held_us = ply.begin_us + 5_000_000, ply.begin_us + 8_000_000
        seen = [one for t_us, one in game.watched.scans if t_us <= held_us]
        assert not seen[-1] >> SWITCH_BY_NAME[ply.uci[:2]] & 1
        assert not [t_us for t_us, _ in game.watched.scans if lifted_us < t_us <= held_us]


def test_both_players_move_pieces_at_the_same_time() -> None:
    def overlapping(kind: str) -> int:
        plies = recorded(kind).truth.plies
        return sum(after.begin_us < before.landed_us for before, after in pairwise(plies))

    assert overlapping("club+both") > 5 * (overlapping("club") + 1) / 2


def test_plies_are_completed_in_their_order_though_hands_overlap() -> None:
    landed = [ply.landed_us for ply in recorded("blitz+both").truth.plies]
    assert landed == sorted(landed)


@pytest.mark.parametrize("seed", range(3))
def test_no_more_than_two_plies_are_made_at_a_time(seed: int) -> None:
    plies = recorded("blitz+both", seed).truth.plies
    pairs = zip(plies, plies[2:], strict=False)
    assert all(before.landed_us <= after.begin_us for before, after in pairs)


def test_a_bump_opens_many_contacts_within_a_quarter_of_a_second() -> None:
    many = [t_us for t_us, count in changes(recorded("club+bumps")) if count >= 3]
    usual = [t_us for t_us, count in changes(recorded("club")) if count >= 3]
    assert len(many) >= 6 > len(usual)


def test_halls_are_read_fifty_times_a_second_and_feel_their_neighbours() -> None:
    def beside(kind: str) -> int:
        """How often a switch changed that is neither where a move begins nor where it ends."""
        game, count = recorded(kind), 0
        for ply in game.truth.plies:
            its_own = occupancy_of(SWITCH_BY_NAME[ply.uci[at : at + 2]] for at in (0, 2))
            seen = [one for t_us, one in game.watched.scans if ply.begin_us < t_us < ply.landed_us]
            count += sum(bool((one ^ other) & ~its_own) for one, other in pairwise(seen))
        return count

    assert all(t_us % 20_000 == 0 for t_us, _ in recorded("club+wide").watched.scans)
    assert beside("club+wide") > 1.5 * beside("club")


GAME_PIECES = Occupancy(Position.start().occupied)


def test_mirrored_files_are_read_from_the_other_end() -> None:
    right, wrong = recorded("club").watched.scans, recorded("club+mirrored").watched.scans
    mirrored = [
        (t_us, occupancy_of(EVERY_SWITCH[switch ^ 7] for switch in switches_in(occupancy)))
        for t_us, occupancy in right
    ]
    assert wrong == mirrored


def test_bridged_switches_read_alike() -> None:
    game = recorded("club+bridged")
    one, other = switches_in(game.truth.broken)
    assert all(o >> one & 1 == o >> other & 1 for _, o in game.watched.scans)


def test_a_lost_row_reads_open_from_then_on() -> None:
    game = recorded("club+lost-row")
    assert not game.watched.scans[-1][1] & game.truth.broken
    assert game.watched.scans[0][1] == GAME_PIECES


def test_a_frozen_chip_goes_on_after_twenty_seconds() -> None:
    game = recorded("club+frozen")
    assert game.watched.scans[-1][1] == final(game)


def test_after_the_game_a_player_resigns_and_pieces_are_moved_about() -> None:
    game = recorded("club+analysis")
    (press,) = game.watched.presses
    last = game.truth.plies[-1]
    afterwards = [t_us for t_us, _ in game.watched.scans if t_us > press.t_us]
    assert press.button == "resign_white"
    assert press.t_us > last.landed_us
    assert len(afterwards) > 20
    assert game.watched.scans[-1][1] in (Occupancy(), final(game))


def test_a_game_that_the_rules_end_is_not_played_to_its_end_before_it_is_analysed() -> None:
    """Else players would only take back its last ply."""
    assert len(recorded("club").truth.plies) == len(GAME.moves)
    assert len(recorded("club+analysis").truth.plies) == len(GAME.moves) - 1


def test_a_trace_has_the_buttons_in_it() -> None:
    game = recorded("club+analysis")
    ended = list[Action]()
    replay = Replay(game.recording(), Settings(), hear=ended.extend)
    replay.play()
    assert any(isinstance(one, Ended) and one.termination == "resignation" for one in ended)
    assert '"button":"resign_white"' in game.watched.trace().replace(" ", "")
    assert isinstance(game.watched.presses[0], Press)


def test_worlds_can_be_added_to_each_other() -> None:
    game = recorded("club+dead+bumps+wide")
    assert game.truth.broken.bit_count() == 2
    assert all(t_us % 20_000 == 0 for t_us, _ in game.watched.scans)
    assert [t_us for t_us, count in changes(game) if count >= 3]


def test_an_unknown_world_is_refused_by_its_name() -> None:
    with pytest.raises(ValueError, match=r"^bump$"):
        split("club+bump")


def test_usual_hands_are_read_in_a_bracelet() -> None:
    score = play(Task((LONG,), "careful+rings", 1, 1)).score
    assert score.exact
    assert not score.ghosts
