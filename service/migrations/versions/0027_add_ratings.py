"""Add rated tables and games, ratings and seasons.

Revises 0026.
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def _text(length: int) -> sqlmodel.sql.sqltypes.AutoString:
    return sqlmodel.sql.sqltypes.AutoString(length=length)


def upgrade() -> None:
    """Forward."""
    for table in ("game", "game_table"):
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.add_column(sa.Column("rated", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.create_table(
        "rating_head",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rating_head")),
    )
    op.create_table(
        "rated_game",
        sa.Column("game_id", _text(36), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("mode", _text(40), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("pair_limit", sa.Integer(), nullable=False),
        sa.Column("reason", _text(20), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_rated_game_game_id")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_rated_game")),
        sa.UniqueConstraint("ordinal", name=op.f("uq_rated_game_ordinal")),
    )
    op.create_table(
        "rating",
        sa.Column("player_id", _text(36), nullable=False),
        sa.Column("mode", _text(40), nullable=False),
        sa.Column("mu", sa.Integer(), nullable=False),
        sa.Column("sigma", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_rating_player_id")),
        sa.PrimaryKeyConstraint("player_id", "mode", name=op.f("pk_rating")),
    )
    _add_changes_and_seasons()


def _add_changes_and_seasons() -> None:
    op.create_table(
        "rating_change",
        sa.Column("game_id", _text(36), nullable=False),
        sa.Column("player_id", _text(36), nullable=False),
        sa.Column("mode", _text(40), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("result", _text(4), nullable=False),
        sa.Column("mu_before", sa.Integer(), nullable=False),
        sa.Column("sigma_before", sa.Integer(), nullable=False),
        sa.Column("mu", sa.Integer(), nullable=False),
        sa.Column("sigma", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["rated_game.game_id"], name=op.f("fk_rating_change_game_id")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_rating_change_player_id")),
        sa.PrimaryKeyConstraint("game_id", "player_id", name=op.f("pk_rating_change")),
    )
    with op.batch_alter_table("rating_change", schema=None) as batch_op:
        batch_op.create_index("ix_rating_change_history", ["player_id", "mode", "ordinal"], unique=False)
        batch_op.create_index("ix_rating_change_day", ["player_id", "at"], unique=False)
    op.create_table(
        "season_standing",
        sa.Column("season", _text(7), nullable=False),
        sa.Column("mode", _text(40), nullable=False),
        sa.Column("player_id", _text(36), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("mu", sa.Integer(), nullable=False),
        sa.Column("sigma", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_season_standing_player_id")),
        sa.PrimaryKeyConstraint("season", "mode", "player_id", name=op.f("pk_season_standing")),
    )
    with op.batch_alter_table("season_standing", schema=None) as batch_op:
        batch_op.create_index(
            "ix_season_standing_order", ["season", "mode", "place", "player_id"], unique=False
        )


def downgrade() -> None:
    """Back."""
    for table in ("season_standing", "rating_change", "rating", "rated_game", "rating_head"):
        op.drop_table(table)
    for table in ("game_table", "game"):
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.drop_column("rated")
