"""The games of events and of the ladder: founded, their results taken, rated."""
