"""Keep the handles that are taken, with what those that look alike have in common.

Revises 0024.
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    op.create_table(
        "handle",
        sa.Column("skeleton", sqlmodel.sql.sqltypes.AutoString(length=48), nullable=False),
        sa.Column("folded", sqlmodel.sql.sqltypes.AutoString(length=24), nullable=False),
        sa.Column("handle", sqlmodel.sql.sqltypes.AutoString(length=24), nullable=True),
        sa.Column("player_id", sqlmodel.sql.sqltypes.AutoString(length=36), nullable=False),
        sa.Column("left_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_handle_player_id")),
        sa.PrimaryKeyConstraint("skeleton", name=op.f("pk_handle")),
        sa.UniqueConstraint("folded", name=op.f("uq_handle_folded")),
    )
    op.create_index(op.f("ix_handle_player_id"), "handle", ["player_id"])


def downgrade() -> None:
    """Back."""
    op.drop_table("handle")
