"""One test for each rule, named by its id: BA-18 is ``test_BA_18_…``."""
