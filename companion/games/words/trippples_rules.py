"""The rules of Trippples, to be read."""

from companion.games.sheet import Example, RuleSheet, TourStep, captioned

_BARE = "*"  # a start, a finish or a neutral square
_ROWS = (  # from the north
    "* NE-S-NW N-W-NW N-NE-SW N-E-NW SE-S-SW N-S-NW *",
    "NE-SE-W N-E-SE N-SE-W N-SW-NW N-E-S NE-SE-S NE-E-S NE-E-W",
    "N-SW-W N-NE-SE NE-S-W SE-S-W S-SW-W SW-W-NW E-SE-S N-SE-S",
    "E-SE-NW SE-W-NW E-SW-NW * * NE-E-SE N-NE-S N-NE-NW",
    "N-E-W SE-S-NW NE-SW-W * * NE-SE-SW NE-SE-NW E-S-NW",
    "NE-W-NW N-SE-NW N-SE-SW E-SW-W S-SW-NW E-S-W E-W-NW NE-E-NW",
    "NE-S-SW E-S-SW S-W-NW N-NE-W SE-SW-NW N-NE-E SE-SW-W N-S-W",
    "* N-S-SW E-SE-SW NE-SW-NW N-E-SW NE-E-SW E-SE-W *",
)
_TILES = {
    f"{column}{8 - n}": tile
    for n, row in enumerate(_ROWS)
    for column, tile in zip("abcdefgh", row.split(), strict=True)
    if tile != _BARE
}
_STEPS = ["a2", "b3", "g2", "a3", "h3", "b4", "g4", "c5"]
_SHOWN = (
    Example(
        {"game": "trippples", "setup": {"tiles": _TILES}}, can=("a2", "b2", "b1"), arrows=(("a1", "h8"), ("h1", "a8"))
    ),
    Example({"game": "trippples", "setup": {"tiles": _TILES}, "moves": _STEPS}, last=("c5",), can=("h4", "f3", "f5")),
)

_EN = RuleSheet(
    goal="Bring your pawn from its start to its finish in the far corner before the other gets to his.",
    pieces="A frame of 64 squares: 56 tiles with three arrows each, no two alike, and eight squares without arrows: two starts, "
    "two finishes and four neutral squares in the middle. A square pawn and a round one, both clear.",
    turn=(
        "First the tiles: in turn draw one and put it on any empty square, until the frame is full. On the page they can be "
        "dealt by chance.",
        "Then move your pawn one square, in a direction of an arrow under the other's pawn. His arrows are yours, and yours are "
        "his: wherever you go, you open and close his ways.",
        "If the other stands on a square without arrows, every direction is open. Never onto an occupied or a neutral square.",
        "If you cannot move you pass; if you can, you must.",
    ),
    end="The first on his own finish wins. If you see that after your move neither pawn will be able to move, announce it: "
    "if you are right you win. Going round in circles may win too, for the one who is not forced to.",
    rules={
        "trippples.1": "The pawns are drawn by lot. Starts and finishes are in the corners: the square pawn goes from a1 to h8, "
        "the round one from h1 to a8; the neutral squares are d4 e4 d5 e5 (our ruling; other layouts are an option).",
        "trippples.2": "In turn, square first, the players draw a tile from those that lie face down and put it face up on any "
        "empty square, until the frame is full. Tiles that lie stay as they are: the dot on each faces the same side of the "
        "frame, so a tile is never turned.",
        "trippples.3": "Then square begins. A move goes to one of the eight neighboring squares, in a direction that an arrow "
        "under the opponent's pawn shows. Where his pawn stands on a square without arrows (a start, a finish, a neutral "
        "square) every direction is open; so the first move goes to any of the three squares next to the corner.",
        "trippples.4": "Never onto an occupied square, onto a neutral square, or out of the frame. Starts and finishes may be "
        "entered by anyone, and only your own finish wins (our ruling).",
        "trippples.5": "If you cannot move you pass, and the other moves again, by the same arrows. If you can move you must.",
        "trippples.6": "The first on his finish wins.",
        "trippples.7": "Wild (option; all must agree before the game): neutral squares may be entered, and whoever enters one "
        "moves again at once in any direction. The second move must be made, is a move of its own, may enter another neutral "
        "square, and so on; if there is none it lapses.",
        "trippples.8": "Games that would not end. Indirect win (option; not with hidden tiles, not with four players): it is "
        "looked at when a position (pawns, player to move) occurs for the third time, and each time after that. The moves since "
        "it last occurred are a cycle. A player is forced if every move of his that leads out of this cycle loses, and there is "
        "at least one such move. If one player is forced the other wins, unless he is losing himself; if both are, it is a "
        "draw; if neither is, play goes on. Frozen win (option): if you announce with your move that after it neither pawn will "
        "be able to move, and are right, you win; if you are wrong you have lost nothing. Draw: neither can move and nobody "
        "announced it, both are forced, or both players agree. What loses is decided by exact analysis of this board, without "
        "indirect and frozen wins, a freeze counting as a draw.",
        "trippples.9": "Variants. Inset: starts and finishes lie one step further in on the diagonal. Hidden: no tiles are placed "
        "by the players, all lie face down, and each is turned up when a pawn enters it; the neutral squares lie face down too, "
        "where the layout has them, may be entered, and give a second move in any direction. Center, for two players: the "
        "finishes are in the middle, square e5, round d5, and the neutral squares are d4 e4 a8 h8 (our ruling).",
        "trippples.10": "Two teams of two (option): a move may use the arrows under either opponent's pawn, so up to six "
        "directions, or all eight if either stands on a square without arrows. The first pawn home wins for its team. The order "
        "is square 1, round 1, square 2, round 2. Partners start in opposite corners, and the finish of each is the start of the "
        "other: squares from a1 to h8 and from h8 to a1, rounds from h1 to a8 and from a8 to h1 (our ruling).",
    },
    options={
        "players": "Two, or two teams of two. In teams you may use the arrows under either opponent's pawn.",
        "layout": "Where the pawns start and finish: in the corners, one step further in, or with the finishes in the middle.",
        "starts": "Other starting squares, one for each pawn.",
        "finishes": "Other finishes, one for each pawn.",
        "neutral": "Which four squares are neutral.",
        "wild": "Neutral squares may be entered, and give a second move at once, in any direction.",
        "indirect": "Whether going round in circles can be won by the one who could leave it.",
        "frozen": "Whether you win by announcing that neither pawn will be able to move.",
        "hidden": "No tiles are placed: all lie face down, and a tile is turned up when a pawn enters it.",
    },
    examples=captioned(
        _SHOWN,
        "The way of each pawn: square from a1 to h8, round from h1 to a8. The round pawn stands on its start, without arrows, so "
        "square may go to any of its three neighbors.",
        "Round is to move. Under the square pawn on c5 arrows point east, southwest and northwest: so the round pawn on g4 may go "
        "to h4, f3 or f5.",
    ),
    tour=(
        TourStep(
            "board",
            "The square pawn goes from the lower left to the upper right corner, the round one from lower right to upper left.",
        ),
        TourStep("now", "This line always says whose turn it is and what there is to do."),
        TourStep(
            "board",
            "You move one square, the way an arrow under the other's pawn points. On a square without arrows all ways are open.",
        ),
        TourStep("board", "Make your first move: touch one of the squares that are marked."),
    ),
)
_FR = RuleSheet(
    goal="Mener votre pion de son départ à son arrivée, dans le coin opposé, avant que l'autre n'atteigne la sienne.",
    pieces="Un cadre de 64 cases : 56 tuiles à trois flèches, toutes différentes, et huit cases sans flèche : deux départs, deux "
    "arrivées et quatre cases neutres au milieu. Un pion carré et un pion rond, transparents.",
    turn=(
        "D'abord les tuiles : à tour de rôle, en piocher une et la mettre sur une case vide, jusqu'à ce que le cadre soit plein. "
        "Sur la page, elles peuvent être posées au hasard.",
        "Ensuite, avancez votre pion d'une case, dans le sens d'une flèche sous le pion de l'autre. Ses flèches sont à vous, les "
        "vôtres à lui : où que vous alliez, vous ouvrez et fermez ses chemins.",
        "Si l'autre est sur une case sans flèche, toutes les directions sont ouvertes. Jamais sur une case occupée ou neutre.",
        "Qui ne peut pas bouger passe ; qui peut doit.",
    ),
    end="Le premier sur sa propre arrivée gagne. Si vous voyez qu'après votre coup aucun pion ne pourra bouger, annoncez-le : si "
    "c'est vrai, vous gagnez. Tourner en rond peut aussi faire gagner celui qui n'y est pas forcé.",
    rules={
        "trippples.1": "Les pions sont tirés au sort. Départs et arrivées sont dans les coins : le pion carré va de a1 à h8, le rond "
        "de h1 à a8 ; les cases neutres sont d4 e4 d5 e5 (notre décision ; d'autres plans sont en option).",
        "trippples.2": "À tour de rôle, carré d'abord, les joueurs piochent une tuile parmi celles qui sont face cachée et la mettent "
        "face visible sur une case vide, jusqu'à ce que le cadre soit plein. Les tuiles posées restent comme elles sont : leur "
        "point regarde toujours le même côté du cadre, donc une tuile ne se tourne jamais.",
        "trippples.3": "Ensuite carré commence. Un coup va sur une des huit cases voisines, dans une direction que montre une flèche "
        "sous le pion adverse. Si ce pion est sur une case sans flèche (un départ, une arrivée, une case neutre), toutes les "
        "directions sont ouvertes ; le premier coup va donc sur l'une des trois cases voisines du coin.",
        "trippples.4": "Jamais sur une case occupée, sur une case neutre, ni hors du cadre. Chacun peut entrer sur les départs et les "
        "arrivées, et seule votre propre arrivée gagne (notre décision).",
        "trippples.5": "Qui ne peut pas bouger passe, et l'autre rejoue, selon les mêmes flèches. Qui peut bouger doit bouger.",
        "trippples.6": "Le premier sur son arrivée gagne.",
        "trippples.7": "Sauvage (option ; tous doivent être d'accord avant la partie) : on peut entrer sur les cases neutres, et qui y "
        "entre rejoue aussitôt, dans n'importe quelle direction. Le second coup est obligatoire, est un coup à part entière, peut "
        "entrer sur une autre case neutre, et ainsi de suite ; s'il n'y en a pas, il tombe.",
        "trippples.8": "Les parties qui ne finiraient pas. Gain indirect (option ; pas avec tuiles cachées, pas à quatre) : on regarde "
        "quand une position (pions, trait) se présente pour la troisième fois, et chaque fois ensuite. Les coups depuis la dernière "
        "fois forment un cycle. Un joueur est forcé si chacun de ses coups qui sort de ce cycle perd, et s'il y en a au moins un. Si "
        "un seul est forcé, l'autre gagne, sauf s'il est lui-même perdant ; si les deux le sont, c'est nul ; si aucun ne l'est, on "
        "continue. Gain par blocage (option) : qui annonce avec son coup qu'ensuite aucun pion ne pourra bouger, et a raison, gagne ; "
        "qui se trompe n'a rien perdu. Nulle : aucun ne peut bouger et personne ne l'a annoncé, les deux sont forcés, ou les deux "
        "joueurs sont d'accord. Ce qui perd est décidé par l'analyse exacte de ce plateau, sans gains indirects ni blocages, un "
        "blocage comptant pour nul.",
        "trippples.9": "Variantes. Décalé : départs et arrivées sont un pas vers l'intérieur, sur la diagonale. Caché : les joueurs ne "
        "placent pas de tuiles, toutes sont face cachée, et chacune est retournée quand un pion y entre ; les cases neutres sont face "
        "cachée aussi, là où le plan les met, on peut y entrer, et elles donnent un second coup dans n'importe quelle direction. "
        "Centre, à deux : les arrivées sont au milieu, carré e5, rond d5, et les cases neutres sont d4 e4 a8 h8 (notre décision).",
        "trippples.10": "Deux équipes de deux (option) : un coup peut suivre les flèches sous l'un ou l'autre pion adverse, donc jusqu'à "
        "six directions, ou les huit si l'un des deux est sur une case sans flèche. Le premier pion arrivé gagne pour son équipe. "
        "L'ordre est carré 1, rond 1, carré 2, rond 2. Les partenaires partent de coins opposés, et l'arrivée de l'un est le départ de "
        "l'autre : carrés de a1 à h8 et de h8 à a1, ronds de h1 à a8 et de a8 à h1 (notre décision).",
    },
    options={
        "players": "À deux, ou deux équipes de deux. En équipe, on suit les flèches de l'un ou de l'autre adversaire.",
        "layout": "D'où partent les pions et où ils arrivent : dans les coins, un pas vers l'intérieur, ou avec les arrivées au milieu.",
        "starts": "D'autres cases de départ, une par pion.",
        "finishes": "D'autres arrivées, une par pion.",
        "neutral": "Quelles quatre cases sont neutres.",
        "wild": "On peut entrer sur les cases neutres, et elles donnent aussitôt un second coup, dans n'importe quelle direction.",
        "indirect": "Si, quand on tourne en rond, celui qui pourrait en sortir gagne.",
        "frozen": "Si l'on gagne en annonçant qu'aucun pion ne pourra plus bouger.",
        "hidden": "On ne place pas de tuiles : toutes sont face cachée, et une tuile est retournée quand un pion y entre.",
    },
    examples=captioned(
        _SHOWN,
        "Le chemin de chaque pion : carré de a1 à h8, rond de h1 à a8. Le pion rond est sur son départ, sans flèche : carré peut aller "
        "sur chacune de ses trois voisines.",
        "Au rond de jouer. Sous le pion carré, en c5, les flèches vont à l'est, au sud-ouest et au nord-ouest : le pion rond, en g4, "
        "peut donc aller en h4, f3 ou f5.",
    ),
    tour=(
        TourStep(
            "board",
            "Le pion carré va du coin en bas à gauche à celui en haut à droite, le rond d'en bas à droite à en haut à gauche.",
        ),
        TourStep("now", "Cette ligne dit toujours à qui de jouer, et quoi faire."),
        TourStep(
            "board",
            "On avance d'une case, comme une flèche sous le pion de l'autre. Sur une case sans flèche, tout est ouvert.",
        ),
        TourStep("board", "Votre premier coup : touchez une des cases marquées."),
    ),
)
_TRIPPPLES = {"en": _EN, "fr": _FR}

SHEETS = {"trippples": _TRIPPPLES}
