import sys

from tests.bench import keeping, reading, rules
from tests.bench.table import show

met = show("Rules", rules.rows())
met = show("Keeping", keeping.rows()) and met
reading.main()
sys.exit(not met)
