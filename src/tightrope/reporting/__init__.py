"""Reports for people: one page that says what is promised, what is not, and why."""

from tightrope.reporting.files import require_folder
from tightrope.reporting.report import (
    Report,
    layout_of,
    report,
    report_of,
    report_of_certificate,
)

__all__ = [
    "Report",
    "layout_of",
    "report",
    "report_of",
    "report_of_certificate",
    "require_folder",
]
