"""What the boards of all games share: where cells lie, what points at them, and what stands beside."""
