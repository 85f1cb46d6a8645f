"""What can be wrong with the learner's folder, each as one sentence with its remedy."""


class StoreError(Exception):
    """The data cannot be used as it is; the message is one sentence for the learner."""


class Unwritable(StoreError):
    """The disk takes nothing; what lies on it is whole."""
