"""Where it is kept: the event log, its projections, backup and doctor. The only room that knows SQLite."""
