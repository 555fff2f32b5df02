"""Add challenges, and the queue of players who wait for an opponent.

Revises 0031.
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def _text(length: int) -> sqlmodel.sql.sqltypes.AutoString:
    return sqlmodel.sql.sqltypes.AutoString(length=length)


def upgrade() -> None:
    """Forward."""
    op.create_table(
        "game_challenge",
        sa.Column("id", _text(36), nullable=False),
        sa.Column("from_id", _text(36), nullable=False),
        sa.Column("to_id", _text(36), nullable=False),
        sa.Column("mode", _text(40), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("format", _text(40), nullable=True),
        sa.Column("rated", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("deck_id", _text(36), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("state", _text(12), nullable=False),
        sa.Column("game_id", _text(36), nullable=True),
        sa.ForeignKeyConstraint(["from_id"], ["player.id"], name=op.f("fk_game_challenge_from_id")),
        sa.ForeignKeyConstraint(["to_id"], ["player.id"], name=op.f("fk_game_challenge_to_id")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_game_challenge_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game_challenge")),
    )
    with op.batch_alter_table("game_challenge", schema=None) as batch_op:
        batch_op.create_index("ix_game_challenge_from", ["from_id", "state", "created_at"], unique=False)
        batch_op.create_index("ix_game_challenge_to", ["to_id", "state", "created_at"], unique=False)
        batch_op.create_index("ix_game_challenge_late", ["state", "expires_at"], unique=False)
    op.create_table(
        "queue_entry",
        sa.Column("player_id", _text(36), nullable=False),
        sa.Column("mode", _text(40), nullable=False),
        sa.Column("pace", _text(10), nullable=False),
        sa.Column("format", _text(40), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("deck_id", _text(36), nullable=True),
        sa.Column("mu", sa.Integer(), nullable=False),
        sa.Column("joined_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("look_at", sa.BigInteger(), nullable=False),
        sa.Column("bot_offered", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_queue_entry_player_id")),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_queue_entry")),
    )
    with op.batch_alter_table("queue_entry", schema=None) as batch_op:
        batch_op.create_index(
            "ix_queue_entry_near", ["mode", "pace", "format", "rated", "mu", "joined_at"], unique=False
        )
        batch_op.create_index("ix_queue_entry_due", ["look_at"], unique=False)


def downgrade() -> None:
    """Back."""
    op.drop_table("queue_entry")
    op.drop_table("game_challenge")
