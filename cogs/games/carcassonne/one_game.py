"""A preference of a box that a player may override in a single game: the panel that shows it, and its buttons.

Values that make sense only in one game as it stands, such as a place on its board, are :class:`PresentValues`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

from discord import ButtonStyle, ui

from cogs.interactions.admission import admitted
from cogs.interactions.context import preferences_of, set_preferences, table_of
from cogs.interactions.replies import button
from cogs.messages import layout, rows
from cogs.presenting.ids import Key, OwnOp
from cogs.services.bot import Ack, GameOverride, Handler, Interaction
from cogs.texts import t
from cogs.words.refusals import RefusedError
from engine.carcassonne import Position
from host import Game, Preferences, check_playing, setup_of

ASK: Final = "ask"
"""The value by which the player is asked each time, the default of each of these preferences."""
AS_ALL: Final = "all"
"""The value by which the preference for all games applies to this one, too."""


class PresentValues(NamedTuple):
    """The values of a preference that a game has as it stands, with their labels, and a sentence that offers them."""

    words: str = ""
    labels: Mapping[str, str] = MappingProxyType({})


NO_VALUES: Final = PresentValues()
"""No further values, as in most games."""


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
    present: Callable[[Position, int], PresentValues] | None = None
    """Returns the further values in one game, given its position and the player's seat; None if there never are any."""

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
        if self.box not in setup_of(game).expansions:
            raise RefusedError(self.refusal)
        present = await self._present_values(interaction, game)
        if value not in self.override.values and value not in present.labels:
            raise RefusedError("unknown_button")
        preferences = await preferences_of(interaction)
        preferences = preferences.with_game_choice(game.code, self.name, "" if value == AS_ALL else value)
        await set_preferences(interaction, preferences)
        await interaction.edit_original_response(view=self.panel(game, preferences, present))

    async def _present_values(self, interaction: Interaction, game: Game) -> PresentValues:
        """Return the values that the game has for the user as it stands."""
        seat = game.seat_of(interaction.user.id)
        if self.present is None or seat is None:
            return NO_VALUES
        position = (await table_of(interaction, game.code)).position
        return self.present(position, seat) if isinstance(position, Position) else NO_VALUES

    def panel(self, game: Game, preferences: Preferences, present: PresentValues = NO_VALUES) -> ui.LayoutView:
        """Return the panel that shows the choice for the game, and the others; one that is out of date asks."""
        everywhere = preferences.choices.get(self.name, ASK)
        overridden = preferences.with_game_choice(game.code, self.name, "") != preferences
        now = preferences.in_game(game.code).get(self.name, ASK) if overridden else AS_ALL
        labels = {value: self.label(value) for value in self.override.values} | dict(present.labels)
        now = now if now in labels else ASK
        words = [
            t(f"one_game.title.{self.name}", name=game.name, code=game.code, everywhere=self.label(everywhere)),
            *filter(None, [present.words]),
            t("setting.now", value=labels[now]),
        ]
        buttons = [
            button(
                self.operation,
                game.code,
                game.revision,
                label,
                argument=value,
                style=ButtonStyle.success if value == now else ButtonStyle.secondary,
            )
            for value, label in labels.items()
        ]
        return layout("\n".join(words), rows(buttons))

    async def _press(self, interaction: Interaction, key: Key) -> None:
        """Store the choice of the button."""
        await self.choose(interaction, await admitted(interaction, key.ref), key.argument)
