"""Drawing beside the event loop."""

import asyncio
import threading
from collections.abc import Iterator

import pytest

from cogs.ui.atelier import THREADS, Atelier, SupersededError
from renderers import NIGHT, Theme


@pytest.fixture
def atelier() -> Iterator[Atelier]:
    """An atelier that is closed in the end."""
    atelier = Atelier()
    yield atelier
    atelier.close()


async def test_drawing_happens_in_another_thread(atelier: Atelier) -> None:
    assert await atelier.draw(threading.get_ident) != threading.get_ident()


async def test_of_several_drawings_for_one_place_only_the_newest_counts(atelier: Atelier) -> None:
    drawn: list[int] = []
    gate = threading.Event()
    blockers = [asyncio.create_task(atelier.draw(lambda: gate.wait(10))) for _ in range(THREADS)]
    await asyncio.sleep(0)

    def draw(number: int) -> int:
        drawn.append(number)
        return number

    tasks = [
        asyncio.create_task(atelier.draw_newest("panel", lambda number=number: draw(number))) for number in range(4)
    ]  # type: ignore[misc]
    other = asyncio.create_task(atelier.draw_newest("another panel", lambda: draw(9)))
    await asyncio.sleep(0)
    gate.set()
    results = await asyncio.gather(*tasks, other, return_exceptions=True)
    await asyncio.gather(*blockers)
    assert [type(result) for result in results[:3]] == [SupersededError] * 3
    assert results[3:] == [3, 9]
    assert sorted(drawn) == [3, 9]


async def test_an_error_in_drawing_is_passed_on_and_forgotten(atelier: Atelier) -> None:
    def fail() -> int:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await atelier.draw_newest("panel", fail)
    assert await atelier.draw_newest("panel", lambda: 1) == 1


async def test_drawing_ahead_lets_others_go_first(atelier: Atelier, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on, done, steps = threading.Event(), threading.Event(), threading.Event(), []

    def ahead(theme: Theme) -> Iterator[None]:
        for step in range(20):
            steps.append((step, theme))
            begun.set()
            go_on.wait(10)
            yield
        done.set()

    monkeypatch.setattr("cogs.ui.atelier.warm_up", ahead)
    atelier.warm_up(NIGHT)
    await asyncio.to_thread(begun.wait, 10)
    waiting = [asyncio.create_task(atelier.draw(lambda: len(steps))) for _ in range(THREADS)]
    await asyncio.sleep(0.05)
    go_on.set()
    assert max(await asyncio.gather(*waiting)) < 20
    assert await asyncio.to_thread(done.wait, 10)
    assert steps[-1] == (19, NIGHT)


async def test_what_is_drawn_ahead_ends_with_the_atelier() -> None:
    atelier = Atelier()
    atelier.warm_up()
    atelier.close()
    with pytest.raises(RuntimeError):
        await atelier.draw(lambda: 1)
