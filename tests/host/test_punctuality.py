"""Records of punctuality: what counts in them, who sees them, and tables that ask for a least."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import text

from host import PUNCTUALITY, ErrorCode, Host, Lobby, Person, Preferences, PunctualityRecord, TableSettings, TimerKind
from host.clocks import PACES
from store.connection import migrating
from store.play import punctuality
from tests.host.computers.test_stand_ins import start
from tests.host.computers.thinker import FakeThinker
from tests.host.conftest import NewHost
from tests.host.people import ADA, BEN, CLEO, SettableClock, click_id, expect_error, new_lobby, play_out
from tests.host.test_challenges import challenge_to
from tests.host.test_clocks import active_clock, advance_and_post, advance_with_heartbeat, open_game, post_all

SHOWN = Preferences().with_choice(PUNCTUALITY, "on")
"""The preferences of somebody who lets others see their record."""


async def record_of(host: Host, person: Person) -> tuple[int, int, int]:
    """Return how many games a person has finished, how often they timed out, and how many games they left."""
    record = await host.punctuality.of(person.user_id)
    return record.finished, record.timeouts, record.withdrawals


async def store_record(host: Host, person: Person, *counts: int) -> None:
    """Store a record for a person who has none."""
    async with host._store.writing() as tx:
        await punctuality.add(tx, [PunctualityRecord(person.user_id, *counts)])


@pytest.mark.both_databases
async def test_a_finished_game_counts_for_all_who_have_not_left(host: Host) -> None:
    game = await start(host, stand_in="")
    await host.moves.resign(game.id, BEN.user_id, click_id())
    assert [await record_of(host, person) for person in (ADA, BEN)] == [(0, 0, 0), (0, 0, 1)]
    await play_out(host, game.id)
    assert [await record_of(host, person) for person in (ADA, BEN, CLEO)] == [(1, 0, 0), (0, 0, 1), (1, 0, 0)]


async def test_a_timeout_counts_and_so_does_the_duel_that_it_ends(host: Host, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, pace="live")
    await post_all(host)
    silent = (await active_clock(host, game)).seat
    await advance_and_post(host, clock, 16 * 60, step=30)
    records = [await record_of(host, person) for person in game.players]
    assert (records[silent], records[1 - silent]) == ((0, 1, 1), (1, 0, 0))


async def test_a_skipped_turn_counts_once(host: Host, new_host: NewHost, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    silent = game.players[(await active_clock(host, game)).seat]
    await advance_with_heartbeat(host, clock, 80 * 3600 + 30)
    (timer,) = [timer for timer in await host.timer_dispatcher._due() if timer.kind is TimerKind.CLOCK]
    for process in (host, await new_host()):
        await process.timer_dispatcher._dispatch(timer)
    assert await record_of(host, silent) == (0, 1, 0)


async def test_games_against_computers_alone_do_not_count(new_host: NewHost) -> None:
    host = await new_host(thinker=FakeThinker())
    game = await start(host, ADA, computers=2)
    await host.moves.resign(game.id, ADA.user_id, click_id())
    assert await record_of(host, ADA) == (0, 0, 0)


async def test_who_plays_on_with_stand_ins_finishes_the_game(new_host: NewHost, clock: SettableClock) -> None:
    host = await new_host(thinker=FakeThinker())
    game = await start(host, ADA, BEN, pace="standard")
    await post_all(host)
    silent = game.players[(await active_clock(host, game)).seat]
    other = ADA if silent == BEN else BEN
    pace = PACES["standard"]
    await advance_with_heartbeat(host, clock, timedelta(milliseconds=pace.grace + pace.bank).total_seconds() + 60)
    await host.timer_dispatcher.work()
    assert (await host.games.get(game.id)).computers
    assert await record_of(host, silent) == (0, 1, 1)
    await host.endings.adjudicate(game.id)
    assert await record_of(host, other) == (1, 0, 0)


async def test_only_records_that_are_shown_are_seen(host: Host) -> None:
    await store_record(host, ADA, 12, 1, 0)
    await store_record(host, BEN, 3, 0, 0)
    assert await host.punctuality.shown_by([ADA.user_id, BEN.user_id]) == {}
    await host.preferences.set(ADA.user_id, SHOWN)
    assert await host.punctuality.shown_by([ADA.user_id, BEN.user_id, CLEO.user_id]) == {
        ADA.user_id: PunctualityRecord(ADA.user_id, 12, 1, 0)
    }


@pytest.mark.parametrize(
    ("counts", "percent"), [((), 0), ((9, 1, 0), 90), ((3, 0, 1), 75), ((2, 1, 0), 66), ((5, 0, 0), 100)]
)
def test_the_punctuality_is_the_share_of_games_finished(counts: tuple[int, ...], percent: int) -> None:
    assert PunctualityRecord(1, *counts).percent == percent


async def asking_table(host: Host, **changes: Any) -> Lobby:
    """Open a table of Ada's that asks for a punctuality of 75 per cent."""
    settings = TableSettings(least_punctuality=75)
    return await host.lobbies.open(new_lobby(settings=settings, **changes), click_id())


async def test_a_table_may_ask_for_a_least(host: Host) -> None:
    lobby = await asking_table(host)
    await store_record(host, BEN, 6, 1, 1)
    with expect_error(ErrorCode.PUNCTUALITY_HIDDEN, least=75):
        await host.lobbies.join(lobby.id, BEN, click_id())
    await host.preferences.set(BEN.user_id, SHOWN)
    assert BEN in (await host.lobbies.join(lobby.id, BEN, click_id())).members


async def test_who_is_below_the_least_cannot_join(host: Host) -> None:
    lobby = await asking_table(host)
    await host.preferences.set(BEN.user_id, SHOWN)
    with expect_error(ErrorCode.NOT_PUNCTUAL, least=75, percent=0):
        await host.lobbies.join(lobby.id, BEN, click_id())
    await store_record(host, BEN, 2, 1, 0)
    with expect_error(ErrorCode.NOT_PUNCTUAL, least=75, percent=66):
        await host.lobbies.join(lobby.id, BEN, click_id())


async def test_who_is_challenged_accepts_whatever_their_record(host: Host) -> None:
    lobby = await host.lobbies.open(challenge_to(BEN, settings=TableSettings(least_punctuality=90)), click_id())
    assert (await host.lobbies.join(lobby.id, BEN, click_id())).full


async def test_a_record_is_exported_and_forgotten(host: Host) -> None:
    await store_record(host, ADA, 12, 1, 0)
    exported = (await host.erasure.export(ADA.user_id))["punctuality"]
    assert exported == [{"user_id": ADA.user_id, "finished": 12, "timeouts": 1, "withdrawals": 0}]
    await host.erasure.erase(ADA.user_id)
    assert await record_of(host, ADA) == (0, 0, 0)


@pytest.mark.both_databases
async def test_the_migration_counts_earlier_games_alike(host: Host, clock: SettableClock) -> None:
    game = await open_game(host, ADA, BEN, CLEO)
    await post_all(host)
    await advance_and_post(host, clock, 90 * 3600, step=3600)
    await host.moves.resign(game.id, BEN.user_id, click_id())
    await play_out(host, game.id)
    await open_game(host, ADA, BEN)
    counted = [await record_of(host, person) for person in (ADA, BEN, CLEO)]
    assert sum(timeouts for _, timeouts, _ in counted) == 1
    scripts = ScriptDirectory.from_config(_alembic())
    migration = next(script for script in scripts.walk_revisions() if script.path.endswith("_punctuality.py"))
    async with host._store.writing() as tx:
        await tx.execute(text("DELETE FROM punctuality"))
        await tx.execute(text(migration.module._COUNT_EARLIER_GAMES))
    assert [await record_of(host, person) for person in (ADA, BEN, CLEO)] == counted


def _alembic() -> Config:
    """Return the configuration of the migrations."""
    config = Config()
    config.set_main_option("script_location", str(migrating.MIGRATIONS))
    return config
