"""Administration: processes on the database, limits, operators, personal data, retention, whole databases."""
