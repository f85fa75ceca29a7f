"""The exact engine asked about events: which pairs dominate them, and what follows."""
