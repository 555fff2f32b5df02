"""Count the phrases that seats say, and keep who hears none.

Revises 0029.
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    op.create_table(
        "said",
        sa.Column("game_id", sqlmodel.sql.sqltypes.AutoString(length=36), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("phrases", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_said_game_id")),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_said")),
    )
    op.create_table(
        "mute",
        sa.Column("player_id", sqlmodel.sql.sqltypes.AutoString(length=36), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_mute_player_id")),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_mute")),
    )


def downgrade() -> None:
    """Back."""
    op.drop_table("mute")
    op.drop_table("said")
