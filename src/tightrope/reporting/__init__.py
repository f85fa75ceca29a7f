"""Reports for people: one page that says what is promised, what is not, and why."""

from tightrope.reporting.report import (
    Report,
    layout_of,
    report,
    report_of,
    report_of_certificate,
    require_folder,
)

__all__ = [
    "Report",
    "layout_of",
    "report",
    "report_of",
    "report_of_certificate",
    "require_folder",
]
