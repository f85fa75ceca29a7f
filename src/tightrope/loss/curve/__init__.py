"""Trade-off curves of compositions, from their privacy profiles."""
