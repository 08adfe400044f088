"""A measure of complexity: the modules and functions that the bot calls for one thing, and the size of its source.

A *walk* is one thing that the bot does from beginning to end, as a new developer would follow it through the code: a
bid, a clock until its reminder, or a whole event. The fewer functions it calls, the easier it is to follow.
"""
