"""Which version this is."""

from __future__ import annotations

import tomllib

from operations.settings import HOME


def version() -> str:
    """The version of ``pyproject.toml``."""
    with (HOME / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])
