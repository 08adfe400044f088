"""Adding facts to the log of an event, with the rows that follow from them, in one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final, assert_never

from host.events.views.known import Known
from host.events.views.reading import Reading
from host.events.views.refusals import as_refusals
from store import (
    EventPostKind,
    FactRecord,
    NewEventPost,
    TablePlace,
    TableRecord,
    TableState,
    Transaction,
    event_posts,
    event_tables,
    events,
)
from tournaments.facts import (
    Correction,
    EntrySubstitution,
    Extended,
    Fact,
    GamesAdded,
    LateEntry,
    LineUp,
    Rejoined,
    Result,
    RoundDrawn,
    RoundUndone,
    StageBegun,
    StageEnded,
    Withdrawal,
    to_json,
)

PACED: Final = timedelta(seconds=2)
"""From the founding of one game of a round to that of the next."""
BY_ITSELF: Final = 0
"""Who adds what nobody has decided."""


class Happening(Reading):
    """What happens to events."""

    async def _append(self, tx: Transaction, known: Known, fact: Fact, user_id: int = BY_ITSELF) -> Known:
        """The event with one more fact.

        Raises:
            HostError: ``event_not_running``, or the rules refuse it.
            PlyConflictError: somebody else has added one; the transaction has to be given up.
        """
        record, now = known.record, self._clock.now()
        event = known.running.copy()
        with as_refusals():
            event.apply(fact)
        text = to_json(fact)
        await events.append(tx, record.id, len(known.facts), text, now, user_id)
        await events.look(tx, record.id, now)
        after = replace(
            known,
            record=replace(record, facts=record.facts + 1),
            event=event,
            facts=[*known.facts, FactRecord(len(known.facts), text, now, user_id)],
        )
        await self._follow(tx, after, fact, now)
        return after

    async def _follow(self, tx: Transaction, known: Known, fact: Fact, now: datetime) -> None:
        """The rows and posts that a fact brings."""
        event_id = known.record.id
        match fact:
            case RoundDrawn():
                await self._add_tables(tx, known, fact, 1, now)
                await self._post(tx, event_id, EventPostKind.ROUND, len(known.facts), fact.stage, fact.round)
                if known.running.plans[fact.stage - 1].boards:
                    until = {"until": int((now + timedelta(hours=known.plan.line_up_hours)).timestamp())}
                    mark = len(known.facts)
                    await self._post(tx, event_id, EventPostKind.LINE_UPS, mark, fact.stage, fact.round, details=until)
            case GamesAdded():
                drawn = known.running.round(fact.stage, fact.round)
                await self._add_tables(tx, known, fact, len(drawn.tables) - len(fact.tables) + 1, now)
                more = {"tables": len(fact.tables)}
                await self._post(
                    tx, event_id, EventPostKind.GAMES, len(known.facts), fact.stage, fact.round, details=more
                )
            case StageEnded():
                details = {"reason": fact.reason}
                await self._post(tx, event_id, EventPostKind.STAGE, len(known.facts), fact.stage, details=details)
            case StageBegun() | RoundUndone() | Result() | Correction() | Extended() | LineUp():
                pass
            case Withdrawal() | Rejoined() | LateEntry() | EntrySubstitution():
                pass
            case never:
                assert_never(never)

    async def _add_tables(
        self, tx: Transaction, known: Known, fact: RoundDrawn | GamesAdded, first: int, now: datetime
    ) -> None:
        """The rows of games to be opened, one after the other; those of a round of boards wait for its line-ups."""
        state = known.running.stages[fact.stage - 1]
        sealed = bool(state.plan.boards) and isinstance(fact, RoundDrawn)
        start = now + timedelta(hours=known.plan.line_up_hours) if sealed else now
        waiting = await event_tables.last_due(tx, known.record.id)
        start = start if waiting is None else max(start, waiting + PACED)
        await event_tables.add(
            tx,
            [
                TableRecord(
                    event_id=known.record.id,
                    place=TablePlace(fact.stage, state.undone, fact.round, first + number),
                    state=TableState.TO_OPEN,
                    due_at=start + number * PACED,
                )
                for number in range(len(fact.tables))
            ],
        )

    async def _post(
        self,
        tx: Transaction,
        event_id: int,
        kind: EventPostKind,
        mark: object,
        stage: int = 0,
        number: int = 0,
        *,
        details: Mapping[str, Any] | None = None,
    ) -> bool:
        """Have something posted about an event; what its kind and the mark say, once."""
        post = NewEventPost(
            event_id=event_id,
            kind=kind,
            nonce=f"E{event_id}.{mark}.{kind[:8]}"[:25],
            stage=stage,
            round=number,
            details=details or {},
        )
        return await event_posts.add(tx, post, self._clock.now())

    async def _note(self, tx: Transaction, event_id: int, user_id: int, kind: str, **details: object) -> int:
        """Note in the audit log what an organiser did; the number of the entry."""
        return await events.add_audit(tx, event_id, user_id, kind, details, self._clock.now())
