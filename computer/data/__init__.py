"""The data files of the computer: the weights of its evaluation."""
