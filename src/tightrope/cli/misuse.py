"""A command that was misspelt, in one sentence that says what to write."""

from __future__ import annotations

from cyclopts import CycloptsError, MissingArgumentError, UnusedCliTokensError

DID_YOU_MEAN = "Did you mean"


def sentence(error: CycloptsError) -> str:
    """What is wrong with the arguments, and where to look."""
    command = " ".join(error.command_chain or ("a command",))
    manual = f"See tightrope {command} --help" if error.command_chain else "See tightrope --help"
    if isinstance(error, MissingArgumentError) and error.argument is not None:
        name = error.argument.name
        _, hint, meant = str(error).partition(DID_YOU_MEAN)
        named = name if name.startswith("-") else name.upper()
        return f"{command} needs a value for {named}. {hint}{meant} {manual}"
    if isinstance(error, UnusedCliTokensError) and error.unused_tokens:
        extra = ", ".join(map(repr, error.unused_tokens))
        return (
            f"{command} does not take {extra}: options begin with two dashes, and an event with "
            f"spaces is put in quotes. {manual}"
        )
    return str(error)
