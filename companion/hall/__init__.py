"""A hall full of tables: what they report, tournaments, standings. Imported only where it is used."""
