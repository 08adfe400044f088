"""The rules of *Carcassonne: The Castle*, a game for two.

Players lay tiles within a castle wall and deploy figures on paths, towers, houses and courts. The score track runs on
the wall; a score marker that stops on a corner tower takes the wall tile there, which has a special effect.
"""

from engine.the_castle.actions import Double, PlayAgain, ScoreFeature, Triple
from engine.the_castle.final import court_results, empty_areas, keep_result, potential_points, wall_tile_results
from engine.the_castle.options import PRESETS, Options
from engine.the_castle.position import Position
from engine.the_castle.setup import GAME, PLAYERS, Setup, new_setup
from engine.the_castle.steps import ChooseFeature, DeployFollower, DoubleFeature, ExtraTurn, PlaceTile
from engine.the_castle.tilefile import TileFileError, default_tile_set, read_tiles
from engine.the_castle.tiles import ROLES, FeatureKind, Segment, TileKind
from engine.the_castle.wall import StartSpace, WallTile, wall
