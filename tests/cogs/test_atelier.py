"""Drawing beside the event loop."""

import asyncio
import threading
from collections.abc import Iterator

import pytest

from cogs.ui.atelier import THREADS, Atelier, SupersededError


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
