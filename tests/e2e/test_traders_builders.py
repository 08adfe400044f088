"""A whole game with builders, pigs and goods, by clicks alone, with a bazaar between the two tiles of a turn.

A builder gives its owner a second tile when its road or city is extended, and a pig makes a field worth more.
`BuilderPlayer` prefers moves that use them.
"""

from pathlib import Path
from random import Random

import pytest

from cogs.presenting.ids import Op
from cogs.presenting.turn import Plan, placements, position_with
from engine import Place, begin, parse_action, read_setup, state_digest
from engine.carcassonne import PlaceTile, Position
from engine.carcassonne.double_turns import first_tile
from engine.carcassonne.expansions import BCB, TRADERS_BUILDERS
from engine.carcassonne.expansions.traders_builders import BUILDER, GoodsTaken
from engine.events import Event, Scored
from engine.views import StandingFigure
from tests.discord_limits.recorder import Recorder
from tests.e2e.accessibility import accessibility_problems
from tests.e2e.answers import answer_to, is_sentence, nothing_changes
from tests.e2e.player import Clicker, Move
from tests.e2e.screen import Button, Kind, localized, words
from tests.e2e.stored_games import StoredGame
from tests.e2e.table import Table, open_table
from tests.e2e.test_bad_input import forge, member_to_act
from tests.e2e.test_full_games import CARCASSONNE_NOTATION, RestartingClient, check_game, check_messages, play

pytestmark = pytest.mark.usefixtures("random_language", "all_posts_kept")

NOTATION_SIGNS = (" builder@", " pig@")
"""Notations of the two figures, which have to occur in the log."""
SEED = 8
"""A seed for which a player's bazaar tile earns them a double turn."""


class BuilderPlayer(Clicker):
    """A player who extends their builder's feature where possible, so that double turns occur."""

    _position: Position | None = None
    """The position at the last look."""

    def _spot(self, move: Move, offered: dict[Kind, list[Button]]) -> Button:
        """Choose a spot that extends a feature with a builder, if there is one."""
        table = self.client.table if isinstance(self.client, RestartingClient) else self.client
        assert isinstance(table, Table)
        position = self._current_position(table.stored())
        extending = [button for button in offered.get(Kind.SPOT, ()) if extends(position, button.key.argument)]
        return self.random.choice(extending) if extending else super()._spot(move, offered)

    def _current_position(self, stored: StoredGame) -> Position:
        """Apply what was played since the last call, as replaying the whole game each time would slow the test."""
        if self._position is None:
            self._position = stored.replayed()
        for text in stored.log[self._position.ply :]:
            self._position.apply(parse_action(text))
        assert state_digest(self._position) == stored.digest
        return self._position


def extends(position: Position, text: str) -> bool:
    """Return whether all placements to which a spot's button may lead extend a feature with the player's builder."""
    player = position.player
    builders = [
        standing for standing in position.standing_figures() if standing.figure == BUILDER and standing.player == player
    ]
    if not builders:
        return False
    plan = Plan.parse(text)
    places = [plan.place] if plan.place else [place for place in placements(position) if place.cell == plan.spot]
    return all(
        any(_tile_count(after, builder) > _tile_count(position, builder) for builder in builders)
        for after in (position_with(position, place) for place in places)
    )


def _tile_count(position: Position, standing: StandingFigure) -> int:
    """Return the number of tiles of the feature on which a figure stands."""
    return position.feature_at(standing.cell, standing.segment.name).tiles


@pytest.mark.soak  # a game with more boxes (test_every_box.py) is played each time
async def test_a_game_with_builders_and_bazaars_is_played_by_clicks(
    tmp_path: Path, recorder: Recorder, no_drawing: None
) -> None:
    async with open_table(tmp_path / "games.sqlite3", seed=f"game {SEED}") as table:
        await table.start(3, expansions=BCB, further=[TRADERS_BUILDERS])
        await play(table, SEED, player=BuilderPlayer)
        await check_game(table, recorder, (*CARCASSONNE_NOTATION, *NOTATION_SIGNS))
        check_events(table.stored())
        check_cards(table)
        await check_commands(table)


def check_events(stored: StoredGame) -> None:
    """Check that a bazaar was held between the two tiles of a double turn, and that goods were taken and scored."""
    position = begin(read_setup(stored.setup))
    assert isinstance(position, Position)
    events: list[Event] = []
    bazaars_within_turns = 0
    for text in stored.log:
        events += position.apply(parse_action(text))
        if isinstance(position.step, PlaceTile) and first_tile(position) >= 0:
            newest = max(placed.number for placed in position.placed())
            bazaars_within_turns += newest > first_tile(position)
    assert bazaars_within_turns
    assert any(isinstance(event, GoodsTaken) for event in events)
    assert any(isinstance(event, Scored) and event.kind == "goods" for event in events)


def check_cards(table: Table) -> None:
    """Check that the cards describe second tiles, figures and goods."""
    *texts, final = [words(card.components) for card in table.cards()]
    everything = "\n".join(texts)
    second = localized("headline.place_second", turn="|", player="|", tile="|").split("|")[2].strip()
    builder = localized("story.deployed_role", player="", role=localized("figure.builder"), segment="|").split(
        "|", maxsplit=1
    )[0]
    goods = localized("story.goods", player="", goods="|").split("|", maxsplit=1)[0]
    supplies = (localized("piece.builder_home"), localized("piece.pig_home"))
    assert not [sentence for sentence in (second, builder, goods, *supplies) if sentence not in everything]
    assert localized("category.goods", points=10) in final or localized("category.goods", points=20) in final


async def check_commands(table: Table) -> None:
    """Check that all commands about a finished game are answered."""
    actor, code = table.actors[0], table.stored().code
    unexpected = localized("answer.unexpected", reference="|").split("|", maxsplit=1)[0]
    for command in ("board", "log", "rules", "export", "replay", "tiles"):
        result = await actor.slash(table.place, f"carc {command}", game=code)
        answers = [answer for answer in (result.response, *result.followups) if answer is not None]
        assert answers, command
        assert not [answer for answer in answers if unexpected in words(answer.components)]


@pytest.mark.long
async def test_the_first_moves_have_pictures(tmp_path: Path, recorder: Recorder) -> None:
    """The expansion is played alone, without bridges, castles and bazaars."""
    async with open_table(tmp_path / "games.sqlite3", seed="game 22") as table:
        await table.start(2, expansions=TRADERS_BUILDERS)
        assert localized("expansion.traders-builders") in words(table.cards()[0].components)
        clicker = Clicker(table, Random(3))
        for _ in range(25):
            await clicker.move(table.card())
        check_messages(recorder, min_requests=60)
        log = " ".join(table.stored().log)
        assert any(sign in log for sign in NOTATION_SIGNS)


async def test_a_forged_figure_is_refused(tmp_path: Path, recorder: Recorder, no_drawing: None) -> None:
    """A builder or pig needs a follower on the board, and there is none yet; a dragon does not exist."""
    async with open_table(tmp_path / "games.sqlite3", seed="game 22") as table:
        await table.start(2, expansions=BCB, further=[TRADERS_BUILDERS])
        member, position = member_to_act(table), table.stored().replayed()
        place = next(str(action) for action in position.legal_actions if isinstance(action, Place) and not action.aid)
        with nothing_changes(table):
            for figure in ("builder@road.W", "builder@city.N", "pig@field.NL", "dragon@road.W"):
                assert is_sentence("error.illegal", await forge(table, member, Op.GO, f"{place} {figure}"))
                assert is_sentence("refusal.unknown_button", await forge(table, member, Op.PLAN, f"{place} {figure}"))
                typed = await table.members[member].slash(table.place, "carc play", move=f"{place} {figure}")
                assert is_sentence("error.illegal", answer_to(typed))
        assert [*recorder.problems(), *accessibility_problems(recorder)] == []
