"""Add roles, sanctions and the log of acts; let names of decks and tables be hidden.

Revises 0027.
"""

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None
beside = "the triggers guard a new table, which the version before does not know"


def _text(length: int) -> sqlmodel.sql.sqltypes.AutoString:
    return sqlmodel.sql.sqltypes.AutoString(length=length)


def _forbid_changes() -> None:
    """Have the database itself refuse to change or delete what the log says."""
    if op.get_bind().dialect.name == "sqlite":
        for verb in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER act_no_{verb.lower()} BEFORE {verb} ON act"
                " BEGIN SELECT RAISE(ABORT, 'the log of acts is append-only'); END"
            )
        return
    op.execute(
        "CREATE FUNCTION acts_are_append_only() RETURNS trigger LANGUAGE plpgsql AS"
        " $$ BEGIN RAISE EXCEPTION 'the log of acts is append-only'; END $$"
    )
    op.execute(
        "CREATE TRIGGER act_append_only BEFORE UPDATE OR DELETE ON act"
        " FOR EACH ROW EXECUTE FUNCTION acts_are_append_only()"
    )
    op.execute(
        "CREATE TRIGGER act_no_truncate BEFORE TRUNCATE ON act"
        " FOR EACH STATEMENT EXECUTE FUNCTION acts_are_append_only()"
    )


def upgrade() -> None:
    """Forward."""
    op.create_table(
        "role",
        sa.Column("player_id", _text(36), nullable=False),
        sa.Column("name", _text(12), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("name IN ('admin', 'moderator')", name=op.f("ck_role_known")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_role_player_id")),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_role")),
    )
    op.create_table(
        "sanction",
        sa.Column("player_id", _text(36), nullable=False),
        sa.Column("kind", _text(16), nullable=False),
        sa.Column("reason", _text(300), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("kind IN ('suspended', 'trades_frozen')", name=op.f("ck_sanction_known")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_sanction_player_id")),
        sa.PrimaryKeyConstraint("player_id", "kind", name=op.f("pk_sanction")),
    )
    op.create_table(
        "act_head",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("digest", _text(43), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_act_head")),
    )
    op.create_table(
        "act",
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("actor", _text(36), nullable=False),
        sa.Column("kind", _text(24), nullable=False),
        sa.Column("subject", _text(12), nullable=False),
        sa.Column("subject_id", _text(36), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.Column("digest", _text(43), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_act")),
    )
    with op.batch_alter_table("act", schema=None) as batch_op:
        batch_op.create_index("ix_act_subject", ["subject_id", "seq"], unique=False)
    with op.batch_alter_table("deck", schema=None) as batch_op:
        batch_op.add_column(sa.Column("name_hidden", sa.Boolean(), server_default=sa.false(), nullable=False))
    with op.batch_alter_table("game_table", schema=None) as batch_op:
        batch_op.add_column(sa.Column("hidden", sa.Boolean(), server_default=sa.false(), nullable=False))
    _forbid_changes()


def downgrade() -> None:
    """Back: who has which role, and what was ever done, are forgotten."""
    with op.batch_alter_table("game_table", schema=None) as batch_op:
        batch_op.drop_column("hidden")
    with op.batch_alter_table("deck", schema=None) as batch_op:
        batch_op.drop_column("name_hidden")
    with op.batch_alter_table("act", schema=None) as batch_op:
        batch_op.drop_index("ix_act_subject")
    op.drop_table("act")
    op.drop_table("act_head")
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION acts_are_append_only()")
    op.drop_table("sanction")
    op.drop_table("role")
