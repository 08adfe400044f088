"""*Bridges, Castles & Bazaars*."""

from __future__ import annotations

from typing import Final

from cogs.games.carcassonne.box import BoxPresenter
from cogs.games.carcassonne.boxes.bridges_castles_bazaars import bazaars, bridges, castles, sealed, told
from cogs.services.bot import together
from engine.carcassonne.expansions.bridges_castles_bazaars import ALWAYS, NEVER, TOWNS, BazaarOpened

BOX: Final = BoxPresenter(
    categories=("castle", "bazaar"),
    actions={**bridges.ACTIONS, **castles.ACTIONS, **bazaars.ACTIONS},
    events={**bridges.EVENTS, **castles.EVENTS, **bazaars.EVENTS},
    questions={**castles.QUESTIONS, **bazaars.QUESTIONS},
    handlings=together(bazaars.HANDLINGS, sealed.HANDLINGS, castles.HANDLINGS),
    choices={TOWNS: ("ask", ALWAYS, NEVER)},
    in_one_game={TOWNS: castles.IN_ONE_GAME},
    commands=(sealed.plan_command,),
    calling=(BazaarOpened,),
    plan_form=sealed.plan_form,
    piece=bridges.PIECE,
    trial=bridges.trial,
    details=bazaars.bazaar_words,
    upon=told.upon,
    chapters={"bazaar": told.bazaar, "castles": told.castles},
    out_of_turn=bazaars.out_of_turn,
    gains=bazaars.gains,
)
