"""Every profile (a format with parameters for a usual case) can be announced and played.

A format is the system of a tournament, such as Swiss rounds. Each simulated event has eight players, some of whom drop
out. It must not take longer than announced.
"""

import pytest

from tournaments.formats import PROFILES, format_named
from tournaments.trials import TrialConditions, simulate_format
from tournaments.weeks import promised_weeks


@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_can_be_announced_and_played(name: str) -> None:
    profile = PROFILES[name]
    plans = format_named(profile.format).stages(8, profile.parameters)
    assert promised_weeks(plans, 8) >= 1
    simulation = simulate_format(profile.format, 8, name, TrialConditions(dropouts=0.2), profile.parameters)
    assert simulation.event.finished
    assert simulation.total_weeks <= simulation.event.promised_weeks
