"""Note which deck list a player brought and which dishes they serve, and index the newest tables.

Revises 0034.
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None

NOTED = ("table_seat", "game_seat", "tournament_entry", "rating_change")
"""The tables that name a deck list from now on."""


def upgrade() -> None:
    """Forward."""
    for table in NOTED:
        kind = sqlmodel.sql.sqltypes.AutoString(length=36)
        op.add_column(table, sa.Column("deck_id", kind, nullable=True))
    op.create_table(
        "served_dish",
        sa.Column("player_id", sqlmodel.sql.sqltypes.AutoString(length=36), nullable=False),
        sa.Column("dish", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_served_dish_player_id")),
        sa.PrimaryKeyConstraint("player_id", "dish", name=op.f("pk_served_dish")),
    )
    op.create_index("ix_served_dish_favourite", "served_dish", ["player_id", "times", "at"], unique=False)
    op.create_index("ix_game_table_newest", "game_table", ["state", "created_at", "id"], unique=False)


def downgrade() -> None:
    """Back."""
    op.drop_index("ix_game_table_newest", table_name="game_table")
    op.drop_table("served_dish")
    for table in reversed(NOTED):
        op.drop_column(table, "deck_id")
