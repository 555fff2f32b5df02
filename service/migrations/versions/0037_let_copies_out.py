"""Let copies out, as tokens on a chain.

Revises 0036.
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None
beside = "the check takes one state more than before, and the version before writes none that it refuses"

AWAY = "state IN ('leaving', 'outside', 'lost')"


def _text(length: int) -> sqlmodel.sql.sqltypes.AutoString:
    return sqlmodel.sql.sqltypes.AutoString(length=length)


def _states(*names: str) -> None:
    """Let copies have these states alone."""
    listed = ", ".join(f"'{name}'" for name in names)
    with op.batch_alter_table("copy", schema=None) as batch_op:
        batch_op.drop_constraint(batch_op.f("ck_copy_state"), type_="check")
        batch_op.create_check_constraint(batch_op.f("ck_copy_state"), f"state IN ({listed})")


def upgrade() -> None:
    """Forward."""
    _states("free", "listed", "escrow", "held", "outside")
    op.create_table(
        "trip",
        sa.Column("statement_id", _text(36), nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("copy_id", _text(36), nullable=False),
        sa.Column("token", _text(64), nullable=False),
        sa.Column("trip", sa.Integer(), nullable=False),
        sa.Column("player_id", _text(36), nullable=False),
        sa.Column("receiver", _text(42), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("state", _text(8), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "state IN ('leaving', 'outside', 'lapsed', 'back', 'lost')", name=op.f("ck_trip_state")
        ),
        sa.ForeignKeyConstraint(["copy_id"], ["copy.id"], name=op.f("fk_trip_copy_id")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_trip_player_id")),
        sa.PrimaryKeyConstraint("statement_id", "place", name=op.f("pk_trip")),
    )
    for column in ("copy_id", "token", "player_id", "until"):
        op.create_index(f"ix_trip_{column}", "trip", [column], unique=False)
    op.create_index(
        "uq_trip_away",
        "trip",
        ["copy_id"],
        unique=True,
        sqlite_where=sa.text(AWAY),
        postgresql_where=sa.text(AWAY),
    )
    op.create_table(
        "chain_head",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("place", _text(64), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("hash", _text(64), nullable=False),
        sa.Column("time", sa.BigInteger(), nullable=False),
        sa.Column("restored_until", sa.BigInteger(), nullable=False),
        sa.Column("alarm", _text(300), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chain_head")),
    )


def downgrade() -> None:
    """Back. It fails while a copy is outside: the version before would not know where it is."""
    _states("free", "listed", "escrow", "held")
    op.drop_table("chain_head")
    op.drop_table("trip")
