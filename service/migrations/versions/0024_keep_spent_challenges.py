"""Keep the challenges that players have answered, so that each serves once.

Revises 0023.
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    op.create_table(
        "spent_challenge",
        sa.Column("digest", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_spent_challenge")),
    )
    op.create_index(op.f("ix_spent_challenge_expires_at"), "spent_challenge", ["expires_at"])


def downgrade() -> None:
    """Back."""
    op.drop_table("spent_challenge")
