"""The season itself: one event after the other, each at its simulated time, through host, store, sweep and outbox."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import Any, Final

from benchmarks.plans import AUCTION, planned
from benchmarks.season.people import START, Hands, SeasonPlayer, crowd
from benchmarks.season.reckoning import GIVEN, HOUR, ClockError, Downtimes, Reckoning, Reminded
from benchmarks.season.tables import SeasonTable
from engine import Action, Position
from engine.carcassonne.expansions import BCB
from engine.carcassonne.expansions.bridges_castles_bazaars import bazaar_number
from engine.selfplay import random_action
from host import (
    QUIET,
    WINDOW,
    ZONE,
    GameStatus,
    Host,
    HostError,
    HostSettings,
    NewLobby,
    Person,
    Post,
    PostKind,
    Preferences,
    TableSettings,
    TimerKind,
)
from store import Heartbeat, SeatClock, Store, clocks, processes, timers

PACES: Final = ("standard", "fast", "slow", "standard", "none")
LONGEST: Final = timedelta(days=400)
"""The limit after which a game counts as endless."""
ENDS_AFTER: Final = 24
"""Days after which every ninth game ends, whatever is left to be played."""
QUIET_HOURS: Final = "22:00-07:00"
_QUIET: Final = 9 * HOUR
_GIFT: Final = timedelta(hours=6)
_DISCORD: Final = datetime(2015, 1, 1, tzinfo=UTC)
_MS: Final = timedelta(milliseconds=1)


class Season:
    """So many games of so many people, and two outages."""

    def __init__(self, store: Store, *, seed: int, players: int, games: int) -> None:
        self.clock = Hands()
        self.random = Random(seed)
        self.store = store
        settings = HostSettings(
            publish_window=timedelta(seconds=60), games_of_guild=10_000, new_seed=lambda: str(self.random.random())
        )
        self.host = Host(store, clock=self.clock, settings=settings)
        self.people = {player.user_id: player for player in crowd(players, self.random)}
        self.tables: dict[int, SeasonTable] = {}
        self.outages = Downtimes()
        self.reminded = Reminded()
        self._count = games
        self._events: list[tuple[datetime, int, str, Any]] = []
        self._order = count()
        self._ids = count(1)

    # -- the course of time ---------------------------------------------------------------------------------------

    async def play(self) -> None:
        """From the first table to the last move.

        Raises:
            ClockError: a clock was wrong, somebody is reminded too often, or a game does not end.
        """
        await self.host.start()
        for player in self.people.values():
            await self._choose(player)
        for _ in range(self._count):
            await self._open()
        for day, hours in ((3.2, 9), (11.6, 5)):
            self._plan(START + timedelta(days=day), "outage", timedelta(hours=hours))
        while any(table.ended is None for table in self.tables.values()):
            await self._next()
            if self.clock.time > START + LONGEST:
                raise ClockError("a game does not end")

    async def _choose(self, player: SeasonPlayer) -> None:
        """Choose the player's settings, and schedule the announcement of a vacation."""
        chosen = Preferences().having(ZONE, player.zone).having(WINDOW, player.window)
        await self.host.preferences.set(player.user_id, chosen.having(QUIET, QUIET_HOURS if player.quiet else ""))
        if player.trip is not None:
            self._plan(START + timedelta(days=player.trip.announced), "trip", player)

    def _plan(self, at: datetime, kind: str, about: Any) -> None:  # noqa: ANN401
        heappush(self._events, (_whole(at), next(self._order), kind, about))

    async def _next(self) -> None:
        """Whatever comes first: an event, or a timer that is due."""
        async with self.store.reading() as tx:
            due = await timers.next_due(tx, self.host.timer_dispatcher.kinds)
        first = self._events[0][0] if self._events else None
        if due is not None and (first is None or due <= first):
            await self._pass(max(due, self.clock.time))
            await self._sweep()
        elif first is None:
            raise ClockError("nothing happens any more, and games go on")
        else:
            at, _, kind, about = heappop(self._events)
            await self._pass(max(at, self.clock.time))
            await self._happen(kind, about)

    async def _sweep(self) -> None:
        """Do all that is due."""
        async with self.store.reading() as tx:
            ringing = await timers.due(tx, self.host.timer_dispatcher.kinds, self.clock.time, 1000)
        await self.host.timer_dispatcher.work()
        for game_id in {timer.game_id for timer in ringing}:
            await self._follow(self.tables[game_id])
        await self._post({timer.game_id for timer in ringing if timer.kind is TimerKind.CALL})

    async def _happen(self, kind: str, about: Any) -> None:  # noqa: ANN401
        match kind:
            case "outage":
                await self._outage(about)
            case "trip":
                await self._away(about)
            case "press":
                delay = self.random.choice([40, 300, 1500]) * _MS
                self._plan(self.clock.time + delay, "arrives", (*about, self.clock.time))
            case "arrives":
                await self._press(*about)
            case "rethinks":
                await self._rethink(*about)
            case "plans":
                await self._make_plan(*about)
            case _:
                await self._posted(about)

    async def _pass(self, at: datetime) -> None:
        """Time passes, and the heart beats."""
        self.clock.time = at
        async with self.store.writing() as tx:
            await processes.put_heartbeat(tx, Heartbeat(0, 1, at))

    async def _outage(self, length: timedelta) -> None:
        """Nobody hears anything for hours; what people wanted to do they do soon after.

        Whoever starts again sweeps before anything is heard: nothing of it may cost anybody time.
        """
        begin = self.clock.time
        self.clock.time = end = begin + length
        self.outages.gaps.append((begin, end))
        await self._sweep()
        await self.host.gateway_monitor.beat()
        late = [heappop(self._events) for _ in self._events[:] if self._events[0][0] < end]
        for _, _, kind, about in late:
            again = ("press", about[:-1]) if kind == "arrives" else (kind, about)
            self._plan(end + timedelta(seconds=self.random.uniform(60, 3600)), *again)

    async def _away(self, player: SeasonPlayer) -> None:
        """Somebody announces a vacation."""
        trip = player.trip
        if trip is not None:
            with suppress(HostError):  # an outage has come between
                first = (START + timedelta(days=trip.first)).date()
                entry = await self.host.vacations.announce(player.user_id, first, trip.days)
                player.away.append((entry.starts_at, entry.ends_at))

    # -- tables ---------------------------------------------------------------------------------------------------

    def _press_id(self, at: datetime) -> int:
        return ((at - _DISCORD) // _MS << 22) + next(self._ids)

    async def _open(self) -> None:
        number = len(self.tables)
        pace, castle = PACES[number % len(PACES)], number % 4 == 3
        seats = 2 if castle else self.random.choice([2, 3, 4, 4])
        people = self.random.sample(list(self.people.values()), seats)
        owner, *others = [Person(one.user_id, one.name) for one in people]
        new = NewLobby(
            guild_id=11 << 22,
            channel_id=22,
            owner=owner,
            game="the-castle" if castle else "carcassonne",
            capacity=seats,
            expansions=(BCB,) if not castle and self.random.random() < 0.7 else (),
            options={},
            settings=TableSettings(pace=pace, ends_after=ENDS_AFTER if number % 9 == 8 else 0),
        )
        lobby = await self.host.lobbies.open(new, self._press_id(self.clock.time))
        for person in others:
            await self.host.lobbies.join(lobby.id, person, self._press_id(self.clock.time))
        game = await self.host.lobbies.start(lobby.id, owner.user_id, self._press_id(self.clock.time))
        seated = [self.people[person.user_id] for person in game.seats]
        away = [player.away for player in seated]
        reckoning = Reckoning.begin(pace, game.seat_to_act or 0, self.outages, away) if pace in GIVEN else None
        self.tables[game.id] = SeasonTable(game, pace, seated, reckoning, self.clock.time)
        await self._post()

    async def _post(self, called: Any = ()) -> None:  # noqa: ANN401 - the games about which a player is notified as they chose
        """Discord takes what is due, some seconds later, now and then minutes."""
        for post in await self.host.outbox.due(limit=1000):
            if await self.host.outbox.sending(post.id):
                if post.kind is PostKind.REMINDER and post.game_id not in called:
                    self._remind(post)
                wait = self.random.choice([0.3, 1.2, 4, 90])
                self._plan(self.clock.time + timedelta(milliseconds=int(wait * 1000)), "posted", post)

    def _remind(self, post: Post) -> None:
        """Somebody is reminded: not too often."""
        reckoning, person = self.tables[post.game_id].reckoning, post.game.person_to_act
        if person is not None:
            remaining = None if reckoning is None else reckoning.remaining(self.clock.time)
            quiet = _QUIET if self.people[person.user_id].quiet else 0
            self.reminded.reminded(person.user_id, self.clock.time, remaining, quiet)

    async def _posted(self, post: Post) -> None:
        """A card is there: who is asked answers some time later, and who plans does so."""
        await self.host.outbox.sent(post.id, 1_000 + post.id)
        await self._post()
        table = self.tables[post.game.id]
        if post.kind not in (PostKind.START, PostKind.CARD):
            await self._beside(post, table)
            return
        game = await self.host.games.get(post.game.id)
        person = game.person_to_act
        if person is None or post.ply != game.ply:
            return
        if table.reckoning is not None:
            table.reckoning.card(self.clock.time)
        await self.host.turn_reminders.delivery_mode(game, game.revision, person.user_id)
        at = self.people[person.user_id].answers_at(self.clock.time, self.random)
        if at is not None:
            self._plan(at, "press", (game.id, game.ply, person.user_id))
        await self._call_planners(table, (await self.host.games.table(game.id)).position)

    async def _beside(self, post: Post, table: SeasonTable) -> None:
        """Now and then give a player who has been reminded more time, as another player."""
        asked = post.game.seat_to_act
        if post.kind is not PostKind.REMINDER or asked is None or self.random.random() > 0.1:
            return
        giver, receiver = post.game.seats[asked - 1].user_id, post.game.seats[asked].user_id
        with suppress(HostError):
            await self.host.time_extensions.give(post.game_id, giver, receiver, _GIFT, self._press_id(self.clock.time))
            if table.reckoning is not None:
                table.reckoning.gift(asked, _GIFT // _MS)

    async def _call_planners(self, table: SeasonTable, position: Any) -> None:  # noqa: ANN401 - of any game
        """Those who write plans do so, once for each bazaar."""
        if not isinstance(position.step, AUCTION):
            return
        bazaar = bazaar_number(position)
        for player in table.people:
            if player.plans and (bazaar, player.user_id) not in table.planned:
                table.planned.add((bazaar, player.user_id))
                at = player.answers_at(self.clock.time, self.random)
                if at is not None:
                    self._plan(at, "plans", (table.game.id, player.user_id, bazaar))

    async def _make_plan(self, game_id: int, user_id: int, bazaar: int) -> None:
        """Plan for a bazaar that is still held; if the player is asked, the plan answers at once."""
        now = await self.host.games.table(game_id)
        if not isinstance(now.position.step, AUCTION) or bazaar_number(now.position) != bazaar:  # type: ignore[arg-type]
            return
        table, at = self.tables[game_id], self.clock.time
        person = now.game.person_to_act
        if person is not None and person.user_id == user_id:
            if await self.host.pending_moves.find(game_id, user_id):
                return
            table.presses[now.position.ply] = at
        with suppress(HostError):
            await self.host.moves.plan(game_id, user_id, planned(now.position, self.random), self._press_id(at))  # type: ignore[arg-type]
        await self._follow(table)
        await self._post()

    async def _press(self, game_id: int, ply: int, user_id: int, at: datetime) -> None:
        """A press arrives, or comes to nothing where the game has gone on, or it was decided already."""
        now, table = await self.host.games.table(game_id), self.tables[game_id]
        if now.game.status is not GameStatus.RUNNING or now.position.ply != ply:
            return
        table.presses[ply] = at
        window = self.host.moves.window_of(await self.host.preferences.get(user_id), now.game)
        turn = self._turn(now.position)
        outcome = await self.host.moves.act(game_id, user_id, ply, turn, self._press_id(at), window=window)
        if outcome.waits:
            if table.reckoning is not None:
                table.reckoning.decided(at)
            if self.random.random() < 0.1:
                self._plan(self.clock.time + self.random.random() * window, "rethinks", (game_id, ply, user_id))
        await self._follow(table)
        await self._post()

    async def _rethink(self, game_id: int, ply: int, user_id: int) -> None:
        """Take a player's move back before it is published, and make another one soon."""
        with suppress(HostError):
            await self.host.pending_moves.retract(game_id, user_id, ply, self._press_id(self.clock.time))
            table = self.tables[game_id]
            if table.reckoning is not None:
                table.reckoning.card(self.clock.time)
            soon = self.clock.time + timedelta(minutes=self.random.uniform(1, 20))
            self._plan(soon, "press", (game_id, ply, user_id))

    def _turn(self, position: Position) -> list[Action]:
        """Return the decisions that a player makes at once; now and then only the placement of the tile."""
        ahead, actions = position.copy(), list[Action]()
        player, turn, whole = ahead.player, ahead.turn, self.random.random() < 0.8
        while not actions or (whole and (ahead.player, ahead.turn) == (player, turn)):
            step = ahead.step
            if step is None or (actions and step.out_of_turn):
                break
            actions.append(random_action(ahead, self.random))
            ahead.apply(actions[-1])
        return actions

    # -- reckoning ------------------------------------------------------------------------------------------------

    async def _follow(self, table: SeasonTable) -> None:
        """Reckon what has come to the log of a game."""
        game = await self.host.games.get(table.game.id)
        if table.ended is not None or (game.ply, game.status) == (table.seen, GameStatus.RUNNING):
            return
        if game.ply > table.seen:
            table.reckon(await self.host.games.moment(game.id, table.seen, game.ply), self.clock.time)
        table.seen = game.ply
        if game.status is GameStatus.FINISHED:
            table.ended = self.clock.time
            table.compare(await self._clocks(table))

    async def _clocks(self, table: SeasonTable) -> tuple[SeatClock, ...]:
        async with self.store.reading() as tx:
            return (await clocks.of_game(tx, table.game.id)).seats

    async def lines(self) -> list[dict[str, Any]]:
        """Return the report on each game."""
        return [
            table.line(await self.host.games.table(table.game.id), await self._clocks(table), self.clock.time)
            for table in self.tables.values()
        ]


def _whole(at: datetime) -> datetime:
    return at.replace(microsecond=at.microsecond // 1000 * 1000)
