"""Data files with the weights of the evaluation, one file for each set."""
