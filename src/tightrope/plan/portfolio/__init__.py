"""What is known of an event in every notion at once, by the theorems: one rule a kind of node."""
