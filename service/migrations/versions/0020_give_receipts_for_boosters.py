"""Keep the receipt for an opening that a player has asked for, until the player shows the nonce.

Revises 0019.
"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    with op.batch_alter_table("booster_chain", schema=None) as batch_op:
        batch_op.add_column(sa.Column("pending", sa.JSON(), nullable=True))


def downgrade() -> None:
    """Back."""
    with op.batch_alter_table("booster_chain", schema=None) as batch_op:
        batch_op.drop_column("pending")
