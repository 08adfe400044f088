"""The rules of Carcassonne, with the hooks by which expansions take part in a game.

Other packages import the names of the base game from here. A box is an expansion as it is sold; its names are imported
from its own package in :mod:`engine.carcassonne.expansions`.
"""

from engine.actions import constant_form
from engine.carcassonne.expansions import DEFAULT_EXPANSIONS, EXPANSIONS_ASKING_ALL, OFFERED, REGISTRY
from engine.carcassonne.lesson import lesson_setup
from engine.carcassonne.options import PRESETS, Options
from engine.carcassonne.orders import check_plan, may_be_ordered, may_plan, ordered_action
from engine.carcassonne.placing import Decline
from engine.carcassonne.position import Position
from engine.carcassonne.scoring import potential_points
from engine.carcassonne.setup import GAME, PLAYERS, Setup, new_setup
from engine.carcassonne.steps import DeployFollower, PlaceTile
from engine.carcassonne.tiles import FeatureKind, Segment, TileKind, tile, tile_set
from engine.geometry import Axis

FORMS = (constant_form(Decline()), *(form for box in REGISTRY.values() for form in box.forms))
"""The text forms of the actions that only Carcassonne has, including those of all boxes."""
