"""Where it is kept: the event log, its projections, backup and doctor. The only room that knows SQLite."""

from tutor.store.doctor import Finding, doctor
from tutor.store.errors import StoreError, Unwritable
from tutor.store.events import Event
from tutor.store.read import DayRow, Held, Picked, Picks, Sight, Standing, Stored
from tutor.store.reader import Reader
from tutor.store.remembered import Memories, Remembered
from tutor.store.store import Store, open_store

__all__ = [
    "DayRow",
    "Event",
    "Finding",
    "Held",
    "Memories",
    "Picked",
    "Picks",
    "Reader",
    "Remembered",
    "Sight",
    "Standing",
    "Store",
    "StoreError",
    "Stored",
    "Unwritable",
    "doctor",
    "open_store",
]
