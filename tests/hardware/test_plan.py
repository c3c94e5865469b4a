"""What hands have planned: gestures in order, and those on hold."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from boardfw.squares import Switch
from hardware.sim.gesture import HandAction, HandPlan

TIMES = st.lists(st.integers(0, 50), min_size=1, max_size=4).map(sorted)
GESTURES = st.lists(TIMES, max_size=6)


def planned(gestures: list[list[int]]) -> HandPlan:
    plan = HandPlan()
    for square, times in enumerate(gestures):
        plan.add(HandAction(t_us, "lift", Switch(square), "P") for t_us in times)
    return plan


def done(plan: HandPlan, until_us: int | None = None) -> list[tuple[int, Switch]]:
    actions = []
    while (next_us := plan.next_us) is not None and (until_us is None or next_us <= until_us):
        action = plan.pop()
        actions.append((action.t_us, action.square))
    return actions


@given(GESTURES)
def test_actions_are_done_in_the_order_of_time(gestures: list[list[int]]) -> None:
    times = [t_us for t_us, _ in done(planned(gestures))]
    assert times == sorted(t_us for times in gestures for t_us in times)


@given(GESTURES, st.integers(0, 60), st.integers(0, 60))
def test_hands_on_hold_finish_what_is_begun_and_do_the_rest_later(
    gestures: list[list[int]], held_us: int, released_us: int
) -> None:
    plan = planned(gestures)
    before = done(plan, held_us)
    plan.hold()
    plan.hold()  # to be told twice changes nothing
    finished = done(plan)
    assert {square for _, square in finished} <= {square for _, square in before}
    assert plan.is_pending == (len(before + finished) < sum(map(len, gestures)))
    plan.release(released_us)
    rest = done(plan)
    assert all(t_us >= released_us for t_us, _ in rest)
    late = {t_us - gestures[square][0] for t_us, square in rest[:1]} or {0}
    assert rest == sorted(
        ((t + min(late), square) for t, square in done(planned(gestures)) if square in
         {square for _, square in rest}), key=lambda action: action[0]
    )  # fmt: skip


def test_what_is_planned_meanwhile_waits_too() -> None:
    plan = planned([[10]])
    plan.hold()
    plan.add([HandAction(20, "lift", Switch(1), "P")])
    assert plan.next_us is None
    plan.release(100)
    assert done(plan) == [(100, 0), (110, 1)]
