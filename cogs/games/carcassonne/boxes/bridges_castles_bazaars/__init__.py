"""*Bridges, Castles & Bazaars*: the presentation of this expansion, put together from the modules of the package."""

from __future__ import annotations

from typing import Final

from cogs.games.carcassonne.box import BoxPresenter
from cogs.games.carcassonne.boxes.bridges_castles_bazaars import bazaars, bridges_castles, plans
from cogs.games.carcassonne.boxes.bridges_castles_bazaars.lesson_topics import TOPICS
from cogs.services.bot import merge_handlers
from engine.carcassonne.expansions.bridges_castles_bazaars import TOWNS, BazaarClosed, BazaarOpened

BOX: Final = BoxPresenter(
    categories=("castle", "bazaar"),
    actions={**bridges_castles.ACTIONS, **bazaars.ACTIONS},
    events={**bridges_castles.EVENTS, **bazaars.EVENTS},
    silent=(BazaarClosed,),
    questions={**bridges_castles.QUESTIONS, **bazaars.QUESTIONS},
    handlers=merge_handlers(bazaars.HANDLERS, plans.HANDLERS, bridges_castles.TOWNS_IN_ONE_GAME.handlers),
    choices={TOWNS: bridges_castles.TOWNS_IN_ONE_GAME.values},
    in_one_game={TOWNS: bridges_castles.TOWNS_IN_ONE_GAME.override},
    commands=(plans.plan_command,),
    planning_events=(BazaarOpened,),
    lesson_topics=TOPICS,
    plan_panel=plans.plan_panel,
    piece=bridges_castles.PIECE,
    trial=bridges_castles.trial,
    details=bazaars.bazaar_words,
    details_pictured=bazaars.shows_lots,
    additions=bridges_castles.bridge_on_tile,
    chapters={"bazaar": bazaars.tell_bazaar, "castles": bridges_castles.tell_castles},
    out_of_turn=bazaars.out_of_turn,
    transfers=bazaars.transfers,
)
