"""Where books are kept: SQLite or PostgreSQL, by one schema. Nothing here knows of privacy."""
