"""The render pool: worker threads, priorities, cancellation, rate limits, warming and caching.

Cards have priority over private pictures (``run_for``, ``read``) and replays (``film``). Warming draws the sprites of
a game ahead of its first picture. The tests block worker threads by events until all jobs are queued.
"""

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Collection, Iterator
from datetime import UTC, datetime, timedelta

import pytest

from cogs.games.presenters import PRESENTERS
from cogs.presenting.presenter import AltPicture
from cogs.services.render_pool import (
    FILM_CACHE_BYTES,
    FILM_COST,
    LOOKUP_COST,
    MAX_PENDING_JOBS,
    NICENESS,
    THREADS,
    RenderPool,
    SupersededError,
)
from cogs.words.refusals import RefusedError
from engine import GAMES
from renderers import DAY, NIGHT, Picture, Theme


@pytest.fixture
def render_pool() -> Iterator[RenderPool]:
    """Yield a render pool, and close it afterwards."""
    render_pool = RenderPool()
    yield render_pool
    render_pool.close()


async def test_pictures_are_drawn_in_another_thread(render_pool: RenderPool) -> None:
    assert await render_pool.draw(threading.get_ident) != threading.get_ident()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere all threads of a process have one priority")
async def test_private_pictures_have_a_lower_priority(render_pool: RenderPool) -> None:
    def niceness() -> int:
        """Return the priority of the current thread."""
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    own_niceness = niceness()
    assert await render_pool.draw(niceness) == own_niceness
    assert (
        await render_pool.run_for(1, niceness)
        == await render_pool.read(1, niceness)
        == min(19, own_niceness + NICENESS)
        > own_niceness
    )


async def test_only_the_newest_picture_for_a_place_is_drawn(render_pool: RenderPool) -> None:
    drawn: list[int] = []
    may_finish = threading.Event()
    blockers = [asyncio.create_task(render_pool.draw(lambda: may_finish.wait(10))) for _ in range(THREADS)]
    await asyncio.sleep(0)

    def draw(number: int) -> int:
        drawn.append(number)
        return number

    tasks = [
        asyncio.create_task(render_pool.draw_newest("panel", lambda number=number: draw(number))) for number in range(4)
    ]  # type: ignore[misc]
    other_place = asyncio.create_task(render_pool.draw_newest("another panel", lambda: draw(9)))
    await asyncio.sleep(0)
    may_finish.set()
    results = await asyncio.gather(*tasks, other_place, return_exceptions=True)
    await asyncio.gather(*blockers)
    assert [type(result) for result in results[:3]] == [SupersededError] * 3
    assert results[3:] == [3, 9]
    assert sorted(drawn) == [3, 9]


async def test_an_error_is_raised_and_not_cached(render_pool: RenderPool) -> None:
    def fail() -> int:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await render_pool.draw_newest("panel", fail)
    assert await render_pool.draw_newest("panel", lambda: 1) == 1


async def test_cards_are_drawn_before_private_pictures(
    render_pool: RenderPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_finish, order = threading.Event(), list[str]()
    card = asyncio.create_task(render_pool.draw(lambda: order.append("card") if may_finish.wait(10) else None))
    await asyncio.sleep(0)
    private_picture = asyncio.create_task(render_pool.run_for(1, lambda: order.append("look")))
    await asyncio.sleep(0.05)
    assert order == []
    may_finish.set()
    await asyncio.gather(card, private_picture)
    assert order == ["card", "look"]
    monkeypatch.setattr("cogs.services.render_pool.MAX_DEFERRAL", 0.01)
    may_finish.clear()
    card = asyncio.create_task(render_pool.draw(lambda: order.append("card") if may_finish.wait(10) else None))
    await render_pool.run_for(1, lambda: order.append("look"))
    assert order == ["card", "look", "look"], "private pictures do not starve"
    may_finish.set()
    await card


async def test_sprites_of_all_games_are_warmed_in_sequence(render_pool: RenderPool) -> None:
    """Every game of the engine has a warming function in its presenter, as in the bot."""
    assert set(PRESENTERS) == set(GAMES)
    steps: list[tuple[str, int, Theme]] = []
    finished = threading.Event()

    def warm_up_steps(name: str, count: int) -> Callable[[Theme], Iterator[None]]:
        def draw(theme: Theme) -> Iterator[None]:
            for step in range(count):
                steps.append((name, step, theme))
                yield
            if name == "other":
                finished.set()

        return draw

    render_pool._warm_ups = {"one": warm_up_steps("one", 2), "other": warm_up_steps("other", 1)}
    render_pool.warm_up(DAY)
    assert await asyncio.to_thread(finished.wait, 10)
    assert steps == [("one", 0, DAY), ("one", 1, DAY), ("other", 0, DAY)]


async def test_warming_yields_to_other_pictures(render_pool: RenderPool) -> None:
    started, may_continue, finished, steps = threading.Event(), threading.Event(), threading.Event(), []

    def warm_up_steps(theme: Theme) -> Iterator[None]:
        for step in range(20):
            steps.append((step, theme))
            started.set()
            may_continue.wait(10)
            yield
        finished.set()

    render_pool._warm_ups = {"carcassonne": warm_up_steps}
    render_pool.warm_up(NIGHT)
    await asyncio.to_thread(started.wait, 10)
    cards = [asyncio.create_task(render_pool.draw(lambda: len(steps))) for _ in range(THREADS)]
    await asyncio.sleep(0.05)
    may_continue.set()
    assert max(await asyncio.gather(*cards)) < 20
    assert await asyncio.to_thread(finished.wait, 10)
    assert steps[-1] == (19, NIGHT)


async def test_sprites_of_a_game_are_warmed_once_and_only_when_idle(render_pool: RenderPool) -> None:
    requests: list[tuple[Theme, Collection[str]]] = []
    steps: list[int] = []

    def warm_up_steps(theme: Theme, boxes: Collection[str]) -> Iterator[None]:
        requests.append((theme, boxes))
        for step in range(50):
            steps.append(step)
            yield

    render_pool._warm_ups = {"carcassonne": warm_up_steps}
    may_finish = threading.Event()
    drawing = asyncio.create_task(render_pool.draw(lambda: may_finish.wait(10)))
    await asyncio.sleep(0)
    for boxes in (("river", "fairy"), ("fairy", "river"), ("river",)):
        render_pool.warm_for("carcassonne", boxes, NIGHT)
    await asyncio.sleep(0.05)
    assert steps == []
    may_finish.set()
    await drawing
    async with asyncio.timeout(10):
        while len(steps) < 100:  # noqa: ASYNC110  # a thread
            await asyncio.sleep(0.01)
    assert steps == [*range(50)] * 2
    assert requests == [(NIGHT, ("river", "fairy")), (NIGHT, ("river",))]


async def test_an_error_in_one_theme_does_not_stop_the_warming(
    render_pool: RenderPool, caplog: pytest.LogCaptureFixture
) -> None:
    finished = threading.Event()

    def warm_up_steps(theme: Theme) -> Iterator[None]:
        if theme is NIGHT:
            raise ZeroDivisionError
        finished.set()
        yield

    render_pool._warm_ups = {"carcassonne": warm_up_steps}
    render_pool.warm_up(NIGHT)
    render_pool.warm_up(DAY)
    assert await asyncio.to_thread(finished.wait, 10)
    assert "drawn ahead" in caplog.text


async def test_warming_ends_when_the_pool_is_closed() -> None:
    render_pool = RenderPool(warm_ups={name: game.warm_up for name, game in PRESENTERS.items()})
    render_pool.warm_up()
    render_pool.close()
    with pytest.raises(RuntimeError):
        await render_pool.draw(lambda: 1)


async def test_replays_do_not_delay_cards(render_pool: RenderPool) -> None:
    order: list[str] = []
    may_finish = threading.Event()

    def draw_slowly(name: str) -> list[AltPicture]:
        may_finish.wait(10)
        order.append(name)
        return film(name)

    requests = [
        *(
            asyncio.create_task(render_pool.film(1, number, lambda number=number: draw_slowly(f"film {number}")))
            for number in range(4)
        ),
        *(
            asyncio.create_task(render_pool.run_for(1, lambda number=number: draw_slowly(f"look {number}")))
            for number in range(4)
        ),
        asyncio.create_task(render_pool.read(2, lambda: draw_slowly("record"))),
    ]  # type: ignore[misc]
    await asyncio.sleep(0)
    await asyncio.gather(*(render_pool.draw(lambda: order.append("card")) for _ in range(5)))
    may_finish.set()
    await asyncio.gather(*requests)
    assert order[:5] == ["card"] * 5
    films = [name for name in order if name.startswith("film")]
    assert films == [f"film {number}" for number in range(4)]
    assert order.index("record") < order.index("film 1")


async def test_a_user_has_one_running_picture(render_pool: RenderPool) -> None:
    order: list[str] = []
    may_finish = threading.Event()
    first = [asyncio.create_task(render_pool.run_for(1, lambda: may_finish.wait(10)))]
    first += [asyncio.create_task(render_pool.run_for(1, lambda: order.append("first"))) for _ in range(5)]  # type: ignore[misc]
    await asyncio.sleep(0)
    other = asyncio.create_task(render_pool.run_for(2, lambda: order.append("other")))
    await asyncio.sleep(0)
    may_finish.set()
    await asyncio.gather(*first, other)
    assert order == ["other", *["first"] * 5]


async def test_too_many_waiting_pictures_of_a_user_are_refused(render_pool: RenderPool) -> None:
    may_finish = threading.Event()
    requests = [
        asyncio.create_task(render_pool.run_for(1, lambda: may_finish.wait(10))) for _ in range(MAX_PENDING_JOBS)
    ]
    await asyncio.sleep(0)
    with pytest.raises(RefusedError, match="too_much_at_once"):
        await render_pool.run_for(1, lambda: 1)
    assert await render_pool.read(1, lambda: 1) == 1
    may_finish.set()
    await asyncio.gather(*requests)
    assert await render_pool.run_for(1, lambda: 1) == 1


async def test_a_user_over_the_rate_limit_gets_the_end_of_the_wait() -> None:
    requests: list[tuple[int, timedelta]] = []

    async def take(person: int, cost: timedelta) -> datetime | None:
        """Record a request for a quota; only user 1 has to wait."""
        requests.append((person, cost))
        return datetime.fromtimestamp(100, UTC) if person == 1 else None

    render_pool = RenderPool(take)
    for request in (
        render_pool.run_for(1, lambda: 1),
        render_pool.read(1, lambda: 1),
        render_pool.film(1, "game", lambda: film("x")),
    ):
        with pytest.raises(RefusedError, match="too_much_lately") as refused:
            await request
        assert refused.value.values == {"when": 100}
    assert await render_pool.run_for(1, lambda: 1, cost=timedelta(0)) == 1, "suggestions for typed text are not limited"
    assert await render_pool.draw(lambda: 1) == 1, "cards are not limited"
    await render_pool.film(2, "game", lambda: film("one"))
    assert await render_pool.film(1, "game", lambda: film("one")), "cached replays are not limited"
    assert requests == [(1, LOOKUP_COST), (1, LOOKUP_COST), (1, FILM_COST), (2, FILM_COST)]
    render_pool.close()


async def test_an_outdated_picture_is_not_drawn(render_pool: RenderPool) -> None:
    started: list[int] = []
    may_finish = threading.Event()

    def draw_completion(number: int) -> int:
        started.append(number)
        may_finish.wait(10)
        return number

    requests = [
        asyncio.create_task(render_pool.run_for(1, lambda number=number: draw_completion(number), place="completion"))
        for number in range(5)
    ]  # type: ignore[misc]
    await asyncio.sleep(0)
    may_finish.set()
    results = await asyncio.gather(*requests, return_exceptions=True)
    assert [type(result) for result in results[:4]] == [SupersededError] * 4
    assert results[4] == 4
    assert set(started) <= {0, 4}


async def test_a_replay_is_drawn_once_for_all_waiting_users(render_pool: RenderPool) -> None:
    drawn: list[int] = []

    def draw() -> list[AltPicture]:
        drawn.append(1)
        return film("one")

    both = await asyncio.gather(render_pool.film(1, "game", draw), render_pool.film(2, "game", draw))
    assert both[0] is both[1] is await render_pool.film(3, "game", draw)
    assert drawn == [1]


async def test_a_failed_replay_can_be_drawn_again(render_pool: RenderPool) -> None:
    def fail() -> list[AltPicture]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await render_pool.film(1, "game", fail)
    assert await render_pool.film(1, "game", lambda: film("one")) == film("one")


async def test_the_cache_of_replays_is_bounded(render_pool: RenderPool, monkeypatch: pytest.MonkeyPatch) -> None:
    large_film = [AltPicture(Picture(bytes(FILM_CACHE_BYTES // 3), "replay.gif", 1, 1), "")]
    for number in range(5):
        await render_pool.film(1, number, lambda: large_film)
    assert render_pool._film_cache.weight <= FILM_CACHE_BYTES
    assert [number for number in range(5) if render_pool._film_cache.get(number)] == [2, 3, 4]


async def test_a_cancelled_request_does_not_cancel_the_replay_of_others(render_pool: RenderPool) -> None:
    may_finish = threading.Event()
    first = asyncio.create_task(render_pool.film(1, "game", lambda: film("one") if may_finish.wait(10) else []))
    await asyncio.sleep(0)
    second = asyncio.create_task(render_pool.film(2, "game", lambda: film("two")))
    await asyncio.sleep(0)
    first.cancel()
    may_finish.set()
    assert await second == film("one")


def film(alt: str) -> list[AltPicture]:
    """Return a replay of one byte."""
    return [AltPicture(Picture(b"x", "replay.gif", 1, 1), alt)]
