"""What every endpoint uses: blueprint, parsing, idempotency, ETags, paging, limits, errors, the document."""
