"""A simulation of weeks of correspondence games, to test the clocks of the bot.

The simulated players sleep, answer slowly, go on vacation or vanish. They play on the bot's own host and store, without
Discord and in simulated time. The clocks that the host stores are compared with clocks that are computed independently.
"""
