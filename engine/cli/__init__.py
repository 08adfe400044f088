"""The engine on the command line: ``python -m engine``. The only part of it that reads files and looks at the clock."""
