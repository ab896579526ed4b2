from companion.cli import entry

entry()
