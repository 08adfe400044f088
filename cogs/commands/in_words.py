"""The board in words: ``/carc board words:`` and [In Words] describe it part by part, in pages of whole sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, cast

from discord import SelectOption, app_commands, ui

from cogs.games.presenters import presenter_of
from cogs.interactions.admission import admitted, on_game
from cogs.interactions.context import table_of
from cogs.interactions.replies import Press, button, suggesting
from cogs.interactions.selection import MAX_CHOICE_NAME, find_game
from cogs.messages import chosen_in, layout, rows
from cogs.panels.own_settings import NO_TABLE, OFF
from cogs.presenting.ids import Key, Op
from cogs.presenting.presenter import Presenter
from cogs.services.bot import Ack, Handler, Interaction
from cogs.texts import t
from cogs.texts.languages import by_ear, is_typed_for, speaking, spoken
from cogs.words.names import capital
from cogs.words.refusals import RefusedError
from cogs.words.story import ROOM, aloud, clipped, pages, units
from cogs.words.telling import AROUND, SINCE, Telling
from engine import Cell
from engine.geometry import Side
from host import EAR, Game, HostError, Table

MENU: Final = "menu"
"""Argument of a list; the value chosen in it is read like a button's argument."""
MAX_CELLS: Final = 25
"""Maximum entries of a list of cells."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The chosen part of the description, the cell it is around, and the page."""

    part: str = SINCE
    cell: str = ""
    page: int = 0

    @staticmethod
    def parse(argument: str) -> Chosen:
        """Parse an argument such as ``features 2`` or ``around M12``; an empty one is the first part.

        Raises:
            RefusedError: ``unknown_button``: the cell is malformed.
        """
        part, _, rest = (argument.strip() or SINCE).partition(" ")
        if part != AROUND:
            return Chosen(part, page=int(rest) if rest.isascii() and rest.isdecimal() else 0)
        try:
            return Chosen(part, cell=Cell.parse(rest).label if rest else "")
        except ValueError as error:
            raise RefusedError("unknown_button") from error

    @staticmethod
    def typed(text: str) -> Chosen:
        """Parse what the user typed: a cell, or the argument of a button.

        Raises:
            RefusedError: ``unknown_button``: it is malformed.
        """
        try:
            return Chosen(AROUND, cell=Cell.parse(text).label)
        except ValueError:
            return Chosen.parse(text)


def words_panel(presenter: Presenter[Any], table: Table, user_id: int, chosen: Chosen) -> ui.LayoutView:
    """Return the panel with the chosen part; runs in a worker thread.

    Raises:
        RefusedError: ``unknown_button``: this table has no such part.
    """
    telling = Telling(presenter, table, user_id)
    listens = by_ear()
    with speaking(spoken(), listens=True):
        return _view(telling, chosen, listens=listens)


def _view(telling: Telling, chosen: Chosen, *, listens: bool) -> ui.LayoutView:
    if chosen.part not in telling.parts:
        raise RefusedError("unknown_button")
    return _Panel(telling, chosen, listens).view()


def suggestions(presenter: Presenter[Any], table: Table, user_id: int, typed: str) -> Iterator[tuple[str, str]]:
    """Yield suggestions as pairs of label and value: the matching parts, and the cell that was typed."""
    for part in Telling(presenter, table, user_id).parts:
        named = partial(t, f"tell.part.{part}")
        if is_typed_for(typed, named):
            yield named(), part
    try:
        cell = Cell.parse(typed).label
    except ValueError:
        return
    yield f"{t(f'tell.part.{AROUND}')}: {cell}", f"{AROUND} {cell}"


@dataclass(frozen=True, slots=True)
class _Panel:
    """Builds the panel of one part."""

    telling: Telling
    chosen: Chosen
    listens: bool
    """True if the user plays By Ear; then the panel offers to switch that off."""

    def view(self) -> ui.LayoutView:
        """Return the page, followed by its buttons: next page first, then other parts and views."""
        game, part = self.telling.game, t(f"tell.part.{self.chosen.part}")
        values = {"name": aloud(game.name), "code": game.code, "part": part}
        room = ROOM - units(t("tell.title_page", page=99, pages=99, **values)) - 1
        told = pages(self.telling.entries(self.chosen.part, self.chosen.cell), room)
        number = min(self.chosen.page, len(told) - 1)
        title = (
            t("tell.title", **values)
            if len(told) == 1
            else t("tell.title_page", page=number + 1, pages=len(told), **values)
        )
        text = ui.TextDisplay[ui.LayoutView](f"{title}\n{told[number]}")
        moves = [*self._page_buttons(number, len(told)), *self._neighbour_buttons()]
        views = [button(Op.BOARD, game.code, game.revision, t("button.board"))]
        if self.listens:
            views.append(button(Op.SETTING, NO_TABLE, 0, t("button.leave_ear"), argument=f"{EAR} {OFF}"))
        return layout(text, rows(moves), rows([self._part_list()]), self._cell_list(), rows(views))

    def _page_buttons(self, page: int, pages: int) -> Iterator[Press]:
        for number, key in ((page + 1, "rulebook.next"), (page - 1, "rulebook.previous")):
            if 0 <= number < pages:
                yield self._button(f"{self.chosen.part} {number}", t(key))

    def _neighbour_buttons(self) -> Iterator[Press]:
        """Yield a button for each neighbour of the described cell."""
        if self.chosen.part != AROUND:
            return
        here = Cell.parse(self.chosen.cell) if self.chosen.cell else self.telling.last.cell
        for side in Side:
            beside = here.beside(side).label
            words = t("tell.beside", direction=capital(t(f"direction.{side.name}")), cell=beside)
            yield self._button(f"{AROUND} {beside}", words)

    def _part_list(self) -> Press:
        options = [
            SelectOption(label=t(f"tell.part.{part}"), value=part, default=part == self.chosen.part)
            for part in self.telling.parts
        ]
        return self._list(MENU, t("tell.choose"), options)

    def _cell_list(self) -> list[ui.Item[Any]]:
        """Return the list of the newest tiles' cells."""
        if self.chosen.part != AROUND:
            return []
        newest = [placed.cell.label for placed in self.telling.position.placed()][: -MAX_CELLS - 1 : -1]
        options = [SelectOption(label=cell, value=f"{AROUND} {cell}") for cell in newest]
        return rows([self._list(f"{MENU} {AROUND}", t("tell.choose_cell"), options)])

    def _list(self, argument: str, placeholder: str, options: list[SelectOption]) -> Press:
        key = Key(Op.TELL, self.telling.game.code, self.telling.game.revision, argument)
        menu = ui.Select[ui.LayoutView](custom_id=str(key), placeholder=placeholder, options=options)
        return Press(cast("Any", menu))

    def _button(self, argument: str, label: str) -> Press:
        game = self.telling.game
        return button(Op.TELL, game.code, game.revision, label, argument=argument)


@suggesting
async def complete_words(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Suggest the parts in which the selected game can be described, and the cell that is typed."""
    try:
        game = await find_game(interaction, getattr(interaction.namespace, "game", "") or "", own=False)
        table = await table_of(interaction, game.code)
    except (HostError, RefusedError):
        return []
    found = suggestions(presenter_of(table.position), table, interaction.user.id, typed)
    return [app_commands.Choice(name=clipped(words, MAX_CHOICE_NAME), value=value) for words, value in found]


async def show_typed_part(interaction: Interaction, code: str, words: str) -> None:
    """Describe the typed part of a game."""
    game = await find_game(interaction, code, own=False, op=Op.WORDS)
    try:
        await show_in_words(interaction, game, Chosen.typed(words))
    except RefusedError as error:
        raise RefusedError("no_part") from error


async def press_tell(interaction: Interaction, key: Key) -> None:
    """Turn the page, or go to the part or cell chosen in a list."""
    argument = chosen_in(interaction) if key.argument.partition(" ")[0] == MENU else key.argument
    await show_in_words(interaction, await admitted(interaction, key.ref), Chosen.parse(argument))


async def show_in_words(interaction: Interaction, game: Game, chosen: Chosen = Chosen()) -> None:
    """Fill the private panel with a part of the description, by default the events since the user's last move."""
    client, user_id = interaction.client, interaction.user.id
    table = await table_of(interaction, game.code)
    presenter = presenter_of(table.position)
    view = await client.render_pool.run_for(user_id, lambda: words_panel(presenter, table, user_id, chosen))
    await interaction.edit_original_response(view=view, attachments=[])


HANDLERS: Final = {Op.WORDS: Handler(Ack.PANEL, on_game(show_in_words)), Op.TELL: Handler(Ack.UPDATE, press_tell)}
