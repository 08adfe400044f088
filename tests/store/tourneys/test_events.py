"""Rows of events: facts, tables, posts and queue entries are stored once, and frequent queries use an index.

An event is a tournament. Facts are its history, numbered from 0; tables are its games. The plan and the facts are
arbitrary text here.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy.exc import IntegrityError

from store import (
    EventPostKind,
    EventState,
    NewEventPost,
    PlyConflictError,
    QueueRecord,
    Store,
    TablePlace,
    TableState,
    UnreadableError,
    event_posts,
    events,
    ladder,
)
from store.tourneys.events import NewEvent, TableRecord
from tests.store.rows import ADA, NOW

NEW = NewEvent(code="CUPS", name="Cup", guild_id=1 << 62, channel_id=2, owner=ADA, plan={"format": "x"}, seed="5eed")
"""An event whose plan and seed are arbitrary."""


async def add_event(store: Store) -> int:
    """Store the event `NEW` and return its id."""
    async with store.writing() as tx:
        return await events.add(tx, NEW, NOW)


async def test_an_event_survives_a_round_trip(store: Store) -> None:
    event_id = await add_event(store)
    async with store.reading() as tx:
        event = await events.by_code(tx, "CUPS")
        assert event == await events.get(tx, event_id)
        assert event is not None
        assert (event.state, event.plan_data, event.facts, event.look_at) == (
            EventState.DRAFT,
            {"format": "x"},
            0,
            None,
        )
        assert await events.in_guild(tx, 1 << 62, [EventState.DRAFT], 9) == [event]
        assert await events.in_guild(tx, 1 << 62, [EventState.OPEN], 9) == []


async def test_a_fact_number_is_used_once(store: Store) -> None:
    event_id = await add_event(store)
    async with store.writing() as tx:
        await events.add_fact(tx, event_id, 0, "one", NOW)
    with pytest.raises(PlyConflictError):
        async with store.writing() as tx:
            await events.add_fact(tx, event_id, 0, "other", NOW)
    async with store.writing() as tx:
        await events.add_fact(tx, event_id, 1, "two", NOW, 7)
    async with store.reading() as tx:
        assert [(row.fact, row.user_id) for row in await events.facts(tx, event_id)] == [("one", 0), ("two", 7)]
        assert [row.fact for row in await events.facts(tx, event_id, 1)] == ["two"]


async def test_a_table_is_stored_once(store: Store) -> None:
    event_id = await add_event(store)
    table = TableRecord(event_id=event_id, place=TablePlace(1, 0, 1, 1), state=TableState.TO_OPEN, due_at=NOW)
    async with store.writing() as tx:
        await events.add_tables(tx, [table])
    with pytest.raises(IntegrityError):
        async with store.writing() as tx:
            await events.add_tables(tx, [table])
    async with store.writing() as tx:
        assert await events.tables_to_open(tx, NOW, 9) == [table]
        assert await events.update_table(tx, table, {"state": TableState.VOID})
        assert not await events.update_table(tx, table, {"state": TableState.OPEN})
        assert await events.tables_to_open(tx, NOW, 9) == []


async def test_posts_are_sent_once_and_in_order(store: Store) -> None:
    event_id = await add_event(store)
    later = NOW + timedelta(minutes=1)
    first, second = (
        NewEventPost(event_id=event_id, kind=kind, nonce=kind, details={})
        for kind in (EventPostKind.ANNOUNCED, EventPostKind.STARTED)
    )
    async with store.writing() as tx:
        assert await event_posts.add(tx, first, NOW)
        assert not await event_posts.add(tx, first, NOW)
        assert await event_posts.add(tx, second, NOW)
        [post] = await event_posts.due(tx, NOW, 9)
        assert post.kind is EventPostKind.ANNOUNCED
        assert await event_posts.lease(tx, post.id, NOW, later)
        assert not await event_posts.lease(tx, post.id, NOW, later)
        assert await event_posts.due(tx, NOW, 9) == []
        assert [row.attempts for row in await event_posts.due(tx, later, 9)] == [1]
        assert await event_posts.mark_sent(tx, post.id, 5, NOW)
        assert not await event_posts.mark_sent(tx, post.id, 6, NOW)
        assert [row.kind for row in await event_posts.due(tx, NOW, 9)] == [EventPostKind.STARTED]


async def test_an_unreadable_event_raises_an_error_of_its_own(store: Store) -> None:
    event_id = await add_event(store)
    async with store.writing() as tx:
        await tx.exec_driver_sql("UPDATE events SET state = 'tomorrow'")
    with pytest.raises(UnreadableError):
        async with store.reading() as tx:
            await events.get(tx, event_id)


async def test_lines_of_the_audit_log_are_numbered(store: Store) -> None:
    event_id = await add_event(store)
    async with store.writing() as tx:
        assert await events.add_audit(tx, event_id, 1, "created", {"a": 1}, NOW) == 1
        assert await events.add_audit(tx, event_id, 1, "closed", {}, NOW) == 2
        assert [line.kind for line in await events.audit_of(tx, event_id)] == ["created", "closed"]


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("statement", "index"),
    [
        ("SELECT id FROM events WHERE look_at <= 5 ORDER BY look_at LIMIT 20", "ix_events_look_at"),
        (
            "SELECT * FROM event_tables WHERE state = 'to_open' AND due_at <= 5 ORDER BY due_at",
            "ix_event_tables_to_open",
        ),
        ("SELECT * FROM event_tables WHERE game_id = 5", "event_tables"),
        ("SELECT * FROM event_posts WHERE sent_at IS NULL AND due_at <= 5", "ix_event_posts"),
        ("SELECT guild_id, scale FROM ladder_queue WHERE look_at <= 5", "ix_ladder_queue_look_at"),
        ("SELECT * FROM ladder_games WHERE guild_id = 1 AND scale = 'duel' AND opened_at > 5", "ix_ladder_games"),
        ("SELECT * FROM event_entries WHERE user_id = 5", "ix_event_entries_user_id"),
        ("SELECT * FROM ratings WHERE guild_id = 0 AND scale = 'duel' ORDER BY shown DESC", "ix_ratings"),
    ],
)
async def test_frequent_queries_use_an_index(store: Store, statement: str, index: str) -> None:
    async with store.reading() as tx:
        plan = [row[3] for row in await tx.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}")]
    assert any("SEARCH" in step and index in step for step in plan), plan
    assert not any(step.startswith("SCAN") for step in plan), plan


async def test_a_player_is_in_a_queue_once(store: Store) -> None:
    record = QueueRecord(guild_id=1, scale="duel", person=ADA, channel_id=2, joined_at=NOW)
    async with store.writing() as tx:
        assert await ladder.join_queue(tx, record, NOW)
        assert not await ladder.join_queue(tx, record, NOW)
        assert await ladder.due_queues(tx, NOW) == [(1, "duel")]
        assert await ladder.leave_queue(tx, 1, "duel", [ADA.user_id]) == 1
