import sys

from tests.bench import reading, rules
from tests.bench.table import show

met = show("Rules", rules.rows())
reading.main()
sys.exit(not met)
