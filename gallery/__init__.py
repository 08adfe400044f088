"""Contact sheets of every tile, piece and kind of picture, and positions that are built instead of played.

Developers look at the sheets, and documents show some of them; scenarios, tests and sheets build their positions here.
The bot draws with none of this: it stands above the renderers and the engine, and nothing that ships imports it.
``python -m gallery`` writes the sheets.
"""
