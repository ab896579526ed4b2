"""Ce que dit `--help`."""

HELP = {
    "program": "Compagnon pour sept jeux de plateau : arbitre les parties, énumère les coups, lit les plateaux sur des images.",
    "program-games": "jeux : {games}",
    "program-examples": """exemples :
  companion demo                       une partie arbitrée de chaque jeu
  companion judge partie.json          les coups sont-ils légaux, qui a gagné, quel est le score
  companion moves partie.json          ce qu'on peut jouer maintenant
  companion perft partie.json --depth 3  de combien de façons on peut continuer
  companion hint partie.json             quoi jouer, et ce que cela vaut
  companion solve probleme.json        ce solitaire a-t-il encore une solution, et laquelle
  companion puzzle tetrods --level hard  un nouveau problème à solution unique
  companion read plateau.jpg --game pegs ce qui est posé sur le plateau de cette image
  companion games                      ce qui s'est joué à cette table
  companion leds ports                 la carte à LED est-elle là
  echo '{"game": "hepta"}' | companion moves -""",
    "lang": "langue des messages : en ou fr (par défaut, celle de l'environnement)",
    "record": "une partie (JSON), ou - pour l'entrée standard",
    "moves": "énumérer les coups légaux de la position d'une partie",
    "moves-examples": """affiche une liste JSON triée, vide quand la partie est finie

exemple :
  companion moves partie.json""",
    "perft": "compter les suites de coups d'une longueur donnée",
    "perft-examples": """affiche un nombre seul ; 1 pour la profondeur 0, 0 quand la partie est finie

exemple :
  echo '{"game": "six-faces"}' | companion perft - --depth 3""",
    "json": "la réponse est de toute façon en JSON",
    "depth": "nombre de coups, un entier à partir de 0",
    "judge": "vérifier chaque coup d'une partie et dire où elle en est",
    "judge-examples": """affiche un objet JSON : ok, plies, illegal, over, to_move, winner, draw, scores, visible
un coup illégal est une réponse, pas une erreur : le code de sortie est 0

exemple :
  companion judge partie.json --lang fr""",
    "judge-analyse": "signaler aussi les coups qui ont gâché une position gagnée ou nulle (champ analysis) ; prouvé si exact, sinon trouvé par recherche",
    "judge-seconds": "temps de réflexion de --analyse par position (par défaut : 0.2)",
    "match": "additionner les parties d'un match, dans l'ordre où elles ont été jouées",
    "match-examples": """affiche un objet JSON : game, names, games, counts, played, totals, over, winners, text
les parties disent qui joue (about.players, dans l'ordre de jeu) ; sinon les côtés s'échangent d'une partie à l'autre

exemples :
  companion match aller.json retour.json
  companion match partie-*.json --games 5""",
    "match-records": "des parties finies",
    "match-games": "nombre de parties du match (par défaut : autant qu'il y en a ici)",
    "hint": "dire quoi jouer et ce que cela vaut",
    "hint-examples": """affiche un objet JSON : move, value (1 gain, 0.5 nulle, 0 perte, pour le joueur au trait), line, exact
quand la partie est finie, move est null

exemples :
  companion hint partie.json
  echo '{"game": "six-faces"}' | companion hint - --seconds 3""",
    "hint-seconds": "temps de réflexion au plus (par défaut : 1)",
    "play": "jouer contre l'ordinateur dans le terminal",
    "play-examples": """tapez les coups comme dans les fiches de partie, ou : annuler, indice, coups, abandonner, quitter, aide

exemples :
  companion play six-faces
  companion play hepta --level 5 --as second
  companion play plank --players 3 -o partie.json""",
    "play-level": "force de l'ordinateur, ou difficulté d'un problème en solitaire, de 1 à 5 ; par défaut 3",
    "play-as": "le camp que vous jouez (par défaut : celui qui commence)",
    "play-players": "nombre de joueurs à Plank : 2, 3 ou 4",
    "play-seed": "la même donne et le même ordinateur",
    "play-output": "conserver la partie dans ce fichier",
    "solve": "résoudre un solitaire (hepta-solo, tetrods, pegs-solo) à partir de la position d'une partie",
    "solve-examples": """affiche un objet JSON : solvable, solution (les coups qui restent ; null s'il n'y en a pas) ;
avec --count aussi solutions (leur nombre, comme ensembles de poses) et complete (false si --limit y a mis fin)

exemples :
  companion solve probleme.json
  companion solve probleme.json --count --limit 1000
  companion puzzle hepta-solo --seed 7 | companion solve - --count""",
    "solve-count": "compter aussi toutes les solutions",
    "solve-limit": "ne pas compter plus de N solutions",
    "puzzle": "créer des problèmes à solution unique : hepta-solo, tetrods, pegs-solo",
    "puzzle-examples": """affiche pour chaque problème une partie (JSON), une par ligne ; son champ about donne le niveau, l'effort, la graine

l'effort est le nombre de positions qu'examine un joueur patient qui va toujours à la case (dans Tetrods aussi à la
pièce) où il reste le moins de possibilités, les essaie toutes et reprend ce qui ne mène à rien :
easy jusqu'à 150, medium jusqu'à 500, hard jusqu'à 1000, fiendish au-delà
un problème facile de Hepta a déjà quelques pièces posées ; le solitaire de Pegs donne des chevilles, ou des cartes avec les leurs

exemples :
  companion puzzle tetrods --level hard --seed 3 > probleme.json
  companion draw probleme.json -o probleme.png
  companion puzzle tetrods --count 50 -o carnet""",
    "puzzle-game": "hepta-solo, tetrods ou pegs-solo",
    "puzzle-level": "easy, medium (par défaut), hard ou fiendish",
    "puzzle-seed": "pour le même nombre, les mêmes problèmes (par défaut, au hasard)",
    "puzzle-count": "combien, tous différents même si l'on tourne ou retourne le plateau (par défaut : 1)",
    "puzzle-output": "écrire aussi chaque problème dans ce dossier, comme partie et comme image (SVG)",
    "draw": "dessiner la position d'une partie",
    "draw-examples": """le plateau après le dernier coup, vu de la place du premier joueur, le dernier coup marqué ;
autour du plateau l'image est transparente

exemples :
  companion draw partie.json -o plateau.svg
  companion draw partie.json -o debut.png --ply 12 --width 1200
  companion draw partie.json --flip > plateau.svg""",
    "draw-output": "FICHIER.svg ou FICHIER.png (par défaut, ou - : SVG sur la sortie standard)",
    "draw-ply": "après tant de coups (par défaut : après tous)",
    "draw-flip": "vu de l'autre côté de la table",
    "draw-width": "largeur d'un PNG en pixels (par défaut : 900)",
    "demo": "le tout sur une table simulée : des parties qui se jouent seules, arbitrées en direct, jusqu'à interruption",
    "demo-examples": """exemples :
  companion demo
  companion demo --game plank --seed 7
  companion demo --sim trouble=illegal+bump,pace=2""",
    "demo-game": "ne jouer que celui-ci, parmi les jeux que liste companion --help (par défaut : tous à tour de rôle, 6 Faces d'abord)",
    "demo-data": "garder les parties dans ce dossier, et y reprendre la fois d'après (par défaut : rien n'est gardé)",
    "demo-port": "le port du tableau de bord ; s'il est pris, le premier libre ensuite (par défaut : 8000)",
    "demo-leds": "le port série des LED ; AUTO : en chercher un, OFF : aucun, virtual : dessinées sur le tableau de bord (par défaut : virtual)",
    "demo-seed": "rejouer les mêmes parties (par défaut : d'autres à chaque fois)",
    "demo-games": "finir après tant de parties (par défaut : jamais)",
    "demo-sim": "de la table simulée : trouble=illegal+half+slide+reach+bump+light+cover+lost, pace=2, family=kitchen (par défaut : trouble=illegal)",
    "new": "commencer une partie à cette table, que companion run suivra",
    "new-examples": """exemples :
  companion new six-faces --option handedness=left --players Anne,Bruno
  companion new tetrods --from-camera --camera 0
  companion new trippples --option hidden=true --from-camera""",
    "new-game": "le jeu, parmi ceux que liste companion --help",
    "new-option": "une option du jeu, comme handedness=left ; peut être donnée plusieurs fois",
    "new-setup": "un fichier avec la mise en place comme dans une notation (JSON)",
    "new-south": "6 Faces depuis une position quelconque : la face sud de chaque dé",
    "new-players": "les noms des joueurs",
    "new-from-camera": "commencer par ce que voit la caméra",
    "new-json": "le numéro et la notation de la partie en JSON",
    "run": "suivre une partie avec une caméra : chaque coup arbitré et gardé, jusqu'à la fin",
    "run-examples": """une partie inachevée du même jeu est continuée ; interrompue par Ctrl-C, elle pourra l'être plus tard

exemples :
  companion run --game hepta --camera 0
  companion run --game hepta --camera none
  companion run --game plank --camera http://pi.local:8080/stream.mjpg
  companion run --game trippples --camera sim:trippples,seed=3""",
    "version": "afficher la version et finir",
    "run-record": "la partie est comme dans cette notation",
    "run-new": "commencer une nouvelle partie, même si une autre est inachevée",
    "run-json": "les événements en JSON, une ligne chacun dès qu'il est en sûreté sur le disque",
    "follow": "suivre une partie sur des images : quels coups permis les expliquent, ce qui est interdit",
    "follow-examples": """les images sont des vues successives de la partie telle que dans la notation
une ligne JSON par image : file, verdict (same, move, partial, illegal, unsure, hand), moves, reason, rule, squares

exemple :
  companion follow partie.json vue-*.jpg""",
    "follow-images": "images de la table, dans l'ordre où elles ont été prises\xa0; aucune pour un fichier de regards",
    "read": "lire le plateau sur des images",
    "read-examples": """une ligne JSON par image : file, field, game, visible, confidence, doubtful, hand, corners, ms

exemples :
  companion read plateau.jpg --game hepta
  companion read *.jpg --game pegs --debug vus
  companion read vieux.jpg --game six-faces --corners 310,80,990,95,1100,650,190,640""",
    "images": "des images (JPEG, PNG, …)",
    "read-game": "le jeu auquel on joue, parmi ceux que liste companion --help ; nécessaire sur le plateau 7×7",
    "read-corners": "les coins de la surface de jeu en pixels, pour un plateau sans repères que ses lignes ne trahissent pas : NO, NE, SE, SO",
    "read-lens": "un étalonnage écrit par companion calibrate",
    "read-debug": "écrire chaque image avec sa lecture dessinée dans ce dossier",
    "dice": "lire les dés sur n'importe quelle photo, sans plateau",
    "dice-examples": """une ligne JSON par image : file, dice (top, color, box, confidence), ms

exemple :
  companion dice lancer.jpg""",
    "check": "cette table se lit-elle bien ? lumière, reflets, netteté, taille, repères, inclinaison",
    "check-examples": """exemples :
  companion check photo.jpg
  companion check 0          la première caméra""",
    "check-source": "une image, le numéro d'une caméra ou son adresse (rtsp://…, http://…)",
    "check-json": "les constats en JSON",
    "learn": "apprendre au lecteur le jeu de cette table, par une position connue",
    "learn-examples": """quelques pièces posées comme demandé, le départ de 6 Faces ou la position d'une partie notée apprennent les couleurs
gardé pour cette table ; --forget l'annule

exemples :
  companion learn depart.jpg --game six-faces
  companion learn 0 --game pegs --record partie.json
  companion learn --game tetrods --shown       ce qu'il faut poser
  companion learn pose.jpg --game tetrods --shown
  companion learn --game six-faces --forget""",
    "learn-json": "le résultat en JSON",
    "learn-source": "une image, le numéro d'une caméra ou son adresse",
    "learn-game": "le jeu dont ce sont les pièces",
    "learn-record": "la position posée sur la table (par défaut : le départ, s'il montre les pièces)",
    "learn-shown": "les pièces sont posées comme le demande le compagnon ; sans image : dire comment",
    "learn-forget": "oublier ce qui a été appris",
    "check-game": "le jeu dont on regarde les couleurs apprises (par défaut : tous), et dont le plateau est trouvé par ses lignes s'il n'a pas de repères",
    "calibrate": "mesurer l'objectif d'une caméra avec des photos d'une feuille imprimée (facultatif)",
    "calibrate-examples": """exemples :
  companion calibrate --sheet feuille.png
  companion calibrate feuille-*.jpg --output lens.json
  companion read plateau.jpg --game hepta --lens lens.json""",
    "calibrate-images": "des photos de la feuille, de plusieurs côtés",
    "calibrate-sheet": "écrire la feuille à imprimer",
    "calibrate-output": "où écrire l'étalonnage (par défaut : lens.json)",
    "games": "énumérer les parties gardées",
    "games-examples": """exemples :
  companion games
  companion games --data /media/cle --json""",
    "export": "écrire une partie gardée",
    "export-examples": """la partie est telle que judge, moves et follow la lisent

exemples :
  companion export 3 > partie.json
  companion export 3 -o partie.json --pictures vues
  companion export 3 | companion judge -""",
    "export-id": "le numéro de la partie dans companion games",
    "export-output": "où écrire la partie (par défaut : sortie standard)",
    "export-evidence": "écrire dans ce fichier les regards autour d'un événement, avec leurs vraisemblances\xa0; companion follow le relit",
    "export-event": "le numéro de l'événement en question\xa0; sans lui le dernier qui a été vu",
    "export-pictures": "écrire dans ce dossier les images gardées, sous ID-ÉVÉNEMENT-GENRE.jpg",
    "export-gif": "écrire la partie comme image animée, .gif ou .webp",
    "export-html": "écrire la partie comme page en un seul fichier, avec plateaux, coups et courbe",
    "export-seconds": "temps de réflexion par position pour la courbe (par défaut : 0.1 ; 0 : sans courbe)",
    "verify": "vérifier que rien n'a été modifié dans le journal depuis son écriture",
    "backup": "écrire une copie du journal de la table, avec sa clé, dans un seul fichier",
    "backup-file": "la copie à écrire ; celle de ce nom est remplacée",
    "backup-examples": """exemple :
  companion backup club.zip""",
    "restore": "remettre une copie, là où rien ne se perd",
    "restore-file": "une copie que companion backup a écrite",
    "restore-examples": """exemple :
  companion restore club.zip --data ./encore""",
    "verify-head": "une tête signée que quelqu'un a gardée : son texte tel que le code QR le contient, ses quatre mots, ou un fichier ou une notation exportée qui la contient ; peut être donnée plusieurs fois",
    "verify-examples": """code de sortie : 0 tout est tel qu'écrit, 1 quelque chose a été modifié, 2 le fichier ne se lit pas

exemples :
  companion verify
  companion verify --data /media/cle --json""",
    "as-json": "la réponse en JSON",
    "settings": "montrer les réglages, d'où vient chacun et où est leur fichier",
    "settings-examples": """un réglage de la ligne de commande passe avant le fichier, le fichier avant la valeur par défaut

exemples :
  companion settings
  companion settings --write         créer le fichier, tous les réglages en commentaire
  companion settings --port 8080     ce qui vaudrait ainsi""",
    "settings-path": "dire seulement où est le fichier",
    "settings-write": "créer le fichier ; s'il existe déjà, il reste tel quel",
    "setting-data": "le dossier où sont gardées les parties (par défaut : la place habituelle des données sur ce système)",
    "setting-table": "le nom de la table : chacune a son fichier dans ce dossier (par défaut : table)",
    "setting-camera": "numéro, périphérique ou adresse d'une caméra (rtsp://…, http://…), film, dossier d'images, sim:JEU, ou none : jouer sur la page seule (par défaut : 0)",
    "setting-game": "le jeu auquel on joue, parmi ceux que liste companion --help",
    "setting-size": "la taille d'image demandée à la caméra (par défaut : 1280x720)",
    "setting-still": "pendant combien de secondes le plateau doit être immobile avant d'être lu (par défaut : 0.25)",
    "setting-surface": "hauteur de la surface du plateau au-dessus du tapis, en cases, si ce n'est pas celui du jeu",
    "setting-keep-pictures": "pendant combien de jours les images sont gardées ; 0 : aucune, all : toujours (par défaut : 30)",
    "setting-port": "le port du tableau de bord ; 0 : n'importe lequel de libre (par défaut : 8000)",
    "setting-shared-machine": "yes : d'autres personnes utilisent aussi cette machine, le code y est donc demandé également",
    "setting-leds": "le port série de la carte à LED, ou wled:ADRESSE pour un WLED du réseau (wled: seul le trouve) ; AUTO : en chercher une, OFF : aucune, virtual : dessinée sur le tableau de bord (par défaut : OFF)",
    "leds": "lumières du plateau : les trouver, les essayer, voir ce qu'elles montrent",
    "leds-examples": """quoi :
  ports    les ports série, et ce qui répond à ceux qu'AUTO peut regarder (ce qui peut redémarrer ce qui s'y trouve)
  test     toutes les LED en rouge, vert, bleu, blanc ; dit les boutons pressés
  walk     une LED après l'autre dans l'ordre du fil, pour vérifier la disposition
  flash    mettre le programme sur une Uno, une Nano, ou une Pico ou ESP32 avec MicroPython ; on ne touche pas aux autres machines
  doctor   faire courir une lumière et dire la qualité de la ligne ; -o FICHIER.json la garde pour un rapport
  layout   trouver comment les LED sont câblées, par quelques questions ou par une caméra dans le noir, et le mettre dans les réglages
  preview  dessiner ce que les LED montrent d'une partie ; en une couleur, la barre sous une lumière est son clignotement

une disposition s'écrit en mots, les panneaux joints par + : 8x8 nw serpentine + 1x8 columns
  sw se nw ne        le coin de la première LED (sw)       turn=90    monté tourné dans le sens horaire
  rows columns       le fil court par rangées, colonnes    at=8:0     où est le coin sud-ouest d'un panneau
  plain serpentine   s'il va et vient                      a1=0:1     où est la case a1
  arrows             un écran pour les flèches de Trippples, à côté du plateau

exemples :
  companion leds ports
  companion leds flash /dev/ttyUSB0
  companion leds test --port /dev/ttyUSB0 --kind adalight --size 8x8
  companion leds layout --camera 0
  companion leds walk --layout "8x8 nw serpentine + 1x8 columns"
  companion leds preview partie.json -o lumieres.png --hint a1-a4-c4
  companion leds preview partie.json -o mono.png --layout "8x8 + arrows" --mono""",
    "service": "démarrer le compagnon avec la machine (systemd ; pour un Raspberry Pi)",
    "service-examples": """exemples :
  sudo companion service install --game six-faces --leds AUTO
  sudo companion service install --camera 0 --hall http://192.168.1.20:8100 --key 3-w2kfh8q7d5m4x9t6r3b7n2pc
  companion service install --print
  sudo companion service remove""",
    "service-what": "install ou remove",
    "service-user": "au nom de qui il tourne (par défaut : vous)",
    "service-root": "le dossier du système, pour une carte SD que l'on prépare (par défaut : /)",
    "service-print": "seulement montrer le service",
    "leds-what": "ports, test, walk, flash, layout, doctor ou preview",
    "leds-record": "pour preview : une notation (JSON), ou - pour l'entrée standard ; pour flash : le port de la carte (par défaut : le seul qu'il y a)",
    "leds-camera": "pour layout : la caméra au-dessus du plateau ; sans elle, on vous demande",
    "leds-anyway": "pour flash : aussi par-dessus un autre programme que la carte exécute",
    "leds-output": "pour doctor : FICHIER.json ; pour preview : FICHIER.png ou FICHIER.svg (par défaut, ou - : SVG sur la sortie standard)",
    "leds-mono": "pour preview : comme le montre une matrice d'une couleur ; pour flash : la carte a des MAX7219",
    "leds-hint": "pour preview : avec ce coup comme indice",
    "leds-lifted": "pour preview : avec la pièce de cette case dans une main",
    "leds-seconds": "pour walk : combien de temps chaque LED est allumée (par défaut : 0.4) ; pour doctor : combien de temps il écoute (par défaut : 5)",
    "setting-leds-kind": "AUTO : le programme du compagnon, qui dit ce qu'il est ; adalight : cartes WLED et Adalight (par défaut : AUTO)",
    "setting-leds-size": "colonnes et rangées de la matrice de LED (par défaut : 8x8, ou celles du plateau de jeu)",
    "setting-leds-layout": "comment les LED sont câblées, comme : nw serpentine ; companion leds --help l'explique",
    "setting-leds-brightness": "luminosité des LED, en pour cent (par défaut : 30)",
    "setting-leds-current": "ce que les LED peuvent consommer au plus, en mA (par défaut : 450, pour un port USB)",
    "setting-leds-only": "AUTO ne regarde que ces ports, comme *Arduino*,/dev/ttyUSB*",
    "setting-leds-never": "AUTO laisse ces ports tranquilles, comme *Imprimante*",
    "web-host": "l'adresse où le tableau de bord est servi (par défaut : 127.0.0.1, cette machine seulement ; 0.0.0.0 : tout le réseau)",
    "web-https": "servir le tableau de bord en HTTPS avec un certificat à soi, comme les téléphones l'exigent pour prêter leur caméra",
    "web-none": "pas de tableau de bord : la table dans le terminal seulement",
    "kit": "imprimer le matériel : tapis à repères, pièces, cartes, dés, règles, à leur vraie taille",
    "kit-examples": """affiche un objet JSON : file, pages, parts (combien de chaque)
avec --proof aussi ce que la photo dit de l'imprimante : scale, fitted, corrected, black, colors, advice

exemples :
  companion kit all -o kit.pdf
  companion kit six-faces -o des.pdf --paper Letter --cell 28
  companion kit --proof photo.jpg
  companion kit all --proof photo.jpg -o kit.pdf
  companion kit tetrods --svg plans --kerf 0.15
  companion kit pegs --stl solides""",
    "kit-game": "un jeu, ou all pour tous",
    "kit-output": "le PDF à écrire",
    "kit-paper": "A4 (par défaut), A3 ou Letter",
    "kit-cell": "la largeur d'une case en millimètres (30 par défaut ; les jetons font alors 25 mm)",
    "kit-bleed": "de combien la couleur déborde des traits de coupe, en millimètres (1 par défaut)",
    "kit-scale": "tout dessiner d'autant plus grand en largeur et en hauteur, parce que l'imprimante réduit, comme 1.02,1.01",
    "kit-offset": "décaler les versos d'autant de millimètres vers la droite et vers le bas, parce que l'imprimante retourne le papier de travers",
    "kit-proof": "mesurer l'imprimante sur une photo de la page d'épreuve imprimée ; avec -o, écrire le matériel corrigé",
    "kit-svg": "écrire dans ce dossier les plans pour une découpe laser : couper noir, graver bleu, rainer rouge",
    "kit-stl": "écrire dans ce dossier les chevilles, champignons, pions et dés pour une imprimante 3D",
    "kit-kerf": "la largeur du trait du laser, en millimètres (0 par défaut)",
    "kit-leds": "d'une LED à l'autre, en millimètres : les cases du plateau à LED (33,3 par défaut, 30 au mètre)",
    "booklet": "imprimer un cahier de problèmes en solitaire, avec solutions, à plier",
    "booklet-examples": """affiche un objet JSON : file, pages, problems, address
chaque problème a une seule solution ; son code QR l'ouvre sur la page de la table

exemples :
  companion booklet tetrods -o tetrods.pdf
  companion booklet hepta-solo --level hard --count 12 -o hepta.pdf
  companion booklet pegs-solo --level easy,medium --address http://192.168.1.20:8000 -o pegs.pdf""",
    "booklet-level": "easy, medium, hard, fiendish, plusieurs avec des virgules, ou all (par défaut) : autant de chaque",
    "booklet-count": "combien de problèmes (48 par défaut)",
    "booklet-seed": "les mêmes problèmes encore pour le même nombre (1 par défaut)",
    "booklet-address": "de la page de la table, pour les codes QR (par défaut celle de cette machine)",
    "hall": "une salle pleine de tables : tournois, bureau, classements",
    "hall-examples": 'exemples :\n  companion hall init club --name "Salle des fêtes"\n  companion hall serve club --host 0.0.0.0\n  companion hall serve --database postgresql://desk@db/hall\n  companion hall join "Table 7" --database club\n  companion hall pair --publish\n  companion hall standings\n  companion hall export --form trf -o event.trf',
    "hall-what": "init crée une salle, serve ouvre le bureau, join donne sa clé à une table, pair tire la ronde suivante, standings et export racontent",
    "hall-target": "le dossier de la salle (init, serve ; d’ordinaire celui des données), le nom d’une table (join), ou un tournoi par son nom ou numéro (d’ordinaire le dernier)",
    "hall-database": "postgresql://… pour plusieurs bureaux, ou le dossier ou fichier d’une salle ; d’ordinaire dans le dossier des données",
    "hall-name": "le nom d’une nouvelle salle",
    "hall-host": "où répondre : 0.0.0.0 pour tout le réseau ; d’ordinaire cette machine seule",
    "hall-port": "son port, d’ordinaire 8100",
    "hall-https": "en HTTPS, avec un certificat à elle dont l’empreinte est montrée",
    "hall-mqtt": "prévenir affichages et domotique par ce courtier : mqtt://…",
    "hall-url": "où les tables trouvent la salle, si ce n’est l’adresse de cette machine",
    "hall-revoke": "join : la clé de la table ne vaut plus rien",
    "hall-publish": "pair : approuver la ronde aussitôt",
    "hall-form": "export : csv, json ou trf",
    "hall-output": "export : dans ce fichier",
    "run-hall": "rendre compte à cette salle : http://… ou https://…",
    "run-key": "la clé de la table dans cette salle, ou un fichier qui la contient",
    "verify-database": "toute une salle au lieu d’une table : sa base de données",
}

# What argparse says by itself, by its English words; it puts a colon after headings.
ARGPARSE = {
    "usage: ": "usage : ",
    "options": "options ",
    "positional arguments": "arguments ",
    "show this help message and exit": "afficher cette aide et finir",
    "argument %(argument_name)s: %(message)s": "argument %(argument_name)s : %(message)s",
    "the following arguments are required: %s": "il manque : %s",
    "unrecognized arguments: %s": "arguments inconnus : %s",
    "expected one argument": "il faut une valeur",
    "expected at least one argument": "il faut au moins une valeur",
    "expected at most one argument": "il faut une valeur au plus",
    "ignored explicit argument %r": "la valeur %r est de trop",
    "invalid %(type)s value: %(value)r": "%(value)r ne convient pas (%(type)s)",
    "invalid choice: %(value)r (choose from %(choices)s)": "%(value)r n'est pas un choix possible (au choix : %(choices)s)",
    "unknown parser %(parser_name)r (choices: %(choices)s)": "%(parser_name)r n'est pas une commande (au choix : %(choices)s)",
    "not allowed with argument %s": "ne va pas avec %s",
    "one of the arguments %s is required": "il faut l'un de %s",
    "ambiguous option: %(option)s could match %(matches)s": "%(option)s est ambigu : %(matches)s",
}
