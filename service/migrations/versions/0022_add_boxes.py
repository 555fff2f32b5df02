"""Add boxes, in which players leave their locked files.

Revises 0021.
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    op.create_table(
        "box",
        sa.Column("player_id", sqlmodel.sql.sqltypes.AutoString(length=36), nullable=False),
        sa.Column("file", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("changed_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_box_player_id")),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_box")),
    )


def downgrade() -> None:
    """Back."""
    op.drop_table("box")
