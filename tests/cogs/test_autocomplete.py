"""Autocompletion."""

import asyncio
import threading
from unittest.mock import AsyncMock, MagicMock

import pytest

from cogs.commands import autocomplete
from cogs.services.render_pool import RenderPool
from cogs.words.typed_moves import TypedMove
from engine.carcassonne import Position, new_setup


async def test_suggestions_for_an_outdated_input_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up: list[str] = []
    begun, go_on = threading.Event(), threading.Event()

    def slow(_presenter: object, _position: object, typed: str, _most: int) -> list[TypedMove]:
        looked_up.append(typed)
        begun.set()
        assert go_on.wait(30)
        return [TypedMove("M12/0", typed)]

    position = Position(new_setup(players=2, seed="1"))
    monkeypatch.setattr(autocomplete, "typed_moves", slow)
    monkeypatch.setattr(autocomplete, "find_game", AsyncMock())
    monkeypatch.setattr(autocomplete, "table_to_move", AsyncMock(return_value=MagicMock(position=position)))
    interaction = MagicMock()
    interaction.client.render_pool, interaction.user.id = RenderPool(), 1
    keys = [asyncio.create_task(autocomplete.complete_move(interaction, typed)) for typed in ("M", "M1", "M12", "M12/")]
    assert await asyncio.to_thread(begun.wait, 30)
    go_on.set()
    offered = [[choice.name for choice in choices] for choices in await asyncio.gather(*keys)]
    interaction.client.render_pool.close()
    assert offered == [[], [], [], ["M12/"]]
    assert looked_up == ["M", "M12/"]
