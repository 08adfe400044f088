"""A WebDriver client just large enough to play in headless Chromium, with nothing but the standard library."""

import base64
import json
import re
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from tests.programs import CHROMEDRIVER, CHROMIUM

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The key under which WebDriver names an element."""
PATIENCE = 120.0

T = TypeVar("T")


class BrowserError(RuntimeError):
    """What the driver answered instead of a result."""


class Browser:
    """One window."""

    def __init__(self, session_url: str) -> None:
        self._url = session_url

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """One command. Raises `BrowserError`."""
        return _call(method, self._url + path, body)

    def open(self, url: str) -> None:
        """Go to an address."""
        self.call("POST", "/url", {"url": url})

    def run(self, script: str, *arguments: Any) -> Any:
        """What a piece of JavaScript returns."""
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def find(self, xpath: str) -> list[str]:
        """The elements on a path, perhaps none."""
        return [found[ELEMENT] for found in self.call("POST", "/elements", {"using": "xpath", "value": xpath})]

    def click(self, element: str) -> None:
        """Click in the middle of an element, scrolled into sight."""
        self.call("POST", f"/element/{element}/click", {})

    def type(self, element: str, text: str) -> None:
        """Type into an element."""
        self.call("POST", f"/element/{element}/value", {"text": text})

    def first(self, xpath: str, act: Callable[[str], None], *, seconds: float = PATIENCE) -> None:
        """Do something to the first element on a path, as soon as it is there and lets it. Raises `TimeoutError`."""

        def done() -> bool:
            found = self.find(xpath)
            if found:
                act(found[0])
            return bool(found)

        self.until(done, seconds=seconds)

    def screenshot(self, path: Path) -> None:
        """A picture of the window."""
        path.write_bytes(base64.b64decode(self.call("GET", "/screenshot")))

    def until(self, look: Callable[[], T], *, seconds: float = PATIENCE) -> T:
        """What `look` returns as soon as that is something. Raises `TimeoutError`."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                found = look()
            except BrowserError:  # the page was just being drawn anew
                found = None
            if found:
                return found
            time.sleep(0.1)
        raise TimeoutError


def _call(method: str, url: str, body: dict[str, Any] | None = None) -> Any:
    data = None if method == "GET" else json.dumps(body or {}).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310  # our own driver
            return json.load(answer)["value"]
    except urllib.error.HTTPError as error:
        with error:
            raise BrowserError(error.read().decode()[:600]) from None


@contextmanager
def chromium(*, width: int = 1100, height: int = 1300) -> Iterator[Browser]:
    """A headless Chromium."""
    program, binary = CHROMEDRIVER.path, CHROMIUM.path
    assert program is not None, "ChromeDriver is not installed"
    assert binary is not None, "Chromium is not installed"
    driver = subprocess.Popen([program, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)  # noqa: S603
    try:
        port = announced(driver, r"started successfully on port (\d+)")[1]
        base = f"http://127.0.0.1:{port}"
        flags = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", f"--window-size={width},{height}"]
        wanted = {"browserName": "chrome", "goog:chromeOptions": {"args": flags, "binary": str(binary)}}
        session = _call("POST", f"{base}/session", {"capabilities": {"alwaysMatch": wanted}})
        url = f"{base}/session/{session['sessionId']}"
        yield Browser(url)
        _call("DELETE", url)
    finally:
        end(driver)


def announced(process: subprocess.Popen[str], pattern: str) -> re.Match[str]:
    """What a process that was just started prints to say that it is ready."""
    assert process.stdout is not None
    for line in process.stdout:
        found = re.search(pattern, line)
        if found:
            return found
    raise BrowserError(f"never printed: {pattern}")


def end(process: subprocess.Popen[str]) -> None:
    """Terminate a process and wait for it."""
    process.terminate()
    process.wait()
    if process.stdout is not None:
        process.stdout.close()
