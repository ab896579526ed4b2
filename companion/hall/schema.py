"""The hall's schema as numbered migrations. A released migration is never changed; changes come as a new one.

SQLite and PostgreSQL run the same SQL. `logs` has one row for each log of a table, by the hash of its first event: a
table that starts a new log gets another row. `deeds` is the desk's own log (`desk_log.py`), hash-chained as those of
the tables are. All state of the hall is derived from these two. `heads` are the tables' signed heads.
"""

MIGRATIONS = (
    """
CREATE TABLE logs (
    log TEXT PRIMARY KEY, place BIGINT NOT NULL, have BIGINT NOT NULL, seal TEXT NOT NULL,
    began DOUBLE PRECISION NOT NULL, last DOUBLE PRECISION NOT NULL, broken BIGINT
);
CREATE TABLE events (
    log TEXT NOT NULL REFERENCES logs, number BIGINT NOT NULL, game BIGINT NOT NULL, at DOUBLE PRECISION NOT NULL,
    kind TEXT NOT NULL, data TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (log, number)
);
CREATE TABLE refusals (
    log TEXT NOT NULL, number BIGINT NOT NULL, place BIGINT NOT NULL, at DOUBLE PRECISION NOT NULL,
    why TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (log, number, hash)
);
CREATE TABLE pictures (
    log TEXT NOT NULL, number BIGINT NOT NULL, jpeg BYTEA NOT NULL, PRIMARY KEY (log, number)
);
CREATE TABLE wanted (
    log TEXT NOT NULL, number BIGINT NOT NULL, PRIMARY KEY (log, number)
);
CREATE TABLE commands (
    place BIGINT NOT NULL, number BIGINT NOT NULL, at DOUBLE PRECISION NOT NULL, who TEXT NOT NULL,
    kind TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (place, number)
);
CREATE TABLE heard (
    place BIGINT PRIMARY KEY, at DOUBLE PRECISION NOT NULL
);
CREATE TABLE deeds (
    number BIGINT PRIMARY KEY, at DOUBLE PRECISION NOT NULL, who TEXT NOT NULL,
    kind TEXT NOT NULL, data TEXT NOT NULL, hash TEXT NOT NULL
)
""",
    """
CREATE TABLE heads (
    log TEXT NOT NULL, number BIGINT NOT NULL, head TEXT NOT NULL, at DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (log, number, head)
)
""",
)
