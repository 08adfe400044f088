"""The rating commands: ``/carc leaderboard`` for the best players of a server, ``/carc profile`` for a single player.

A *scale* is a kind of games that are rated together; each has its own ratings. A leaderboard is shown as a picture and
in words, a profile in words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.commands.slash import command
from cogs.messages import layout
from cogs.presenting.presenter import AltPicture, attachments, gallery, private_theme
from cogs.services.bot import Interaction
from cogs.texts import t
from cogs.words.alt_texts import standings_alt
from cogs.words.names import safe
from cogs.words.story import lines_within
from host import unique_names
from host.events import RatingView
from renderers import DAY, Theme, legible
from renderers.events import MAX_ENTRIES, Rank, standings_table
from tournaments.lasting.ratings import HeadToHead, Scale

MAX_LISTED_PLAYERS: Final = 40
"""The most players in the words of a leaderboard."""
MAX_TEXT_LENGTH: Final = 3500
"""The maximum length of a text, in units (``cogs.words.story.units``)."""


def leaderboard_page(
    place: str, scale: str, ratings: Sequence[RatingView], theme: Theme = DAY
) -> tuple[ui.LayoutView, Sequence[AltPicture]]:
    """Return the leaderboard of a scale: the first sixteen players as a picture, up to forty in words."""
    scale_name = t(f"rating.scale.{scale}")
    title = t("rating.title", place=place, scale=scale_name)
    lines = [t("rating.headline", title=safe(title))]
    names = unique_names([view.person for view in ratings])
    for view, name in zip(ratings[:MAX_LISTED_PLAYERS], names, strict=False):
        values = {"place": view.rank or 0, "player": safe(name), "rating": view.shown}
        lines.append(t("rating.line", count=view.games, change=_change_words(view), **values))
    if not ratings:
        lines.append(t("rating.nobody"))
    headline = title if legible(place) else scale_name  # where no font can write what the server is called
    pictures = [_picture(title, headline, ratings[:MAX_ENTRIES], names, theme)] if ratings else []
    return layout(lines_within(lines, MAX_TEXT_LENGTH), *gallery(pictures)), pictures


def _picture(title: str, headline: str, views: Sequence[RatingView], names: Sequence[str], theme: Theme) -> AltPicture:
    """Draw the first players of a leaderboard."""
    ranks = [
        Rank(
            str(view.rank),
            name if legible(name) else t("event.numbered", number=view.rank or 0),
            (str(view.shown), _change_words(view), str(view.games)),
            first=view.rank == 1,
        )
        for view, name in zip(views, names, strict=False)
    ]
    columns = (t("rating.column.rating"), t("rating.column.change"), t("rating.column.games"))
    picture = standings_table(headline, columns, ranks, theme=theme)
    return AltPicture(picture, standings_alt(title, "", ranks, columns))


def _change_words(view: RatingView) -> str:
    """Return the change of a rating by the last game, in words."""
    change = view.shown - view.before
    return (
        t("rating.up", points=change)
        if change > 0
        else t("rating.down", points=-change)
        if change
        else t("rating.same")
    )


def profile_page(
    name: str, overall: Sequence[RatingView], local: Sequence[RatingView], against: Mapping[str, HeadToHead]
) -> ui.LayoutView:
    """Return a player's ratings and the viewer's record against them."""
    ranks = {view.scale: view.rank for view in local}
    lines = [t("rating.profile", player=safe(name))]
    for view in overall:
        rank = ranks.get(view.scale)
        key = "rating.own_provisional" if view.provisional else "rating.own"
        words = t(
            key, scale=t(f"rating.scale.{view.scale}"), rating=view.shown, count=view.games, change=_change_words(view)
        )
        lines.append(t("rating.with_rank", words=words, place=rank) if rank else words)
    if not overall:
        lines.append(t("rating.unrated"))
    for scale, record in against.items():
        if record.games:
            values = {"before": record.before, "behind": record.behind, "scale": t(f"rating.scale.{scale}")}
            lines.append(t("rating.against", count=record.games, **values))
    return layout(lines_within(lines, MAX_TEXT_LENGTH))


SCALES: Final = [app_commands.Choice(name=t(f"rating.scale.{scale}"), value=str(scale)) for scale in Scale]
"""The choices of the option ``scale``."""
ALL_SERVERS: Final = 0
"""The number under which the ratings of all servers together are stored."""


class RatingCommands(commands.Cog):
    """The commands ``/carc leaderboard`` and ``/carc profile``."""

    @command("leaderboard")
    @app_commands.choices(scale=SCALES)
    async def leaderboard(self, interaction: Interaction, scale: str = Scale.MULTIPLAYER) -> None:
        """Show the leaderboard of a scale in this server."""
        client = interaction.client
        ratings = await client.host.events.ratings.leaderboard(interaction.guild_id or ALL_SERVERS, Scale(scale))
        place = interaction.guild.name if interaction.guild else ""
        theme = private_theme(await client.host.preferences.get(interaction.user.id))
        draw = partial(leaderboard_page, place, scale, ratings, theme)
        view, pictures = await client.render_pool.run_for(interaction.user.id, draw)
        await interaction.edit_original_response(view=view, attachments=attachments(pictures))

    @command("profile")
    async def profile(self, interaction: Interaction, player: discord.User | None = None) -> None:
        """Show a player's ratings and the viewer's record against them."""
        ratings, viewer, member = (
            interaction.client.host.events.ratings,
            interaction.user.id,
            player or interaction.user,
        )
        overall = await ratings.profile(ALL_SERVERS, member.id)
        local = await ratings.profile(interaction.guild_id or ALL_SERVERS, member.id)
        opponents = [] if member.id == viewer else list(Scale)
        against = {str(scale): await ratings.head_to_head(viewer, member.id, scale) for scale in opponents}
        await interaction.edit_original_response(view=profile_page(member.display_name, overall, local, against))
