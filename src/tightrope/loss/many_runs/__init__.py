"""One composition run many different numbers of times."""
