"""The engine on the command line: ``python -m engine``. No other part of the engine reads files or the clock."""
