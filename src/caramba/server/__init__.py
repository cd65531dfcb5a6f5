"""Tables for people and bots: kept in a database, spoken to over sockets and HTTP."""
