"""The option of ``/tourney`` commands that names somebody who plays in an event: a person, or a computer.

It is a text with suggestions, because Discord's own option for members cannot name a computer.
"""

from __future__ import annotations

from collections.abc import Iterable

from cogs.interactions.replies import suggesting
from cogs.interactions.selection import find_event
from cogs.services.bot import Interaction
from cogs.texts.languages import folded
from cogs.words.events import entrant_words
from cogs.words.names import isolate, player_names, safe
from cogs.words.refusals import RefusedError
from host.events import EntrantKey, EventView, computer_key


def entrants_of(view: EventView) -> list[tuple[EntrantKey, str]]:
    """Return the keys and names of all who have entered an event, computers once it has begun."""
    people = [(entry.person.user_id, view.name_of_person(entry.person)) for entry in view.entries]
    computers = [(computer_key(computer), computer.name) for computer in view.plan.computers if view.event is not None]
    return [*people, *computers]


def typed_entrant(view: EventView, typed: str) -> EntrantKey:
    """Return the key of somebody who plays in an event, given a key as a suggestion has it, a mention or a name.

    Raises:
        RefusedError: nobody there has this name.
    """
    query = folded(typed.strip().lstrip("@"))
    for key, name in entrants_of(view):
        if query in {folded(str(key)), f"<@{key}>", f"<@!{key}>", folded(name)}:
            return key
    raise RefusedError("not_in_event", player=safe(typed))


def entry_number(view: EventView, typed: str) -> int:
    """Return the number of an entry of a single player, given what was typed.

    Raises:
        RefusedError: nobody there has this name, or they play in a team or have no place.
    """
    key = typed_entrant(view, typed)
    entry = view.entry_of(key) if isinstance(key, int) else None
    numbers = {computer_key(computer): number for number, computer in view.computers.items()}
    number = numbers.get(str(key)) if entry is None else entry.number
    if number is None:
        raise RefusedError("not_in_event", player=entrant_words(key))
    return number


@suggesting
async def complete_entrant(interaction: Interaction, typed: str) -> Iterable[tuple[str, str]]:
    """Suggest those who play in the selected event, computers with their badge."""
    view = await find_event(interaction, getattr(interaction.namespace, "event", "") or "")
    badges = {computer_key(computer): player_names([computer])[0] for computer in view.plan.computers}
    found = [(key, name) for key, name in entrants_of(view) if folded(typed.lstrip("@")) in folded(name)]
    return [(badges.get(str(key)) or isolate(name), str(key)) for key, name in found]
