"""What an operator needs, and what holds across processes: bans, allowances, marks, the log of deeds, people's data."""
