"""The season itself: one event after the other, each at its simulated time, through host, store, sweep and outbox."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import Any, Final

from benchmarks.season.people import START, crowd
from benchmarks.season.reckoning import GIVEN, ClockError, Outages, Reckoning
from engine import Action, Position
from engine.carcassonne.expansions import BCB
from engine.selfplay import random_action
from host import NOBODY, Game, GameStatus, Host, HostSettings, NewLobby, Person, Post, PostKind, TableSettings
from store import Heartbeat, Store, TimerKind, clocks, heartbeats, timers

PACES: Final = ("standard", "fast", "slow", "standard", "none")
LONGEST: Final = timedelta(days=400)
"""What lasts longer does not end."""
_DISCORD: Final = datetime(2015, 1, 1, tzinfo=UTC)
_MS: Final = timedelta(milliseconds=1)


class Hands:
    """The clock that everything is handed."""

    def __init__(self) -> None:
        self.time = START

    def now(self) -> datetime:
        """The simulated time."""
        return self.time


@dataclass(slots=True)
class Table:
    """A game of the season with what is known of it from outside."""

    game: Game
    pace: str
    reckoning: Reckoning | None
    started: datetime
    seen: int = 0
    """Actions of its log that were reckoned."""
    ended: datetime | None = None
    presses: dict[int, datetime] = field(default_factory=dict)
    """By ply, when it was pressed."""


class Season:
    """So many games of so many people, and two outages."""

    def __init__(self, store: Store, *, seed: int, players: int, games: int) -> None:
        self.clock = Hands()
        self.random = Random(seed)
        self.store = store
        self.host = Host(
            store, clock=self.clock, settings=HostSettings(publish_window=timedelta(0), games_of_guild=10_000)
        )
        self.people = {player.user_id: player for player in crowd(players, self.random)}
        self.tables: dict[int, Table] = {}
        self.outages = Outages()
        self._count = games
        self._events: list[tuple[datetime, int, str, Any]] = []
        self._order = count()
        self._ids = count(1)

    # -- the course of time ---------------------------------------------------------------------------------------

    async def play(self) -> None:
        """From the first table to the last move.

        Raises:
            ClockError: a clock was wrong, or a game does not end.
        """
        await self.host.start()
        for _ in range(self._count):
            await self._open()
        for day, hours in ((3.2, 9), (11.6, 5)):
            self._plan(START + timedelta(days=day), "outage", timedelta(hours=hours))
        while any(table.ended is None for table in self.tables.values()):
            await self._next()
            if self.clock.time > START + LONGEST:
                raise ClockError("a game does not end")

    def _plan(self, at: datetime, kind: str, about: Any) -> None:  # noqa: ANN401
        heappush(self._events, (_whole(at), next(self._order), kind, about))

    async def _next(self) -> None:
        """Whatever comes first: an event, or a timer that is due."""
        async with self.store.reading() as tx:
            due = await timers.next_due(tx, [TimerKind.CLOCK])
        first = self._events[0][0] if self._events else None
        if due is not None and (first is None or due <= first):
            await self._pass(max(due, self.clock.time))
            async with self.store.reading() as tx:
                ringing = [timer.game_id for timer in await timers.due(tx, [TimerKind.CLOCK], self.clock.time, 1000)]
            await self.host.sweep.work()
            for game_id in ringing:
                await self._follow(self.tables[game_id])
            await self._post()
        elif first is None:
            raise ClockError("nothing happens any more, and games go on")
        else:
            at, _, kind, about = heappop(self._events)
            await self._pass(max(at, self.clock.time))
            await self._happen(kind, about)

    async def _happen(self, kind: str, about: Any) -> None:  # noqa: ANN401
        match kind:
            case "outage":
                await self._outage(about)
            case "press":
                await self._press(*about)
            case _:
                await self._posted(about)

    async def _pass(self, at: datetime) -> None:
        """Time passes, and the heart beats."""
        self.clock.time = at
        async with self.store.writing() as tx:
            await heartbeats.put(tx, Heartbeat(0, 1, at))

    async def _outage(self, length: timedelta) -> None:
        """Nobody hears anything for hours; what people wanted to do they do soon after."""
        begin, end = self.clock.time, self.clock.time + length
        self.clock.time = end
        self.outages.gaps.append((begin, end))
        await self.host.pulse.beat()
        late = [event for event in self._events if event[0] < end]
        self._events[:] = [event for event in self._events if event[0] >= end]
        for _, _, kind, about in late:
            self._plan(end + timedelta(seconds=self.random.uniform(60, 3600)), kind, about)
        self._events.sort()

    # -- tables ---------------------------------------------------------------------------------------------------

    def _press_id(self, at: datetime) -> int:
        return ((at - _DISCORD) // _MS << 22) + next(self._ids)

    async def _open(self) -> None:
        pace = PACES[len(self.tables) % len(PACES)]
        seats = self.random.choice([2, 3, 4, 4])
        usable = [one for one in self.people.values() if pace in GIVEN or one.gone_at is None]
        people = self.random.sample(usable, seats)
        owner, *others = [Person(one.user_id, one.name) for one in people]
        new = NewLobby(
            guild_id=11 << 22,
            channel_id=22,
            owner=owner,
            game="carcassonne",
            capacity=seats,
            expansions=(BCB,) if self.random.random() < 0.5 else (),
            options={},
            settings=TableSettings(pace=pace),
        )
        lobby = await self.host.lobbies.open(new, self._press_id(self.clock.time))
        for person in others:
            await self.host.lobbies.join(lobby.id, person, self._press_id(self.clock.time))
        game = await self.host.lobbies.start(lobby.id, owner.user_id, self._press_id(self.clock.time))
        first = game.seat_to_act or 0
        reckoning = Reckoning.begin(pace, seats, first, self.outages) if pace in GIVEN else None
        self.tables[game.id] = Table(game, pace, reckoning, self.clock.time)
        await self._post()

    async def _post(self) -> None:
        """Discord takes what is due, some seconds later, now and then minutes."""
        for post in await self.host.outbox.due(limit=1000):
            if await self.host.outbox.sending(post.id):
                wait = self.random.choice([0.3, 1.2, 4, 90])
                self._plan(self.clock.time + timedelta(milliseconds=int(wait * 1000)), "posted", post)

    async def _posted(self, post: Post) -> None:
        """A card is there: who is asked answers some time later."""
        await self.host.outbox.sent(post.id, 1_000 + post.id)
        await self._post()
        if post.kind is PostKind.REMINDER:
            return
        table = self.tables[post.game.id]
        game = await self.host.game(post.game.id)
        if table.reckoning is not None and post.ply == game.ply:
            table.reckoning.card(self.clock.time)
        person = game.person_to_act
        if person is not None and post.ply == game.ply:
            at = self.people[person.user_id].answers_at(self.clock.time, self.random)
            if at is not None:
                self._plan(_whole(at), "press", (game.id, game.ply, person.user_id))

    async def _press(self, game_id: int, ply: int, user_id: int) -> None:
        """Somebody presses; it arrives a little later, or comes to nothing where the game has gone on."""
        table = await self.host.table(game_id)
        if table.game.status is not GameStatus.RUNNING or table.position.ply != ply:
            return
        at = self.clock.time
        self.tables[game_id].presses[ply] = at
        self.clock.time += timedelta(milliseconds=self.random.choice([40, 300, 1500]))
        await self.host.act(game_id, user_id, ply, self._turn(table.position), self._press_id(at))
        await self._follow(self.tables[game_id])
        await self._post()

    def _turn(self, position: Position) -> list[Action]:
        """What a player decides at once; now and then only where the tile lies."""
        ahead, actions = position.copy(), list[Action]()
        player, turn, whole = ahead.player, ahead.turn, self.random.random() < 0.8
        while not actions or (whole and (ahead.player, ahead.turn) == (player, turn)):
            step = ahead.step
            if step is None or (actions and step.aside):
                break
            actions.append(random_action(ahead, self.random))
            ahead.apply(actions[-1])
        return actions

    # -- reckoning ------------------------------------------------------------------------------------------------

    async def _follow(self, table: Table) -> None:
        """Reckon what has come to the log of a game."""
        if table.ended is not None or (await self.host.game(table.game.id)).ply == table.seen:
            return
        now = await self.host.table(table.game.id)
        if table.reckoning is not None:
            moment = await self.host.moment(table.game.id, table.seen, now.position.ply)
            self._reckon(table, table.reckoning, moment.before, moment.after, [e.user_id for e in moment.actions])
        table.seen = now.position.ply
        if now.game.status is GameStatus.FINISHED:
            table.ended = self.clock.time
            await self._compare(table)

    def _reckon(
        self, table: Table, reckoning: Reckoning, before: Position, after: Position, deciders: list[int]
    ) -> None:
        step, then = before.step, after.step
        aside = step is not None and step.aside
        if deciders[0] == NOBODY:
            reckoning.zero(self.clock.time, aside=aside)
        else:
            reckoning.decided(table.presses[before.ply])
        same = (before.player, before.turn) == (after.player, after.turn) and then is not None
        same = same and not aside and not (then is not None and then.aside)
        if not (same or aside or after.withdrawn[before.player]):
            reckoning.turn_over()
        if then is not None:
            reckoning.ask(after.player, aside=then.aside, same=same)

    async def _compare(self, table: Table) -> None:
        if table.reckoning is None:
            return
        async with self.store.reading() as tx:
            found = (await clocks.of_game(tx, table.game.id)).seats
        table.reckoning.compare([(one.granted, one.given_back, one.used, one.left, one.timeouts) for one in found])

    # -- what is told ---------------------------------------------------------------------------------------------

    async def lines(self) -> list[dict[str, Any]]:
        """What is told of each game."""
        return [await self._line(table) for table in self.tables.values()]

    async def _line(self, table: Table) -> dict[str, Any]:
        end = await self.host.table(table.game.id)
        async with self.store.reading() as tx:
            found = (await clocks.of_game(tx, table.game.id)).seats
        withdrawn = sum(end.position.withdrawn)
        how = "finished" if not end.position.is_ending else "forfeited" if end.position.players == 2 else "withdrawn"
        seats: list[dict[str, Any]] = [
            {
                "granted_ms": one.granted,
                "given_back_ms": one.given_back,
                "used_ms": one.used,
                "left_ms": one.left,
                "timeouts": one.timeouts,
                "reminders": one.reminders,
                "vacation_days": 0,
                "plans_used": 0,
            }
            for one in found
        ] or [dict.fromkeys(_SEAT, None) for _ in range(end.position.players)]
        ended = table.ended or self.clock.time
        return {
            "game": table.game.code,
            "pace": table.pace,
            "turns": end.position.turn,
            "started": table.started.isoformat(),
            "ended": ended.isoformat(),
            "how": how if withdrawn else "finished",
            "seats": seats,
        }


_SEAT: Final = (
    "granted_ms",
    "given_back_ms",
    "used_ms",
    "left_ms",
    "timeouts",
    "reminders",
    "vacation_days",
    "plans_used",
)


def _whole(at: datetime) -> datetime:
    return at.replace(microsecond=at.microsecond // 1000 * 1000)


def totals(lines: list[dict[str, Any]]) -> dict[str, Any]:
    """The last line."""
    seats = [seat for line in lines for seat in line["seats"] if seat["granted_ms"] is not None]
    hows = [line["how"] for line in lines]
    return {
        "games": len(lines),
        "how": {how: hows.count(how) for how in sorted(set(hows))},
        "turns": sum(line["turns"] for line in lines),
        **{name: sum(seat[name] for seat in seats) for name in _SEAT},
    }
