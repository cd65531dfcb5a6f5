"""Seats promise what they mix into the deal; tables without take-backs; a place to try writing."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add what is new; tables of before go on as they were."""
    op.add_column(
        "tables", sa.Column("take_backs", sa.Boolean(), nullable=False, server_default=sa.true())
    )
    op.add_column(
        "seats", sa.Column("mixes", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.add_column("seats", sa.Column("promise", sa.String(length=64), nullable=True))
    op.create_table(
        "pulse",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.execute("INSERT INTO pulse (id, at) VALUES (1, 0)")
