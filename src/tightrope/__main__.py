"""``python -m tightrope`` is the same as ``tightrope``."""

from tightrope.cli import main

main()
