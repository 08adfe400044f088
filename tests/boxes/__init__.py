"""Requirements of a box of Carcassonne, room by room; ``python -m tests.boxes`` lists what each box still lacks."""
