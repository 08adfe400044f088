"""The private panels of events, opened by members and organisers who play by ear, are readable aloud.

*By ear* is a setting for players who use a screen reader: panels have words instead of pictures. Each button of each
panel is pressed once, and the fixture checks everything that is sent.
"""

from collections.abc import Sequence
from typing import Any

import pytest

from host import BY_EAR, Preferences
from tests.e2e.event_table import EventTable, open_event
from tests.e2e.screen import buttons
from tests.e2e.screen_reader import assert_readable_aloud
from tests.e2e.test_by_ear import open_every_button

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("random_language")]
MAX_PRESSES = 25
"""Number of buttons of a panel that are followed."""
COMMANDS_BEFORE_START = ("list", "show", "show page:rules", "show page:standings", "show page:log", "show page:teams")
"""Members' commands before the first round."""
COMMANDS_AFTER_START = (
    *COMMANDS_BEFORE_START,
    "show page:games",
    "show page:bracket",
    "checkin",
    "leave",
    "show page:files",
    "ladder join",
    "ladder leave",
)
"""Members' commands during the event."""


async def open_all(event: EventTable, member: int, commands: Sequence[str], **options: Any) -> None:
    """Check the panel that each command opens, and those that its buttons lead to."""
    actor = event.table.members[member]
    for typed in commands:
        command, _, page = typed.partition(" page:")
        needs_no_event = command in {"list", "ladder join", "ladder leave"}
        values = options if needs_no_event else {"event": event.code, **({"page": page} if page else {}), **options}
        answer = await actor.slash(event.table.channel, f"tourney {command}", **values)
        await open_every_button(event.table, member, event.table.shown(answer), MAX_PRESSES)


async def test_every_panel_of_an_event_is_readable_aloud(event: EventTable) -> None:
    ana, organiser = event.table.actors[0].id, event.organiser.id
    for member in (ana, organiser):
        await event.host.preferences.set(member, Preferences(choices={BY_EAR: "on"}))
    await open_event(event, "multiplayer-cup", pace="live", rounds="1")
    await open_all(event, organiser, ["manage panel", "manage reports"])
    await open_all(event, ana, [*COMMANDS_BEFORE_START, "join", "leave"])
    for actor in event.table.actors[:4]:
        await event.send_command(actor, "join", event=event.code)
    await event.send_command(event.table.actors[1], "report", words="He stalls. " * 9, event=event.code)
    await event.send_command(event.organiser, "manage do", what="start", event=event.code)
    await event.settle()
    await open_all(event, ana, COMMANDS_AFTER_START)
    await open_all(event, ana, ["explain"], player="Ana", other="Ben")
    await open_all(event, organiser, ["manage panel", "manage reports"])
    card = event.messages[0]
    pressed = await event.table.actors[0].click(card, custom_id=buttons(card.components)[0].custom_id)
    assert_readable_aloud(event.table.shown(pressed))
    for command in ("leaderboard", "profile", "manage"):
        answer = await event.table.members[organiser].slash(event.table.channel, f"carc {command}")
        await open_every_button(event.table, organiser, event.table.shown(answer), MAX_PRESSES)
