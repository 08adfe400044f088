"""What an operator does, and how processes share the work."""
