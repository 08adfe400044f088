"""Requirements of a box (expansion) of Carcassonne; ``python -m tests.boxes`` lists everything that boxes still lack.

The project consists of layers, here called floors: engine, renderers, cogs, texts, scenarios and documents. Every box
needs its own part on each of them.
"""
