"""Add blocks, by which players keep others away.

Revises 0022.
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    op.create_table(
        "block",
        sa.Column("player_id", sqlmodel.sql.sqltypes.AutoString(length=36), nullable=False),
        sa.Column("blocked_id", sqlmodel.sql.sqltypes.AutoString(length=36), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["blocked_id"], ["player.id"], name=op.f("fk_block_blocked_id")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_block_player_id")),
        sa.PrimaryKeyConstraint("player_id", "blocked_id", name=op.f("pk_block")),
    )
    with op.batch_alter_table("block", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_block_blocked_id"), ["blocked_id"], unique=False)


def downgrade() -> None:
    """Back."""
    with op.batch_alter_table("block", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_block_blocked_id"))
    op.drop_table("block")
