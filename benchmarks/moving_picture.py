"""Record one turn as the moving picture of the README: ``python -m benchmarks.moving_picture [FILE]``.

A player who confirms moves takes a turn on the offline Discord, late enough that the board has something to show. Each
message on the way is photographed in Chromium, in the page of the preview at the width of a phone; a circle marks the
button that is tapped next.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import io
from collections.abc import Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Final

import pytest
from PIL import Image, ImageDraw
from simcord.components import walk_components

from benchmarks import turns
from benchmarks.turns import Sight
from engine import Position
from host import Preferences, naming
from tests.e2e.browser import chromium
from tests.e2e.fast_forward import create_game, fast_forward
from tests.e2e.table import Table, open_table

FILE: Final = Path("docs/images/turn.gif")
"""The file that is written unless another one is named."""
SEED: Final = "turn"
"""The seed of the game, and of all moves."""
FIRST_TURN: Final = 25
"""The earliest turn that is recorded."""
TAP_COUNT: Final = 5
"""Taps of the recorded turn: it has a rotation and a follower to choose."""
SCALE: Final = 1.5
"""Pixels of the file to a CSS pixel."""
COLOUR_COUNT: Final = 96
"""The number of colours of the file."""
MARGIN: Final = 6
"""The space around a message, in CSS pixels."""
LOOK_MILLISECONDS: Final = 2000
"""The time for which a message is shown before it is tapped."""
TAP_MILLISECONDS: Final = 600
"""The time for which a tap is shown."""
LAST_MILLISECONDS: Final = 3500
"""The time for which the next card is shown, before the picture begins anew."""
BACKGROUND: Final = "#313338"
TAP_RADIUS: Final = 20
"""The radius of the circle of a tap, in CSS pixels."""
TAP_FILL: Final = (255, 255, 255, 110)
TAP_RIM: Final = (255, 255, 255, 255)


Tap = tuple[float, float]
"""The place of a tap on a message, in CSS pixels from its upper left corner."""
Scene = tuple[Image.Image, Tap | None]
"""The picture of a message, and the tap on it; the last message is not tapped."""


async def record_turn(folder: Path) -> list[Scene]:
    """Play up to a turn with the wanted number of taps; return its messages, and the next card as the last one."""
    random = Random(SEED)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(naming, "secrets", SimpleNamespace(choice=Random(SEED).choice))  # the same name each time
        async with open_table(folder / "games.sqlite3", seed=SEED) as table:
            for actor in table.actors:
                await table.bot.host.preferences.set(actor.id, Preferences(confirm=True))
            game = await create_game(table, turns.PLAYER_COUNT)
            await fast_forward(table, game, lambda position: turns.choose(position, random), _is_late)
            table.bot.publisher.queue.take_begun()
            await turns.wait_for_card(table)
            player = turns.Player(table, random, {})
            while True:
                before = table.stored().replayed()
                decision = await player.decide()
                if decision.taps == TAP_COUNT and _figures(table.stored().replayed()) > _figures(before):
                    return await photograph(table, [*decision.sights, player.sight(table.card(), turns.CARD)])


def _figures(position: Position) -> int:
    return sum(1 for _ in position.standing_figures())


def _is_late(position: Position) -> bool:
    return position.turn >= FIRST_TURN and position.hand is not None


async def photograph(table: Table, sights: Sequence[Sight]) -> list[Scene]:
    """Return the picture of each message with the place of its tap."""
    async with turns.message_page(table, sights, "moving-picture") as url:
        return await asyncio.to_thread(_photograph_page, url, sights)


def _photograph_page(url: str, sights: Sequence[Sight]) -> list[Scene]:
    """Return a picture of each message on a page, with the place of its tap."""
    with chromium(width=turns.SCREEN[0], height=turns.SCREEN[1]) as browser:
        metrics = {"width": turns.SCREEN[0], "height": turns.SCREEN[1], "deviceScaleFactor": SCALE, "mobile": False}
        browser.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": metrics})
        browser.open(url)
        browser.until(lambda: browser.run(turns.READY, len(sights)))
        browser.run(turns.RESIZE, turns.PHONE_MESSAGE)
        browser.run(_STAND_STILL)
        browser.until(lambda: browser.run(_BUTTONS_ENABLED))
        scenes = []
        for number, (sight, element) in enumerate(zip(sights, browser.find(turns.MESSAGES_XPATH), strict=True)):
            browser.run(turns.SHOW_ALONE, number)
            data = base64.b64decode(browser.call("GET", f"/element/{element}/screenshot"))
            place = browser.run(_PLACE_OF_BUTTON, number, _number_of_button(sight))
            scenes.append((Image.open(io.BytesIO(data)).convert("RGB"), place and (place["x"], place["y"])))
        return scenes


def _number_of_button(sight: Sight) -> int:
    """Return the number of the pressed button among all buttons of a message; -1 if none is pressed."""
    ids = [part.get("custom_id") for part in walk_components(sight.components) if part["type"] == turns.BUTTON]
    return ids.index(sight.pressed) if sight.pressed else -1


_STAND_STILL: Final = """
const style = document.createElement("style");
style.textContent = "* { animation: none !important; transition: none !important; }";
document.head.append(style);
"""
"""Ends all animations, so that no message is photographed while it fades in."""
_BUTTONS_ENABLED: Final = "return !document.querySelector('.components-v2 button:disabled')"
"""True as soon as the page has stopped loading, while which it disables all buttons."""
_PLACE_OF_BUTTON: Final = """
const message = document.querySelectorAll("#channel-message-list .components-v2")[arguments[0]];
const button = message.querySelectorAll(".component-button")[arguments[1]];
if (!button) return null;
const [whole, part] = [message.getBoundingClientRect(), button.getBoundingClientRect()];
return {x: part.x + part.width / 2 - whole.x, y: part.y + part.height / 2 - whole.y};
"""
"""The centre of a button, in CSS pixels from the corner of its message."""


def moving_picture(scenes: Sequence[Scene]) -> bytes:
    """Return the file: each message is shown, then the tap on it; the last one stays longest."""
    *asked, (sent, _), (card, _) = scenes
    scenes = [*asked, (_stacked(sent, card), None)]
    size = (
        max(picture.width for picture, _ in scenes) + 2 * round(MARGIN * SCALE),
        max(picture.height for picture, _ in scenes) + 2 * round(MARGIN * SCALE),
    )
    frames, durations = list[Image.Image](), list[int]()
    for picture, tap in scenes:
        frame = Image.new("RGB", size, BACKGROUND)
        frame.paste(picture, (round(MARGIN * SCALE), round(MARGIN * SCALE)))
        frames.append(frame)
        durations.append(LAST_MILLISECONDS if tap is None else LOOK_MILLISECONDS)
        if tap is not None:
            frames.append(_with_tap(frame, tap))
            durations.append(TAP_MILLISECONDS)
    palette = _common_palette(frames)
    reduced = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    file = io.BytesIO()
    reduced[0].save(
        file, "GIF", save_all=True, append_images=reduced[1:], duration=durations, loop=0, optimize=False, disposal=1
    )
    return file.getvalue()


def _stacked(upper: Image.Image, lower: Image.Image) -> Image.Image:
    """Return two messages, one below the other."""
    space = round(2 * MARGIN * SCALE)
    both = Image.new("RGB", (max(upper.width, lower.width), upper.height + space + lower.height), BACKGROUND)
    both.paste(upper, (0, 0))
    both.paste(lower, (0, upper.height + space))
    return both


def _with_tap(frame: Image.Image, tap: Tap) -> Image.Image:
    """Return a frame with the circle of a tap."""
    x, y = ((MARGIN + value) * SCALE for value in tap)
    radius = TAP_RADIUS * SCALE
    over = Image.new("RGBA", frame.size)
    ImageDraw.Draw(over).ellipse(
        (x - radius, y - radius, x + radius, y + radius), fill=TAP_FILL, outline=TAP_RIM, width=round(2 * SCALE)
    )
    return Image.alpha_composite(frame.convert("RGBA"), over).convert("RGB")


def _common_palette(frames: Sequence[Image.Image]) -> Image.Image:
    """Return a picture with the palette of all frames, so that what stays the same costs nothing."""
    sheet = Image.new("RGB", (frames[0].width, frames[0].height * len(frames)))
    for number, frame in enumerate(frames):
        sheet.paste(frame, (0, number * frame.height))
    return sheet.quantize(COLOUR_COUNT, method=Image.Quantize.MEDIANCUT)


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", nargs="?", type=Path, default=FILE, help=f"default: {FILE}")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        data = moving_picture(asyncio.run(record_turn(Path(folder))))
    options.file.write_bytes(data)
    print(f"{options.file}: {len(data) / 1024:.0f} KiB")


if __name__ == "__main__":
    main()
