"""Functions that drive events in tests: sign players up, open threads on a fake Discord, end games quickly.

Time passes on the settable clock alone; a game is ended by adjudicating it after a few random moves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from engine.selfplay import random_action
from host import Asker, Game, GameStatus, Host, Person, PostKind
from host.events import EventPlan, EventView, TableView
from tests.host.people import GUILD, SettableClock, click_id
from tournaments.specification import Parameters

EVENT_CHANNEL = 4242
"""Id of the channel of every event."""
ORGANISER = Person(500, "Olga")
"""The user who announces every event, and plays in none."""
AS_ORGANISER = Asker(ORGANISER.user_id, GUILD, manages=True)
"""The organiser as the sender of a request, who also manages the server."""
IDLE_SECONDS, SKIP_SECONDS = 3, 10
"""Seconds without any work after which the clock advances in larger steps, and the length of such a step."""


def player(number: int) -> Person:
    """Return the player with this number, such as P3 with the id 1003."""
    return Person(1000 + number, f"P{number}")


def duel_plan(**changes: object) -> EventPlan:
    """Return the plan of a Swiss event of single duels, with the given changes."""
    parameters = Parameters(pace="fast", best_of=1)
    return EventPlan(**{"format": "duel-swiss", "parameters": parameters, **changes})  # type: ignore[arg-type]


def table_plan(**changes: object) -> EventPlan:
    """Return the plan of a Swiss event at tables of several players, with the given changes."""
    return EventPlan(**{"format": "swiss-tables", "parameters": Parameters(pace="fast"), **changes})  # type: ignore[arg-type]


async def announce_event(host: Host, plan: EventPlan, players: int = 0) -> EventView:
    """Announce an event and sign up this many players for it."""
    event = await host.events.plans.create("Autumn Cup", plan, ORGANISER, AS_ORGANISER, EVENT_CHANNEL, click_id())
    await host.events.plans.announce(event.code, AS_ORGANISER, click_id())
    for number in range(players):
        await host.events.sign_up.join(event.code, player(number), GUILD, click_id())
    return await host.events.reader.view(event.code)


async def start_event(host: Host, plan: EventPlan, players: int) -> EventView:
    """Announce an event, sign up this many players and start it."""
    event = await announce_event(host, plan, players)
    return await host.events.starts.start(event.code, AS_ORGANISER, click_id())


@dataclass
class FakeThreads:
    """A fake Discord that opens the threads of an event's games and accepts their messages."""

    host: Host
    full: bool = False
    """True if no further thread can be opened."""
    opened: dict[int, int] = field(default_factory=dict)
    """Thread ids by game id."""
    kinds: list[tuple[int, PostKind]] = field(default_factory=list)
    """The game id and kind of each post sent, in order."""

    async def send_due_posts(self) -> int:
        """Send all due posts, as the bot's sender does, and return their number."""
        count = 0
        while posts := await self.host.outbox.due(100):
            for post in posts:
                if not await self.host.outbox.lease(post.id):
                    continue
                if post.kind is PostKind.OPENING:
                    if self.full:
                        await self.host.events.openings.pause_openings(post.game_id)
                        await self.host.outbox.record_failure(post.id, retry_after=60)
                        continue
                    self.opened.setdefault(post.game_id, 700_000 + post.game_id)
                    await self.host.events.openings.record_thread(post.game_id, self.opened[post.game_id])
                self.kinds.append((post.game_id, post.kind))
                message = self.opened[post.game_id] if post.kind is PostKind.OPENING else 900_000 + post.id
                await self.host.outbox.record_sent(post.id, message)
                count += 1
        return count


async def advance_event(host: Host, clock: SettableClock, threads: FakeThreads, seconds: int = 30) -> None:
    """Run timers and posts for this long, by default long enough to open the games of a round.

    The clock advances by seconds, and in larger steps once nothing has happened for a while.
    """
    deadline, idle = clock.in_seconds(seconds), 0
    while clock.now() < deadline:
        work_count = await host.timer_dispatcher.work() + await threads.send_due_posts()
        idle = 0 if work_count else idle + 1
        clock.advance(min(1 if idle < IDLE_SECONDS else SKIP_SECONDS, (deadline - clock.now()).total_seconds()))


async def open_tables(host: Host, code: str) -> list[TableView]:
    """Return the tables of the current stage whose games are running."""
    view = await host.events.reader.view(code)
    assert view.event is not None
    state = view.event.stage
    undecided: list[TableView] = []
    for drawn in state.rounds if state else ():
        view_of_round = await host.events.reader.round(code, state.number if state else 0, drawn.number)
        undecided += [table for table in view_of_round.tables if table.outcome is None and table.game_id is not None]
    return undecided


async def end_game(host: Host, game: Game, plies: int = 6) -> None:
    """Play a few moves, seeded by the players' names, then adjudicate the game."""
    rng = Random(f"{sorted(person.name for person in game.seats)}")
    for _ in range(plies):
        table = await host.games.table(game.id)
        if table.game.status is not GameStatus.RUNNING:
            return
        person = table.game.seats[table.position.player]
        action = random_action(table.position, rng)
        await host.moves.act(game.id, person.user_id, table.game.revision, [action], click_id())
    await host.endings.adjudicate(game.id)


async def play_round(host: Host, clock: SettableClock, threads: FakeThreads, code: str, plies: int = 6) -> int:
    """End all open games of the round and return their number."""
    await advance_event(host, clock, threads)
    games = await open_tables(host, code)
    for table in games:
        assert table.game_id is not None
        await end_game(host, await host.games.get(table.game_id), plies)
    await host.timer_dispatcher.work()
    return len(games)


async def play_until(
    host: Host,
    clock: SettableClock,
    threads: FakeThreads,
    code: str,
    until: Callable[[EventView], bool] = lambda event: event.finished_at is not None,
) -> EventView:
    """Play round after round until the condition holds, by default until the event is finished."""
    for _ in range(40):
        view = await host.events.reader.view(code)
        if until(view):
            return view
        await play_round(host, clock, threads, code)
    raise AssertionError("the condition never held")
