"""The hall's tables, step by step: a step that was once released is never changed, what is new comes as the next one.

The same text is read by SQLite and PostgreSQL. `logs` are the tables' logs by the seal of their first event: one that a
table has made anew is another log. `deeds` is the desk's own log, sealed as those of the tables are; whatever persons
decide in the hall is in it, and everything else follows from these two. `heads` is what
the tables signed of their logs.
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
