"""Who ranks where: what counts for everybody, the values that decide in their order, and why one is before another."""
