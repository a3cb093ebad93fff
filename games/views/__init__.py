"""Pages: they read through ``access`` and ``lists``, write through ``services``, and show ``observe`` and ``seen``."""
