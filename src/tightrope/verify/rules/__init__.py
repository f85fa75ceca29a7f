"""The checkers of theorems, a file for each family; importing one enters its rules."""
