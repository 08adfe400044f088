"""Events in the tests: people who sign up, a Discord that opens threads, and games that end quickly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from engine.selfplay import random_action
from host import Asker, Game, GameStatus, Host, Person, PostKind
from host.events import EventPlan, EventView, TableView
from tests.host.people import GUILD, SettableClock, click
from tournaments.specification import Parameters

EVENT_CHANNEL = 4242
BOSS = Person(500, "Olga")
BOSS_ASKS = Asker(BOSS.user_id, GUILD, manages=True)
EVERYBODY = Asker(1, GUILD)
STILL, HASTE = 3, 10
"""After how many seconds without any work time passes faster, and how much faster."""


def player(number: int) -> Person:
    return Person(1000 + number, f"P{number}")


def duels(**changes: object) -> EventPlan:
    parameters = Parameters(pace="fast", best_of=1)
    return EventPlan(**{"format": "duel-swiss", "parameters": parameters, **changes})  # type: ignore[arg-type]


def tables(**changes: object) -> EventPlan:
    return EventPlan(**{"format": "swiss-tables", "parameters": Parameters(pace="fast"), **changes})  # type: ignore[arg-type]


async def announced(host: Host, plan: EventPlan, players: int = 0) -> EventView:
    """An event for which so many have signed up."""
    event = await host.events.plans.create("Autumn Cup", plan, BOSS, BOSS_ASKS, EVENT_CHANNEL, click())
    await host.events.plans.announce(event.code, BOSS_ASKS, click())
    for number in range(players):
        await host.events.sign_up.join(event.code, player(number), GUILD, click())
    return await host.events.reader.view(event.code)


async def started(host: Host, plan: EventPlan, players: int) -> EventView:
    event = await announced(host, plan, players)
    return await host.events.starts.start(event.code, BOSS_ASKS, click())


@dataclass
class Threads:
    """Discord, as far as events need it: the messages and threads that are there."""

    host: Host
    full: bool = False
    opened: dict[int, int] = field(default_factory=dict)
    """Threads by game."""
    kinds: list[tuple[int, PostKind]] = field(default_factory=list)
    """The posts that were sent: the id of their game, and their kind."""

    async def post(self) -> int:
        """Send all that is due, as a sender does; how much that was."""
        count = 0
        while posts := await self.host.outbox.due(100):
            for post in posts:
                if not await self.host.outbox.sending(post.id):
                    continue
                if post.kind is PostKind.OPENING:
                    if self.full:
                        await self.host.events.openings.no_room(post.game_id)
                        await self.host.outbox.failed(post.id, retry_after=60)
                        continue
                    self.opened.setdefault(post.game_id, 700_000 + post.game_id)
                    await self.host.events.openings.opened(post.game_id, self.opened[post.game_id])
                self.kinds.append((post.game_id, post.kind))
                message = self.opened[post.game_id] if post.kind is PostKind.OPENING else 900_000 + post.id
                await self.host.outbox.sent(post.id, message)
                count += 1
        return count


async def drive(host: Host, clock: SettableClock, threads: Threads, seconds: int = 30) -> None:
    """Let the host and Discord work until the games of a round are open; quickly where nothing has happened lately."""
    end, still = clock.in_seconds(seconds), 0
    while clock.now() < end:
        done = await host.timer_dispatcher.work() + await threads.post()
        still = 0 if done else still + 1
        clock.advance(min(1 if still < STILL else HASTE, (end - clock.now()).total_seconds()))


async def open_tables(host: Host, code: str) -> list[TableView]:
    view = await host.events.reader.view(code)
    assert view.event is not None
    state = view.event.stage
    found: list[TableView] = []
    for drawn in state.rounds if state else ():
        its = await host.events.reader.round(code, state.number if state else 0, drawn.number)
        found += [table for table in its.tables if table.outcome is None and table.game_id is not None]
    return found


async def end(host: Host, game: Game, plies: int = 6) -> None:
    """A few moves that follow from who plays, then the game is scored as it stands."""
    random = Random(f"{sorted(person.name for person in game.seats)}")
    for _ in range(plies):
        table = await host.games.table(game.id)
        if table.game.status is not GameStatus.RUNNING:
            return
        person = table.game.seats[table.position.player]
        action = random_action(table.position, random)
        await host.moves.act(game.id, person.user_id, table.game.revision, [action], click())
    await host.endings.adjudicate(game.id)


async def play_round(host: Host, clock: SettableClock, threads: Threads, code: str, plies: int = 6) -> int:
    """End all games that are open; how many there were."""
    await drive(host, clock, threads)
    games = await open_tables(host, code)
    for table in games:
        assert table.game_id is not None
        await end(host, await host.games.get(table.game_id), plies)
    await host.timer_dispatcher.work()
    return len(games)


async def play_on(
    host: Host,
    clock: SettableClock,
    threads: Threads,
    code: str,
    until: Callable[[EventView], bool] = lambda event: event.finished_at is not None,
) -> EventView:
    """Play round after round."""
    for _ in range(40):
        view = await host.events.reader.view(code)
        if until(view):
            return view
        await play_round(host, clock, threads, code)
    raise AssertionError("the event does not end")
