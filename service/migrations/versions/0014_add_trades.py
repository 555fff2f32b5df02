"""Keep offers between players, prices, and wishes.

Revises 0013.
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    op.create_table(
        "offer",
        sa.Column("id", sqlmodel.sql.sqltypes.AutoString(length=36), nullable=False),
        sa.Column("maker_id", sqlmodel.sql.sqltypes.AutoString(length=36), nullable=False),
        sa.Column("for_id", sqlmodel.sql.sqltypes.AutoString(length=36), nullable=True),
        sa.Column("taker_id", sqlmodel.sql.sqltypes.AutoString(length=36), nullable=True),
        sa.Column("gives_coins", sa.BigInteger(), nullable=False),
        sa.Column("wants_coins", sa.BigInteger(), nullable=False),
        sa.Column("state", sqlmodel.sql.sqltypes.AutoString(length=12), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("closed_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("(state = 'accepted') = (taker_id IS NOT NULL)", name=op.f("ck_offer_taken")),
        sa.CheckConstraint("(state = 'open') = (closed_at IS NULL)", name=op.f("ck_offer_closed")),
        sa.CheckConstraint(
            "state IN ('open', 'accepted', 'declined', 'withdrawn', 'expired')", name=op.f("ck_offer_state")
        ),
        sa.CheckConstraint("gives_coins >= 0 AND wants_coins >= 0", name=op.f("ck_offer_coins")),
        sa.ForeignKeyConstraint(["for_id"], ["player.id"], name=op.f("fk_offer_for_id")),
        sa.ForeignKeyConstraint(["maker_id"], ["player.id"], name=op.f("fk_offer_maker_id")),
        sa.ForeignKeyConstraint(["taker_id"], ["player.id"], name=op.f("fk_offer_taker_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_offer")),
    )
    with op.batch_alter_table("offer", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_offer_for_id"), ["for_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_offer_maker_id"), ["maker_id"], unique=False)
        batch_op.create_index("ix_offer_state", ["state", "expires_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_offer_taker_id"), ["taker_id"], unique=False)

    op.create_table(
        "wish",
        sa.Column("player_id", sqlmodel.sql.sqltypes.AutoString(length=36), nullable=False),
        sa.Column("card", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("copies", sa.Integer(), nullable=False),
        sa.CheckConstraint("copies > 0", name=op.f("ck_wish_some")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_wish_player_id")),
        sa.PrimaryKeyConstraint("player_id", "card", name=op.f("pk_wish")),
    )
    op.create_table(
        "offer_copy",
        sa.Column("offer_id", sqlmodel.sql.sqltypes.AutoString(length=36), nullable=False),
        sa.Column("copy_id", sqlmodel.sql.sqltypes.AutoString(length=36), nullable=False),
        sa.Column("card", sa.BigInteger(), nullable=False),
        sa.Column("given", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["copy_id"], ["copy.id"], name=op.f("fk_offer_copy_copy_id")),
        sa.ForeignKeyConstraint(["offer_id"], ["offer.id"], name=op.f("fk_offer_copy_offer_id")),
        sa.PrimaryKeyConstraint("offer_id", "copy_id", name=op.f("pk_offer_copy")),
    )
    with op.batch_alter_table("offer_copy", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_offer_copy_card"), ["card"], unique=False)

    op.create_table(
        "offer_want",
        sa.Column("offer_id", sqlmodel.sql.sqltypes.AutoString(length=36), nullable=False),
        sa.Column("card", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("copies", sa.Integer(), nullable=False),
        sa.CheckConstraint("copies > 0", name=op.f("ck_offer_want_some")),
        sa.ForeignKeyConstraint(["offer_id"], ["offer.id"], name=op.f("fk_offer_want_offer_id")),
        sa.PrimaryKeyConstraint("offer_id", "card", name=op.f("pk_offer_want")),
    )
    with op.batch_alter_table("offer_want", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_offer_want_card"), ["card"], unique=False)

    op.create_table(
        "price",
        sa.Column("offer_id", sqlmodel.sql.sqltypes.AutoString(length=36), nullable=False),
        sa.Column("card", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("copies", sa.Integer(), nullable=False),
        sa.Column("coins", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["offer_id"], ["offer.id"], name=op.f("fk_price_offer_id")),
        sa.PrimaryKeyConstraint("offer_id", name=op.f("pk_price")),
    )
    with op.batch_alter_table("price", schema=None) as batch_op:
        batch_op.create_index("ix_price_card", ["card", "at"], unique=False)


def downgrade() -> None:
    """Back: what open offers give is free again; their coins stay in the account for that."""
    op.execute("UPDATE copy SET state = 'free', held_by = NULL WHERE state IN ('listed', 'escrow')")
    for table in ("price", "offer_want", "offer_copy", "wish", "offer"):
        op.drop_table(table)
