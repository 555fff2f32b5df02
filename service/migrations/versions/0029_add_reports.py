"""Add reports, which players make about others.

Revises 0028.
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def _text(length: int) -> sqlmodel.sql.sqltypes.AutoString:
    return sqlmodel.sql.sqltypes.AutoString(length=length)


def upgrade() -> None:
    """Forward."""
    op.create_table(
        "report",
        sa.Column("id", _text(36), nullable=False),
        sa.Column("reporter_id", _text(36), nullable=False),
        sa.Column("about_id", _text(36), nullable=False),
        sa.Column("kind", _text(16), nullable=False),
        sa.Column("game_id", _text(36), nullable=True),
        sa.Column("deck_id", _text(36), nullable=True),
        sa.Column("table_id", _text(36), nullable=True),
        sa.Column("note", _text(500), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("state", _text(8), nullable=False),
        sa.Column("handler_id", _text(36), nullable=True),
        sa.Column("verdict", _text(12), nullable=True),
        sa.Column("remark", _text(300), nullable=False),
        sa.Column("closed_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("state IN ('open', 'taken', 'closed')", name=op.f("ck_report_state")),
        sa.CheckConstraint("(state = 'open') = (handler_id IS NULL)", name=op.f("ck_report_in_hand")),
        sa.CheckConstraint("(state = 'closed') = (verdict IS NOT NULL)", name=op.f("ck_report_decided")),
        sa.ForeignKeyConstraint(["about_id"], ["player.id"], name=op.f("fk_report_about_id")),
        sa.ForeignKeyConstraint(["deck_id"], ["deck.id"], name=op.f("fk_report_deck_id")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_report_game_id")),
        sa.ForeignKeyConstraint(["reporter_id"], ["player.id"], name=op.f("fk_report_reporter_id")),
        sa.ForeignKeyConstraint(["table_id"], ["game_table.id"], name=op.f("fk_report_table_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_report")),
    )
    with op.batch_alter_table("report", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_report_about_id"), ["about_id"], unique=False)
        batch_op.create_index("ix_report_queue", ["state", "created_at", "id"], unique=False)
        batch_op.create_index("ix_report_reporter", ["reporter_id", "created_at", "id"], unique=False)


def downgrade() -> None:
    """Back."""
    with op.batch_alter_table("report", schema=None) as batch_op:
        batch_op.drop_index("ix_report_reporter")
        batch_op.drop_index("ix_report_queue")
        batch_op.drop_index(batch_op.f("ix_report_about_id"))
    op.drop_table("report")
