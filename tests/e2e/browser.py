"""A minimal WebDriver client for headless Chromium, on the standard library alone.

WebDriver is the protocol by which ChromeDriver controls the browser; elements are found by XPath and named by ids.
"""

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

ELEMENT_KEY = "element-6066-11e4-a52e-4f735466cecf"
"""The JSON key of an element's id in WebDriver answers."""
TIMEOUT = 120.0
"""Seconds of all waiting; generous, since a headless browser is slow on a busy machine."""

T = TypeVar("T")


class BrowserError(RuntimeError):
    """The driver answered with an error."""


class Browser:
    """One browser window."""

    def __init__(self, session_url: str) -> None:
        self._url = session_url

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Send one WebDriver command and return its value. Raises `BrowserError`."""
        return _call(method, self._url + path, body)

    def open(self, url: str) -> None:
        """Navigate to an address."""
        self.call("POST", "/url", {"url": url})

    def run(self, script: str, *arguments: Any) -> Any:
        """Run JavaScript and return its result."""
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def find(self, xpath: str) -> list[str]:
        """Return the ids of all elements that match an XPath."""
        return [element[ELEMENT_KEY] for element in self.call("POST", "/elements", {"using": "xpath", "value": xpath})]

    def click(self, element: str) -> None:
        """Scroll to an element and click its centre."""
        self.call("POST", f"/element/{element}/click", {})

    def type(self, element: str, text: str) -> None:
        """Type into an element."""
        self.call("POST", f"/element/{element}/value", {"text": text})

    def first(self, xpath: str, act: Callable[[str], None], *, seconds: float = TIMEOUT) -> None:
        """Apply an action to the first match of an XPath, retrying until it works. Raises `TimeoutError`."""

        def done() -> bool:
            elements = self.find(xpath)
            if elements:
                act(elements[0])
            return bool(elements)

        self.until(done, seconds=seconds)

    def screenshot(self, path: Path) -> None:
        """Save a picture of the window."""
        path.write_bytes(base64.b64decode(self.call("GET", "/screenshot")))

    def until(self, look: Callable[[], T], *, seconds: float = TIMEOUT) -> T:
        """Poll until `look` returns a true value, and return it. Raises `TimeoutError`."""
        terminate = time.monotonic() + seconds
        while time.monotonic() < terminate:
            try:
                result = look()
            except BrowserError:  # the page was being rendered again
                result = None
            if result:
                return result
            time.sleep(0.1)
        raise TimeoutError


def _call(method: str, url: str, body: dict[str, Any] | None = None) -> Any:
    """Send one HTTP request to the driver and return the value of its answer."""
    data = None if method == "GET" else json.dumps(body or {}).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:  # noqa: S310  # our own driver
            return json.load(answer)["value"]
    except urllib.error.HTTPError as error:
        with error:
            raise BrowserError(error.read().decode()[:600]) from None


@contextmanager
def chromium(*, width: int = 1100, height: int = 1300) -> Iterator[Browser]:
    """Start a headless Chromium and yield its window."""
    program, binary = CHROMEDRIVER.path, CHROMIUM.path
    assert program is not None, "ChromeDriver is not installed"
    assert binary is not None, "Chromium is not installed"
    driver = subprocess.Popen([program, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)  # noqa: S603
    try:
        port = wait_for_output(driver, r"started successfully on port (\d+)")[1]
        base = f"http://127.0.0.1:{port}"
        flags = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", f"--window-size={width},{height}"]
        wanted = {"browserName": "chrome", "goog:chromeOptions": {"args": flags, "binary": str(binary)}}
        session = _call("POST", f"{base}/session", {"capabilities": {"alwaysMatch": wanted}})
        url = f"{base}/session/{session['sessionId']}"
        yield Browser(url)
        _call("DELETE", url)
    finally:
        terminate(driver)


def wait_for_output(process: subprocess.Popen[str], pattern: str) -> re.Match[str]:
    """Wait for the line by which a started process reports that it is ready; return the match."""
    assert process.stdout is not None
    for line in process.stdout:
        match = re.search(pattern, line)
        if match:
            return match
    raise BrowserError(f"never printed: {pattern}")


def terminate(process: subprocess.Popen[str]) -> None:
    """Terminate a process and wait until it has ended."""
    process.terminate()
    process.wait()
    if process.stdout is not None:
        process.stdout.close()
