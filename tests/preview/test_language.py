"""A language is tried in the preview before it is offered."""

from unittest.mock import MagicMock

import pytest

from cogs.texts.languages import Language, languages, matched
from operations.settings import SettingsError
from preview.speaking import offered, speak_to


def test_a_language_that_is_being_translated_can_be_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(languages(), "xx", Language("xx", "Draft", offered=False))
    assert not matched("xx")
    language, host = offered("xx"), MagicMock()
    assert matched("xx") == "xx"
    speak_to(host, (1, 2), language)
    assert [call.args for call in host.locales.chose.call_args_list] == [(1, "xx"), (2, "xx")]


def test_a_language_that_there_is_not_is_told() -> None:
    with pytest.raises(SettingsError, match=r"no texts in 'tlh'; there are: en"):
        offered("tlh")
