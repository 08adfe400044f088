"""Every game says what is drawn ahead of its first cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from engine.games import GAMES
from renderers import DAY, Theme, warming
from renderers.warming import WARMING, warm_up


def test_every_game_of_the_engine_says_it() -> None:
    assert set(WARMING) == set(GAMES)


def test_all_games_are_drawn_ahead_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[tuple[str, int, Theme]] = []

    def ahead(name: str, steps: int) -> Callable[[Theme], Iterator[None]]:
        def draw(theme: Theme) -> Iterator[None]:
            for step in range(steps):
                begun.append((name, step, theme))
                yield

        return draw

    monkeypatch.setattr(warming, "WARMING", {"one": ahead("one", 2), "other": ahead("other", 1)})
    steps = warm_up(DAY)
    assert begun == []
    next(steps)
    assert begun == [("one", 0, DAY)]
    assert len(list(steps)) == 2
    assert [name for name, _, _ in begun] == ["one", "one", "other"]
