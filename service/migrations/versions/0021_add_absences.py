"""Note when the house last took requests in, and when it was away.

Revises 0020.
"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    op.create_table(
        "presence",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_presence")),
    )
    op.create_table(
        "absence",
        sa.Column("ended", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("began", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("ended", name=op.f("pk_absence")),
    )


def downgrade() -> None:
    """Back."""
    op.drop_table("absence")
    op.drop_table("presence")
