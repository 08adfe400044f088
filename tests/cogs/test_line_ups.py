"""The panel in which a team's captain sets the line-up: limits, one board per player, and members of the team only.

A line-up is encoded in a button's id as one character per board, the index of the player in the roster or "-".
"""

from __future__ import annotations

import pytest

from cogs.commands.tourneys.teams import decode_line_up, encode_line_up, line_up_panel, with_member_at
from cogs.presenting.ids import parse_key
from host.events import ChoiceView
from store import Person
from tests.cogs.event_views import event_view
from tests.discord_limits.limits import message_problems
from tests.tournaments.invariants import ROUGH_CONDITIONS
from tournaments.trials import simulate_format

COMPONENTS_V2_FLAG = 1 << 15
"""The flag of messages that consist of components."""


def line_up_choice(boards: int, roster: int) -> ChoiceView:
    """Return a choice of members for the boards, with the first members of the roster chosen."""
    players = tuple(Person(100 + number, "W" * 32) for number in range(roster))
    return ChoiceView(1, 1, 0, 1, players, (*players[:boards], *[None] * (boards - roster)))


@pytest.mark.parametrize(("boards", "roster"), [(1, 1), (4, 6), (20, 20), (20, 40)])
def test_the_panel_keeps_the_limits_on_all_its_pages(boards: int, roster: int) -> None:
    view, line_up = (
        event_view(simulate_format("team-round-robin", 4, "line-ups", ROUGH_CONDITIONS).event),
        line_up_choice(boards, roster),
    )
    boards_shown: set[str] = set()
    for page in range(-(-boards // 6)):
        panel = line_up_panel(view, line_up, encode_line_up(line_up), page)
        assert (
            message_problems({"components": panel.to_components(), "flags": COMPONENTS_V2_FLAG, "attachments": []}, [])
            == []
        )
        ids = [getattr(item, "custom_id", None) for item in panel.walk_children()]
        assert all(parse_key(custom_id) is not None for custom_id in ids if custom_id)
        boards_shown |= {
            key.argument.split()[-1] for key in map(parse_key, filter(None, ids)) if key and "board" in key.argument
        }
    assert boards_shown == {str(board) for board in range(boards)}


def test_a_player_has_at_most_one_board() -> None:
    view = line_up_choice(3, 4)
    assert encode_line_up(view) == "012"
    changed = with_member_at("012", 0, "2")
    assert changed == "21-"
    assert decode_line_up(view, changed) == [102, 101, None]
    assert with_member_at(changed, 0, "-") == "-1-"


@pytest.mark.parametrize("invalid", ["", "01", "0123", "01?", "019", "01z", "01٣"])
def test_an_invalid_choice_is_refused(invalid: str) -> None:
    with pytest.raises(ValueError, match=r"^"):
        decode_line_up(line_up_choice(3, 4), invalid)
