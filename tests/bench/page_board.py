"""A board at work whose page is served, in a process of its own, for benches of the page.

    python -m tests.bench.page_board FOLDER [hand] [apart | service] [speed=N] [before-web=JSON]

It is told what to do by lines of JSON, ``{"do": NAME, ...}``, and answers each with one. Hands act
at once, at random instants; each edge of a switch is noted, and when the lights answered it. With
``hand`` the page is a hand as well; with ``apart`` a process of its own serves it, with ``service``
too, and both have the priorities that their units give them. With ``speed`` its time runs so many
times as fast, and slower where the machine cannot scan as often as that. ``before-web`` is the
beginning of the command that starts the other process.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple, cast

from boardfw.cli.web_pages import SeatHands
from boardfw.frame import DARK, Frame
from boardfw.game.events import Action, Finalised
from boardfw.game.session import Session
from boardfw.notation.san import format_san
from boardfw.players.game_player import Player
from boardfw.recording import START_FEN, Press
from boardfw.rules import Move, Position
from boardfw.services.web.roles import Role
from boardfw.services.web.sessions import unix_ms
from boardfw.shell.away_seat import AwaySeat
from boardfw.shell.config import HelpSettings, PlayerHelp, Settings
from boardfw.shell.desk import Desk
from boardfw.shell.pgn_file import Names, TagsNow
from boardfw.shell.runtime import Runtime
from boardfw.shell.store.record_writer import RunRecord
from boardfw.shell.store.web_sessions import SessionStore
from boardfw.shell.web.address import CORE, board_name, bound_to, listen
from boardfw.shell.web.apart import Place
from boardfw.shell.web.library import KeptGames
from boardfw.shell.web.new_game import Controls
from boardfw.shell.web.page_server import PageServer
from boardfw.squares import START, Bitboard, Orientation, Square
from boardfw.terminal.talk import Beside, Talk
from hardware.clock import MonotonicClock, PacedClock
from hardware.sim.board import SimBoard, pieces_of
from hardware.sim.faults import PRESETS
from tests.bench.live_board import Stalls
from tests.bench.slow_core import can_be_slow, slow_core
from tests.rules.wandering import wander

NAME = "bench"
PLIES = 120
"""Of a game, at most."""
BEGIN_S, LOOK_S = 5.0, 0.02
"""A new game has begun within this time, or something is wrong; how often that is asked."""
BETWEEN = (0.75, 1.25)
"""Shares of the mean time between two edges, which must not keep step with the page."""
SWITCH = Orientation.AS_WIRED.switch
APART = ("apart", "service")
REAL_TIME = 10
USUAL = ("chrt", "--other", "0", "nice", "-n", "5")
"""The priority of ``boardfw.service``, and what gives a process that of ``boardfw-web.service``."""


class Edge(NamedTuple):
    """One switch that changes."""

    kind: Literal["lift", "drop"]
    square: Square
    letter: str


def edges_of(position: Position, move: Move) -> Iterator[Edge]:
    """What a hand does for a move: a captured piece goes first, a castling rook last."""
    if move.captured is not None:
        yield Edge("lift", move.captured, "")
    for origin, target in move.steps():
        piece = position.piece_at(origin)
        assert piece is not None
        yield Edge("lift", origin, piece.letter)
        yield Edge("drop", target, piece.letter)


def a_game(chance: Random) -> Iterator[tuple[str, list[Edge]]]:
    """A game by chance: SAN and edges of each move. None promotes: what a pawn becomes is asked."""
    position = Position.start()
    for _ in range(PLIES):
        moves = [move for move in position.legal_moves() if not move.promotion]
        if not moves:
            return
        move = chance.choice(moves)
        yield format_san(position, move), list(edges_of(position, move))
        position = position.play(move)


class NotedDesk(Desk):
    """A desk that knows what its newest frame was drawn for."""

    newest: tuple[Frame, Bitboard] = (DARK, 0)
    """The frame, and the squares with pieces."""

    def frame(self, t_us: int) -> Frame:
        drawn = super().frame(t_us)
        self.newest = drawn, self.view.standing
        return drawn


class PageBoard:
    """The board, its hands, and the notes that are taken of both."""

    def __init__(
        self,
        folder: Path,
        pages: str = "inside",
        *,
        is_hand: bool = False,
        speed: float = 1.0,
        before_web: Sequence[str] = (),
    ) -> None:
        helped = PlayerHelp(level=1, hints=0)
        settings = Settings(help=HelpSettings(white=helped, black=helped))
        self.clock = PacedClock(speed) if speed > 1 else MonotonicClock()
        self.pieces = SimBoard(self.clock, faults=PRESETS["none"])
        self.pieces.lights = self
        self.desk = NotedDesk(Session(clock=settings.clock.use()), settings)
        self._record, self._names = folder / "games.db", Names()
        books = RunRecord(self._record, lambda: None, 50_000_000)
        books.begin(self.desk.session, TagsNow(settings, lambda: None))
        self._keeper = SessionStore(self._record)
        self._keeper.add_owner("the bench", unix_ms())
        self.runtime = Runtime(
            self.pieces, self.clock, self.desk, followers=[self], books=books, speed=speed
        )
        self._away = self.runtime.away = AwaySeat(self.clock, names=self._names)
        self.runtime.listen(self._hear)
        self._talk: Talk | None = None
        if is_hand:
            player = Player(self.pieces, "careful", 1)
            self._talk = Talk(self.runtime, self.clock, player, Beside(self._names))
        self._until_end = ExitStack()
        self._web: int | None = None
        """The process that serves the pages; None: this one does."""
        self._core = folder / CORE if pages in APART else None
        self._before_web = before_web or (USUAL if pages == "service" else ())
        self._pages = self._served("127.0.0.1:0")
        self._url = self._pages.url if self._core is None else self._serve_apart(self._core)
        self._chance = Random(1)
        self._game = a_game(self._chance)
        self._left: list[Edge] = []
        """Of the move that is being made."""
        self._stands: Bitboard = Orientation.AS_WIRED.squares(START)
        self._lit = DARK
        self._waits: Bitboard | None = None
        """The squares for which the lights have not shown anything new yet; None: they have."""
        self._answered_ns: int | None = None
        self._finals: list[tuple[int, int]] = []
        self._arranged_ns: list[int] = []
        """When pieces were put up for a new game, all at once."""
        self._listed: tuple[tuple[Move, ...], list[str]] = (), []

    def _served(self, place: str) -> PageServer:
        """Pages at an address."""
        listening = listen(place) if self._core is None else bound_to(self._core, "bench")
        where = Place(listening, NAME, frozenset())
        pages = PageServer(where, self.clock, self._keeper, lambda: self._names.last)
        pages.library = KeptGames(self._record, lambda game, ply: f"{game}, {ply}")
        pages.controls = Controls(self.runtime.tell, self._press, self._names, self._away)
        pages.controls.when_lit = self.runtime.when_lit
        if self._talk is not None:
            pages.controls.follow = self._talk.seat.follow
            pages.hands, pages.drives_hands = SeatHands(self._talk.seat, self.desk), True
        return pages

    def _serve_apart(self, core: Path) -> str:
        """Let another process serve the pages; their address."""
        command = (*self._before_web, sys.executable, "-m", "boardfw", "web", "--core", str(core))
        web = subprocess.Popen(
            (*command, "--address", "127.0.0.1:0"), stdout=subprocess.PIPE, text=True
        )
        self._until_end.enter_context(web)
        self._until_end.callback(web.terminate)
        self._web = web.pid
        assert web.stdout is not None
        return web.stdout.readline().strip().rpartition(" ")[2]

    def _press(self, button: str) -> None:
        self.runtime.tell(Press(self.clock.now_us(), cast("Any", button)))

    # --- as the lights, in their thread

    def show(self, frame: Frame) -> None:
        """Note when the lights answer the last edge."""
        at_ns = time.monotonic_ns()
        drawn, standing = self.desk.newest
        is_new, self._lit = frame != self._lit, frame
        if is_new and drawn is frame and standing == self._waits:
            self._answered_ns, self._waits = at_ns, None

    # --- as a follower, whose pages may be others after a while

    def start(self, desk: Desk) -> None:
        """The run begins."""
        self._pages.start(desk)

    def take(self, said: list[Action]) -> None:
        """The session has said this."""
        self._pages.take(said)

    def stop(self) -> None:
        """The run is over."""
        self._pages.stop()

    def _hear(self, action: Action) -> None:
        if isinstance(action, Finalised):
            self._finals.append((action.t_us, action.ply))

    # --- what may be asked for

    async def do_begin(self, role: str, count: int) -> dict[str, Any]:
        """Sessions with a role: what pages need to be let in."""
        sessions = self._pages.sessions
        tokens = [sessions.begin(Role(role), "a page")[0] for _ in range(count)]
        name = NAME if self._core is None else board_name()
        return {"url": self._url, "cookie": f"bfw_{name}", "tokens": tokens}

    async def do_play(self, edges: int, hz: float) -> dict[str, Any]:
        """Hands make so many edges in a second, until there were so many. Times are nanoseconds of
        the machine's monotonic clock, and what the board's clock shows at 0 of it. ``stalls``: from
        and until when the machine ran nothing of ours."""
        self._finals.clear()
        self._arranged_ns.clear()
        late = self.desk.late.count
        made: list[tuple[int, int | None]] = []
        stalls = Stalls()
        with stalls.watched():
            while len(made) < edges:
                if not self._left:
                    await self._begin_move()
                edge = self._left.pop(0)
                made.append(await asyncio.to_thread(self._make, edge, hz))
        zero_us = self.clock.now_us() - time.monotonic_ns() // 1000
        late = self.desk.late.count - late
        told = {"edges": made, "finals": self._finals, "zero_us": zero_us, "late": late}
        told |= {"stalls": stalls.known, "arranged": self._arranged_ns}
        return {**told, **await self.do_look()}

    async def do_move(self) -> dict[str, Any]:
        """Hands make the next move of the game at once; its SAN, and when its last edge was."""
        san = await self._begin_move()
        at_ns = 0
        while self._left:
            at_ns, _ = await asyncio.to_thread(self._make, self._left.pop(0), 20.0)
        return {"san": san, "at_ns": at_ns}

    async def do_look(self) -> dict[str, Any]:
        """How the board and its process are."""
        moves = [move.uci() for move in self.desk.session.record.moves]
        web_kb = 0 if self._web is None else rss_kb(self._web)
        now_us = self.clock.now_us()
        return {"moves": moves, "rss_kb": rss_kb(), "web_kb": web_kb, "now_us": now_us}

    async def do_moves(self) -> dict[str, Any]:
        """What was played, as a page lists it."""
        record = self.desk.session.record
        if record.moves != self._listed[0]:
            played = zip(record.positions(), record.moves, strict=False)
            sans = [format_san(position, move) for position, move in played]
            self._listed = record.moves, sans
        return {"sans": self._listed[1]}

    async def do_warm(self, positions: int) -> dict[str, Any]:
        """Let so many random positions fill the tables of the rules and of the notation, as years
        of play do. SAN and names of openings are for pages: a board without them fills these later.
        """
        await asyncio.to_thread(wander, positions, 1)
        return await self.do_look()

    async def do_slow(self) -> dict[str, Any]:
        """From now on this process gets a tenth of a processor, if this machine can do that."""
        if can_be_slow():
            group = self._until_end.enter_context(slow_core())
            (group / "cgroup.procs").write_text(str(os.getpid()))
        return {"is_slow": can_be_slow()}

    async def do_restart(self, away_s: float) -> dict[str, Any]:
        """The pages are served no longer, and after a while again, by another server."""
        old = self._pages
        await asyncio.to_thread(old.stop)
        await asyncio.sleep(away_s)
        self._pages = self._served(f"127.0.0.1:{old.url.rpartition(':')[2]}")
        self._pages.start(self.desk)
        return {}

    async def _begin_move(self) -> str:
        """Let the next move of the game be made, or the first of the next game."""
        found = next(self._game, None)
        if found is None:
            await self._begin_game()
            found = next(self._game)
        san, self._left = found
        return san

    async def _begin_game(self) -> None:
        self._game = a_game(self._chance)
        self._arranged_ns.append(time.monotonic_ns())
        self.pieces.arrange(pieces_of(START_FEN))
        self._stands = Orientation.AS_WIRED.squares(START)
        self._press("new_game")
        async with asyncio.timeout(BEGIN_S):
            while not self._stands_anew():  # noqa: ASYNC110  # a board sets no event
                await asyncio.sleep(LOOK_S)

    def _stands_anew(self) -> bool:
        return not self.desk.session.record.moves and self.desk.view.standing == self._stands

    def _make(self, edge: Edge, hz: float) -> tuple[int, int | None]:
        """Make an edge and wait for the next; when it was, and when the lights answered it."""
        switch = SWITCH(edge.square)
        self._stands ^= 1 << edge.square
        self._answered_ns, self._waits = None, self._stands
        at_ns = time.monotonic_ns()
        if edge.kind == "lift":
            self.pieces.lift(switch)
        else:
            self.pieces.drop(switch, edge.letter)
        time.sleep(self._chance.uniform(*BETWEEN) / hz)
        return at_ns, self._answered_ns

    async def serve(self) -> None:
        """Do what the lines say until there are no more."""
        running = asyncio.create_task(self.runtime.run())
        while line := await asyncio.to_thread(sys.stdin.readline):
            asked = json.loads(line)
            answer = await getattr(self, f"do_{asked.pop('do')}")(**asked)
            print(json.dumps(answer), flush=True)
        self.runtime.stop()
        await running
        self._keeper.close()
        self._until_end.close()


def rss_kb(process: int | None = None) -> int:
    """The memory that a process holds; None: this one."""
    lines = Path(f"/proc/{process or 'self'}/status").read_text("utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    asked = sys.argv[2:]
    pages = next((one for one in APART if one in asked), "inside")
    if pages == "service":
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(REAL_TIME))
    named = dict(one.split("=", 1) for one in asked if "=" in one)
    board = PageBoard(
        Path(sys.argv[1]),
        pages,
        is_hand="hand" in asked,
        speed=float(named.get("speed", 1)),
        before_web=json.loads(named.get("before-web", "[]")),
    )
    asyncio.run(board.serve())
