"""An event until its first round: planned, announced, entered, frozen."""
