"""Privacy profiles by the trapezoid rule on a vertical line, with every error bounded."""
