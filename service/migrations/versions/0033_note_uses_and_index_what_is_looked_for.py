"""Note when a token is used, and index what is looked for of one player in tables that grow.

Revises 0032.
"""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None

INDEXED = (
    ("player", "deleted_at"),
    ("game_table", "opened_by"),
    ("table_seat", "player_id"),
    ("queue_entry", "expires_at"),
    ("season_standing", "player_id"),
    ("win_over", "opponent"),
    ("report", "deck_id"),
    ("deck", "origin_id"),
    ("deck_favourite", "deck_id"),
)
"""The tables and columns with new indexes."""


def upgrade() -> None:
    """Forward."""
    op.add_column("token", sa.Column("used_at", sa.BigInteger(), nullable=True))
    for table, column in INDEXED:
        op.create_index(f"ix_{table}_{column}", table, [column], unique=False)


def downgrade() -> None:
    """Back."""
    for table, column in reversed(INDEXED):
        op.drop_index(f"ix_{table}_{column}", table_name=table)
    op.drop_column("token", "used_at")
