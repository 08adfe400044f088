"""What a box of Carcassonne needs, floor by floor; ``python -m tests.boxes`` says what each still lacks."""
