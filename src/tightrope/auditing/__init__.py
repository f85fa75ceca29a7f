"""Auditing: tests that try to break a claim, and say how hard they tried.

What an audit shows is a lower bound on the loss, or nothing; it never makes a guarantee.
"""

from tightrope.auditing.auditor import audit
from tightrope.auditing.canaries import audit_canaries
from tightrope.auditing.draws import Batched
from tightrope.auditing.enumeration import ExactLaw, exact_law
from tightrope.auditing.exactly import audit_exactly
from tightrope.auditing.findings import Audit, Finding

__all__ = [
    "Audit",
    "Batched",
    "ExactLaw",
    "Finding",
    "audit",
    "audit_canaries",
    "audit_exactly",
    "exact_law",
]
