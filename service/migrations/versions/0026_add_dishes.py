"""Add the dishes that a provider paints, and the requests for them.

Revises 0025.
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    op.create_table(
        "dish",
        sa.Column("id", sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
        sa.Column("cards", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("noted_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dish")),
    )
    op.create_table(
        "dish_requests",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("busy_until", sa.BigInteger(), nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dish_requests")),
    )


def downgrade() -> None:
    """Back."""
    op.drop_table("dish_requests")
    op.drop_table("dish")
