"""The interface between games and Discord: presenters, and plain values for buttons, turns and pictures."""
