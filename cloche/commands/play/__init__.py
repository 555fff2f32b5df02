"""Commands for tables and games."""
