"""What the rooms use of pycryptodome, on the worker's noble. Same calls, same bytes."""
