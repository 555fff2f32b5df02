"""Find an endpoint's next delivery, and its newest, without reading all that it ever had.

Revises 0015.
"""

from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forward."""
    with op.batch_alter_table("webhook_delivery", schema=None) as batch_op:
        batch_op.drop_index("ix_webhook_delivery_due")
        batch_op.drop_index(batch_op.f("ix_webhook_delivery_webhook_id"))
        batch_op.create_index(
            "ix_webhook_delivery_next", ["webhook_id", "due_at", "claimed_until"], unique=False
        )
        batch_op.create_index("ix_webhook_delivery_newest", ["webhook_id", "created_at", "id"], unique=False)


def downgrade() -> None:
    """Back."""
    with op.batch_alter_table("webhook_delivery", schema=None) as batch_op:
        batch_op.drop_index("ix_webhook_delivery_newest")
        batch_op.drop_index("ix_webhook_delivery_next")
        batch_op.create_index(batch_op.f("ix_webhook_delivery_webhook_id"), ["webhook_id"], unique=False)
        batch_op.create_index("ix_webhook_delivery_due", ["due_at", "claimed_until"], unique=False)
