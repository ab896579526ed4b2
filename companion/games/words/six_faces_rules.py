"""The rules of 6 Faces, to be read."""

from companion.games.sheet import Example, RuleSheet, TourStep, captioned

_DICE = {"e1": "wK", "g6": "rK", "b7": "w4/2", "h8": "r6/3", "c5": "r2/3"}
_SHOWN = (
    Example({"game": "six-faces"}),
    Example({"game": "six-faces", "moves": ["a1-a4-c4"]}, last=("a1", "c4"), arrows=(("a1", "a4", "c4"),)),
    Example(
        {"game": "six-faces", "setup": {"dice": _DICE}, "moves": ["b7-b8-e8"]},
        last=("b7", "e8"),
        arrows=(("b7", "b8", "e8"),),
    ),
)

_EN = RuleSheet(
    goal="Take the enemy King, or roll onto the square where he began.",
    pieces="A board of 9 columns and 8 rows. White and Red have eight dice and a King each, set up as in the first example: every die "
    "shows its 3 to its own player.",
    turn=(
        "Roll one of your dice over exactly as many squares as it shows on top: a quarter turn for each square.",
        "It goes along rows and columns and may turn to the side once, never back. The squares on its way must be empty; the "
        "last one may hold an enemy die, which is taken.",
        "As it rolls its top changes: what it shows when it stops is how far it goes next time. The King always moves one "
        "square.",
    ),
    end="You win when you take the enemy King, or end a move on the square where he began: e8 for White, e1 for Red. If you "
    "have no legal move the game is a draw.",
    rules={
        "six-faces.1": "White stands on row 1, Red on row 8. From each player's left the dice show on top 5 1 2 6 King 6 2 1 5, "
        "and every die shows its 3 to its own player. White begins.",
        "six-faces.2": "Opposite faces add up to 7. The dice are right-handed (our ruling; option): with 1 on top and 2 toward "
        "you, 3 is on the right.",
        "six-faces.3": "A move rolls one die, a quarter turn for each square, over exactly as many squares as it shows on top "
        "when the move begins. It rolls along rows and columns, turns to the side at most once, and never rolls back. The "
        "squares that it passes must be empty. The last square is empty, or an enemy die stands there and is taken. The King "
        "moves one square; all his faces are alike.",
        "six-faces.4": "You win by taking the enemy King, or by ending a move on the square where he began, whatever stood "
        "there. Any die may do the latter (our ruling, as the sheet says; option).",
        "six-faces.5": "A player who has no legal move draws the game (our ruling). If you agree on it, a position that occurs "
        "for the third time, all faces and the player to move alike, is a draw (option).",
        "six-faces.6": "Two ways to the same square are two moves if they turn on different squares, even if the die ends up "
        "the same. A turn that goes straight on is none. The home squares are e1 and e8 in every set-up.",
    },
    options={
        "handedness": "Which way round the faces go. Look at a die with 1 on top and 2 toward you: is 3 on the right or on the "
        "left?",
        "home": "Whether any die wins on the square where the enemy King began, or only your King.",
        "repetition": "Whether the same position for the third time ends the game as a draw.",
    },
    examples=captioned(
        _SHOWN,
        "The beginning: 5 1 2 6 King 6 2 1 5 from each player's left. A 5 on a1 rolls five squares.",
        "White's 5 rolled three squares up and two to the right, five in all. It stopped with its 3 on top, so next time it "
        "rolls three.",
        "White's 4 goes one square up and three to the right, onto e8, where the red King began. White wins, wherever that "
        "King stands now.",
    ),
    tour=(
        TourStep(
            "board", "White plays from below, Red from above. Take the enemy King, or reach the square where he began."
        ),
        TourStep("now", "This line always says whose turn it is and what there is to do."),
        TourStep(
            "board",
            "A die rolls as many squares as it shows on top, and may turn aside once. Touch one to see where it can go.",
        ),
        TourStep("board", "Your first move: touch one of White's dice, then the square where it is to stop."),
    ),
)
_FR = RuleSheet(
    goal="Prendre le Roi adverse, ou rouler jusqu'à la case d'où il est parti.",
    pieces="Un plateau de 9 colonnes et 8 rangées. Blanc et Rouge ont chacun huit dés et un Roi, placés comme dans le premier exemple : "
    "chaque dé montre son 3 à son joueur.",
    turn=(
        "Faites rouler un de vos dés d'exactement autant de cases que le montre sa face du dessus : un quart de tour par case.",
        "Il suit lignes et colonnes et peut tourner de côté une fois, jamais en arrière. Les cases du chemin doivent être vides ; "
        "la dernière peut porter un dé adverse, qui est pris.",
        "En roulant, le dé change de dessus : ce qu'il montre à l'arrêt dit de combien il ira la prochaine fois. Le Roi avance "
        "toujours d'une case.",
    ),
    end="Vous gagnez en prenant le Roi adverse, ou en finissant un coup sur la case d'où il est parti : e8 pour Blanc, e1 pour "
    "Rouge. Si vous n'avez aucun coup légal, la partie est nulle.",
    rules={
        "six-faces.1": "Blanc est sur la rangée 1, Rouge sur la rangée 8. De la gauche de chaque joueur, les dés montrent au-dessus "
        "5 1 2 6 Roi 6 2 1 5, et chaque dé montre son 3 à son joueur. Blanc commence.",
        "six-faces.2": "Deux faces opposées font 7. Les dés sont droitiers (notre décision ; option) : avec le 1 dessus et le 2 vers "
        "vous, le 3 est à droite.",
        "six-faces.3": "Un coup fait rouler un dé, un quart de tour par case, d'exactement autant de cases que sa face du dessus au début "
        "du coup. Il suit lignes et colonnes, tourne de côté une fois au plus, et ne roule jamais en arrière. Les cases qu'il "
        "passe doivent être vides. La dernière est vide, ou un dé adverse s'y trouve et est pris. Le Roi avance d'une case ; "
        "toutes ses faces sont pareilles.",
        "six-faces.4": "On gagne en prenant le Roi adverse, ou en finissant un coup sur la case d'où il est parti, quoi qu'il s'y "
        "trouve. Tout dé peut y gagner (notre décision, comme le dit la feuille ; option).",
        "six-faces.5": "Un joueur sans coup légal fait nulle (notre décision). Si on en est convenu, une position qui se présente "
        "pour la troisième fois, toutes faces et le trait pareils, est nulle (option).",
        "six-faces.6": "Deux chemins vers la même case sont deux coups s'ils tournent sur des cases différentes, même si le dé "
        "finit pareil. Tourner tout droit n'est pas tourner. Les cases de départ des Rois sont e1 et e8 dans toutes les positions.",
    },
    options={
        "handedness": "Dans quel sens vont les faces. Regardez un dé avec le 1 dessus et le 2 vers vous : le 3 est-il à droite ou à "
        "gauche ?",
        "home": "Si n'importe quel dé gagne sur la case d'où est parti le Roi adverse, ou seulement votre Roi.",
        "repetition": "Si la même position pour la troisième fois rend la partie nulle.",
    },
    examples=captioned(
        _SHOWN,
        "Le début : 5 1 2 6 Roi 6 2 1 5 de la gauche de chaque joueur. Le 5 en a1 roule de cinq cases.",
        "Le 5 de Blanc a roulé de trois cases vers le haut et de deux vers la droite, cinq en tout. Il s'est arrêté sur son 3 : la "
        "prochaine fois il roulera de trois.",
        "Le 4 de Blanc va d'une case vers le haut et de trois vers la droite, en e8, d'où est parti le Roi rouge. Blanc gagne, où "
        "que soit ce Roi.",
    ),
    tour=(
        TourStep(
            "board",
            "Blanc joue d'en bas, Rouge d'en haut. Prenez le Roi adverse, ou atteignez la case d'où il est parti.",
        ),
        TourStep("now", "Cette ligne dit toujours à qui de jouer, et quoi faire."),
        TourStep(
            "board",
            "Un dé roule du nombre de cases qu'il montre, et peut tourner une fois. Touchez-en un pour voir où il va.",
        ),
        TourStep("board", "Votre premier coup : touchez un dé de Blanc, puis la case où il doit s'arrêter."),
    ),
)
_SIX_FACES = {"en": _EN, "fr": _FR}

SHEETS = {"six-faces": _SIX_FACES}
