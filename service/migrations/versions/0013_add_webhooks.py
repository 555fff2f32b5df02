"""Add webhooks.

Revises 0012.
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    text = sqlmodel.sql.sqltypes.AutoString
    op.create_table(
        "webhook",
        sa.Column("id", text(length=36), nullable=False),
        sa.Column("player_id", text(length=36), nullable=False),
        sa.Column("url", text(length=500), nullable=False),
        sa.Column("events", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("house_key", text(length=43), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("old_house_key", text(length=43), nullable=True),
        sa.Column("old_until", sa.BigInteger(), nullable=True),
        sa.Column("failing_since", sa.BigInteger(), nullable=True),
        sa.Column("disabled_at", sa.BigInteger(), nullable=True),
        sa.Column("disabled_reason", text(length=40), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_webhook_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook")),
    )
    with op.batch_alter_table("webhook", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_webhook_player_id"), ["player_id"], unique=False)
    op.create_table(
        "webhook_delivery",
        sa.Column("id", text(length=36), nullable=False),
        sa.Column("webhook_id", text(length=36), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=True),
        sa.Column("event", text(length=40), nullable=False),
        sa.Column("body", text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("state", text(length=16), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=True),
        sa.Column("claimed_until", sa.BigInteger(), nullable=False),
        sa.Column("attempts", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["webhook_id"], ["webhook.id"], name=op.f("fk_webhook_delivery_webhook_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_delivery")),
        sa.UniqueConstraint("webhook_id", "seq", name=op.f("uq_webhook_delivery_webhook_id_seq")),
    )
    with op.batch_alter_table("webhook_delivery", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_webhook_delivery_webhook_id"), ["webhook_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_webhook_delivery_created_at"), ["created_at"], unique=False)
        batch_op.create_index("ix_webhook_delivery_due", ["due_at", "claimed_until"], unique=False)


def downgrade() -> None:
    """Back."""
    op.drop_table("webhook_delivery")
    op.drop_table("webhook")
