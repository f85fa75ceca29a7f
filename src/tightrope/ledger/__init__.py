"""The ledger: budgets that cannot be overspent, by any number of analysts, through any crash.

A book guarantees its budget. Everything else follows from that: prices are rounded up and added
exactly, charges are written down before anything is released, and what was written is chained so
that a change shows. The filters are theorems in ``theorems.filters``.
"""

from tightrope.ledger.admission import Admission
from tightrope.ledger.book import Book
from tightrope.ledger.errors import (
    BookClosed,
    ConnectionLost,
    KeyReused,
    NoRight,
    StoreTooNew,
    StoreUnavailable,
    TamperedBook,
    TamperedExport,
    UnknownBook,
)
from tightrope.ledger.exceeded import BudgetExceeded
from tightrope.ledger.holding import Reservation
from tightrope.ledger.ledger import Ledger
from tightrope.ledger.partition import Partition
from tightrope.ledger.records import Anchor, Entry, Odometer, Receipt, Spending, Verification
from tightrope.ledger.statement import Statement
from tightrope.ledger.structure import Units, Windows

__all__ = [
    "Admission",
    "Anchor",
    "Book",
    "BookClosed",
    "BudgetExceeded",
    "ConnectionLost",
    "Entry",
    "KeyReused",
    "Ledger",
    "NoRight",
    "Odometer",
    "Partition",
    "Receipt",
    "Reservation",
    "Spending",
    "Statement",
    "StoreTooNew",
    "StoreUnavailable",
    "TamperedBook",
    "TamperedExport",
    "Units",
    "UnknownBook",
    "Verification",
    "Windows",
]
