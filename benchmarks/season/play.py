"""The simulation of a season of games: a queue of events, each of which is carried out at its simulated time.

Events are presses of buttons, posted messages, vacations and outages of the bot. Games run on the bot's own host and
store; the simulation plays the parts of the players and of Discord. It keeps the clocks that each game should have
(``expected_clocks``), and compares them with the stored ones when the game ends.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import Any, Final

from benchmarks.plans import AUCTION_STEPS, random_plan
from benchmarks.season.expected_clocks import HOUR_MS, ClockError, Downtimes, ExpectedClocks, ReminderLimits
from benchmarks.season.expected_clocks import PACES as PACES_WITH_CLOCKS
from benchmarks.season.people import START, SeasonPlayer, SimulatedClock, create_players
from benchmarks.season.tables import SeasonTable
from engine import Action, Position
from engine.carcassonne.expansions import BCB
from engine.carcassonne.expansions.bridges_castles_bazaars import bazaar_number
from engine.selfplay import random_action
from host import (
    PUBLISH_WINDOW,
    QUIET_HOURS,
    TIME_ZONE,
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

PACE_CYCLE: Final = ("standard", "fast", "slow", "standard", "none")
"""The paces of games, in turn."""
MAX_DURATION: Final = timedelta(days=400)
"""Simulated time after which a game counts as endless."""
ENDS_AFTER_DAYS: Final = 24
"""End date of every ninth game, in days after its start."""
OUTAGES: Final = ((3.2, 9), (11.6, 5))
"""Day of the season and hours of each outage."""
NIGHT: Final = "22:00-07:00"
"""The quiet hours, without notifications, that half of the players set."""
_QUIET_MS: Final = 9 * HOUR_MS
"""Length of the quiet hours."""
_GIFT: Final = timedelta(hours=6)
"""Time that a player gives another one."""
_DISCORD_EPOCH: Final = datetime(2015, 1, 1, tzinfo=UTC)
_MS: Final = timedelta(milliseconds=1)


class Season:
    """A simulation of games among players, with two outages of the bot."""

    def __init__(self, store: Store, *, seed: int, players: int, games: int) -> None:
        self.clock = SimulatedClock()
        self.random = Random(seed)
        self.store = store
        settings = HostSettings(
            publish_window=timedelta(seconds=60), games_of_guild=10_000, new_seed=lambda: str(self.random.random())
        )
        self.host = Host(store, clock=self.clock, settings=settings)
        self.people = {player.user_id: player for player in create_players(players, self.random)}
        self.tables: dict[int, SeasonTable] = {}
        self.outages = Downtimes()
        self.reminders = ReminderLimits()
        self._game_count = games
        self._events: list[tuple[datetime, int, str, Any]] = []
        """A heap of scheduled events: time, sequence number, kind and details."""
        self._sequence = count()
        self._ids = count(1)

    # -- events ---------------------------------------------------------------------------------------------------

    async def play(self) -> None:
        """Run the simulation until all games have ended.

        Raises:
            ClockError: a clock is wrong, a player gets too many reminders, or a game does not end.
        """
        await self.host.start()
        for player in self.people.values():
            await self._set_preferences(player)
        for _ in range(self._game_count):
            await self._open_game()
        for day, hours in OUTAGES:
            self._schedule(START + timedelta(days=day), "outage", timedelta(hours=hours))
        while any(table.ended is None for table in self.tables.values()):
            await self._run_next()
            if self.clock.time > START + MAX_DURATION:
                raise ClockError("a game does not end")

    async def _set_preferences(self, player: SeasonPlayer) -> None:
        """Store the player's settings, and schedule the announcement of their vacation."""
        chosen = Preferences().with_choice(TIME_ZONE, player.zone).with_choice(PUBLISH_WINDOW, player.window)
        await self.host.preferences.set(player.user_id, chosen.with_choice(QUIET_HOURS, NIGHT if player.quiet else ""))
        if player.trip is not None:
            self._schedule(START + timedelta(days=player.trip.announced), "trip", player)

    def _schedule(self, at: datetime, kind: str, about: Any) -> None:  # noqa: ANN401
        """Put an event into the queue of the simulation."""
        heappush(self._events, (_truncate_to_ms(at), next(self._sequence), kind, about))

    async def _run_next(self) -> None:
        """Advance to the next scheduled event or due timer, and carry it out."""
        async with self.store.reading() as tx:
            stored = await timers.due(tx, self.host.timer_dispatcher.kinds, datetime.max.replace(tzinfo=UTC), 1)
        due = stored[0].due_at if stored else None
        first = self._events[0][0] if self._events else None
        if due is not None and (first is None or due <= first):
            await self._advance_clock(max(due, self.clock.time))
            await self._sweep()
        elif first is None:
            raise ClockError("no event is scheduled, but games are running")
        else:
            at, _, kind, about = heappop(self._events)
            await self._advance_clock(max(at, self.clock.time))
            await self._carry_out(kind, about)

    async def _sweep(self) -> None:
        """Let the host process its due timers, as the bot's sweep does."""
        async with self.store.reading() as tx:
            due = await timers.due(tx, self.host.timer_dispatcher.kinds, self.clock.time, 1000)
        await self.host.timer_dispatcher.work()
        for game_id in {timer.game_id for timer in due}:
            await self._follow_log(self.tables[game_id])
        await self._deliver_posts({timer.game_id for timer in due if timer.kind is TimerKind.CALL})

    async def _carry_out(self, kind: str, about: Any) -> None:  # noqa: ANN401
        """Carry out a scheduled event."""
        match kind:
            case "outage":
                await self._suffer_outage(about)
            case "trip":
                await self._announce_vacation(about)
            case "press":
                delay = self.random.choice([40, 300, 1500]) * _MS
                self._schedule(self.clock.time + delay, "arrives", (*about, self.clock.time))
            case "arrives":
                await self._press(*about)
            case "rethinks":
                await self._rethink(*about)
            case "plans":
                await self._make_plan(*about)
            case _:
                await self._record_posted(about)

    async def _advance_clock(self, at: datetime) -> None:
        """Advance the clock, and store a heartbeat of the bot."""
        self.clock.time = at
        async with self.store.writing() as tx:
            await processes.save_heartbeat(tx, Heartbeat(0, 1, at))

    async def _suffer_outage(self, length: timedelta) -> None:
        """Stop the bot for this time; players repeat soon after it what they did meanwhile.

        The restarted bot sweeps before it receives anything, and the outage must not cost any player time.
        """
        begin = self.clock.time
        self.clock.time = end = begin + length
        self.outages.gaps.append((begin, end))
        await self._sweep()
        await self.host.gateway_monitor.beat()
        missed = [heappop(self._events) for _ in self._events[:] if self._events[0][0] < end]
        for _, _, kind, about in missed:
            again = ("press", about[:-1]) if kind == "arrives" else (kind, about)
            self._schedule(end + timedelta(seconds=self.random.uniform(60, 3600)), *again)

    async def _announce_vacation(self, player: SeasonPlayer) -> None:
        """Announce a player's vacation."""
        trip = player.trip
        if trip is not None:
            with suppress(HostError):  # after an outage it may be too late
                first = (START + timedelta(days=trip.first)).date()
                entry = await self.host.vacations.announce(player.user_id, first, trip.days)
                player.away.append((entry.starts_at, entry.ends_at))

    # -- games ----------------------------------------------------------------------------------------------------

    def _interaction_id(self, at: datetime) -> int:
        """Return a new snowflake of this time, as Discord forms it."""
        return ((at - _DISCORD_EPOCH) // _MS << 22) + next(self._ids)

    async def _open_game(self) -> None:
        """Open a lobby and start a game; every fourth one is The Castle."""
        number = len(self.tables)
        pace, castle = PACE_CYCLE[number % len(PACE_CYCLE)], number % 4 == 3
        seats = 2 if castle else self.random.choice([2, 3, 4, 4])
        people = self.random.sample(list(self.people.values()), seats)
        owner, *others = [Person(player.user_id, player.name) for player in people]
        new = NewLobby(
            guild_id=11 << 22,
            channel_id=22,
            owner=owner,
            game="the-castle" if castle else "carcassonne",
            capacity=seats,
            expansions=(BCB,) if not castle and self.random.random() < 0.7 else (),
            options={},
            settings=TableSettings(pace=pace, ends_after=ENDS_AFTER_DAYS if number % 9 == 8 else 0),
        )
        lobby = await self.host.lobbies.open(new, self._interaction_id(self.clock.time))
        for person in others:
            await self.host.lobbies.join(lobby.id, person, self._interaction_id(self.clock.time))
        game = await self.host.lobbies.start(lobby.id, owner.user_id, self._interaction_id(self.clock.time))
        seated = [self.people[person.user_id] for person in game.seats]
        away = [player.away for player in seated]
        has_clocks = pace in PACES_WITH_CLOCKS
        expected = ExpectedClocks.begin(pace, game.seat_to_act or 0, self.outages, away) if has_clocks else None
        self.tables[game.id] = SeasonTable(game, pace, seated, expected, self.clock.time)
        await self._deliver_posts()

    async def _deliver_posts(self, called: Any = ()) -> None:  # noqa: ANN401 - a collection of ids
        """Send the due posts to Discord, which posts them after some seconds, and sometimes after minutes.

        ``called`` are games whose players have chosen the time of a notification, which does not count as a reminder.
        """
        for post in await self.host.outbox.due(limit=1000):
            if await self.host.outbox.lease(post.id):
                if post.kind is PostKind.REMINDER and post.game_id not in called:
                    self._check_reminder(post)
                wait = self.random.choice([0.3, 1.2, 4, 90])
                self._schedule(self.clock.time + timedelta(milliseconds=int(wait * 1000)), "posted", post)

    def _check_reminder(self, post: Post) -> None:
        """Check that the player to move does not get too many reminders."""
        expected, person = self.tables[post.game_id].expected, post.game.person_to_act
        if person is not None:
            remaining = None if expected is None else expected.remaining(self.clock.time)
            quiet = _QUIET_MS if self.people[person.user_id].quiet else 0
            self.reminders.add(person.user_id, self.clock.time, remaining, quiet)

    async def _record_posted(self, post: Post) -> None:
        """Record a post as sent; for a card, schedule the player's answer and the other players' plans."""
        await self.host.outbox.record_sent(post.id, 1_000 + post.id)
        await self._deliver_posts()
        table = self.tables[post.game.id]
        if post.kind not in (PostKind.START, PostKind.CARD):
            await self._consider_gift(post, table)
            return
        game = await self.host.games.get(post.game.id)
        person = game.person_to_act
        if person is None or post.ply != game.ply:
            return
        if table.expected is not None:
            table.expected.card_posted(self.clock.time)
        await self.host.turn_reminders.delivery_mode(game, game.revision, person.user_id)
        at = self.people[person.user_id].answers_at(self.clock.time, self.random)
        if at is not None:
            self._schedule(at, "press", (game.id, game.ply, person.user_id))
        await self._schedule_plans(table, (await self.host.games.table(game.id)).position)

    async def _consider_gift(self, post: Post, table: SeasonTable) -> None:
        """Sometimes let another player give time to a player who has just been reminded."""
        asked = post.game.seat_to_act
        if post.kind is not PostKind.REMINDER or asked is None or self.random.random() > 0.1:
            return
        giver, receiver = post.game.seats[asked - 1].user_id, post.game.seats[asked].user_id
        with suppress(HostError):
            await self.host.time_extensions.give(
                post.game_id, giver, receiver, _GIFT, self._interaction_id(self.clock.time)
            )
            if table.expected is not None:
                table.expected.add_gift(asked, _GIFT // _MS)

    async def _schedule_plans(self, table: SeasonTable, position: Any) -> None:  # noqa: ANN401 - of any game
        """Schedule a plan of each player who writes plans, once for each bazaar."""
        if not isinstance(position.step, AUCTION_STEPS):
            return
        bazaar = bazaar_number(position)
        for player in table.people:
            if player.plans and (bazaar, player.user_id) not in table.planned:
                table.planned.add((bazaar, player.user_id))
                at = player.answers_at(self.clock.time, self.random)
                if at is not None:
                    self._schedule(at, "plans", (table.game.id, player.user_id, bazaar))

    async def _make_plan(self, game_id: int, user_id: int, bazaar: int) -> None:
        """Store a plan if the bazaar is still open; if its player has to decide, the plan decides at once."""
        now = await self.host.games.table(game_id)
        if not isinstance(now.position.step, AUCTION_STEPS) or bazaar_number(now.position) != bazaar:  # type: ignore[arg-type]
            return
        table, at = self.tables[game_id], self.clock.time
        person = now.game.person_to_act
        if person is not None and person.user_id == user_id:
            if await self.host.pending_moves.find(game_id, user_id):
                return
            table.presses[now.position.ply] = at
        with suppress(HostError):
            plan = random_plan(now.position, self.random)  # type: ignore[arg-type]
            await self.host.moves.plan(game_id, user_id, plan, self._interaction_id(at))
        await self._follow_log(table)
        await self._deliver_posts()

    async def _press(self, game_id: int, ply: int, user_id: int, at: datetime) -> None:
        """Deliver a press, unless the game is over or the decision has been made meanwhile."""
        now, table = await self.host.games.table(game_id), self.tables[game_id]
        if now.game.status is not GameStatus.RUNNING or now.position.ply != ply:
            return
        table.presses[ply] = at
        window = self.host.moves.window_of(await self.host.preferences.get(user_id), now.game)
        turn = self._turn(now.position)
        outcome = await self.host.moves.act(game_id, user_id, ply, turn, self._interaction_id(at), window=window)
        if outcome.waits:
            if table.expected is not None:
                table.expected.decided(at)
            if self.random.random() < 0.1:
                self._schedule(self.clock.time + self.random.random() * window, "rethinks", (game_id, ply, user_id))
        await self._follow_log(table)
        await self._deliver_posts()

    async def _rethink(self, game_id: int, ply: int, user_id: int) -> None:
        """Retract a player's move before it is published, and schedule another one."""
        with suppress(HostError):
            await self.host.pending_moves.retract(game_id, user_id, ply, self._interaction_id(self.clock.time))
            table = self.tables[game_id]
            if table.expected is not None:
                table.expected.card_posted(self.clock.time)
            soon = self.clock.time + timedelta(minutes=self.random.uniform(1, 20))
            self._schedule(soon, "press", (game_id, ply, user_id))

    def _turn(self, position: Position) -> list[Action]:
        """Return the random decisions that a player makes at once: usually a whole turn, sometimes one decision."""
        ahead, actions = position.copy(), list[Action]()
        player, turn, whole = ahead.player, ahead.turn, self.random.random() < 0.8
        while not actions or (whole and (ahead.player, ahead.turn) == (player, turn)):
            step = ahead.step
            if step is None or (actions and step.out_of_turn):
                break
            actions.append(random_action(ahead, self.random))
            ahead.apply(actions[-1])
        return actions

    # -- clocks ---------------------------------------------------------------------------------------------------

    async def _follow_log(self, table: SeasonTable) -> None:
        """Apply new actions of a game to its expected clocks; compare all clocks when it has ended."""
        game = await self.host.games.get(table.game.id)
        if table.ended is not None or (game.ply, game.status) == (table.seen, GameStatus.RUNNING):
            return
        if game.ply > table.seen:
            table.follow(await self.host.games.moment(game.id, table.seen, game.ply), self.clock.time)
        table.seen = game.ply
        if game.status is GameStatus.FINISHED:
            table.ended = self.clock.time
            table.compare(await self._clocks(table))

    async def _clocks(self, table: SeasonTable) -> tuple[SeatClock, ...]:
        """Read the clocks of a game that the host has stored."""
        async with self.store.reading() as tx:
            return (await clocks.of_game(tx, table.game.id)).seats

    async def reports(self) -> list[dict[str, Any]]:
        """Return the report on each game."""
        return [
            table.report(await self.host.games.table(table.game.id), await self._clocks(table), self.clock.time)
            for table in self.tables.values()
        ]


def _truncate_to_ms(at: datetime) -> datetime:
    return at.replace(microsecond=at.microsecond // 1000 * 1000)
