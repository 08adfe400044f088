"""Services driven by time: timers, clock timeouts, reminders, membership checks and vacations."""
