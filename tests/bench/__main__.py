import sys

from tests.bench import reading, rules, watching
from tests.bench.table import show

met = show("Rules", rules.rows())
reading.main()
met = watching.main() and met
sys.exit(not met)
