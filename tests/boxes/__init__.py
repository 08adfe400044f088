"""Requirements of a box (expansion) of Carcassonne; ``python -m tests.boxes`` lists everything that boxes still lack.

A floor is a layer of the project: engine, renderers, cogs, texts, scenarios, documents. A box needs something on each.
"""
