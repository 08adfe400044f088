"""The effort of thirty turns for a player: ``python -m benchmarks.turns [--quick] [--turns N] [--json FILE] [GAME …]``.

The same turns are played by clicks on the offline Discord: from the start of a game of *Bridges, Castles & Bazaars*; up
to the end of another one, on a board of 84 tiles; and from the start of *The Castle*. For each kind of decision the
printed table has the number of taps, the number of words that the player reads on the way, and the heights of the card
(the public message) and of the private panels. These are measured in Chromium, in the page of the preview: 550 CSS
pixels wide, and on a phone of 390, where a picture is 340 wide.

The module imports only what older versions have, too, so that it can be copied into one to compare the two.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import re
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest
from PIL import Image
from simcord.components import walk_components

from cogs.presenting.ids import Op
from computer.players import Level
from computer.players import Player as Computer
from engine import DEFAULT_GAME, Action, Cell, Pass, Place, Position
from engine.actions import Deploy
from host import Preferences
from preview.pictures import trust_pictures
from renderers import lettering, png
from renderers.boards import sheet
from tests.e2e.browser import chromium
from tests.e2e.fast_forward import create_game, fast_forward
from tests.e2e.player import LostError, Shown, offered_ops
from tests.e2e.screen import Button, buttons, localized, mentioned_users
from tests.e2e.table import Table, open_table
from tests.e2e.test_undo import publish_due

TURN_COUNT: Final = 30
PLAYER_COUNT: Final = 3
SEED: Final = "turns"
"""The seed of all games, and of the players' choices."""
WIDE: Final = 550
"""The width of a message's components on a wide screen, in CSS pixels."""
PHONE: Final = 390
"""The width of a phone's screen, in CSS pixels."""
PHONE_MESSAGE: Final = 377
"""The width of a message's components on a phone, in CSS pixels."""
PHONE_PICTURE: Final = 340
"""The width of a picture on a phone, in CSS pixels."""
SCREEN: Final = (1280, 3000)
"""The width and height of the window in which messages are measured, so high that whole messages fit."""
MESSAGES_PER_PAGE: Final = 25
"""The number of messages that are measured at a time; the page shows fifty at most."""
MAX_TAPS: Final = 25
"""Taps of one decision after which `LostError` is raised."""
COMPONENTS_V2: Final = 1 << 15
"""Discord's flag of messages of components."""
BUTTON, SELECT, TEXT, GALLERY = 2, 3, 10, 12
"""Discord's numbers of component types."""
POST_TIMEOUT: Final = 20.0
"""Seconds within which a card has to be posted."""
PUBLISH_WINDOW: Final = timedelta(seconds=60)
"""The time for which a move can be undone before it is posted."""
POLL_SECONDS: Final = 0.01
"""Interval of the checks whether a card is posted."""
CARD, PANEL = "card", "panel"
"""The roles of messages: public cards and private panels."""
SMALL_PRINT: Final = 12.0
"""The type size of small print in messages, in CSS pixels."""
USUAL_TYPE: Final = 14.0
"""The type size of buttons, the smallest in a message without small print, in CSS pixels."""


# -- the turns -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Script:
    """The turns to be played: the first ones of a game, or with ``until_full`` the last ones."""

    game: str
    until_full: bool = False


SCRIPTS: Final[Mapping[str, Script]] = {
    "carcassonne": Script("carcassonne"),
    "full board": Script("carcassonne", until_full=True),
    "the castle": Script("the-castle"),
}


@dataclass(slots=True)
class Sight:
    """A message as a player saw it, with the heights of its components in CSS pixels, by the width of the screen."""

    role: str
    components: list[Any]
    attachments: list[Any]
    smallest_type: float
    heights: dict[int, float] = field(default_factory=dict)
    first_look: float = 0.0
    """The pixels on a phone from the line that names the player to move to [Play]; 0 without that button."""
    picture: float = 0.0
    """The height of the first picture on a phone."""
    pressed: str = ""
    """The custom id of the button that the player pressed next; empty if none."""

    @property
    def words(self) -> int:
        """The number of words in texts and on buttons."""
        texts = [
            str(part.get("content") or part.get("label") or part.get("placeholder") or "")
            for part in walk_components(self.components)
            if part["type"] in {BUTTON, SELECT, TEXT}
        ]
        return sum(len(re.findall(r"\w[\w'-]*", text)) for text in texts)


@dataclass(slots=True)
class Decision:
    """One decision of a player: its kind, the number of taps, and the messages that were shown on the way."""

    kind: str
    taps: int
    sights: list[Sight]

    def heights(self, role: str, width: int) -> list[float]:
        """Return the heights of the messages of a role."""
        return [sight.heights[width] for sight in self.sights if sight.role == role]

    @property
    def uploads(self) -> dict[str, int]:
        """The bytes of each picture that was uploaded for the card and the panels, by its id.

        A panel that keeps a picture when it is edited has uploaded it once.
        """
        return {file["id"]: file["size"] for sight in self.sights for file in sight.attachments}


Choose = Callable[[Position, Random], Action]
"""Chooses an action for the player to move."""


def computer_choice(position: Position, _random: Random) -> Action:
    """Return the action of the computer's quick level, whose turns are more like those of people."""
    return Computer(Level.QUICK).decide(position).chosen.action


def choose(position: Position, random: Random) -> Action:
    """Return a plausible action: a tile among many others, a figure most times, every castle, the smallest bids."""
    actions = list(position.legal_actions)
    places = [action for action in actions if isinstance(action, Place) and getattr(action, "aid", None) is None]
    if places:
        distinct = getattr(position.hand, "rotations", (0, 90, 180, 270))
        places = [place for place in places if place.rotation in distinct] or places
        return max(places, key=lambda place: (_neighbours(position, place.cell), random.random()))
    deploys = [action for action in actions if isinstance(action, Deploy)]
    if deploys and random.random() < 0.7:
        return random.choice(deploys)
    if deploys:
        return Pass()
    castles = [action for action in actions if str(action) in {"castle", "buy"}]
    if castles:
        return castles[0]
    if Pass() in actions:
        others = [action for action in actions if action != Pass()]
        return others[0] if others and random.random() < 0.4 else Pass()
    return actions[0]


def _neighbours(position: Position, cell: Cell) -> int:
    """Return the number of tiles beside a cell."""
    around = {Cell(cell.x + x, cell.y + y) for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))}
    return sum(tile.cell in around for tile in position.placed())


def decision_ahead(position: Position, random: Random, choose: Choose = choose) -> list[Action]:
    """Return the actions of a decision, and of the further decisions of the same player in the same turn."""
    after, player, turn = position.copy(), position.player, position.turn
    actions = [choose(after, random)]
    after.apply(actions[0])
    while after.player == player and after.turn == turn and not after.is_over and after.hand is None:
        actions.append(choose(after, random))
        after.apply(actions[-1])
        if not isinstance(actions[0], Place):
            break
    return actions


def kind_of(position: Position) -> str:
    """Return the kind of the decision at hand, in words."""
    name = type(position.step).__name__
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()


@dataclass
class Player:
    """A simulated player, who makes the decisions for all players of a game by pressing buttons."""

    table: Table
    random: Random
    types: Mapping[bytes, float]
    choose: Choose = choose

    async def decide(self) -> Decision:
        """Make the decision that the newest card asks for."""
        table = self.table
        stored = table.stored()
        position = stored.replayed()
        goal = [str(action) for action in decision_ahead(position, self.random, self.choose)]
        shown = table.card()
        decision, pressed = Decision(kind_of(position), 0, [self.sight(shown, CARD)]), set[str]()
        member = mentioned_users(shown.components)[0]
        while not (decision.taps and _is_made(table, stored.ply, shown)):
            button = _button_towards(goal, buttons(shown.components), pressed)
            if button is None or decision.taps >= MAX_TAPS:
                raise LostError((goal, [button.custom_id for button in buttons(shown.components)]))
            pressed.add(button.custom_id)
            decision.sights[-1].pressed = button.custom_id
            shown = await table.press(member, shown, button.custom_id)
            await table.env.settle()
            decision.taps += 1
            if shown.handle.id != table.card().handle.id:
                decision.sights.append(self.sight(shown, PANEL))
        await publish_due(table)
        await wait_for_card(table)
        return decision

    def sight(self, shown: Shown, role: str) -> Sight:
        """Return a message as the player sees it now."""
        message = self.table.env.backend.get_message(shown.handle.channel_id, shown.handle.id)
        blobs = self.table.env.backend.cdn._blobs
        pictures = [blobs[attachment["url"]] for attachment in message.attachments]
        least = min([_text_type(message.components), *(self.types.get(data, USUAL_TYPE) for data in pictures)])
        return Sight(role, deepcopy(message.components), deepcopy(message.attachments), least)


def _is_made(table: Table, ply: int, shown: Shown) -> bool:
    """Return whether the decision is made: it is published, or the panel says that it is sent and can be undone."""
    return table.stored().ply != ply or Op.UNDO in offered_ops(shown)


async def wait_for_card(table: Table) -> None:
    """Wait until the newest card is posted."""
    await table.env.settle()
    deadline = asyncio.get_running_loop().time() + POST_TIMEOUT
    while not table.stored().posts[-1].sent:
        if asyncio.get_running_loop().time() > deadline:
            raise TimeoutError(table.stored().posts[-1])
        await asyncio.sleep(POLL_SECONDS)
    await table.env.settle()


def _button_towards(goal: Sequence[str], offered: Sequence[Button], pressed: set[str]) -> Button | None:
    """Return the button, not pressed yet, that leads furthest towards the goal."""
    ranked = [(_progress(goal, button), button) for button in offered if button.custom_id not in pressed]
    best = max((rank for rank, _ in ranked), default=(0,))
    return next((button for rank, button in ranked if rank == best and rank > (0,)), None)


def _progress(  # noqa: PLR0911 - one return a kind of button
    goal: Sequence[str], button: Button
) -> tuple[int, ...]:
    """Return how far a button leads towards the goal, as a tuple that is the larger, the further it leads.

    It may lead to the whole move, to its beginning, to the cell, to another part of the panel, or into the panel.
    """
    op, tokens = str(button.key.op), button.key.argument.split()
    together = 0
    while together < min(len(goal), len(tokens)) and goal[together] == tokens[together]:
        together += 1
    exact = together == len(tokens) and together > 0
    if op == "act" and exact:
        return (5, together)
    if op == "go" and together >= min(len(goal), 2):
        return (5, together)  # further answers may follow from the player's settings
    if op == "lot":
        return (4, int(goal[0].partition(":")[2].partition("@")[0] == button.key.argument.split(":")[-1]))
    if op == "plan" and tokens:
        if exact:
            return (4, together, 1)
        if tokens[0].split("/")[0] == goal[0].split("/")[0]:
            return (3, together)
        return (1,) if re.fullmatch(r"p\d+b?", tokens[0]) else (0,)
    return (2,) if op == "play" else (0,)


def _text_type(components: Sequence[Any]) -> float:
    """Return the smallest type size of the texts of a message."""
    texts = [part["content"] for part in walk_components(components) if part["type"] == TEXT]
    return SMALL_PRINT if any(line.startswith("-# ") for text in texts for line in text.splitlines()) else USUAL_TYPE


_LETTERED_SPRITES: Final = ("_label_sprite", "_spot_sprite")
"""Functions that draw words once for many pictures."""


@contextmanager
def recorded_types(phone_width: int) -> Iterator[dict[bytes, float]]:
    """Record the smallest type of each picture that is drawn, in CSS pixels at a width, by the bytes of its file."""
    types, local = dict[bytes, float](), threading.local()
    draw, encode = lettering._mask_and_top, png.png_bytes
    sprites = {name: getattr(sheet, name) for name in _LETTERED_SPRITES if hasattr(sheet, name)}

    def record_and_draw(text: str, size: int) -> tuple[Image.Image, float]:
        if text.strip():
            local.sizes = [*getattr(local, "sizes", ()), size]
        return draw(text, size)

    def record_and_encode(image: Image.Image, **options: bool) -> bytes:
        data, sizes = encode(image, **options), getattr(local, "sizes", [])
        local.sizes = []
        if sizes:
            types[data] = min(sizes) * min(1.0, phone_width / image.width)
        return data

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lettering, "_mask_and_top", record_and_draw)
        patch.setattr(png, "png_bytes", record_and_encode)
        for name, sprite in sprites.items():
            patch.setattr(sheet, name, sprite.__wrapped__)  # cached sprites would be lettered only once
        yield types


async def play(
    table: Table, script: Script, types: Mapping[bytes, float], *, turns: int, choose: Choose = choose
) -> list[Decision]:
    """Play the turns of a script by clicks, and return the decisions."""
    random = Random(SEED)
    if script.until_full:
        game = await create_game(table, PLAYER_COUNT)
        await fast_forward(table, game, lambda position: choose(position, random), lambda it: _is_near_end(it, turns))
        table.bot.publisher.queue.take_begun()
    else:
        await table.start(PLAYER_COUNT if script.game == DEFAULT_GAME else 2, game=script.game)
    await wait_for_card(table)
    player, decisions = Player(table, random, types, choose), list[Decision]()
    first = table.stored().replayed().turn
    while not (position := table.stored().replayed()).is_over and position.turn < first + turns:
        decisions.append(await player.decide())
    return decisions


def _is_near_end(position: Position, turns: int) -> bool:
    return position.pile_left < turns and position.hand is not None


# -- their measures --------------------------------------------------------------------------------------------------


async def measure(table: Table, sights: Sequence[Sight], shots: Path | None = None) -> None:
    """Measure messages in the page of the preview, at both widths; save a screenshot of each in a folder, if given."""
    for start in range(0, len(sights), MESSAGES_PER_PAGE):
        batch = sights[start : start + MESSAGES_PER_PAGE]
        async with message_page(table, batch, f"turns-{start}") as url:
            await asyncio.to_thread(_measure_page, url, batch, start, shots)


@asynccontextmanager
async def message_page(table: Table, sights: Sequence[Sight], channel_name: str) -> AsyncIterator[str]:
    """Post messages in a new channel, and yield the address of a page of the preview that shows it."""
    channel = table.env.guild.create_text_channel(channel_name)
    for sight in sights:
        table.env.backend.create_message(
            channel.id,
            table.env.backend.bot_user.id,
            components=sight.components,
            attachments=sight.attachments,
            flags=COMPONENTS_V2,
            broadcast=False,
        )
    page = table.env.preview(channel, viewers=table.actors, layout="channel", port=0)
    trust_pictures(page)
    async with page:
        yield page.url


def _measure_page(url: str, sights: Sequence[Sight], first: int, shots: Path | None) -> None:
    """Measure the messages on a page in a browser, at both widths."""
    with chromium(width=SCREEN[0], height=SCREEN[1]) as browser:
        browser.open(url)
        browser.until(lambda: browser.run(READY, len(sights)))
        for width, across in ((WIDE, WIDE), (PHONE, PHONE_MESSAGE)):
            browser.run(RESIZE, across)
            for sight, measures in zip(sights, browser.run(_MEASURE, localized("button.play")), strict=True):
                sight.heights[width] = measures["height"]
                if width == PHONE:
                    sight.first_look, sight.picture = measures["look"], measures["picture"]
            for number, element in enumerate(browser.find(MESSAGES_XPATH) if shots else (), first):
                browser.run(SHOW_ALONE, number - first)
                data = browser.call("GET", f"/element/{element}/screenshot")
                role = sights[number - first].role
                (shots or Path()).joinpath(f"{width}-{number:03}-{role}.png").write_bytes(base64.b64decode(data))
            browser.run(SHOW_ALONE, -1)


MESSAGES_XPATH: Final = "//*[@id='channel-message-list']//*[contains(@class, 'components-v2')]"
READY: Final = """
const list = document.querySelector("#channel-message-list");
const pictures = [...list.querySelectorAll("img.gallery-image")];
return list.querySelectorAll(".components-v2").length == arguments[0]
    && pictures.every(picture => picture.complete && picture.naturalWidth > 0);
"""
SHOW_ALONE: Final = """
[...document.querySelectorAll("#channel-message-list .components-v2")].forEach((message, number) => {
    message.closest("[data-message-id]").style.display = [-1, number].includes(arguments[0]) ? "" : "none";
});
"""
RESIZE: Final = """
for (const message of document.querySelectorAll("#channel-message-list .components-v2")) {
    message.style.width = `${arguments[0]}px`;
    message.style.maxWidth = "none";
}
"""
_MEASURE: Final = """
return [...document.querySelectorAll("#channel-message-list .components-v2")].map(message => {
    const picture = message.querySelector("img.gallery-image");
    const play = [...message.querySelectorAll("button")].find(button => button.textContent.trim() == arguments[0]);
    const seen = [message.querySelector(".mention"), picture, play].filter(Boolean);
    const boxes = seen.map(it => it.getBoundingClientRect());
    return {
        height: message.getBoundingClientRect().height,
        picture: picture ? picture.getBoundingClientRect().height : 0,
        look: play ? Math.max(...boxes.map(it => it.bottom)) - Math.min(...boxes.map(it => it.top)) : 0,
    };
});
"""


# -- the table -------------------------------------------------------------------------------------------------------

Row = dict[str, float]


def summary(decisions: Sequence[Decision]) -> dict[str, Row]:
    """Return the figures of each kind of decision, the most frequent first."""
    kinds = sorted({decision.kind for decision in decisions}, key=lambda kind: _count(decisions, kind), reverse=True)
    return {kind: _row([decision for decision in decisions if decision.kind == kind]) for kind in kinds}


def _count(decisions: Sequence[Decision], kind: str) -> int:
    return sum(decision.kind == kind for decision in decisions)


def _row(decisions: Sequence[Decision]) -> Row:
    """Return the figures of decisions of one kind."""
    cards = [sight for decision in decisions for sight in decision.sights if sight.role == CARD]
    panels = [sight for decision in decisions for sight in decision.sights if sight.role == PANEL]
    row: Row = {
        "decisions": len(decisions),
        "taps": median(decision.taps for decision in decisions),
        "most taps": max(decision.taps for decision in decisions),
        "words": median(sum(sight.words for sight in decision.sights) for decision in decisions),
        "words of the card": median(card.words for card in cards),
        "pictures": median(len(decision.uploads) for decision in decisions),
        "KiB of pictures": median(sum(decision.uploads.values()) / 1024 for decision in decisions),
    }
    for role, sights in ((CARD, cards), (PANEL, panels)):
        for width in (WIDE, PHONE):
            heights = [sight.heights[width] for sight in sights if width in sight.heights]
            if heights:
                row |= {f"{role} at {width}": median(heights), f"{role} at {width}, most": max(heights)}
    looks = [card.first_look for card in cards if card.first_look]
    if looks:
        row["turn to Play at 390, most"] = max(looks)
    shares = [card.picture / card.heights[PHONE] for card in cards if card.picture]
    if shares:
        row["picture's share at 390, least"] = min(shares)
    return row | {"smallest type": min(sight.smallest_type for sight in [*cards, *panels])}


def show(name: str, rows: Mapping[str, Row]) -> None:
    """Print the figures of a script, one column for each kind of decision."""
    print(f"\n{name}")
    labels = list(dict.fromkeys(label for row in rows.values() for label in row))
    print(f"{'':<32}" + "".join(f"{kind:>24}" for kind in rows))
    for label in labels:
        cells = (f"{row[label]:>24.4g}" if label in row else f"{'':>24}" for row in rows.values())
        print(f"{label:<32}" + "".join(cells))


async def run(
    name: str,
    *,
    turns: int = TURN_COUNT,
    quick: bool = False,
    heights: bool = True,
    shots: Path | None = None,
    choose: Choose = choose,
) -> dict[str, Row]:
    """Play a script, and return the figures; without ``heights`` no browser is needed."""
    with TemporaryDirectory() as folder, recorded_types(PHONE_PICTURE) as types:
        async with open_table(Path(folder) / "games.sqlite3", seed=SEED, publish_window=PUBLISH_WINDOW) as table:
            for actor in table.actors:
                await table.bot.host.preferences.set(actor.id, Preferences(confirm=not quick))
            decisions = await play(table, SCRIPTS[name], types, turns=turns, choose=choose)
            if heights:
                await measure(table, [sight for decision in decisions for sight in decision.sights], shots)
    return summary(decisions)


def main() -> None:
    """Play the scripts that are named, or all, and print their figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("scripts", nargs="*", metavar="GAME", help=f"of {', '.join(SCRIPTS)}")
    parser.add_argument("--turns", type=int, default=TURN_COUNT)
    parser.add_argument("--quick", action="store_true", help="play without confirming moves")
    parser.add_argument("--computer", action="store_true", help="let the computer's quick level choose the moves")
    parser.add_argument("--no-heights", action="store_true", help="measure no heights, which needs no browser")
    parser.add_argument("--json", type=Path, help="a file to write the figures to")
    parser.add_argument("--shots", type=Path, help="a folder for screenshots of all messages")
    options = parser.parse_args()
    figures = {}
    for name in options.scripts or SCRIPTS:
        shots = options.shots and options.shots / name
        if shots:
            shots.mkdir(parents=True, exist_ok=True)
        choice, heights = computer_choice if options.computer else choose, not options.no_heights
        figures[name] = asyncio.run(
            run(name, turns=options.turns, quick=options.quick, heights=heights, shots=shots, choose=choice)
        )
        show(name, figures[name])
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
