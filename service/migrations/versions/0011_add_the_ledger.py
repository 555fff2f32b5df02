"""Keep a ledger of coins and copies; say of each copy whether it is bound, and where it is.

Revises 0009. Copies that exist are entered as what they were: given with a starter deck, or minted free. Both
stay with their owners from now on.
"""

from itertools import groupby

import sqlalchemy as sa
import sqlmodel.sql.sqltypes
from alembic import op

from crypto.encoding import b64, canonical, i2osp, unb64
from crypto.transcript import tuple_hash

revision = "0011"
down_revision = "0009"
branch_labels = None
depends_on = None

APPEND_ONLY = ("ledger_transaction", "ledger_transfer")
NO_DIGEST = b64(bytes(32))


def _forbid_changes() -> None:
    """Have the database itself refuse to change or delete what the ledger says."""
    if op.get_bind().dialect.name == "sqlite":
        for table in APPEND_ONLY:
            for verb in ("UPDATE", "DELETE"):
                op.execute(
                    f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table}"
                    " BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END"
                )
        return
    op.execute(
        "CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS"
        " $$ BEGIN RAISE EXCEPTION 'the ledger is append-only'; END $$"
    )
    for table in APPEND_ONLY:
        op.execute(
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON {table}"
            " FOR EACH ROW EXECUTE FUNCTION ledger_is_append_only()"
        )


def _enter_copies() -> None:
    """Enter the copies that exist: a transaction for each owner, origin and moment."""
    bind = op.get_bind()
    tables = sa.MetaData()
    names = ("player", "copy", "account", "ledger_transaction", "ledger_transfer", "ledger_head")
    tables.reflect(bind, only=names)
    account, copy = tables.tables["account"], tables.tables["copy"]
    bind.execute(account.insert(), [{"id": name, "player_id": None, "coins": 0} for name in ("mint", "till")])
    players = sorted(bind.execute(sa.select(tables.tables["player"].c.id)).scalars())
    if players:
        bind.execute(account.insert(), [{"id": one, "player_id": one, "coins": 0} for one in players])
    columns = (copy.c.created_at, copy.c.owner_id, copy.c.origin, copy.c.card, copy.c.serial, copy.c.id)
    rows = sorted(tuple(row) for row in bind.execute(sa.select(*columns)))
    seq, digest = 0, NO_DIGEST
    for (at, owner, origin), group in groupby(rows, key=lambda row: row[:3]):
        copies = [row[-1] for row in group]
        seq, kind = seq + 1, origin.partition(":")[0]
        listed = [{"source": "mint", "target": owner, "coins": None, "copy": one} for one in copies]
        said = {"seq": seq, "kind": kind, "ref": None, "at": at, "transfers": listed}
        # As service/operations/ledger.py does it, written out: a migration never changes.
        digest = b64(tuple_hash("ledger", unb64(digest), i2osp(seq, 8), canonical(said), length=32))
        row = {"seq": seq, "kind": kind, "ref": None, "at": at, "digest": digest}
        bind.execute(tables.tables["ledger_transaction"].insert(), [row])
        transfers = [
            {"seq": seq, "number": i, "source": "mint", "target": owner, "coins": None, "copy_id": one}
            for i, one in enumerate(copies)
        ]
        bind.execute(tables.tables["ledger_transfer"].insert(), transfers)
    if seq:
        bind.execute(tables.tables["ledger_head"].insert(), [{"id": 1, "seq": seq, "digest": digest}])


def upgrade() -> None:
    """Forward."""
    with op.batch_alter_table("copy", schema=None) as batch_op:
        batch_op.add_column(sa.Column("soulbound", sa.Boolean(), server_default=sa.false(), nullable=False))
        batch_op.add_column(
            sa.Column(
                "state", sqlmodel.sql.sqltypes.AutoString(length=8), server_default="free", nullable=False
            )
        )
    op.execute("UPDATE copy SET state = 'held' WHERE held_by IS NOT NULL")
    op.execute("UPDATE copy SET soulbound = true")
    with op.batch_alter_table("copy", schema=None) as batch_op:
        batch_op.create_check_constraint(
            batch_op.f("ck_copy_state"), "state IN ('free', 'listed', 'escrow', 'held')"
        )
        batch_op.create_check_constraint(
            batch_op.f("ck_copy_in_one_place"), "(state = 'free') = (held_by IS NULL)"
        )
        batch_op.create_check_constraint(
            batch_op.f("ck_copy_bound"), "NOT soulbound OR state IN ('free', 'held')"
        )
    op.create_table(
        "ledger_head",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("digest", sqlmodel.sql.sqltypes.AutoString(length=43), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ledger_head")),
    )
    op.create_table(
        "ledger_transaction",
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sqlmodel.sql.sqltypes.AutoString(length=16), nullable=False),
        sa.Column("ref", sqlmodel.sql.sqltypes.AutoString(length=100), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("digest", sqlmodel.sql.sqltypes.AutoString(length=43), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_ledger_transaction")),
        sa.UniqueConstraint("ref", name=op.f("uq_ledger_transaction_ref")),
    )
    op.create_table(
        "account",
        sa.Column("id", sqlmodel.sql.sqltypes.AutoString(length=36), nullable=False),
        sa.Column("player_id", sqlmodel.sql.sqltypes.AutoString(length=36), nullable=True),
        sa.Column("coins", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("player_id IS NULL OR coins >= 0", name=op.f("ck_account_not_overdrawn")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_account_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sa.UniqueConstraint("player_id", name=op.f("uq_account_player_id")),
    )
    op.create_table(
        "ledger_transfer",
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("source", sqlmodel.sql.sqltypes.AutoString(length=36), nullable=False),
        sa.Column("target", sqlmodel.sql.sqltypes.AutoString(length=36), nullable=False),
        sa.Column("coins", sa.BigInteger(), nullable=True),
        sa.Column("copy_id", sqlmodel.sql.sqltypes.AutoString(length=36), nullable=True),
        sa.CheckConstraint("(coins IS NULL) <> (copy_id IS NULL)", name=op.f("ck_ledger_transfer_one_thing")),
        sa.CheckConstraint("coins IS NULL OR coins > 0", name=op.f("ck_ledger_transfer_some_coins")),
        sa.CheckConstraint("source <> target", name=op.f("ck_ledger_transfer_two_accounts")),
        sa.ForeignKeyConstraint(["copy_id"], ["copy.id"], name=op.f("fk_ledger_transfer_copy_id")),
        sa.ForeignKeyConstraint(["seq"], ["ledger_transaction.seq"], name=op.f("fk_ledger_transfer_seq")),
        sa.ForeignKeyConstraint(["source"], ["account.id"], name=op.f("fk_ledger_transfer_source")),
        sa.ForeignKeyConstraint(["target"], ["account.id"], name=op.f("fk_ledger_transfer_target")),
        sa.PrimaryKeyConstraint("seq", "number", name=op.f("pk_ledger_transfer")),
    )
    with op.batch_alter_table("ledger_transfer", schema=None) as batch_op:
        batch_op.create_index("ix_ledger_transfer_copy_id", ["copy_id", "seq"], unique=False)
        batch_op.create_index("ix_ledger_transfer_source", ["source", "seq"], unique=False)
        batch_op.create_index("ix_ledger_transfer_target", ["target", "seq"], unique=False)
    _enter_copies()
    _forbid_changes()


def downgrade() -> None:
    """Back: what was ever moved, and all coins, are forgotten."""
    with op.batch_alter_table("ledger_transfer", schema=None) as batch_op:
        batch_op.drop_index("ix_ledger_transfer_target")
        batch_op.drop_index("ix_ledger_transfer_source")
        batch_op.drop_index("ix_ledger_transfer_copy_id")

    op.drop_table("ledger_transfer")
    op.drop_table("account")
    op.drop_table("ledger_transaction")
    op.drop_table("ledger_head")
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION ledger_is_append_only()")
    with op.batch_alter_table("copy", schema=None) as batch_op:
        for name in ("bound", "in_one_place", "state"):
            batch_op.drop_constraint(batch_op.f(f"ck_copy_{name}"), type_="check")
        batch_op.drop_column("state")
        batch_op.drop_column("soulbound")
