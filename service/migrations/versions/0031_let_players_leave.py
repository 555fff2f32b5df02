"""Note when a player has deleted the account.

Revises 0030.
"""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    with op.batch_alter_table("player", schema=None) as batch_op:
        batch_op.add_column(sa.Column("deleted_at", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    """Back."""
    with op.batch_alter_table("player", schema=None) as batch_op:
        batch_op.drop_column("deleted_at")
