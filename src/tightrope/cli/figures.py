"""``tightrope figures``: the figures of the paper on the optimal conversion, as files."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from tightrope.cli.output import Json, progress, show_json


def figures(
    *,
    out: str,
    format_: Annotated[str, Parameter(name="--format")] = "pdf",
    json_: Json = False,
) -> None:
    """Draw figures 1 to 14 of Chen, Pandey and Awan (2026) and write them to files.

    Parameters
    ----------
    out: str
        The directory to write to; it is made if it is not there.
    format_: str
        pdf, png or svg.
    """
    from tightrope.plots import save_paper_figures
    from tightrope.plots.canvas import known_format

    chosen = known_format(format_.lower(), "--format")
    with progress() as step:
        files = [str(path) for path in save_paper_figures(out, chosen, step)]
    if json_:
        show_json("figures", {"files": files})
        return
    print("\n".join(files))  # a page would break the lines of long paths
