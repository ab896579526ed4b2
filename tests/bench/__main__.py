import sys

from tests.bench import reading, rules, stage
from tests.bench.table import show

met = show("Rules", rules.rows())
met &= show("Simulated table", stage.rows())
reading.main()
sys.exit(not met)
