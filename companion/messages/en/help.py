"""What `--help` says."""

HELP = {
    "program": "Companion for seven board games: referees records, lists moves, reads boards from pictures.",
    "program-games": "games: {games}",
    "program-examples": """examples:
  companion demo                       one refereed game of each kind
  companion judge game.json            is every move legal, who won, what is the score
  companion moves game.json            what can be played now
  companion perft game.json --depth 3  how many ways go on from here
  companion hint game.json             what to play, and what it is worth
  companion solve problem.json         can this solitaire still be solved, and how
  companion puzzle tetrods --level hard  a new problem with exactly one solution
  companion read board.jpg --game pegs what lies on the board in this picture
  companion games                      what was played at this table
  companion leds ports                 is the LED board there
  echo '{"game": "hepta"}' | companion moves -""",
    "lang": "language of messages: en or fr (default: your environment's)",
    "record": "a game record (JSON), or - for standard input",
    "moves": "list the legal moves of a record's position",
    "moves-examples": """prints a JSON list, sorted; empty when the game is over

example:
  companion moves game.json""",
    "perft": "count the move sequences of a given length",
    "perft-examples": """prints a bare number; 1 for depth 0, 0 when the game is over

example:
  echo '{"game": "six-faces"}' | companion perft - --depth 3""",
    "json": "the answer is JSON anyway",
    "depth": "how many moves deep, a whole number from 0 on",
    "judge": "check every move of a record and say how the game stands",
    "judge-examples": """prints a JSON object: ok, plies, illegal, over, to_move, winner, draw, scores, visible
an illegal move is an answer, not an error: the exit status is 0

example:
  companion judge game.json --lang fr""",
    "judge-analyse": "also mark the moves that threw away a won or drawn position (field analysis); proved where it says exact, else found by search",
    "judge-seconds": "how long --analyse thinks about each position (default: 0.2)",
    "match": "add up the records of a match, in the order in which they were played",
    "match-examples": """prints a JSON object: game, names, games, counts, played, totals, over, winners, text
who plays is told by the records (about.players, in the order of play); else sides are swapped from game to game

examples:
  companion match first.json return.json
  companion match game-*.json --games 5""",
    "match-records": "records of games that have ended",
    "match-games": "how many games the match has (default: as many as there are records)",
    "hint": "say what to play and what it is worth",
    "hint-examples": """prints a JSON object: move, value (1 a win, 0.5 a draw, 0 a loss, for the player to move), line, exact
when the game is over, move is null

examples:
  companion hint game.json
  echo '{"game": "six-faces"}' | companion hint - --seconds 3""",
    "hint-seconds": "how long to think at most (default: 1)",
    "play": "play against the computer in the terminal",
    "play-examples": """type moves as they are written in records, or: undo, hint, moves, resign, quit, help

examples:
  companion play six-faces
  companion play hepta --level 5 --as second
  companion play plank --players 3 -o game.json""",
    "play-level": "how strong the computer plays, or how hard a problem for one is, from 1 to 5; default 3",
    "play-as": "which side you play (default: the one that begins)",
    "play-players": "how many play Plank: 2, 3 or 4",
    "play-seed": "the same deal and the same computer again",
    "play-output": "keep the game's record in this file",
    "solve": "solve a solitaire (hepta-solo, tetrods, pegs-solo) from a record's position",
    "solve-examples": """prints a JSON object: solvable, solution (the moves that are left; null if there is none);
with --count also solutions (how many, as sets of placements) and complete (false if --limit stopped it)

examples:
  companion solve problem.json
  companion solve problem.json --count --limit 1000
  companion puzzle hepta-solo --seed 7 | companion solve - --count""",
    "solve-count": "also count all solutions",
    "solve-limit": "count no more than N solutions",
    "puzzle": "make new problems with exactly one solution: hepta-solo, tetrods, pegs-solo",
    "puzzle-examples": """prints a record (JSON) for each problem, one a line; in its field about: the level, the effort, the seed

effort is the number of positions that a patient solver looks at who always turns to the square (in Tetrods also the
piece) with the fewest ways left, tries them all, and takes back what leads nowhere:
easy up to 150, medium up to 500, hard up to 1000, fiendish above
an easy Hepta problem has some pieces laid already; Pegs solitaire gives some pegs, or some cards with their pegs

examples:
  companion puzzle tetrods --level hard --seed 3 > problem.json
  companion draw problem.json -o problem.png
  companion puzzle tetrods --count 50 -o booklet""",
    "puzzle-game": "hepta-solo, tetrods or pegs-solo",
    "puzzle-level": "easy, medium (default), hard or fiendish",
    "puzzle-seed": "the same problems again for the same number (default: by chance)",
    "puzzle-count": "how many, all different even when the board is turned or flipped (default: 1)",
    "puzzle-output": "also write each problem into this folder, as a record and as a picture (SVG)",
    "draw": "draw a record's position as a picture",
    "draw-examples": """the board as it stands after the last move, seen from the first player's seat, the last move marked;
around the board the picture is transparent

examples:
  companion draw game.json -o board.svg
  companion draw game.json -o opening.png --ply 12 --width 1200
  companion draw game.json --flip > board.svg""",
    "draw-output": "FILE.svg or FILE.png (default, or -: SVG to standard output)",
    "draw-ply": "after so many moves (default: after all)",
    "draw-flip": "as seen from the other side of the table",
    "draw-width": "how wide a PNG is, in pixels (default: 900)",
    "demo": "the whole thing on a simulated table: games that play themselves, refereed live, until interrupted",
    "demo-examples": """examples:
  companion demo
  companion demo --game plank --seed 7
  companion demo --sim trouble=illegal+bump,pace=2""",
    "demo-game": "play only this one of the games that companion --help lists (default: all in turn, 6 Faces first)",
    "demo-data": "keep the games in this folder, and go on there next time (default: nothing is kept)",
    "demo-port": "the dashboard's port; if it is taken, the next free one (default: 8000)",
    "demo-leds": "the LED board's serial port; AUTO: look for one, OFF: none, virtual: drawn on the dashboard (default: virtual)",
    "demo-seed": "play the same games again (default: others each time)",
    "demo-games": "end after so many games (default: never)",
    "demo-sim": "more about the simulated table: trouble=illegal+half+slide+reach+bump+light+cover+lost, pace=2, family=kitchen (default: trouble=illegal)",
    "new": "begin a game at this table, to be followed by companion run",
    "new-examples": """examples:
  companion new six-faces --option handedness=left --players Ann,Bob
  companion new tetrods --from-camera --camera 0
  companion new trippples --option hidden=true --from-camera""",
    "new-game": "the game, as companion --help lists them",
    "new-option": "an option of the game, as in handedness=left; may be given several times",
    "new-setup": "a file with the set-up as in a record (JSON)",
    "new-south": "6 Faces from any position: which face of each die looks south",
    "new-players": "the players' names",
    "new-from-camera": "begin with what the camera sees now",
    "new-json": "the new game's id and record as JSON",
    "run": "follow a game with a camera: every move refereed and kept, until it ends",
    "run-examples": """an unfinished game of the same kind is gone on with; ended by Ctrl-C it can be gone on with later

examples:
  companion run --game hepta --camera 0
  companion run --game hepta --camera none
  companion run --game plank --camera http://pi.local:8080/stream.mjpg
  companion run --game trippples --camera sim:trippples,seed=3""",
    "version": "show the version and exit",
    "run-record": "the game stands as in this record",
    "run-new": "begin a new game, even if one is unfinished",
    "run-json": "the log's events as JSON, a line each as soon as it is safe on disk",
    "follow": "follow a game over pictures: which legal moves explain them, what is illegal",
    "follow-examples": """the pictures are successive looks at the game that stands as in the record
a JSON line per picture: file, verdict (same, move, partial, illegal, unsure, hand), moves, reason, rule, squares

example:
  companion follow game.json look-*.jpg""",
    "follow-images": "pictures of the table, in the order in which they were taken; none for a file of evidence",
    "read": "read the board in pictures",
    "read-examples": """a JSON line per picture: file, field, game, visible, confidence, doubtful, hand, corners, ms

examples:
  companion read board.jpg --game hepta
  companion read *.jpg --game pegs --debug seen
  companion read old.jpg --game six-faces --corners 310,80,990,95,1100,650,190,640""",
    "images": "pictures (JPEG, PNG, …)",
    "read-game": "the game that is played, as companion --help lists them; needed on the 7×7 board",
    "read-corners": "the playing surface's corners in pixels, for boards with no markers that are not found by their lines: NW, NE, SE, SW",
    "read-lens": "a calibration written by companion calibrate",
    "read-debug": "write each picture with the reading drawn on it into this folder",
    "dice": "read the dice in any photograph, no board needed",
    "dice-examples": """a JSON line per picture: file, dice (top, color, box, confidence), ms

example:
  companion dice roll.jpg""",
    "check": "is this table good to read? light, glare, sharpness, size, markers, tilt",
    "check-examples": """examples:
  companion check photo.jpg
  companion check 0          the first camera""",
    "check-source": "a picture, a camera's number, or its address (rtsp://…, http://…)",
    "check-json": "the findings as JSON",
    "learn": "teach the reader this table's own set, from a known position",
    "learn-examples": """a few pieces laid as asked, the start position of 6 Faces or the position of a record teach the set's colors
kept for this table; --forget undoes it

examples:
  companion learn start.jpg --game six-faces
  companion learn 0 --game pegs --record game.json
  companion learn --game tetrods --shown       what to lay
  companion learn laid.jpg --game tetrods --shown
  companion learn --game six-faces --forget""",
    "learn-json": "what came of it as JSON",
    "learn-source": "a picture, a camera's number, or its address",
    "learn-game": "the game that the set is for",
    "learn-record": "the position that lies on the table (default: the start position, where it shows the pieces)",
    "learn-shown": "the pieces lie as the companion asks for; without a picture: say how",
    "learn-forget": "forget what was learned",
    "check-game": "the game whose learned set is looked at (default: every one), and whose board is found by its lines if it has no markers",
    "calibrate": "measure a camera's lens from pictures of a printed sheet (optional)",
    "calibrate-examples": """examples:
  companion calibrate --sheet sheet.png
  companion calibrate sheet-*.jpg --output lens.json
  companion read board.jpg --game hepta --lens lens.json""",
    "calibrate-images": "pictures of the sheet, from several sides",
    "calibrate-sheet": "write the sheet to print",
    "calibrate-output": "where to write the calibration (default: lens.json)",
    "games": "list the games that were kept",
    "games-examples": """examples:
  companion games
  companion games --data /media/stick --json""",
    "export": "write the record of a game that was kept",
    "export-examples": """the record is as judge, moves and follow read it

examples:
  companion export 3 > game.json
  companion export 3 -o game.json --pictures seen
  companion export 3 | companion judge -""",
    "export-id": "the game's number in companion games",
    "export-output": "where to write the record (default: standard output)",
    "export-evidence": "write the looks around an event, with their likelihoods, to this file; companion follow reads it",
    "export-event": "the number of the event that it is about; without it the last that was seen",
    "export-pictures": "write the pictures that were kept into this folder, as ID-EVENT-KIND.jpg",
    "export-gif": "write the game as a moving picture, .gif or .webp",
    "export-html": "write the game as a page in one file, with boards, moves and a graph of its course",
    "export-seconds": "how long the computer thinks about each position for the graph (default: 0.1; 0: no graph)",
    "verify": "check that nothing in the log was changed since it was written",
    "backup": "write a copy of the table's log, with its key, into one file",
    "backup-file": "the copy to write; one of this name is replaced",
    "backup-examples": """example:
  companion backup club.zip""",
    "restore": "put a copy back, where nothing is lost by it",
    "restore-file": "a copy that companion backup wrote",
    "restore-examples": """example:
  companion restore club.zip --data ./again""",
    "verify-head": "a signed head that somebody kept: its text as the QR code holds it, its four words, or a file or exported record with it; may be given several times",
    "verify-examples": """exit status: 0 all is as it was written, 1 something was changed, 2 the file cannot be read

examples:
  companion verify
  companion verify --data /media/stick --json""",
    "as-json": "the answer as JSON",
    "settings": "show the settings, where each comes from, and where their file is",
    "settings-examples": """a setting on the command line goes before the file, the file before the default

examples:
  companion settings
  companion settings --write         make the file, with all settings commented out
  companion settings --port 8080     what would hold with this""",
    "settings-path": "only say where the file is",
    "settings-write": "make the file; one that is there already is left alone",
    "setting-data": "the folder in which games are kept (default: the usual place for data on this system)",
    "setting-table": "the table's name: each has its own file in that folder (default: table)",
    "setting-camera": "a camera's number, device, address (rtsp://…, http://…), a film, a folder of pictures, sim:GAME, or none: play on the page alone (default: 0)",
    "setting-game": "the game that is played, as companion --help lists them",
    "setting-size": "the size of picture that the camera is asked for (default: 1280x720)",
    "setting-still": "for how many seconds the board must be still before it is read (default: 0.25)",
    "setting-surface": "how high the board's surface lies above the mat, in cells, if it is not the kit's",
    "setting-keep-pictures": "for how many days pictures are kept; 0: none, all: for ever (default: 30)",
    "setting-port": "the dashboard's port; 0: any that is free (default: 8000)",
    "setting-shared-machine": "yes: other people use this machine too, so that the PIN is needed on it as well",
    "setting-leds": "the LED board's serial port, or wled:ADDRESS for WLED in the network (wled: alone finds it); AUTO: look for one, OFF: none, virtual: drawn on the dashboard (default: OFF)",
    "leds": "lights in the board: find them, test them, see what they show",
    "leds-examples": """what:
  ports    the serial ports, and what answers at those that AUTO may look at (which may reset what is there)
  test     all LEDs red, green, blue, white; tells the buttons that are pressed
  walk     one LED after another in the order of the wire, to check the layout
  flash    put the firmware on an Uno, a Nano, or a Pico or ESP32 with MicroPython; other machines are left alone
  doctor   let a light run and tell how good the line is; -o FILE.json keeps it for a bug report
  layout   find out how the LEDs are wired, by a few questions or by a camera in the dark, and put it into the settings
  preview  draw what the LEDs show of a record; on a matrix of one color the bar under a light is its blinking

a layout is written in words, panels joined with +: 8x8 nw serpentine + 1x8 columns
  sw se nw ne        the corner of the first LED (sw)      turn=90    mounted turned clockwise
  rows columns       along which the wire runs (rows)      at=8:0     where a panel's south-west corner lies
  plain serpentine   whether it goes back and forth        a1=0:1     where the square a1 lies
  arrows             a display for the arrows of Trippples beside the board

examples:
  companion leds ports
  companion leds flash /dev/ttyUSB0
  companion leds test --port /dev/ttyUSB0 --kind adalight --size 8x8
  companion leds layout --camera 0
  companion leds walk --layout "8x8 nw serpentine + 1x8 columns"
  companion leds preview game.json -o lights.png --hint a1-a4-c4
  companion leds preview game.json -o mono.png --layout "8x8 + arrows" --mono""",
    "service": "have the companion start with the machine (systemd; made for a Raspberry Pi)",
    "service-examples": """examples:
  sudo companion service install --game six-faces --leds AUTO
  sudo companion service install --camera 0 --hall http://192.168.1.20:8100 --key 3-w2kfh8q7d5m4x9t6r3b7n2pc
  companion service install --print
  sudo companion service remove""",
    "service-what": "install or remove",
    "service-user": "who it runs as (default: you)",
    "service-root": "the system's folder, for an SD card that is being prepared (default: /)",
    "service-print": "only show the service",
    "leds-what": "ports, test, walk, flash, layout, doctor or preview",
    "leds-record": "for preview: a game record (JSON), or - for standard input; for flash: the board's port (default: the only one there is)",
    "leds-camera": "for layout: the camera over the board; without one you are asked",
    "leds-anyway": "for flash: also over a program of its own that the board runs",
    "leds-output": "for doctor: FILE.json; for preview: FILE.png or FILE.svg (default, or -: SVG to standard output)",
    "leds-mono": "for preview: as a matrix of one color shows it; for flash: the board has MAX7219",
    "leds-hint": "for preview: with this move as a hint",
    "leds-lifted": "for preview: with the piece of this square in a hand",
    "leds-seconds": "for walk: how long each LED is lit (default: 0.4); for doctor: how long it listens (default: 5)",
    "setting-leds-kind": "AUTO: the companion's firmware, which says what it is; adalight: WLED and Adalight boards (default: AUTO)",
    "setting-leds-size": "columns and rows of the LED matrix (default: 8x8, or as large as the game's board)",
    "setting-leds-layout": "how the LEDs are wired, as in: nw serpentine; companion leds --help explains it",
    "setting-leds-brightness": "how bright the LEDs are, in per cent (default: 30)",
    "setting-leds-current": "what the LEDs may draw at most, in mA (default: 450, for a USB port)",
    "setting-leds-only": "AUTO looks at these ports only, as in *Arduino*,/dev/ttyUSB*",
    "setting-leds-never": "AUTO leaves these ports alone, as in *Printer*",
    "web-host": "the address at which the dashboard is served (default: 127.0.0.1, this machine only; 0.0.0.0: the whole network)",
    "web-https": "serve the dashboard by HTTPS with a certificate of its own, as phones want before they lend their camera",
    "web-none": "no dashboard: the table in the terminal only",
    "kit": "print the kit: mats with markers, pieces, cards, dice, rules, at their true size",
    "kit-examples": """prints a JSON object: file, pages, parts (how many of each)
with --proof also what the photograph tells of the printer: scale, fitted, corrected, black, colors, advice

examples:
  companion kit all -o kit.pdf
  companion kit six-faces -o dice.pdf --paper Letter --cell 28
  companion kit --proof photo.jpg
  companion kit all --proof photo.jpg -o kit.pdf
  companion kit tetrods --svg plans --kerf 0.15
  companion kit pegs --stl solids""",
    "kit-game": "a game, or all",
    "kit-output": "the PDF to write",
    "kit-paper": "A4 (default), A3 or Letter",
    "kit-cell": "the width of a square in millimeters (default: 30; tokens are then 25 mm wide)",
    "kit-bleed": "how far color reaches over the lines to cut, in millimeters (default: 1)",
    "kit-scale": "draw everything so much larger across and down, because the printer shrinks it, as in 1.02,1.01",
    "kit-offset": "shift the backs by so many millimeters to the right and down, because the printer turns paper over askew",
    "kit-proof": "measure the printer by a photograph of the printed proof page; with -o write the kit corrected",
    "kit-svg": "write plans for a laser cutter into this folder: cut black, engrave blue, score red",
    "kit-stl": "write pegs, mushrooms, pawns and dice for a 3D printer into this folder",
    "kit-kerf": "how wide the laser cuts, in millimeters (default: 0)",
    "kit-leds": "from LED to LED, in millimeters: the squares of the board over LEDs (default: 33.3, 30 to the meter)",
    "booklet": "print a booklet of problems for one, with solutions, to be folded",
    "booklet-examples": """prints a JSON object: file, pages, problems, address
every problem has one solution; its QR code opens it on the table's page

examples:
  companion booklet tetrods -o tetrods.pdf
  companion booklet hepta-solo --level hard --count 12 -o hepta.pdf
  companion booklet pegs-solo --level easy,medium --address http://192.168.1.20:8000 -o pegs.pdf""",
    "booklet-level": "easy, medium, hard, fiendish, several with commas, or all (default): as many of each",
    "booklet-count": "how many problems (default: 48)",
    "booklet-seed": "the same problems again for the same number (default: 1)",
    "booklet-address": "of the table's page, for the QR codes (default: this machine's)",
    "hall": "a hall full of tables: tournaments, a desk, standings",
    "hall-examples": 'examples:\n  companion hall init club --name "Town hall"\n  companion hall serve club --host 0.0.0.0\n  companion hall serve --database postgresql://desk@db/hall\n  companion hall join "Table 7" --database club\n  companion hall pair --publish\n  companion hall standings\n  companion hall export --form trf -o event.trf',
    "hall-what": "init makes a hall, serve opens the desk, join gives a table its key, pair draws the next round, standings and export tell",
    "hall-target": "the hall’s folder (init, serve; usually the data folder), a table’s name (join), or a tournament by name or number (usually the newest)",
    "hall-database": "postgresql://… for several desks, or a hall’s folder or file; usually in the data folder",
    "hall-name": "what a new hall is called",
    "hall-host": "where to be asked: 0.0.0.0 for the whole network; usually this machine only",
    "hall-port": "its port, usually 8100",
    "hall-https": "by HTTPS, with a certificate of its own whose fingerprint is shown",
    "hall-mqtt": "tell displays and home automation through this broker: mqtt://…",
    "hall-url": "where tables find the hall, if not at this machine’s address",
    "hall-revoke": "join: the table’s key is worth nothing any more",
    "hall-publish": "pair: approve the round at once",
    "hall-form": "export: csv, json or trf",
    "hall-output": "export: into this file",
    "run-hall": "report to this hall: http://… or https://…",
    "run-key": "the table’s key of that hall, or a file that holds it",
    "verify-database": "a whole hall instead of one table: its database",
}

# What argparse would say less plainly, by its own words.
ARGPARSE = {
    "invalid choice: %(value)r (choose from %(choices)s)": "%(value)r is not one of %(choices)s",
}
