"""Members whose Discord is in another language than English."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from simcord import interactions

from tests.e2e.screen import Eyes


@contextmanager
def all_speak(language: str, locale: str) -> Iterator[None]:
    """Everybody's Discord is in this locale meanwhile, and members read this language; their tables are told in it."""
    payload = interactions.base_payload

    def spoken(*args: Any, **kwargs: Any) -> Any:
        record, made = payload(*args, **kwargs)
        return record, {**made, "locale": locale}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(interactions, "base_payload", spoken)
        patch.setattr(Eyes, "language", language)
        yield
