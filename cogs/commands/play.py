"""Making a move: [Play], the composer, ``/carc play``, and decisions on the card itself.

Castles, bids, buying and selling are decided on the card, or planned from there. Who wants to confirm each move is
asked once, in private, what the decision would cost; a public card stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from discord import app_commands, ui
from discord.ext import commands

from cogs.commands.autocomplete import about_game, complete_move
from cogs.commands.table import ask_to_resign
from cogs.games.presenters import presenter_of
from cogs.interactions.context import preferences_of, set_preferences, table_of
from cogs.interactions.replies import acknowledge, buttons_of, guarded, selects
from cogs.interactions.selection import find_game, table_to_move
from cogs.messages import chosen_in, layout, notice, rows, show_plainly, spared
from cogs.panels.composer import compose, compose_by_ear
from cogs.panels.deciding import actions_in, decide, game_line, perform, show_done, show_waiting
from cogs.presenting.ids import Key, Op
from cogs.presenting.presenter import QUICK, Panel, Shown, gallery, private_theme
from cogs.services.bot import Ack, Handling
from cogs.texts import t
from cogs.texts.languages import by_ear
from cogs.words.names import seat_names
from cogs.words.refusals import RefusedError
from cogs.words.story import since_last
from cogs.words.typed_moves import leaves, typed_actions
from engine import EngineError
from host import ErrorCode, HostError, check_playing

if TYPE_CHECKING:
    from cogs.presenting.presenter import Presenter
    from cogs.services.bot import Interaction
    from engine import Position
    from host import Consequence, Game, Table
    from renderers import Theme


async def press_act(interaction: Interaction, key: Key) -> None:
    """Do the action in the button, or ask whether it shall be so."""
    await decide(interaction, key.ref, key.revision, actions_in(key.argument))


async def press_orders(interaction: Interaction, key: Key) -> None:
    """Ask what somebody plans for what is being decided."""
    table, user_id = await table_of(interaction, key.ref), interaction.user.id
    seat = check_playing(table.game, user_id)
    form = presenter_of(table.position).plan_form(table.position, seat)
    if form is None:
        raise RefusedError("nothing_to_plan")
    planned = await interaction.client.host.moves.planned(table.game, user_id)
    await interaction.response.send_modal(form(table.game, planned))


SINCE: Final = 700
"""Units of a panel given to what has happened meanwhile."""


class PlayCommands(commands.Cog):
    """``/carc play``."""

    @app_commands.command(name="play", description=t("command.play.description"))
    @app_commands.describe(move=t("command.play.move"))
    @app_commands.autocomplete(move=complete_move)
    @about_game
    async def play(self, interaction: Interaction, move: str = "", game: str = "") -> None:
        """Make a typed move, or open the panel for the decision at hand."""
        await guarded(interaction, _play(interaction, move, game))


async def _play(interaction: Interaction, move: str, code: str) -> None:
    if not await acknowledge(interaction, Ack.PANEL):
        return
    game = await find_game(interaction, code, own=True, op=None if leaves(move) else Op.PLAY)
    if leaves(move):
        await ask_to_resign(interaction, game)
        return
    if not move:
        await open_decision(interaction, game.code)
        return
    table = await table_to_move(interaction, game.code)
    position = table.position
    actions = await interaction.client.render_pool.draw(lambda: typed_actions(presenter_of(position), position, move))
    if not actions:
        raise RefusedError("unfinished_move")
    await show_done(interaction, await perform(interaction, game.code, table.game.revision, actions))


async def press_play(interaction: Interaction, key: Key) -> None:
    """Open the panel for the decision at hand."""
    await open_decision(interaction, key.ref, key.revision)


async def open_decision(
    interaction: Interaction, ref: str, revision: int | None = None, *, newest_only: bool = False
) -> None:
    """Show the plan where the player left it, or a new one; or what he has decided and what waits to be published."""
    try:
        table = await table_to_move(interaction, ref, revision)
    except HostError as error:
        if error.code is not ErrorCode.WAITS:
            raise
        await show_waiting(interaction, ref)
        return
    game, position = table.game, table.position
    if presenter_of(position).offers(position):
        await _show_decision(interaction, table)
        return
    text = interaction.client.plans.find(game.id, interaction.user.id, game.revision)
    await _compose(interaction, table, text, newest_only=newest_only, opened=True)


async def _show_decision(interaction: Interaction, table: Table) -> None:
    """The panel of a decision that is made on the card."""
    game, position, user_id = table.game, table.position, interaction.user.id
    presenter = presenter_of(position)
    theme = private_theme(await preferences_of(interaction), game)

    def made() -> tuple[Panel, list[Shown], str]:
        panel = _caught_up(decision_panel(presenter, game, position), presenter, table, user_id)
        return panel, *_drawn(presenter, game, position, panel, theme)

    panel, pictures, reference = await interaction.client.render_pool.draw(made)
    await _fill(interaction, table, panel, pictures, reference)


def _caught_up(panel: Panel, presenter: Presenter[Any], table: Table, user_id: int) -> Panel:
    """The panel with what has happened since the player last decided anything."""
    story = since_last(presenter, table, user_id, SINCE)
    return replace(panel, text=f"{panel.text}\n{t('panel.since', story=story)}") if story else panel


def decision_panel(presenter: Presenter[Any], game: Game, position: Position) -> Panel:
    """The same buttons as on the public card, for those who ask for them."""
    names = seat_names(game)
    lines = [presenter.headline(names, position, names[position.player]), presenter.details(names, position)]
    return Panel("\n".join(filter(None, lines)), [presenter.offers(position)])


async def press_plan(interaction: Interaction, key: Key) -> None:
    """Show the plan in the button; none where a decision is thought over once more."""
    table = await table_to_move(interaction, key.ref, key.revision)
    if presenter_of(table.position).offers(table.position):
        await _show_decision(interaction, table)
        return
    await _compose(interaction, table, chosen_in(interaction) or key.argument, newest_only=True)


async def press_mode(interaction: Interaction, key: Key) -> None:
    """Switch between quick and careful."""
    table = await table_to_move(interaction, key.ref, key.revision)
    mode, _, plan = key.argument.partition(" ")
    await set_preferences(interaction, replace(await preferences_of(interaction), confirm=mode != QUICK))
    await _compose(interaction, table, plan, newest_only=True)


async def _compose(
    interaction: Interaction, table: Table, text: str, *, newest_only: bool, opened: bool = False
) -> None:
    """Show the composer with a plan; when it is ``opened`` it tells what has happened meanwhile.

    Of several presses on one panel only the newest is drawn; a new panel always is, for it waits to be filled.
    """
    preferences = await preferences_of(interaction)
    game, position, theme = table.game, table.position, private_theme(preferences, table.game)
    presenter = presenter_of(position)

    def made() -> tuple[Panel, list[Shown], str]:
        composed = compose_by_ear if by_ear() else compose
        panel: Panel = composed(presenter, game, position, text, preferences)
        panel = _caught_up(panel, presenter, table, interaction.user.id) if opened else panel
        return panel, *_drawn(presenter, game, position, panel, theme)

    render_pool = interaction.client.render_pool
    message = interaction.message if newest_only else None
    try:
        panel, pictures, reference = await (
            render_pool.draw_newest(message.id, made) if message else render_pool.draw(made)
        )
    except EngineError as error:
        raise RefusedError("unknown_button") from error
    interaction.client.plans.keep(game.id, interaction.user.id, game.revision, text)
    await _fill(interaction, table, panel, pictures, reference)


def _drawn(
    presenter: Presenter[Any], game: Game, position: Position, panel: Panel, theme: Theme
) -> tuple[list[Shown], str]:
    if by_ear():
        return [], ""
    return spared(
        "the pictures of a panel",
        lambda: presenter.panel_pictures(game, position, panel, theme),
        game=game.code,
        revision=game.revision,
    )


async def _fill(
    interaction: Interaction, table: Table, panel: Panel, pictures: list[Shown], reference: str = ""
) -> None:
    """Show a panel, or as much of it as Discord takes; at last the way that needs none."""
    code, revision = table.game.code, table.game.revision
    panel = replace(panel, text=f"{panel.text}\n{game_line(table.game, interaction.user.id)}")

    def words(reference: str) -> tuple[ui.LayoutView, list[Shown]]:
        text = "\n".join([panel.text, t("card.no_pictures", reference=reference)]) if reference else panel.text
        return panel_view(code, revision, replace(panel, text=text), ()), []

    def bare(reference: str) -> tuple[ui.LayoutView, list[Shown]]:
        return notice(t("panel.bare", name=table.game.name, code=code, reference=reference)), []

    def full(_: str) -> tuple[ui.LayoutView, list[Shown]]:
        return words(reference) if reference else (panel_view(code, revision, panel, pictures), pictures)

    await show_plainly(interaction, [full, words, bare], game=code, revision=revision)


def panel_view(code: str, revision: int, panel: Panel, pictures: Sequence[Shown]) -> ui.LayoutView:
    """The message of a panel."""
    text: ui.TextDisplay[ui.LayoutView] = ui.TextDisplay(panel.text)
    menus = (row for menu in selects(code, revision, panel.menus) for row in rows([menu]))
    return layout(
        text, gallery(pictures), menus, *(rows(buttons_of(code, revision, offers)) for offers in panel.offers)
    )


async def press_go(interaction: Interaction, key: Key) -> None:
    """Make the move in the button; whoever has to lay the next tile too goes on in the same panel."""
    await go_on(interaction, await perform(interaction, key.ref, key.revision, actions_in(key.argument)))


async def go_on(interaction: Interaction, outcome: Consequence) -> None:
    """After a move from a private panel: the next tile there, if that is the player's too, or what was done."""
    game = outcome.game
    if not outcome.waits and game.seat_to_act is not None and game.seat_to_act == game.seat_of(interaction.user.id):
        table = await interaction.client.host.games.table(game.code)  # as the move has left it
        if _lays_on(table, outcome, interaction.user.id):
            await _compose(interaction, table, "", newest_only=True)
            return
    await show_done(interaction, outcome)


def _lays_on(table: Table, outcome: Consequence, user_id: int) -> bool:
    """Whether what follows the move is another tile of the same player."""
    position = table.position
    its_turn = table.game.revision == outcome.game.revision and position.player == table.game.seat_of(user_id)
    return its_turn and not presenter_of(position).offers(position)


HANDLINGS: Final = {
    Op.ACT: Handling(Ack.UPDATE, press_act),
    Op.ORDERS: Handling(Ack.MODAL, press_orders),
    Op.PLAY: Handling(Ack.PANEL, press_play),
    Op.PLAN: Handling(Ack.UPDATE, press_plan),
    Op.MODE: Handling(Ack.UPDATE, press_mode),
    Op.GO: Handling(Ack.UPDATE, press_go),
}
