"""Changes that need the players' consent or an organiser: undo, pauses, substitutions, end dates."""
