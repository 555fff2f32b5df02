"""Name the newest entry of a game by its digest, so that a process can tell whether its fold is outdated.

Revises 0016.
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.add_column(sa.Column("head", sqlmodel.sql.sqltypes.AutoString(length=86), nullable=True))


def downgrade() -> None:
    """Back."""
    with op.batch_alter_table("game", schema=None) as batch_op:
        batch_op.drop_column("head")
