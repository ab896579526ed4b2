import sys

from tests.bench import rules
from tests.bench.table import show

sys.exit(not show("Rules", rules.rows()))
