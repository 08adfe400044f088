"""What people and servers have chosen, each for themselves: settings, languages, sealed plans."""
