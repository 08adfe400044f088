"""Shards of the gateway: which servers they serve, and what two processes with overlapping shards do.

"0-3/16" are the shards 0 to 3 of 16. The younger process yields to the elder after two minutes.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as some

from host import Host, Shards, retry
from store import CollisionError, UnavailableError
from tests.host.conftest import NewHost
from tests.host.people import GUILD, SettableClock


@some.composite
def shard_ranges(draw: some.DrawFn) -> Shards:
    """Generate any range of up to 40 shards."""
    of = draw(some.integers(1, 40))
    first = draw(some.integers(0, of - 1))
    return Shards(first, draw(some.integers(first, of - 1)), of)


@given(shard_ranges())
def test_shards_survive_a_round_trip_through_text(shards: Shards) -> None:
    assert Shards.parse(str(shards)) == shards


@given(shard_ranges(), shard_ranges())
def test_shards_meet_if_both_serve_a_common_server(first: Shards, second: Shards) -> None:
    servers = (number << 22 for number in range(first.of * second.of))
    both = any(first.covers(guild) and second.covers(guild) for guild in servers)
    assert first.overlaps(second) == second.overlaps(first) == both


def test_shards_of_different_counts_may_meet() -> None:
    assert Shards.parse("3/16").overlaps(Shards.parse("19/32"))
    assert not Shards.parse("3/16").overlaps(Shards.parse("18/32"))


@pytest.mark.parametrize("text", ["", "3", "3/3", "4-2/8", "0-8/8", "a/2", "0--1/4", "0/0", "٣/16"])
def test_invalid_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no shards"):
        Shards.parse(text)


AdvanceWith = Callable[..., Awaitable[None]]
"""Lets seconds pass in steps of ten; after each step the given hosts send a heartbeat."""


@pytest.fixture
def advance_with(clock: SettableClock) -> AdvanceWith:
    """Return a function that advances the clock while the heartbeats of some hosts go on."""

    async def advance(seconds: float, *hosts: Host) -> None:
        """Let seconds pass, with a heartbeat of each host every ten."""
        for _ in range(int(seconds // 10)):
            clock.advance(10)
            for host in hosts:
                await host.processes.beat()

    return advance


@pytest.mark.postgresql
async def test_the_younger_process_yields_after_two_minutes_and_returns(
    new_host: NewHost, clock: SettableClock, advance_with: AdvanceWith, caplog: pytest.LogCaptureFixture
) -> None:
    elder, younger = await new_host(), await new_host()
    await elder.processes.take_up(Shards.parse("0-3/16"))
    clock.advance(1)
    await younger.processes.take_up(Shards.parse("19/32"))
    assert await younger.processes.is_shared(3 << 22)
    assert not await younger.processes.is_shared(4 << 22)
    await advance_with(110, elder, younger)
    assert not younger.processes.overlap.yields
    await advance_with(20, elder, younger)
    assert younger.processes.overlap.yields
    assert not elder.processes.overlap.yields
    assert younger.processes.overlap.problem() == (
        f"19/32 are left to process {elder.processes.id}, which has 0-3/16: stop one of the two"
    )
    assert not await elder.processes.is_shared(3 << 22), "shards left to the elder are not shared"
    assert [line.levelname for line in caplog.records if line.name == "host.admin.processes"] == ["ERROR"]
    await advance_with(300, elder, younger)
    assert younger.processes.overlap.yields
    await elder.close()
    await advance_with(10, younger)
    assert not younger.processes.overlap.yields
    assert await elder.processes.is_shared(19 << 22)


@pytest.mark.postgresql
async def test_a_rolling_restart_causes_no_overlap(
    new_host: NewHost, clock: SettableClock, advance_with: AdvanceWith
) -> None:
    last = await new_host()
    await last.processes.take_up(Shards.parse("0/1"))
    for _ in range(3):
        before, last = last, await new_host()
        clock.advance(1)
        await last.processes.take_up(Shards.parse("0/1"))
        await advance_with(100, before, last)
        await before.close()
        await advance_with(30, last)
        assert not last.processes.overlap.yields


@pytest.mark.postgresql
async def test_the_younger_process_returns_once_a_killed_elder_counts_as_dead(
    new_host: NewHost, clock: SettableClock, advance_with: AdvanceWith
) -> None:
    elder, younger = await new_host(), await new_host()
    await elder.processes.take_up(Shards.parse("0/1"))
    clock.advance(1)
    await younger.processes.take_up(Shards.parse("0/1"))
    await advance_with(200, elder, younger)
    assert younger.processes.overlap.yields
    await advance_with(40, younger)
    assert not younger.processes.overlap.yields


@pytest.mark.postgresql
async def test_unserved_shards_are_listed(new_host: NewHost, advance_with: AdvanceWith) -> None:
    first, second = await new_host(), await new_host()
    await first.processes.take_up(Shards.parse("0-1/4"))
    assert await first.processes.missing_shards() == "2/4, 3/4"
    await second.processes.take_up(Shards.parse("3/8"))
    assert await first.processes.missing_shards() == "2/4"


@pytest.mark.sqlite
async def test_an_sqlite_file_serves_a_single_process(new_host: NewHost) -> None:
    host = await new_host()
    await host.processes.take_up(Shards.parse("0/1"))
    assert not await host.processes.is_shared(GUILD)
    assert await host.processes.missing_shards() == ""


async def test_gateway_sessions_start_five_seconds_apart(
    new_host: NewHost, clock: SettableClock, location: str
) -> None:
    first, second = await new_host(), await new_host()
    assert await first.sessions.begin(0) == timedelta(0)
    assert await first.sessions.begin(1) == timedelta(0)
    clock.advance(2)
    later = second if location.startswith("postgresql") else first
    assert await later.sessions.begin(0) == timedelta(seconds=3)
    clock.advance(3)
    assert await later.sessions.begin(0) == timedelta(0)
    assert await later.sessions.begin(0) == timedelta(seconds=5)


async def test_transient_errors_are_retried_forever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "_RETRY_INTERVAL", 0.0)
    errors: list[Exception] = [UnavailableError("down"), CollisionError("40001"), UnavailableError("down")]

    async def work() -> str:
        if errors:
            raise errors.pop()
        return "done"

    assert await retry.retry_forever(work) == "done"
