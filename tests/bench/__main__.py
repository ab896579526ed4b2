import sys

from tests.bench import following, keeping, leds, reading, rules, stage, watching, web
from tests.bench.table import show

met = show("Rules", rules.rows())
met = show("Keeping", keeping.rows()) and met
met = show("Simulated table", stage.rows()) and met
reading.main()
met = watching.main() and met
met = following.main() and met
met = web.main() and met
met = show("LEDs: from paint to latched", leds.rows()) and met
sys.exit(not met)
