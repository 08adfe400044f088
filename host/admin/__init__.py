"""Administration: operators' actions, health, erasure and retention of data, quotas, and the processes of a bot."""
