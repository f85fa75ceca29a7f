"""The least mu of a composition."""
