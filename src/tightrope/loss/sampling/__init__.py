"""What becomes of a loss when the mechanism sees a sample."""
