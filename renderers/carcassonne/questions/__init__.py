"""Pictures of what only one box asks, a module for each box: they stand upon the board, which asks the boxes itself."""
