"""Let several games hold one copy.

Revises 0018.
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward. A copy that a game holds keeps it in `held_by`; only further games stand here."""
    op.create_table(
        "copy_hold",
        sa.Column("game_id", sqlmodel.sql.sqltypes.AutoString(length=36), nullable=False),
        sa.Column("copy_id", sqlmodel.sql.sqltypes.AutoString(length=36), nullable=False),
        sa.ForeignKeyConstraint(["copy_id"], ["copy.id"], name=op.f("fk_copy_hold_copy_id")),
        sa.PrimaryKeyConstraint("game_id", "copy_id", name=op.f("pk_copy_hold")),
    )
    with op.batch_alter_table("copy_hold", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_copy_hold_copy_id"), ["copy_id"], unique=False)


def downgrade() -> None:
    """Back: the version before frees a copy when the one game ends that `held_by` names."""
    op.drop_table("copy_hold")
