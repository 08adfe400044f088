"""The decorator of all slash commands: it describes a command and its options, and handles its errors.

>>> class NotesCommands(commands.Cog):
...     @command("notes")
...     async def notes(self, interaction, write="", game=""): ...

registers ``/carc notes`` with descriptions in all languages, and with suggestions for the option ``game``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Final

from discord import app_commands

from cogs.commands.autocomplete import about_game
from cogs.interactions.replies import guarded
from cogs.interactions.selection import about_event
from cogs.services.bot import Ack, Interaction
from cogs.texts import t
from cogs.words.refusals import RefusedError

Method = Callable[..., Coroutine[Any, Any, None]]
_COMMON_OPTIONS: Final = {"game": about_game, "event": about_event}
"""Options that have the same description and suggestions in all commands."""


async def _refuse_outside_servers() -> None:
    """Refuse a command that works in servers alone.

    Raises:
        RefusedError: ``only_in_servers``.
    """
    raise RefusedError("only_in_servers")


def command(
    name: str, description: str = "", /, *, ack: Ack | None = Ack.PANEL, direct: bool = False, **options: str
) -> Callable[[Method], app_commands.Command[Any, ..., None]]:
    """Turn a method into a slash command, which is acknowledged as ``ack`` says and runs inside :func:`guarded`.

    The description of the command ``notes`` has the key ``command.notes.description``, that of its option ``write`` the
    key ``command.notes.write``; ``description`` and ``options`` name other keys, without the first word. The options
    ``game`` and ``event`` are completed, too, if ``options`` does not name them. Only ``direct`` commands also work in
    direct messages with the bot.
    """
    key = name.replace("-", "_")

    def decorate(method: Method) -> app_commands.Command[Any, ..., None]:
        @wraps(method)
        async def guarded_method(cog: object, interaction: Interaction, **values: Any) -> None:  # noqa: ANN401
            allowed = direct or interaction.guild_id is not None
            await guarded(
                interaction, method(cog, interaction, **values) if allowed else _refuse_outside_servers(), ack
            )

        # discord.py would look up names of annotations in this module.
        signature = inspect.signature(method, eval_str=True)
        guarded_method.__signature__ = signature  # type: ignore[attr-defined]
        for option in list(signature.parameters)[2:]:
            if option in _COMMON_OPTIONS and option not in options:
                _COMMON_OPTIONS[option](guarded_method)
            else:
                words = t(f"command.{options.get(option, f'{key}.{option}')}")
                app_commands.describe(**{option: words})(guarded_method)
        return app_commands.command(name=name, description=t(f"command.{description or f'{key}.description'}"))(
            guarded_method
        )

    return decorate
