"""What somebody does with towns in one game, whatever he has chosen for all: always, never, or asked each time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from discord import ButtonStyle, ui

from cogs.games.carcassonne.boxes.bridges_castles_bazaars import operations
from cogs.interactions.admission import admitted
from cogs.interactions.context import prefer, preferences_of
from cogs.interactions.replies import button
from cogs.messages import layout, rows
from cogs.services.bot import Ack, Handling, InOneGame
from cogs.texts import t
from cogs.words.refusals import RefusedError
from engine.carcassonne.expansions import BCB
from engine.carcassonne.expansions.bridges_castles_bazaars import ALWAYS, NEVER, TOWNS
from host import check_playing, setup_of

if TYPE_CHECKING:
    from cogs.presenting.ids import Key
    from cogs.services.bot import Interaction
    from host import Game, Preferences

ASK: Final = "ask"
AS_ALL: Final = "all"
"""As somebody has chosen for all his games."""
VALUES: Final = (AS_ALL, ASK, ALWAYS, NEVER)


def _label(value: str) -> str:
    return t("towns.all") if value == AS_ALL else t(f"setting.{TOWNS}.{value}")


async def choose_for_towns(interaction: Interaction, game: Game, value: str) -> None:
    """Keep what somebody chooses for a game that he plays, and show it.

    Raises:
        HostError: as for a move.
        RefusedError: ``unknown_button``; ``no_castles``: none are built in that game.
    """
    check_playing(game, interaction.user.id)
    if value not in VALUES:
        raise RefusedError("unknown_button")
    if BCB not in setup_of(game).expansions:
        raise RefusedError("no_castles")
    preferences = await preferences_of(interaction)
    preferences = preferences.having_in(game.code, TOWNS, "" if value == AS_ALL else value)
    await prefer(interaction, preferences)
    await interaction.edit_original_response(view=towns_panel(game, preferences))


def towns_panel(game: Game, preferences: Preferences) -> ui.LayoutView:
    """What holds in the game, and the other choices."""
    everywhere = preferences.choices.get(TOWNS, ASK)
    alone = preferences.having_in(game.code, TOWNS, "") != preferences
    now = preferences.in_game(game.code).get(TOWNS, ASK) if alone else AS_ALL
    words = t("towns.title", name=game.name, code=game.code, everywhere=t(f"setting.{TOWNS}.{everywhere}"))
    title: ui.TextDisplay[ui.LayoutView] = ui.TextDisplay("\n".join([words, t("setting.now", value=_label(now))]))
    buttons = [
        button(
            operations.TOWNS,
            game.code,
            game.revision,
            _label(value),
            argument=value,
            style=ButtonStyle.success if value == now else ButtonStyle.secondary,
        )
        for value in VALUES
    ]
    return layout(title, rows(buttons))


async def press_towns(interaction: Interaction, key: Key) -> None:
    """Choose what the button says."""
    await choose_for_towns(interaction, await admitted(interaction, key.ref), key.argument)


IN_ONE_GAME: Final = InOneGame(values=VALUES, called=_label, choose=choose_for_towns)
HANDLINGS: Final = {operations.TOWNS: Handling(Ack.UPDATE, press_towns)}
