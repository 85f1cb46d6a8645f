"""One report model and the formats it is written in."""
