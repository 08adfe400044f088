"""Commands that show information about a game, or a user's games.

``/carc tiles`` shows the tiles that are left, ``/carc log`` the moves, ``/carc rules`` the rule book, and ``/carc
games`` the user's running games. The button [Fairness Proof] shows the *commitment*, a hash of the shuffled pile, by
which players can verify after the game that nobody has changed the order of the tiles.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from discord import app_commands, ui
from discord.ext import commands

from cogs.commands.autocomplete import complete_rule
from cogs.commands.board import ChosenPart, show_in_words
from cogs.commands.slash import command
from cogs.games.presenters import PRESENTERS, presenter_of
from cogs.interactions.admission import admitted, on_game
from cogs.interactions.context import preferences_of, table_of
from cogs.interactions.replies import Press, button
from cogs.interactions.selection import find_game, game_here, run_operation
from cogs.messages import chosen_in, layout, rows
from cogs.panels.cards import tiles_pictures
from cogs.panels.hints import require
from cogs.panels.rule_book_pages import MENU, NO_TABLE, RuleBookPanels
from cogs.panels.side_messages import clock_buttons
from cogs.panels.stepping import require_private
from cogs.presenting.ids import Key, Op
from cogs.presenting.presenter import attachments, gallery, private_theme
from cogs.services.bot import Ack, Handler, Interaction
from cogs.texts import listed, t
from cogs.texts.languages import by_ear
from cogs.words.asking import taken_over_words
from cogs.words.names import link, name_to_act, pile_words, safe, safe_title, seat_names
from cogs.words.refusals import RefusedError
from cogs.words.story import LogPage, clip, last_decided, log_page, units
from cogs.words.telling import PILE
from engine import GAMES, Position, Setup, hints_on
from engine.hints import Hint
from host import Game, GameStatus, GameSummary, setup_of


async def show_proof(interaction: Interaction, game: Game) -> None:
    """Show the commitment to the shuffled pile, and once the game is over how to verify it."""
    text = await interaction.client.render_pool.run_for(interaction.user.id, lambda: proof_text(game))
    await interaction.edit_original_response(view=layout(text))


def proof_text(game: Game) -> str:
    """Return the commitment and, for a finished game, the way to verify it; runs in a worker thread."""
    setup = setup_of(game)
    lines = [t("proof.title", game=f"{game.name} · {game.code}"), t("proof.committed", commitment=setup.commitment)]
    if game.status is not GameStatus.FINISHED:
        return "\n".join([*lines, t("proof.running")])
    lines.append(t("proof.seed", seed=setup.seed))
    command = verification_command(setup)
    lines.append(t("proof.command", command=command) if command else t("proof.by_hand"))
    return "\n".join(lines)


def verification_command(setup: Setup) -> str:
    """Return the shell command that recomputes a game's commitment, as in `docs/rules.md`.

    It is empty for a game with tiles that the operator supplied, since others do not have them.
    """
    game = GAMES[setup.game]
    rules = {"options": setup.options, "expansions": setup.expansions}
    if game.new_setup(players=setup.players, seed=setup.seed, **rules).commitment != setup.commitment:
        return ""
    options = f", options=game.options.of({changed!r})" if (changed := setup.options.differences()) else ""
    arguments = f"players={setup.players}, seed={setup.seed!r}, expansions={setup.expansions!r}{options}"
    code = f"from engine import GAMES; game = GAMES[{setup.game!r}]; print(game.new_setup({arguments}).commitment)"
    return "python -c " + '"' + code + '"'


MAX_SUBSTITUTIONS: Final = 2
"""The most substitutions that the log lists above the moves, the latest ones."""
MAX_LOG_TEXT: Final = 3500
"""Maximum length, in units, of the moves on one page of the log."""
MAX_TEXT: Final = 3900
"""Maximum length, in units, of a text that has to fit into one message."""
MAX_LIST_TEXT: Final = 1000
"""Maximum characters of the list below the pictures, to fit a phone's screen; a longer list is a message of its own."""
IN_WORDS: Final = "words"
"""Argument of the button that lists the tiles in words alone."""
SINCE: Final = "since"
"""Argument of the log that begins with the user's own last move."""
GAMES_SHOWN: Final = 10
"""Games on one page: as many as a phone shows in two screens."""
MAX_TITLE: Final = 160
"""Maximum length, in units, of a game's name and players in the list."""


class InfoCommands(commands.Cog):
    """``/carc tiles``, ``/carc log``, ``/carc rules``, ``/carc games``."""

    @command("tiles", direct=True)
    async def tiles(self, interaction: Interaction, game: str = "", *, words: bool = False) -> None:
        """Show the tiles that have not been drawn yet, or list them in words."""
        await run_operation(interaction, game, Op.TILES, IN_WORDS if words else "")

    @command("log", direct=True)
    async def log(self, interaction: Interaction, game: str = "", *, since: bool = False) -> None:
        """List the moves of a game, or those since the user's own last one."""
        await run_operation(interaction, game, Op.LOG, SINCE if since else "")

    @command("rules", direct=True)
    @app_commands.autocomplete(topic=complete_rule)
    async def rules(self, interaction: Interaction, topic: str = "", game: str = "") -> None:
        """Show the rules: a summary, a topic or a single rule."""
        selected = await find_game(interaction, game, own=False) if game else await game_here(interaction)
        await interaction.edit_original_response(view=RuleBookPanels.of(selected, PRESENTERS).named(topic))

    @command("games", direct=True)
    async def games(self, interaction: Interaction) -> None:
        """List the player's running games."""
        await _show_games(interaction, 0)


async def press_tiles(interaction: Interaction, key: Key) -> None:
    """Show the tiles that have not been drawn yet, or list them in words, as the button says."""
    game = await admitted(interaction, key.ref)
    require(game, Hint.TILES)
    if by_ear():
        await show_in_words(interaction, game, ChosenPart(PILE))
        return
    position = (await table_of(interaction, game.code)).position
    presenter, counts = presenter_of(position), face_down(position)
    if key.argument == IN_WORDS:
        text = "\n".join([pile_words(position), *tile_lines(position, counts, apart=True)])
        if units(text) > MAX_TEXT:
            await show_in_words(interaction, game, ChosenPart(PILE))
        else:
            await interaction.edit_original_response(view=layout(text), attachments=[])
        return
    theme = private_theme(await preferences_of(interaction), game)
    lines, summary = tile_lines(position, counts), tiles_summary(position, counts)
    pictures = await interaction.client.render_pool.run_for(
        interaction.user.id, lambda: tiles_pictures(presenter, position, counts, summary, theme)
    )
    buttons = []
    if sum(map(len, lines)) > MAX_LIST_TEXT:
        lines = [summary]
        buttons = rows([button(Op.TILES, game.code, game.revision, t("button.in_words"), argument=IN_WORDS)])
    view = layout(gallery(pictures), "\n".join([pile_words(position), *lines]), buttons)
    await interaction.edit_original_response(view=view, attachments=attachments(pictures))


def face_down(position: Position) -> Counter[str]:
    """Count the tiles that lie face down by the id of their kind; this reveals nothing about their order."""
    return Counter({kind.id: count for kind, count in hints_on(position).remaining() if count})


def tile_lines(position: Position, counts: Mapping[str, int], *, apart: bool = False) -> list[str]:
    """Return the tiles in words, most frequent first.

    Kinds with the same short description share a line; with ``apart`` each gets its own line with a fuller description.
    """
    presenter = presenter_of(position)
    alike: dict[str, Counter[str]] = defaultdict(Counter)
    for tile_id, count in counts.items():
        kind = presenter.tile_kind(position, tile_id)
        alike[presenter.tile_words(kind)][presenter.tile_aloud(kind, 0)] += count
    words: Counter[str] = Counter()
    for short, fuller in alike.items():
        words.update(fuller if apart and len(fuller) > 1 else {short: fuller.total()})
    ordered = sorted(words.items(), key=lambda entry: (-entry[1], entry[0]))
    return [t("tiles.line", number=count, tile=text) for text, count in ordered]


def tiles_summary(position: Position, tiles: Mapping[str, int]) -> str:
    """Return how many of the tiles show each kind of feature, most frequent first; empty if no tile is left."""
    presenter = presenter_of(position)
    counts: Counter[str] = Counter()
    for tile_id, count in tiles.items():
        for kind in {segment.kind for segment in presenter.tile_kind(position, tile_id).segments}:
            counts[kind] += count
    if not counts:
        return ""
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return t(
        "tiles.summary",
        kinds=listed([t("tiles.kind", kind=t(f"feature.{kind_name}"), number=n) for kind_name, n in ordered]),
    )


async def press_log(interaction: Interaction, key: Key) -> None:
    """List the moves, newest first, from the entry that the button names."""
    game = await admitted(interaction, key.ref)
    table = await table_of(interaction, game.code)
    undone = await interaction.client.host.undo.undone(game.id) if game.taken_back else ()
    skipped, since = _number(key.argument), key.argument == SINCE
    presenter = presenter_of(table.position)
    start = last_decided(table, interaction.user.id) if since else 0
    page = await interaction.client.render_pool.run_for(
        interaction.user.id, lambda: log_page(presenter, table, skipped, MAX_LOG_TEXT, undone, start=start)
    )
    title = t("log.title_since" if start else "log.title", name=game.name, code=game.code)
    empty = t("log.empty_since" if start else "log.empty")
    taken_over = await interaction.client.host.seats.substitutions(game.id) if game.taken_back else ()
    substitutions = [taken_over_words(game, entry) for entry in taken_over[-MAX_SUBSTITUTIONS:]]
    updated = [seat_names(game)[seat] for seat in await interaction.client.host.computers.updated_seats(game)]
    updates = [t("log.updated", player=name) for name in updated]
    text = "\n".join([title, *substitutions, *updates, *(page.lines or [empty])])
    await interaction.edit_original_response(
        view=layout(text, rows(_log_buttons(game, skipped, page, interaction.user.id)))
    )


def _number(argument: str) -> int:
    """Return how many entries a button skips; a malformed argument counts as 0."""
    return int(argument) if argument.isdecimal() and argument.isascii() else 0


def _log_buttons(game: Game, skipped: int, page: LogPage, user_id: int) -> list[Press]:
    """Return the buttons to other pages of the log."""
    buttons: list[Press] = []
    if skipped:
        buttons.append(button(Op.LOG, game.code, game.revision, t("button.newest"), argument="0"))
    if page.older:
        older = str(skipped + len(page.lines))
        buttons.append(button(Op.LOG, game.code, game.revision, t("button.older"), argument=older))
    if game.settings.lesson:  # its pile was not shuffled
        return buttons
    return [*buttons, *clock_buttons(game, user_id), button(Op.PROOF, game.code, game.revision, t("button.proof"))]


async def show_rules(interaction: Interaction, game: Game) -> None:
    """Show the summary of the rules of a game."""
    await interaction.edit_original_response(view=RuleBookPanels.of(game, PRESENTERS).named(""))


async def press_rule(interaction: Interaction, key: Key) -> None:
    """Turn to another page of the private rule panel, or to the topic chosen in its list."""
    if interaction.message is None or not interaction.message.flags.ephemeral:
        raise RefusedError("unknown_button")
    game = None if key.ref == NO_TABLE else await admitted(interaction, key.ref)
    argument = chosen_in(interaction) if key.argument == MENU else key.argument
    await interaction.edit_original_response(view=RuleBookPanels.of(game, PRESENTERS).pressed(argument))


async def press_games(interaction: Interaction, key: Key) -> None:
    """Turn to another page of the private list of games."""
    require_private(interaction)
    await _show_games(interaction, _number(key.argument))


async def _show_games(interaction: Interaction, skipped: int) -> None:
    games = await interaction.client.host.game_lists.of_user_by_deadline(interaction.user.id)
    await interaction.edit_original_response(view=games_view(games, skipped, interaction.user.id))


def games_view(games: Sequence[GameSummary], skipped: int, user_id: int) -> ui.LayoutView:
    """Return a page of a user's games with buttons to the other pages; a page past the end becomes the first."""
    if not games:
        return layout(t("games.none"))
    start = skipped if skipped < len(games) else 0
    lines = [_game_line(game, user_id) for game in games[start : start + GAMES_SHOWN]]
    text = "\n".join([t("games.title", count=len(games)), *lines])
    page_buttons = []
    if start:
        page_buttons.append(button(Op.GAMES, NO_TABLE, 0, t("button.first_games"), argument="0"))
    remaining = len(games) - start - len(lines)
    if remaining:
        label = t("button.more_games", count=remaining)
        page_buttons.append(button(Op.GAMES, NO_TABLE, 0, label, argument=str(start + len(lines))))
    return layout(text, rows(page_buttons))


def _game_line(game: GameSummary, user_id: int) -> str:
    """Return a game of the list in words."""
    address = link(game.guild_id, game.thread_id or game.channel_id, game.last_message_id)
    key = "games.waiting" if game.waiting_for_me else "games.running"
    player = safe(name_to_act(game))
    since = int(game.updated_at.timestamp())
    title = clip(safe_title(game, user_id), MAX_TITLE)
    if game.away_until is not None and not game.waiting_for_me:
        return t("games.away", game=title, link=address, player=player, at=int(game.away_until.timestamp()))
    if game.deadline is not None:
        until = "games.waiting_until" if game.waiting_for_me else "games.running_until"
        return t(until, game=title, link=address, player=player, at=int(game.deadline.timestamp()))
    return t(key, game=title, link=address, player=player, since=since)


HANDLERS: Final = {
    Op.PROOF: Handler(Ack.PANEL, on_game(show_proof)),
    Op.TILES: Handler(Ack.PANEL, press_tiles),
    Op.RULES: Handler(Ack.PANEL, on_game(show_rules)),
    Op.RULE: Handler(Ack.UPDATE, press_rule),
    Op.LOG: Handler(Ack.PANEL, press_log),
    Op.GAMES: Handler(Ack.UPDATE, press_games),
}
