"""Everything with a time: clocks, timers, pauses, vacations, end dates, and who waits for whom."""
