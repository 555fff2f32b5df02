"""See `Crypto`."""
