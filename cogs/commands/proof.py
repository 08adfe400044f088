"""[Fair Pile]: how anybody can check that nothing was arranged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from discord import ui

from cogs.interactions.selection import find_game
from cogs.messages import layout
from cogs.presenting.ids import Key, Op
from cogs.services.bot import Ack, Handling
from cogs.texts import t
from engine import GAMES
from host import GameStatus, setup_of

if TYPE_CHECKING:
    from cogs.services.bot import Interaction
    from engine import Setup
    from host import Game


async def press_proof(interaction: Interaction, key: Key) -> None:
    """Tell the commitment, and when the game is over how it comes about."""
    game = await find_game(interaction, key.ref, own=False)
    text = await interaction.client.render_pool.look(interaction.user.id, lambda: proof_text(game))
    await interaction.edit_original_response(view=layout(ui.TextDisplay(text)))


def proof_text(game: Game) -> str:
    """What is proved, and how; runs in a worker thread."""
    setup = setup_of(game)
    lines = [t("proof.title", game=f"{game.name} · {game.code}"), t("proof.committed", commitment=setup.commitment)]
    if game.status is not GameStatus.FINISHED:
        return "\n".join([*lines, t("proof.running")])
    lines.append(t("proof.seed", seed=setup.seed))
    command = checking_line(setup)
    lines.append(t("proof.command", command=command) if command else t("proof.by_hand"))
    return "\n".join(lines)


def checking_line(setup: Setup) -> str:
    """The line of `docs/rules.md` that works out the commitment of a game; empty where its tiles are an owner's own."""
    game = GAMES[setup.game]
    rules = {"options": setup.options, "expansions": setup.expansions}
    if game.new_setup(players=setup.players, seed=setup.seed, **rules).commitment != setup.commitment:
        return ""
    options = f", options=game.options.of({changed!r})" if (changed := setup.options.differences()) else ""
    made = f"players={setup.players}, seed={setup.seed!r}, expansions={setup.expansions!r}{options}"
    code = f"from engine import GAMES; game = GAMES[{setup.game!r}]; print(game.new_setup({made}).commitment)"
    return "python -c " + '"' + code + '"'


HANDLINGS: Final = {Op.PROOF: Handling(Ack.PANEL, press_proof)}
