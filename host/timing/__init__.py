"""What happens because time passes: the sweep, zeros, reminders, presence, vacations."""
