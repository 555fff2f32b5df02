"""Let a table ask for decks of a format.

Revises 0014.
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    with op.batch_alter_table("game_table", schema=None) as batch_op:
        batch_op.add_column(sa.Column("format", sqlmodel.sql.sqltypes.AutoString(length=40), nullable=True))


def downgrade() -> None:
    """Back. Where a format is asked for that older tables can't say, nobody sits down any more."""
    op.execute("UPDATE game_table SET state = 'cancelled' WHERE state = 'open' AND format IS NOT NULL")
    with op.batch_alter_table("game_table", schema=None) as batch_op:
        batch_op.drop_column("format")
