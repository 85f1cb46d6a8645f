"""What there is to learn: items, decks, concepts, myths, languages, numeric families and their lint.

This room knows no learner. Where it must check that an experiment exists it is handed the catalogue as a value.
"""
