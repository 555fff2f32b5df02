"""Index what chores look for, so that they read no whole table.

Revises 0035.
"""

from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None

INDEXED = (("handle", "left_at"), ("token", "expires_at"), ("token", "revoked_at"))
"""The tables and columns with new indexes."""


def upgrade() -> None:
    """Forward."""
    for table, column in INDEXED:
        op.create_index(f"ix_{table}_{column}", table, [column], unique=False)


def downgrade() -> None:
    """Back."""
    for table, column in reversed(INDEXED):
        op.drop_index(f"ix_{table}_{column}", table_name=table)
