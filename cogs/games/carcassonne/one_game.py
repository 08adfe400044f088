"""A preference of a box that a player may override in a single game: the panel that shows it, and its buttons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from discord import ButtonStyle, ui

from cogs.interactions.admission import admitted
from cogs.interactions.context import preferences_of, set_preferences
from cogs.interactions.replies import button
from cogs.messages import layout, rows
from cogs.presenting.ids import Key, OwnOp
from cogs.services.bot import Ack, GameOverride, Handler, Interaction
from cogs.texts import t
from cogs.words.refusals import RefusedError
from host import Game, Preferences, check_playing, setup_of

ASK: Final = "ask"
"""The value by which the player is asked each time, the default of each of these preferences."""
AS_ALL: Final = "all"
"""The value by which the preference for all games applies to this one, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePreference:
    """A preference that may have another value in one game; ``one_game.title.NAME`` introduces its panel."""

    name: str
    """The key of the preference, which is the name of a standing order of the box."""
    box: str
    """The box without which it means nothing."""
    orders: Sequence[str]
    """The values besides being asked."""
    operation: OwnOp
    """The operation of its buttons; the argument is the chosen value."""
    refusal: str
    """The key of the refusal in a game without the box."""

    @property
    def values(self) -> tuple[str, ...]:
        """The values in all games; the first is the default."""
        return (ASK, *self.orders)

    @property
    def override(self) -> GameOverride:
        """The preference as a command offers it for one game."""
        return GameOverride(values=(AS_ALL, *self.values), label_of=self.label, choose=self.choose)

    @property
    def handlers(self) -> dict[OwnOp, Handler]:
        """The handler of its buttons."""
        return {self.operation: Handler(Ack.UPDATE, self._press)}

    def label(self, value: str) -> str:
        """Return the label of a value."""
        return t("one_game.all") if value == AS_ALL else t(f"setting.{self.name}.{value}")

    async def choose(self, interaction: Interaction, game: Game, value: str) -> None:
        """Store a player's choice for a game of theirs, and show it.

        Raises:
            HostError: as for a move.
            RefusedError: ``unknown_button``; :attr:`refusal` if the game is played without the box.
        """
        check_playing(game, interaction.user.id)
        if value not in self.override.values:
            raise RefusedError("unknown_button")
        if self.box not in setup_of(game).expansions:
            raise RefusedError(self.refusal)
        preferences = await preferences_of(interaction)
        preferences = preferences.with_game_choice(game.code, self.name, "" if value == AS_ALL else value)
        await set_preferences(interaction, preferences)
        await interaction.edit_original_response(view=self.panel(game, preferences))

    def panel(self, game: Game, preferences: Preferences) -> ui.LayoutView:
        """Return the panel that shows the choice for the game, and the others."""
        everywhere = preferences.choices.get(self.name, ASK)
        overridden = preferences.with_game_choice(game.code, self.name, "") != preferences
        now = preferences.in_game(game.code).get(self.name, ASK) if overridden else AS_ALL
        words = [
            t(f"one_game.title.{self.name}", name=game.name, code=game.code, everywhere=self.label(everywhere)),
            t("setting.now", value=self.label(now)),
        ]
        buttons = [
            button(
                self.operation,
                game.code,
                game.revision,
                self.label(value),
                argument=value,
                style=ButtonStyle.success if value == now else ButtonStyle.secondary,
            )
            for value in self.override.values
        ]
        return layout("\n".join(words), rows(buttons))

    async def _press(self, interaction: Interaction, key: Key) -> None:
        """Store the choice of the button."""
        await self.choose(interaction, await admitted(interaction, key.ref), key.argument)
