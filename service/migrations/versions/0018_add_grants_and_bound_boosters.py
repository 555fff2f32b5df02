"""Add grants of the operator, and boosters whose copies are bound.

Revises 0017.
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    op.create_table(
        "house_grant",
        sa.Column("id", sqlmodel.sql.sqltypes.AutoString(length=36), nullable=False),
        sa.Column("player_id", sqlmodel.sql.sqltypes.AutoString(length=36), nullable=False),
        sa.Column("name", sqlmodel.sql.sqltypes.AutoString(length=60), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("coins", sa.Integer(), nullable=False),
        sa.Column("boosters", sa.Integer(), nullable=False),
        sa.Column("copies", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_house_grant_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_house_grant")),
        sa.UniqueConstraint("player_id", "name", name=op.f("uq_house_grant_player_id_name")),
    )
    with op.batch_alter_table("booster", schema=None) as batch_op:
        batch_op.add_column(sa.Column("soulbound", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    """Back."""
    with op.batch_alter_table("booster", schema=None) as batch_op:
        batch_op.drop_column("soulbound")
    op.drop_table("house_grant")
