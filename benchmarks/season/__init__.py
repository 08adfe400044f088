"""A simulated season, to test clocks: players who sleep, are slow or vanish play weeks of games by host and store.

Time is simulated, and the clocks that the host stores are compared with clocks that are computed independently.
"""
