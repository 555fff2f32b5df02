"""Alembic's entry: migrates over the connection that `service.migrations` opened."""

from alembic import context

import service.models  # noqa: F401  (the tables register themselves)
from service.models.base import metadata

connection = context.config.attributes.get("connection")
if connection is None:
    raise RuntimeError("migrations run through service.migrations.upgrade")

# SQLite can't alter most things in place: batch mode copies the table.
context.configure(
    connection=connection,
    target_metadata=metadata,
    render_as_batch=True,
    compare_type=True,
    compare_server_default=True,
)
with context.begin_transaction():
    context.run_migrations()
