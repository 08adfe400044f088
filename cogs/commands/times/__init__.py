"""Commands about time: gifts, pauses, reminders, vacations, and who does not come."""
