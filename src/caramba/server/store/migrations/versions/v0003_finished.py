"""Tables are found by how they stand and when they were touched, however many are over."""

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the index."""
    op.create_index("tables_status", "tables", ["status", "touched"], unique=False)
