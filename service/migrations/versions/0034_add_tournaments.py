"""Add tournaments.

Revises 0033.
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def _text(length: int) -> sqlmodel.sql.sqltypes.AutoString:
    return sqlmodel.sql.sqltypes.AutoString(length=length)


def upgrade() -> None:
    """Forward."""
    _tournaments()
    _entries()
    _matches()


def _tournaments() -> None:
    op.create_table(
        "tournament",
        sa.Column("id", _text(36), nullable=False),
        sa.Column("name", _text(60), nullable=False),
        sa.Column("system", _text(12), nullable=False),
        sa.Column("mode", _text(40), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("format", _text(40), nullable=True),
        sa.Column("rated", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("director_id", _text(36), nullable=False),
        sa.Column("fee", sa.BigInteger(), nullable=False),
        sa.Column("added", sa.BigInteger(), nullable=False),
        sa.Column("prizes", sa.JSON(), nullable=False),
        sa.Column("places", sa.Integer(), nullable=False),
        sa.Column("entered", sa.Integer(), nullable=False),
        sa.Column("numbered", sa.Integer(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=True),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("late_rounds", sa.Integer(), nullable=False),
        sa.Column("pause_ms", sa.Integer(), nullable=False),
        sa.Column("state", _text(12), nullable=False),
        sa.Column("reason", _text(300), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("stale", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("starts_at", sa.BigInteger(), nullable=False),
        sa.Column("next_at", sa.BigInteger(), nullable=True),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("due_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint(
            "system IN ('swiss', 'elimination', 'round_robin')", name=op.f("ck_tournament_system")
        ),
        sa.CheckConstraint(
            "state IN ('open', 'running', 'over', 'cancelled')", name=op.f("ck_tournament_state")
        ),
        sa.CheckConstraint("fee >= 0 AND added >= 0", name=op.f("ck_tournament_coins")),
        sa.CheckConstraint("entered >= 0 AND entered <= places", name=op.f("ck_tournament_room")),
        sa.ForeignKeyConstraint(["director_id"], ["player.id"], name=op.f("fk_tournament_director_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournament")),
    )
    with op.batch_alter_table("tournament", schema=None) as batch_op:
        batch_op.create_index("ix_tournament_newest", ["created_at", "id"], unique=False)
        batch_op.create_index("ix_tournament_state", ["state", "created_at", "id"], unique=False)
        batch_op.create_index("ix_tournament_director", ["director_id", "state"], unique=False)
        batch_op.create_index("ix_tournament_due", ["due_at"], unique=False)


def _entries() -> None:
    op.create_table(
        "tournament_entry",
        sa.Column("id", _text(36), nullable=False),
        sa.Column("tournament_id", _text(36), nullable=False),
        sa.Column("player_id", _text(36), nullable=False),
        sa.Column("entered_at", sa.BigInteger(), nullable=False),
        sa.Column("paid", sa.BigInteger(), nullable=False),
        sa.Column("cards", sa.JSON(), nullable=True),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("from_round", sa.Integer(), nullable=False),
        sa.Column("out_round", sa.Integer(), nullable=True),
        sa.Column("out_reason", _text(300), nullable=True),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("buchholz", sa.Integer(), nullable=False),
        sa.Column("sonneborn", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("prize", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournament.id"], name=op.f("fk_tournament_entry_tournament_id")
        ),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_tournament_entry_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournament_entry")),
        sa.UniqueConstraint(
            "tournament_id", "player_id", name=op.f("uq_tournament_entry_tournament_id_player_id")
        ),
    )
    with op.batch_alter_table("tournament_entry", schema=None) as batch_op:
        batch_op.create_index("ix_tournament_entry_rank", ["tournament_id", "rank"], unique=False)
        batch_op.create_index("ix_tournament_entry_player", ["player_id", "entered_at", "id"], unique=False)


def _matches() -> None:
    op.create_table(
        "tournament_match",
        sa.Column("tournament_id", _text(36), nullable=False),
        sa.Column("round", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("board", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("first_id", _text(36), nullable=False),
        sa.Column("second_id", _text(36), nullable=True),
        sa.Column("state", _text(8), nullable=False),
        sa.Column("result", _text(8), nullable=True),
        sa.Column("played", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("game_id", _text(36), nullable=True),
        sa.Column("ruled_by", _text(36), nullable=True),
        sa.Column("ruling", _text(300), nullable=True),
        sa.CheckConstraint("state IN ('pending', 'playing', 'over')", name=op.f("ck_tournament_match_state")),
        sa.CheckConstraint(
            "(state = 'over') = (result IS NOT NULL)", name=op.f("ck_tournament_match_decided")
        ),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournament.id"], name=op.f("fk_tournament_match_tournament_id")
        ),
        sa.ForeignKeyConstraint(["first_id"], ["player.id"], name=op.f("fk_tournament_match_first_id")),
        sa.ForeignKeyConstraint(["second_id"], ["player.id"], name=op.f("fk_tournament_match_second_id")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_tournament_match_game_id")),
        sa.PrimaryKeyConstraint("tournament_id", "round", "board", name=op.f("pk_tournament_match")),
        sa.UniqueConstraint("game_id", name=op.f("uq_tournament_match_game_id")),
    )
    with op.batch_alter_table("tournament_match", schema=None) as batch_op:
        batch_op.create_index(
            "ix_tournament_match_state", ["tournament_id", "state", "round", "board"], unique=False
        )
        batch_op.create_index(
            "ix_tournament_match_first", ["first_id", "tournament_id", "round"], unique=False
        )
        batch_op.create_index(
            "ix_tournament_match_second", ["second_id", "tournament_id", "round"], unique=False
        )


def downgrade() -> None:
    """Back."""
    op.drop_table("tournament_match")
    op.drop_table("tournament_entry")
    op.drop_table("tournament")
