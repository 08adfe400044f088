"""What whoever runs the bot deals with: settings, the log, the file of games and copies of it. No Discord.

`python -m operations backup FILE` copies the file that the settings name.
"""
