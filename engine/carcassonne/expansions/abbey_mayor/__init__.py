"""The box *Abbey & Mayor* (rules AM-01 to AM-62), and the names that other packages import.

An abbey fills a gap instead of a drawn tile. A mayor counts by the pennants of a city, a wagon may move on when it was
scored, and a barn scores a farm and closes it to farmers. Codes such as AM-01 are rules of the rule digest.
"""

import re
from typing import Final

from engine.actions import CELL as CELL_FORM
from engine.actions import SEGMENT as SEGMENT_FORM
from engine.actions import Form, constant_form
from engine.carcassonne.box import Box, StandingOrders
from engine.carcassonne.expansions.abbey_mayor import orders, wagons
from engine.carcassonne.expansions.abbey_mayor.abbeys import (
    ABBEY,
    ABBEY_TILE,
    Abbeys,
    DecideAbbey,
    OfferAbbey,
    PlaceAbbey,
    UseAbbey,
    abbey_cells,
    may_lay_abbey,
)
from engine.carcassonne.expansions.abbey_mayor.barns import (
    BARN,
    BARN_CITY_POINTS,
    JOINED_CITY_POINTS,
    Barns,
    PutBarn,
    ScoreBarns,
    barn_corners,
    barn_field,
    barns_on,
)
from engine.carcassonne.expansions.abbey_mayor.mayors import MAYOR, Mayors
from engine.carcassonne.expansions.abbey_mayor.options import NAME, PRESETS, AbbeyMayorOptions
from engine.carcassonne.expansions.abbey_mayor.orders import (
    ABBEY_ORDER,
    DRAW,
    STAYS,
    WAGON_ORDER,
    WagonOrder,
    possible_wagon_orders,
)
from engine.carcassonne.expansions.abbey_mayor.wagons import (
    WAGON,
    DecideWagon,
    MoveWagon,
    MoveWagons,
    Wagons,
    wagon_targets,
)
from engine.carcassonne.tiles import TileSet, tile
from engine.geometry import CORNERS, Cell
from engine.grammar.words import PLAYER, SEGMENT, AgendaWord

WELL: Final = "well"
TUNNEL: Final = "tunnel"
"""Attributes of roads: a well where three arms meet (AM-03), and a way below a city (AM-04)."""

BOX: Final = Box(
    name=NAME,
    mechanisms=(Abbeys(), Mayors(), Wagons(), Barns()),
    number=5,
    years=(2007, 2016),
    offered=True,
    tiles=TileSet(NAME, __name__, attributes=frozenset({WELL, TUNNEL})),
    options=AbbeyMayorOptions,
    presets=PRESETS,
    forms=(
        constant_form(UseAbbey()),
        Form(re.compile(rf"barn:({'|'.join(CORNERS)})"), PutBarn),
        Form(re.compile(rf"wagon:{CELL_FORM}\.{SEGMENT_FORM}"), lambda cell, name: MoveWagon(Cell.parse(cell), name)),
    ),
    words=(
        AgendaWord("abbey", DecideAbbey, {"player": PLAYER}),
        AgendaWord(
            "layabbey",
            PlaceAbbey,
            {"player": PLAYER},
            build=lambda _position, player: PlaceAbbey(player, tile(ABBEY_TILE), drawn=False),
        ),
        AgendaWord("lastabbey", OfferAbbey, {"player": PLAYER}),
        AgendaWord("wagons", MoveWagons, {"player": PLAYER}),
        AgendaWord("wagon", DecideWagon, {"player": PLAYER, "segment": SEGMENT}),
        AgendaWord("barns", ScoreBarns),
    ),
    extra_codecs=(wagons.EXTRA_CODEC,),
    standing_orders=StandingOrders(orders.may_be_ordered, orders.ordered_action, orders.check_plan, orders.may_plan),
)
