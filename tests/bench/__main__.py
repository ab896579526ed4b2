import sys

from tests.bench import (
    camera_tables,
    crowds,
    following,
    hall,
    keeping,
    leds,
    page,
    puzzles,
    reading,
    rules,
    skipping,
    stage,
    strength,
    thinking,
    watching,
    web,
)
from tests.bench.table import show

met = show("Rules", rules.rows())
met = show("Thinking", thinking.rows()) and met
met = show("Solitaires", puzzles.rows()) and met
met = show("Strength", strength.rows()) and met
met = show("Keeping", keeping.rows()) and met
met = show("Simulated table", stage.rows()) and met
reading.main()
met = watching.main() and met
met = following.main() and met
met = skipping.main() and met
met = web.main() and met
met = crowds.main() and met
met = hall.main() and met
met = camera_tables.main() and met
met = page.main() and met
met = show("LEDs: from paint to latched", leds.rows()) and met
sys.exit(not met)
