"""The rules of Hepta and of its solitaire, to be read."""

from companion.games.sheet import Example, RuleSheet, TourStep, captioned

_BLOCKERS = ["#b6", "#f6", "#d4", "#b2", "#f2", "#d7", "#a4"]
_PIECES = ["Lc5c6d6", "Ie4f4g4", "Ld1e1e2", "Ia7b7c7", "Lb3b4c3", "Ia1a2a3", "Lb1c1c2", "Ie3f3g3", "Ld5e5e6", "Ie7f7g7"]
_LAST = ["Lf1g1g2", "La5a6b5"]
_SHOWN = (
    Example({"game": "hepta", "moves": _BLOCKERS}, last=("b6", "f6", "d4", "b2", "f2", "d7", "a4")),
    Example({"game": "hepta", "moves": [*_BLOCKERS, "=L", *_PIECES[:2]]}, last=("c5", "c6", "d6")),
    Example({"game": "hepta", "moves": [*_BLOCKERS, "=L", *_PIECES, *_LAST]}, can=("c4", "d2", "d3", "f5", "g5", "g6")),
)
_STANDING = {"blockers": ["c1", "c3", "c6", "d2", "d6", "f4", "g3"]}
_SOLUTION = ["Id3d4d5", "Id1e1f1", "Lf2g1g2", "Le2e3f3", "Ie4e5e6", "Lf5g4g5", "Lb1b2c2", "Ia1a2a3", "Lb3b4c4"]
_REST = ["Ia4a5a6", "Lb5b6c5", "Ia7b7c7", "Id7e7f7", "Lf6g6g7"]
_SHOWN_SOLO = (
    Example({"game": "hepta-solo", "setup": _STANDING, "moves": _SOLUTION[:3]}),
    Example({"game": "hepta-solo", "setup": _STANDING, "moves": [*_SOLUTION, *_REST]}),
)

_EN = RuleSheet(
    goal="Lay more pieces than the other before the board is full of gaps that nothing fits into.",
    pieces="Seven straight pieces (I) and seven bent ones (L), each of three squares, all black. Seven blue blockers, each "
    "held by a mushroom. Together they would fill the 49 squares exactly.",
    turn=(
        "The first player puts the seven blockers wherever he likes.",
        "The second player looks at them and chooses: the I pieces or the L pieces. He takes all seven of them and lays the "
        "first one. The first player gets the other shape.",
        "Then each in turn lays one piece of his own on three free squares. Turn it as you like; an L may be flipped too. "
        "What lies stays.",
    ),
    end="If you cannot lay a piece you are out, and the other goes on alone as long as he can. Every piece laid is a point; "
    "more points win. Play a second game with the roles changed and add the points up: that is fair.",
    rules={
        "hepta.1": "The first player puts the seven blockers on any seven squares.",
        "hepta.2": "The second player chooses I or L, takes all seven of that shape and lays the first piece. The first player "
        "has the other shape.",
        "hepta.3": "In turn each lays one of his pieces on three free squares of the board. Pieces may be turned, and an L may "
        "be flipped. What lies stays.",
        "hepta.4": "If you can lay nothing you are out, and the other goes on alone as long as he can. If you can lay a piece "
        "you must (our ruling).",
        "hepta.5": "Each piece laid is a point. More points win; equal is a draw.",
        "hepta.6": "A match is an even number of games, two unless you agree otherwise. You take turns in being first, and the "
        "points of all games are added up.",
        "hepta.7": "Solitaire: seven blockers stand. Fill the other 42 squares with all 14 pieces. Pieces of one shape are "
        "alike, so a solution is where the pieces lie and not which is which. It is over when every square is filled, or "
        "when no piece can be laid any more.",
    },
    examples=captioned(
        _SHOWN,
        "The seven blockers stand, all on squares that the first player chose. Now the second player chooses a shape.",
        "The second player took the L pieces and laid one over c5, c6 and d6. The first player answered with an I, further "
        "to the right.",
        "Over: all seven L pieces lie, and the six squares that are left have no room for an I. Seven points against five: the "
        "second player wins.",
    ),
    tour=(
        TourStep(
            "board", "This is the board. The first player puts seven blockers on it, anywhere: good places cut it up."
        ),
        TourStep("now", "This line always says whose turn it is and what there is to do."),
        TourStep("hand", "Later your pieces wait here. Each covers three free squares; who lays more of them wins."),
        TourStep("board", "Your first move: touch any square to put a blocker there."),
    ),
)
_FR = RuleSheet(
    goal="Poser plus de pièces que l'autre, avant que le plateau ne soit plein de trous où rien n'entre.",
    pieces="Sept pièces droites (I) et sept pièces coudées (L), de trois cases chacune, toutes noires. Sept bloqueurs bleus, "
    "chacun tenu par un champignon. Ensemble, tout cela remplirait exactement les 49 cases.",
    turn=(
        "Le premier joueur met les sept bloqueurs où il veut.",
        "Le second joueur les regarde et choisit : les pièces I ou les pièces L. Il prend les sept et pose la première. Le "
        "premier joueur a l'autre forme.",
        "Puis chacun à son tour pose une de ses pièces sur trois cases libres. On la tourne comme on veut ; un L se retourne "
        "aussi. Ce qui est posé reste.",
    ),
    end="Qui ne peut plus rien poser est hors jeu, et l'autre continue seul tant qu'il peut. Chaque pièce posée vaut un point ; "
    "le plus de points gagne. Jouez une seconde partie en changeant de rôle et additionnez : c'est plus juste.",
    rules={
        "hepta.1": "Le premier joueur met les sept bloqueurs sur sept cases de son choix.",
        "hepta.2": "Le second joueur choisit I ou L, prend les sept pièces de cette forme et pose la première. Le premier "
        "joueur a l'autre forme.",
        "hepta.3": "Chacun à son tour pose une de ses pièces sur trois cases libres du plateau. Les pièces se tournent, et un "
        "L se retourne aussi. Ce qui est posé reste.",
        "hepta.4": "Qui ne peut rien poser est hors jeu, et l'autre continue seul tant qu'il peut. Qui peut poser doit poser "
        "(notre décision).",
        "hepta.5": "Chaque pièce posée vaut un point. Le plus de points gagne ; à égalité, la partie est nulle.",
        "hepta.6": "Un match a un nombre pair de parties, deux sauf autre accord. On est premier joueur à tour de rôle, et les "
        "points de toutes les parties s'additionnent.",
        "hepta.7": "En solitaire : sept bloqueurs sont en place. Remplir les 42 autres cases avec les 14 pièces. Les pièces "
        "d'une même forme sont pareilles : une solution, c'est où elles sont, et non laquelle est laquelle. C'est fini quand "
        "toutes les cases sont remplies, ou quand plus aucune pièce ne peut être posée.",
    },
    examples=captioned(
        _SHOWN,
        "Les sept bloqueurs sont en place, là où le premier joueur les a voulus. Au second joueur de choisir une forme.",
        "Le second joueur a pris les L et en a posé un sur c5, c6 et d6. Le premier joueur a répondu par un I, plus à droite.",
        "Fini : les sept L sont posés, et dans les six cases qui restent aucun I n'entre. Sept points contre cinq : le second "
        "joueur gagne.",
    ),
    tour=(
        TourStep(
            "board",
            "Voici le plateau. Le premier joueur y met sept bloqueurs, n'importe où : bien placés, ils le coupent.",
        ),
        TourStep("now", "Cette ligne dit toujours à qui de jouer, et quoi faire."),
        TourStep(
            "hand",
            "Plus tard, vos pièces attendent ici. Chacune couvre trois cases libres ; qui en pose le plus gagne.",
        ),
        TourStep("board", "Votre premier coup : touchez une case pour y mettre un bloqueur."),
    ),
)
_HEPTA = {"en": _EN, "fr": _FR}
_HEPTA_SOLO = {
    "en": RuleSheet(
        goal="Fill the board: make all 14 pieces fit around the seven blockers.",
        pieces="The pieces of Hepta: seven straight ones (I) and seven bent ones (L) of three squares each. The seven blockers "
        "stand before you begin.",
        turn=(
            "Lay any piece on three free squares. Turn it as you like; an L may be flipped too.",
            "Think of the corners first: a square that is nearly walled in has few ways to be filled.",
        ),
        end="Solved when all 42 squares are filled. If no piece can be laid any more and squares are left, take some moves back.",
        rules={"hepta.3": _EN.rules["hepta.3"], "hepta.7": _EN.rules["hepta.7"]},
        examples=captioned(
            _SHOWN_SOLO,
            "A problem with its seven blockers, and the first three pieces laid.",
            "The same problem, solved: all 14 pieces lie, no square is bare.",
        ),
        tour=(
            TourStep("board", "The blue blockers stand. All other squares are to be filled, with nothing left over."),
            TourStep("hand", "Here are your pieces: seven straight ones and seven bent ones."),
            TourStep(
                "board", "Your first move: take a piece and lay it on three free squares. A corner is a good place."
            ),
        ),
    ),
    "fr": RuleSheet(
        goal="Remplir le plateau : loger les 14 pièces autour des sept bloqueurs.",
        pieces="Les pièces de Hepta : sept droites (I) et sept coudées (L), de trois cases chacune. Les sept bloqueurs sont en "
        "place avant de commencer.",
        turn=(
            "Posez une pièce sur trois cases libres. On la tourne comme on veut ; un L se retourne aussi.",
            "Pensez d'abord aux coins : une case presque enfermée n'a pas beaucoup de façons d'être remplie.",
        ),
        end="C'est résolu quand les 42 cases sont remplies. Si plus aucune pièce n'entre et qu'il reste des cases, revenez de "
        "quelques coups en arrière.",
        rules={"hepta.3": _FR.rules["hepta.3"], "hepta.7": _FR.rules["hepta.7"]},
        examples=captioned(
            _SHOWN_SOLO,
            "Un problème avec ses sept bloqueurs, et les trois premières pièces posées.",
            "Le même problème, résolu : les 14 pièces sont posées, aucune case n'est nue.",
        ),
        tour=(
            TourStep("board", "Les bloqueurs bleus sont en place. Toutes les autres cases sont à remplir, sans reste."),
            TourStep("hand", "Voici vos pièces : sept droites et sept coudées."),
            TourStep(
                "board",
                "Votre premier coup : prenez une pièce et posez-la sur trois cases libres. Un coin est un bon début.",
            ),
        ),
    ),
}

SHEETS = {"hepta": _HEPTA, "hepta-solo": _HEPTA_SOLO}
