"""What is stored of an event, and how it is shown; what its rules refuse."""
