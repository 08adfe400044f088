"""Names of players in refusals of ``/carc absent``, the command that asks to replace an absent player.

A display name may contain Discord's markup, such as a mention of everyone, which must not take effect.
"""

import pytest

from cogs.commands.table import _typed_player
from cogs.words.refusals import RefusedError
from engine import GAMES, begin
from tests.cogs.positions import LONG_NAMES, game_of


def test_names_in_a_refusal_are_escaped() -> None:
    game = game_of(begin(GAMES["carcassonne"].new_setup(players=6, seed="1")), LONG_NAMES)
    assert _typed_player(game, game.seats[2].name.upper()) == game.seats[2].user_id
    with pytest.raises(RefusedError) as caught:
        _typed_player(game, "nobody")
    listed_names = str(caught.value.values["players"])
    assert "<@" not in listed_names.replace("\\<", "")
    assert "@everyone" not in listed_names
