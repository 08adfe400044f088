"""The drawings of Games Quarterly 11: its pigs, the spring with a road, and a city that reaches between two fields."""

from __future__ import annotations

from engine.carcassonne import FeatureKind, tile
from engine.carcassonne.expansions.games_quarterly import PIG_FIELD, SPRING
from renderers.carcassonne.boxes.river import RiverEnd, waters_of
from renderers.carcassonne.boxes.river_two import Herd
from renderers.carcassonne.faces.prints import hidden_share
from renderers.carcassonne.figures import layout_of
from renderers.pieces import within_tile
from tests.renderers.image_checks import ROTATIONS


def test_the_pigs_stand_in_their_field_and_no_farmer_hides_them() -> None:
    for rotation in ROTATIONS:
        layout = layout_of(tile(PIG_FIELD), rotation)
        (herd,) = layout.printed(Herd)
        farmer = within_tile(layout.anchors[0], lying=True)
        assert hidden_share(herd.bounds, farmer, lying=True) <= 0.35, rotation


def test_the_road_leads_to_the_spring_and_the_field_does_not_go_round_it() -> None:
    for rotation in ROTATIONS:
        features = layout_of(tile(SPRING), rotation).features
        (water,) = waters_of(features.face)
        assert water.end is RiverEnd.SPRING
        corners = {features.ground.owner(corner) for corner in ((0.03, 0.03), (0.97, 0.03), (0.03, 0.97), (0.97, 0.97))}
        assert len(corners) == 2
        assert {features.face.kinds[owner] for owner in corners} == {FeatureKind.FIELD}
