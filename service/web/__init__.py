"""The tools of every endpoint: blueprint, parsing, idempotency, ETags, paging, limits, errors, document."""
