"""Commands that show a game privately: its board at any point, a description in words, hints, and an animated replay.

``/carc board`` and the buttons [Board] and [In Words]; ``/carc hints`` and [Hints]; ``/carc replay`` and [Watch It
Again]. The description in words has parts (:mod:`cogs.words.telling`), which the user chooses in a list; in its panel,
that list and the buttons carry the chosen part in their custom ids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, cast

from discord import ButtonStyle, SelectOption, app_commands, ui
from discord.ext import commands

from cogs.commands.slash import command
from cogs.games.presenters import presenter_of
from cogs.interactions.admission import admitted, on_game
from cogs.interactions.context import preferences_of, table_of
from cogs.interactions.replies import Press, button, publish, suggesting
from cogs.interactions.selection import find_game, run_operation
from cogs.messages import chosen_in, layout, rows
from cogs.panels.cards import hint_buttons, tiles_buttons
from cogs.panels.hints import HintPanel, allowed_hints, hint_panel, require
from cogs.panels.own_settings import NO_TABLE, OFF
from cogs.panels.stepping import SteppedGame, Stops, require_private, step_buttons
from cogs.presenting.ids import Key, Op
from cogs.presenting.presenter import AltPicture, Presenter, attachments, gallery, private_theme, table_theme
from cogs.services.bot import Ack, Handler, Interaction
from cogs.services.rate_limits import Costly
from cogs.texts import t
from cogs.texts.languages import by_ear, current_language, matches_typed, speaking
from cogs.words.alt_texts import MAX_ALT_LENGTH
from cogs.words.names import capital, pictured_names, plain_names, table_link
from cogs.words.refusals import RefusedError
from cogs.words.story import SPEECH_LIMIT, aloud, fit_text, pages, units, winners_words
from cogs.words.telling import AROUND, SINCE, TableDescription
from engine import Cell, Position, begin
from engine.geometry import Side
from engine.hints import Hint
from host import BY_EAR, Game, Table, check_unfinished
from renderers import Theme

LIST_ARGUMENT: Final = "menu"
"""The argument in the custom id of a list, whose chosen value is read like the argument of a button."""
MAX_CELLS: Final = 25
"""The most entries that Discord allows in a list."""


@dataclass(frozen=True, slots=True)
class ChosenPart:
    """The part of the description that the user has chosen, the cell that it is about, and the page."""

    part: str = SINCE
    cell: str = ""
    page: int = 0

    @staticmethod
    def parse(argument: str) -> ChosenPart:
        """Parse an argument such as ``features 2`` or ``around M12``; an empty one is the first part.

        Raises:
            RefusedError: ``unknown_button``: the cell is malformed.
        """
        part, _, detail = (argument.strip() or SINCE).partition(" ")
        if part != AROUND:
            return ChosenPart(part, page=int(detail) if detail.isascii() and detail.isdecimal() else 0)
        try:
            return ChosenPart(part, cell=Cell.parse(detail).label if detail else "")
        except ValueError as error:
            raise RefusedError("unknown_button") from error

    @staticmethod
    def typed(text: str) -> ChosenPart:
        """Parse what the user typed: a cell, or the argument of a button.

        Raises:
            RefusedError: ``unknown_button``: it is malformed.
        """
        try:
            return ChosenPart(AROUND, cell=Cell.parse(text).label)
        except ValueError:
            return ChosenPart.parse(text)


def description_panel(presenter: Presenter[Any], table: Table, user_id: int, chosen: ChosenPart) -> ui.LayoutView:
    """Return the panel with the chosen part; runs in a worker thread.

    Raises:
        RefusedError: ``unknown_button``: this table has no such part.
    """
    panel = _Panel(TableDescription(presenter, table, user_id), chosen, listens=by_ear())
    with speaking(current_language(), listens=True):
        if chosen.part not in panel.telling.parts:
            raise RefusedError("unknown_button")
        return panel.view()


def suggestions(presenter: Presenter[Any], table: Table, user_id: int, typed: str) -> Iterator[tuple[str, str]]:
    """Yield suggestions as pairs of label and value: the matching parts, and the cell that was typed."""
    for part in TableDescription(presenter, table, user_id).parts:
        label = partial(t, f"tell.part.{part}")
        if matches_typed(typed, label):
            yield label(), part
    try:
        cell = Cell.parse(typed).label
    except ValueError:
        return
    yield f"{t(f'tell.part.{AROUND}')}: {cell}", f"{AROUND} {cell}"


@dataclass(frozen=True, slots=True)
class _Panel:
    """A builder of the panel that shows one part of the description."""

    telling: TableDescription
    chosen: ChosenPart
    listens: bool
    """True if the user plays in screen reader mode; then the panel offers to switch that off."""

    def view(self) -> ui.LayoutView:
        """Return the page, followed by its buttons: next page first, then other parts and views."""
        game, heading = self.telling.game, t(f"tell.part.{self.chosen.part}")
        values = {"name": aloud(game.name), "code": game.code, "part": heading}
        budget = SPEECH_LIMIT - units(t("tell.title_page", page=99, pages=99, **values)) - 1
        text_pages = pages(self.telling.entries(self.chosen.part, self.chosen.cell), budget)
        number = min(self.chosen.page, len(text_pages) - 1)
        title = t("tell.title", **values)
        if len(text_pages) > 1:
            title = t("tell.title_page", page=number + 1, pages=len(text_pages), **values)
        text = f"{title}\n{text_pages[number]}"
        moves = [*self._page_buttons(number, len(text_pages)), *self._neighbour_buttons()]
        views = [button(Op.BOARD, game.code, game.revision, t("button.board"))]
        if game.seat_to_act is not None and game.seat_to_act == game.seat_of(self.telling.user_id):
            play = button(Op.PLAY, game.code, game.revision, t("button.play"), style=ButtonStyle.primary)
            views.insert(0, play)
        if self.listens:
            views.append(button(Op.SETTING, NO_TABLE, 0, t("button.leave_ear"), argument=f"{BY_EAR} {OFF}"))
        return layout(text, rows(moves), rows([self._part_list()]), self._cell_list(), rows(views))

    def _page_buttons(self, page: int, pages: int) -> Iterator[Press]:
        """Yield the buttons to the next and the previous page of the part."""
        for number, key in ((page + 1, "rulebook.next"), (page - 1, "rulebook.previous")):
            if 0 <= number < pages:
                yield self._button(f"{self.chosen.part} {number}", t(key))

    def _neighbour_buttons(self) -> Iterator[Press]:
        """Yield a button for each neighbour of the described cell."""
        if self.chosen.part != AROUND:
            return
        cell = Cell.parse(self.chosen.cell) if self.chosen.cell else self.telling.last.cell
        for side in Side:
            neighbour = cell.beside(side).label
            words = t("tell.beside", direction=capital(t(f"direction.{side.name}")), cell=neighbour)
            yield self._button(f"{AROUND} {neighbour}", words)

    def _part_list(self) -> Press:
        """Return the list of all parts, with the present one selected."""
        options = [
            SelectOption(label=t(f"tell.part.{part}"), value=part, default=part == self.chosen.part)
            for part in self.telling.parts
        ]
        return self._list(LIST_ARGUMENT, t("tell.choose"), options)

    def _cell_list(self) -> list[ui.Item[Any]]:
        """Return the list of the newest tiles' cells."""
        if self.chosen.part != AROUND:
            return []
        newest = [placed.cell.label for placed in self.telling.position.placed()][: -MAX_CELLS - 1 : -1]
        options = [SelectOption(label=cell, value=f"{AROUND} {cell}") for cell in newest]
        return rows([self._list(f"{LIST_ARGUMENT} {AROUND}", t("tell.choose_cell"), options)])

    def _list(self, argument: str, placeholder: str, options: list[SelectOption]) -> Press:
        """Return a list in the panel."""
        key = Key(Op.TELL, self.telling.game.code, self.telling.game.revision, argument)
        menu = ui.Select[ui.LayoutView](custom_id=str(key), placeholder=placeholder, options=options)
        return Press(cast("Any", menu))

    def _button(self, argument: str, label: str) -> Press:
        """Return a button to another part or page."""
        game = self.telling.game
        return button(Op.TELL, game.code, game.revision, label, argument=argument)


@suggesting
async def complete_words(interaction: Interaction, typed: str) -> Iterable[tuple[str, str]]:
    """Suggest the parts in which the selected game can be described, and the cell that is typed."""
    game = await find_game(interaction, getattr(interaction.namespace, "game", "") or "", own=False)
    table = await table_of(interaction, game.code)
    return suggestions(presenter_of(table.position), table, interaction.user.id, typed)


async def show_typed_part(interaction: Interaction, code: str, words: str) -> None:
    """Describe the typed part of a game."""
    game = await find_game(interaction, code, own=False, op=Op.WORDS)
    try:
        await show_in_words(interaction, game, ChosenPart.typed(words))
    except RefusedError as error:
        raise RefusedError("no_part") from error


async def press_tell(interaction: Interaction, key: Key) -> None:
    """Turn the page, or go to the part or cell chosen in a list."""
    argument = chosen_in(interaction) if key.argument.partition(" ")[0] == LIST_ARGUMENT else key.argument
    await show_in_words(interaction, await admitted(interaction, key.ref), ChosenPart.parse(argument))


async def show_in_words(interaction: Interaction, game: Game, chosen: ChosenPart = ChosenPart()) -> None:
    """Fill the private panel with a part of the description, by default the events since the user's last move."""
    client, user_id = interaction.client, interaction.user.id
    table = await table_of(interaction, game.code)
    presenter = presenter_of(table.position)
    view = await client.render_pool.run_for(user_id, lambda: description_panel(presenter, table, user_id, chosen))
    await interaction.edit_original_response(view=view, attachments=[])


MAX_TURN: Final = 999
"""The highest turn that can be typed; no game has as many turns."""


class BoardCommands(commands.Cog):
    """``/carc board``."""

    @command("board", direct=True)
    @app_commands.autocomplete(words=complete_words)
    async def board(
        self,
        interaction: Interaction,
        game: str = "",
        turn: app_commands.Range[int, 0, MAX_TURN] | None = None,
        words: str = "",
    ) -> None:
        """Show the board privately, now or after the tile of a turn was placed; or describe it in words."""
        if words:
            await show_typed_part(interaction, game, words)
            return
        selected = await find_game(interaction, game, own=False, op=Op.BOARD)
        await _show(interaction, selected, lambda stops: stops.last if turn is None else stops.of_turn(turn))


async def press_board(interaction: Interaction, key: Key) -> None:
    """Show the board as it was on the card; an old card links to where the game continues."""
    await _show(interaction, await admitted(interaction, key.ref), lambda _: key.revision)


async def press_step(interaction: Interaction, key: Key) -> None:
    """Go to another ply (number of actions) in the same panel; of several presses only the newest is drawn."""
    require_private(interaction)
    await _show(interaction, await admitted(interaction, key.ref), lambda _: key.revision, newest_only=True)


async def _show(
    interaction: Interaction, game: Game, where: Callable[[Stops], int], *, newest_only: bool = False
) -> None:
    """Fill the private panel with the board at the ply that ``where`` picks."""
    client = interaction.client
    table = await table_of(interaction, game.code)
    actions = [entry.action for entry in table.log]
    walk = SteppedGame(presenter_of(table.position), game, table.position.setup, actions, shows_card_at_end=True)
    theme = private_theme(await preferences_of(interaction), game)
    message = interaction.message if newest_only else None
    work = partial(walk.step, where, theme)
    step = await client.render_pool.run_for(interaction.user.id, work, place=message.id if message else None)
    lines = [t("board.title", name=game.name, code=game.code)]
    if step.ply < step.stops.last:
        link = await table_link(client.host, game)
        lines.append(t("board.old_over" if table.position.is_over else "board.old", link=link))
    hints = [] if step.moment.after.is_over or step.ply < step.stops.last else hint_buttons(game, game.revision)
    text = "\n".join([*lines, *walk.lines(step)])
    steps = rows(step_buttons(Op.STEP, game.code, step))
    others = [
        button(Op.WORDS, game.code, game.revision, t("button.tell")),
        *hints,
        button(Op.RULES, game.code, game.revision, t("button.rules")),
        button(Op.PROOF, game.code, game.revision, t("button.proof")),
    ]
    view = layout(gallery(step.pictures), text, steps, rows(others))
    await interaction.edit_original_response(view=view, attachments=attachments(step.pictures))


class HintCommands(commands.Cog):
    """``/carc hints``."""

    @command("hints", direct=True)
    async def hints(self, interaction: Interaction, game: str = "", *, advice: bool = False) -> None:
        """Show privately the hints, or a computer's advice on the tile of the player to move."""
        await run_operation(interaction, game, Op.ADVICE if advice else Op.HINTS, own=advice)


async def _show_hints(interaction: Interaction, game: Game) -> None:
    """Show privately what a player could work out from the board."""
    client = interaction.client
    position = (await table_of(interaction, game.code)).position
    if not allowed_hints(game, position):
        require(game, Hint.PROJECTION)  # every game offers this hint, so this table has turned it off
    check_unfinished(game, position)
    seat = game.seat_of(interaction.user.id)
    theme = private_theme(await preferences_of(interaction), game)
    presenter = presenter_of(position)
    panel = await client.render_pool.run_for(
        interaction.user.id, lambda: hint_panel(presenter, game, position, seat, theme)
    )
    view = panel_view(game, game.revision, panel)
    await interaction.edit_original_response(view=view, attachments=attachments(panel.pictures))


def panel_view(game: Game, revision: int, panel: HintPanel) -> ui.LayoutView:
    """Return the message of the hints."""
    buttons = [button(Op.BOARD, game.code, revision, t("button.board")), *tiles_buttons(game, revision)]
    first, *texts = panel.texts
    return layout(first, gallery(panel.pictures), *texts, rows(buttons))


STEP_BY_STEP: Final = "steps"
"""Argument of the button that opens a finished game step by step."""


class ReplayCommands(commands.Cog):
    """``/carc replay``."""

    @command("replay")
    async def replay(self, interaction: Interaction, game: str = "", *, share: bool = False) -> None:
        """Show a finished game as one animated picture, publicly or privately."""
        selected = await find_game(interaction, game, own=False, op=None if share else Op.REPLAY)
        if share and selected.guild_id != interaction.guild_id:
            raise RefusedError("other_server")
        await _show_replay(interaction, selected, public=share)


async def press_replay(interaction: Interaction, key: Key) -> None:
    """Show the replay privately, or open the game step by step, as the button says."""
    if key.argument == STEP_BY_STEP:
        await press_board(interaction, key)
        return
    await _show_replay(interaction, await admitted(interaction, key.ref), public=False)


async def _show_replay(interaction: Interaction, game: Game, *, public: bool) -> None:
    """Draw a finished game as one animated picture, and show it."""
    client = interaction.client
    table = await table_of(interaction, game.code)
    if not table.position.is_over:
        raise RefusedError("replay_running", name=game.name, code=game.code)
    client.pace.require(interaction.user.id, Costly.FILM)
    client.pace.start_pause(interaction.user.id, Costly.FILM)
    preferences = await preferences_of(interaction)
    theme = table_theme(game) if public else private_theme(preferences, game)
    title = t("replay.title", name=game.name, code=game.code)
    await interaction.edit_original_response(view=layout(f"{title}\n{t('replay.drawing')}"), attachments=[])
    with speaking(game.settings.language if public else current_language()):
        film = (game.id, game.revision, tuple(pictured_names(game)), theme, current_language())
        pictures = await client.render_pool.film(interaction.user.id, film, lambda: _draw_film(table, theme))
        title = t("replay.title", name=game.name, code=game.code)
        text = f"{title}\n{winners_words(game, table.position)}"
        view = layout(text, gallery(pictures), rows(_other_views(game)))
    if public:
        await publish(interaction, view, attachments(pictures))
    else:
        await interaction.edit_original_response(view=view, attachments=attachments(pictures))


def _other_views(game: Game) -> list[Press]:
    """Return the buttons to the game without animation: step by step, and in words."""
    return [
        button(Op.REPLAY, game.code, 0, t("button.step_by_step"), argument=STEP_BY_STEP),
        button(Op.WORDS, game.code, game.revision, t("button.tell")),
    ]


def _draw_film(table: Table, theme: Theme) -> list[AltPicture]:
    """Draw the animated picture; runs in a worker thread."""
    game, names = table.game, plain_names(table.game)
    positions = _positions_by_turn(table)
    picture = presenter_of(table.position).replay_picture(positions, pictured_names(game), theme)
    scores = ", ".join(
        t("alt.score", player=name, points=points) for name, points in zip(names, table.position.scores, strict=True)
    )
    alt = t("alt.replay", name=game.name, turns=table.position.turn, scores=scores)
    return [AltPicture(picture, fit_text(alt, MAX_ALT_LENGTH))]


def _positions_by_turn(table: Table) -> list[Position]:
    """Return the positions at the start, after each turn and at the end."""
    position = begin(table.position.setup)
    positions = [position.copy()]
    for entry in table.log:
        position.apply(entry.action)
        if position.turn != positions[-1].turn or position.is_over:
            positions.append(position.copy())
    return positions


HANDLERS: Final = {
    Op.BOARD: Handler(Ack.PANEL, press_board),
    Op.STEP: Handler(Ack.UPDATE, press_step),
    Op.HINTS: Handler(Ack.PANEL, on_game(_show_hints)),
    Op.REPLAY: Handler(Ack.PANEL, press_replay),
    Op.WORDS: Handler(Ack.PANEL, on_game(show_in_words)),
    Op.TELL: Handler(Ack.UPDATE, press_tell),
}
