"""The arithmetic of correspondence play: clocks, quiet hours, reminders. Pure: every time is handed in."""
