"""Several workers: how often each table was taken, and a secret that all of them know."""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add what is new; tables of before were never taken."""
    op.add_column("tables", sa.Column("taken", sa.Integer(), nullable=False, server_default="0"))
    crew = op.create_table(
        "crew",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.bulk_insert(crew, [{"id": 1, "secret": secrets.token_hex(32)}])
