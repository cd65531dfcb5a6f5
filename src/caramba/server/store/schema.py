"""What the database holds: tables, their seats, their logs and their chat."""

import sqlalchemy as sql

metadata = sql.MetaData()

tables = sql.Table(
    "tables",
    metadata,
    sql.Column("id", sql.String(24), primary_key=True),
    sql.Column("code", sql.String(8), unique=True),  # to join by, while it is open
    sql.Column("game", sql.String(40), nullable=False),
    sql.Column("rules", sql.Integer, nullable=False),
    sql.Column("players", sql.Integer, nullable=False),
    sql.Column("options", sql.JSON, nullable=False),
    sql.Column("public", sql.Boolean, nullable=False),
    sql.Column("watch", sql.Boolean, nullable=False),
    sql.Column("chat", sql.Boolean, nullable=False),
    sql.Column("take_backs", sql.Boolean, nullable=False, server_default=sql.true()),
    sql.Column("clock", sql.JSON, nullable=False),
    sql.Column("owner", sql.Integer),
    sql.Column("status", sql.String(10), nullable=False),
    sql.Column("seed", sql.LargeBinary(64), nullable=False),  # SECRET until the game is over
    sql.Column("created", sql.Float, nullable=False),
    sql.Column("touched", sql.Float, nullable=False),
    sql.Column("due", sql.Float),  # when the table has to wake up by itself
    sql.Column("rematch", sql.String(24)),
    sql.Column("taken", sql.Integer, nullable=False, server_default="0"),  # by how many workers
)
sql.Index("tables_due", tables.c.due)
sql.Index("tables_status", tables.c.status, tables.c.touched)
sql.Index("tables_public", tables.c.public, tables.c.status, tables.c.touched)

seats = sql.Table(
    "seats",
    metadata,
    sql.Column("table_id", sql.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sql.Column("seat", sql.Integer, primary_key=True),
    sql.Column("kind", sql.String(10), nullable=False),
    sql.Column("name", sql.String(60), nullable=False),
    sql.Column("level", sql.String(20)),
    sql.Column("token", sql.String(64)),  # the SHA-256 of it
    sql.Column("mixes", sql.Boolean, nullable=False, server_default=sql.false()),
    sql.Column("promise", sql.String(64)),  # the SHA-256 of the entropy
    sql.Column("entropy", sql.String(128)),  # SECRET until all have shown theirs
    sql.Column("ask", sql.JSON, nullable=False),
    sql.Column("away", sql.Boolean, nullable=False),
    sql.Column("seconds", sql.Float),
)

log = sql.Table(
    "log",
    metadata,
    sql.Column("table_id", sql.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("who", sql.Integer),  # null for chance
    sql.Column("text", sql.String(200), nullable=False),
    sql.Column("key", sql.String(64)),  # of the client that sent it
)

chat = sql.Table(
    "chat",
    metadata,
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("table_id", sql.ForeignKey("tables.id", ondelete="CASCADE"), index=True),
    sql.Column("seat", sql.Integer),  # null for those who watch
    sql.Column("name", sql.String(60), nullable=False),
    sql.Column("text", sql.String(600), nullable=False),
    sql.Column("at", sql.Float, nullable=False),
)

pulse = sql.Table(
    "pulse",
    metadata,
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("at", sql.Float, nullable=False),  # when we last tried whether we can write
)

crew = sql.Table(
    "crew",
    metadata,
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("secret", sql.String(64), nullable=False),  # SECRET: by which workers know another
)

GLANCE = sql.select(*(sql.exists(sql.select(table)) for table in metadata.sorted_tables))
"""Whether each table can be read."""
