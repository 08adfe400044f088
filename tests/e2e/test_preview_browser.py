"""`python -m preview` in headless Chromium: two members play several turns in the web page.

Screenshots are left in the test's temporary folder.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

import preview
from cogs.games.carcassonne.words import action_words
from cogs.presenting.turn import placements, spots
from cogs.texts import LANGUAGE
from cogs.texts.languages import speaking
from cogs.words.names import marked
from engine import state_digest
from engine.carcassonne.expansions.bridges_castles_bazaars import BidOnLot, BuyOrSell, ChooseCastleSource, ChooseLot
from preview.world import CHANNEL_NAME
from tests.e2e.browser import Browser, chromium, terminate, wait_for_output
from tests.e2e.screen import MemberLanguage, localized
from tests.e2e.stored_games import StoredGame, read_stored_game
from tests.programs import CHROMEDRIVER, CHROMIUM

pytestmark = [
    pytest.mark.long,
    pytest.mark.browser,
    pytest.mark.usefixtures("random_language"),
    pytest.mark.needs(CHROMIUM, CHROMEDRIVER),
]

ROOT = Path(preview.__file__).parents[1]
TURN_COUNT = 2
"""Turns that the two members play."""
PRESS_RETRY_SECONDS = 3.0
"""Seconds after which a press without effect is repeated."""
COMMAND_RETRY_SECONDS = 20.0
"""Seconds after which a command without effect is typed again."""
ENTER_KEY = "\ue007"
"""WebDriver's code of the Enter key."""
THREAD_MARK = "🧵"
"""The sign before the names of threads in the switch."""
MESSAGES_XPATH = "//*[@id='channel-message-list']"
"""The list of messages in simcord's page."""


@contextmanager
def run_preview(folder: Path) -> Iterator[str]:
    """Run a preview in its own process, without a token; yield its address."""
    environment = {
        **os.environ,
        "CASTELLAN_PUBLISH_SECONDS": "0",
        "CASTELLAN_PREVIEW_DATABASE": str(folder / "preview.sqlite3"),
        "CASTELLAN_PREVIEW_PORT": "0",
        **({} if MemberLanguage.language == LANGUAGE else {"CASTELLAN_PREVIEW_LANGUAGE": MemberLanguage.language}),
        "DISCORD_TOKEN": "",
        "PYTHONUNBUFFERED": "1",
    }
    with (folder / "preview.log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "preview"], cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=log, text=True
        )
    try:
        yield wait_for_output(process, r"http://\S+")[0]
    finally:
        terminate(process)


@dataclass
class Page:
    """The preview page in a browser, driven as a member uses it."""

    browser: Browser
    folder: Path
    shots: int = 0

    def shot(self, name: str) -> None:
        """Save a screenshot of the newest messages."""
        self.shots += 1
        self.browser.until(self.images_drawn)
        self.browser.run(
            "document.querySelector('#channel-message-list').lastElementChild.scrollIntoView({block: 'end'})"
        )
        self.browser.screenshot(self.folder / f"{self.shots:02}-{name}.png")

    def switch_to(self, name: str) -> None:
        """Switch the viewer to a member."""
        self.browser.run(
            "const s = document.querySelector('#viewer-picker');"
            "s.value = [...s.options].find(o => o.textContent == arguments[0]).value;"
            "s.dispatchEvent(new Event('change', {bubbles: true}));",
            name,
        )

    def go_to(self, part: str) -> None:
        """Choose the newest channel or thread in the switch whose name contains this.

        The switch asks for the places once a second, so that a new one may not be there yet.
        """
        self.browser.until(
            lambda: self.browser.run(
                "const s = document.querySelector('#place-picker');"
                "const option = [...s.options].findLast(o => o.textContent.includes(arguments[0]));"
                "if (!option) return false;"
                "s.value = option.value;"
                "s.dispatchEvent(new Event('change', {bubbles: true}));"
                "return true;",
                part,
            )
        )

    def place(self) -> str:
        """Return the name of the channel or thread that the page shows."""
        return str(self.browser.run("return document.querySelector('#channel-name').textContent"))

    def links(self) -> list[str]:
        """Return the elements of links to channels and threads."""
        return self.browser.find(f"{MESSAGES_XPATH}//a[starts-with(@href, 'https://discord.com/channels/')]")

    def new_game(self, players: int) -> None:
        """Type `/carc new`; retry in a reloaded page, as the page loses input while it is rendering."""

        def opened() -> bool:
            """Type the command and return whether the lobby has appeared."""
            with suppress(TimeoutError):
                self._type_new(players)
                return self.browser.until(lambda: self.sees(localized("button.join")), seconds=COMMAND_RETRY_SECONDS)
            self.browser.call("POST", "/refresh")
            return False

        self.browser.until(opened)

    def _type_new(self, players: int) -> None:
        """Type the command that opens a table."""
        composer, option = "//*[@id='channel-composer-input']", "//input[@data-option='players']"
        self.browser.first(composer, lambda it: self.browser.type(it, "/carc new"), seconds=COMMAND_RETRY_SECONDS)
        self.browser.until(lambda: self.browser.find("//*[contains(., 'Open a table')]"), seconds=COMMAND_RETRY_SECONDS)
        self.browser.first(composer, lambda it: self.browser.type(it, ENTER_KEY), seconds=COMMAND_RETRY_SECONDS)
        self.browser.first(
            "//*[@data-value='players'][@role='option']", self.browser.click, seconds=COMMAND_RETRY_SECONDS
        )
        self.browser.first(option, lambda it: self.browser.type(it, str(players)), seconds=COMMAND_RETRY_SECONDS)
        self.browser.first("//*[@id='send-message']", self.browser.click, seconds=COMMAND_RETRY_SECONDS)

    def press(self, label: str, *, until: Callable[[], bool]) -> None:
        """Press the newest button with this label until a condition holds, as the page ignores some early clicks."""

        def pressed() -> bool:
            enabled = self.browser.find(f"{MESSAGES_XPATH}//button[normalize-space(.)='{label}'][not(@disabled)]")
            if enabled and not until():
                self.browser.click(enabled[-1])
            return until() or self._holds_soon(until)

        self.browser.until(pressed)

    def _holds_soon(self, condition: Callable[[], bool]) -> bool:
        """Return whether a condition comes true within a few seconds."""
        with suppress(TimeoutError):
            return self.browser.until(condition, seconds=PRESS_RETRY_SECONDS)
        return False

    def sees(self, label: str) -> bool:
        """Return whether a button with this label is shown."""
        return bool(self.browser.find(f"{MESSAGES_XPATH}//button[normalize-space(.)='{label}']"))

    def says(self, text: str) -> bool:
        """Return whether the channel shows a text."""
        return text in self.browser.run("return document.querySelector('#channel-message-list').innerText")

    def newest(self) -> str:
        """Return the text of the newest message."""
        return str(
            self.browser.run("return document.querySelector('#channel-message-list').lastElementChild.innerText")
        )

    def first_place(self) -> str:
        """Return the label of the first button that places a figure, or else of the one that places none."""
        first = self.browser.find(f"{MESSAGES_XPATH}//button[starts-with(normalize-space(.), 'A ')]")
        return str(self.browser.call("GET", f"/element/{first[0]}/text")) if first else localized("button.no_follower")

    def images_drawn(self) -> bool:
        """Return whether the browser has loaded all pictures."""
        return bool(
            self.browser.run(
                "const pictures = [...document.querySelectorAll('#channel-message-list img')];"
                "return pictures.every(picture => picture.complete && picture.naturalWidth > 0)"
            )
        )


@dataclass
class Game:
    """The database of the preview."""

    path: Path

    @property
    def stored(self) -> StoredGame:
        """The newest stored game."""
        return read_stored_game(self.path)

    def next_player(self) -> str:
        """Return the name of the member who has to decide."""
        stored = self.stored
        return stored.names[stored.replayed().player]


def take_turn(page: Page, game: Game, number: int) -> None:
    """Take a turn: Play → spot → (rotate) → no follower, or its first place → (castle) → confirm."""
    ply, no_follower = game.stored.ply, localized("button.no_follower")
    name, turn = game.next_player(), game.stored.replayed().turn
    page.switch_to(name)
    player = marked(game.stored.replayed().player, f"@{name}")
    headline = localized("headline.place", turn=turn, player=player, tile="|").partition(f"@{name}")
    page.browser.until(lambda: page.says("".join(headline[:2])))
    position = game.stored.replayed()
    spot = spots(placements(position) or placements(position, aided=True))[0].label
    page.press(localized("button.play"), until=lambda: page.sees(spot))
    page.shot("spots")
    page.press(spot, until=lambda: page.sees(no_follower))
    if number % 2 and page.sees("2"):
        before = page.browser.until(page.newest)
        page.press("2", until=lambda: page.newest() != before)
    page.shot("laying")
    label = page.browser.until(page.first_place)
    confirm, castle = localized("button.confirm"), localized("button.castle")
    page.press(label if number % 3 else no_follower, until=lambda: page.sees(confirm) or page.sees(castle))
    if not page.sees(confirm):  # the tile completes a town, and the castle question comes first
        page.press(castle, until=lambda: page.sees(confirm))
    page.shot("confirm")
    page.press(confirm, until=lambda: game.stored.ply > ply)


def decide(page: Page, game: Game) -> None:
    """Make a decision: build castles and choose the first source; in a bazaar open with 0, pass, or buy.

    Each decision has to be confirmed by a second press.
    """
    position = game.stored.replayed()
    page.browser.until(lambda: not page.sees(localized("button.confirm")))
    page.switch_to(game.next_player())
    match position.step:
        case ChooseLot(bazaar=bazaar):
            opening = localized("button.opening", count=0)
            page.press(localized("button.lot", lot=bazaar.open_lots[0] + 1), until=lambda: page.sees(opening))
            label = opening
        case BidOnLot():
            label = localized("button.pass")
        case BuyOrSell(bazaar=bazaar):
            label = localized("button.buy", count=bazaar.bid)
        case ChooseCastleSource(options=options):
            action, points = options[0]
            with speaking(MemberLanguage.language):
                label = localized("button.source", source=action_words(position, action), count=points)
        case _:
            label = localized("button.castle")

    def decided() -> bool:
        """Return whether the move is stored."""
        return game.stored.ply > position.ply

    page.press(label, until=lambda: decided() or page.sees(localized("button.confirm")))
    page.press(localized("button.confirm"), until=decided)


def take_seats(page: Page) -> None:
    """Let Ana open a table, Ben join, and Ana start.

    Follow the link to the game's thread, go back to the channel, and return by the switch.
    """
    page.new_game(2)
    page.shot("lobby")
    page.switch_to("Ben")
    full = localized("lobby.title", owner="Ana", game="|", seated=2, capacity=2, count=2).partition("|")[2]
    page.press(localized("button.join"), until=lambda: page.says(full))
    page.switch_to("Ana")
    page.press(localized("button.start"), until=lambda: bool(page.links()))
    page.shot("started")
    page.browser.click(page.links()[0])
    page.browser.until(lambda: page.sees(localized("button.play")))
    thread = page.place()
    page.shot("start")
    page.go_to("# ")
    page.browser.until(lambda: page.place() == CHANNEL_NAME)
    page.browser.until(lambda: not page.sees(localized("button.play")))
    page.go_to(THREAD_MARK)
    page.browser.until(lambda: page.place() == thread)


def test_two_members_play_several_turns_in_the_page(tmp_path: Path) -> None:
    game = Game(tmp_path / "preview.sqlite3")
    with run_preview(tmp_path) as address, chromium() as browser:
        page = Page(browser, tmp_path)
        browser.open(address)
        take_seats(page)
        turns = decisions = 0
        while turns < TURN_COUNT:
            if game.stored.replayed().hand is None:
                decide(page, game)
                decisions += 1
            else:
                take_turn(page, game, turns)
                turns += 1
        browser.until(lambda: not page.sees(localized("button.confirm")))
        page.shot("after")
        stored = game.stored
        assert state_digest(stored.replayed()) == stored.digest
        assert len(stored.posts) == turns + decisions + 1
        assert page.says(stored.code)
        before = page.browser.until(page.newest)
        page.press(localized("button.board"), until=lambda: page.newest() != before)
        page.shot("board")
    log = (tmp_path / "preview.log").read_text()
    assert "level=error" not in log
    assert "Traceback" not in log


@pytest.mark.soak
def test_a_whole_game_is_played_in_the_page(tmp_path: Path) -> None:
    """The game is played from the first tile to the final card, by the buttons of the page alone."""
    game = Game(tmp_path / "preview.sqlite3")
    with run_preview(tmp_path) as address, chromium() as browser:
        page = Page(browser, tmp_path)
        browser.open(address)
        take_seats(page)
        decisions = 0
        while game.stored.status == "running":
            decisions += 1
            if game.stored.replayed().hand is None:
                decide(page, game)
            else:
                take_turn(page, game, decisions)
        browser.until(lambda: page.says(localized("button.log")))
        page.shot("final")
        stored = game.stored
        assert state_digest(stored.replayed()) == stored.digest
        assert page.says(stored.replayed().setup.seed)
