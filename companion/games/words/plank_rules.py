"""The rules of Plank, to be read."""

from companion.games.sheet import Example, RuleSheet, TourStep, captioned

_TWO = {"players": 2, "hands": {"A": {"R": 2, "W": 2, "B": 2}, "B": {"R": 2, "W": 2, "B": 2}}}
_ON_ONE = ["RBW^ B@b0", "WRB^ R@b1", "R@a0", "W@a1", "W@c0"]
_IN_A_COLUMN = ["RBW^ R@a0", "BWR^ W@b1", "B@a1", "R@c1", "WRB^ W@a2"]
_SHOWN = (
    Example({"game": "plank", "setup": _TWO, "moves": _ON_ONE[:2]}, last=("b1",)),
    Example({"game": "plank", "setup": _TWO, "moves": _ON_ONE}, last=("a0", "b0", "c0")),
    Example({"game": "plank", "setup": _TWO, "moves": _IN_A_COLUMN}, last=("a0", "a1", "a2")),
)

_EN = RuleSheet(
    goal="Be the first to have a red, a white and a blue token of your own in line.",
    pieces="Twelve planks of three squares, one red, one white, one blue; what differs is the color in the middle. Each player "
    "has six tokens: two red, two white, two blue. The planks are dealt and lie open.",
    turn=(
        "Put one of your tokens on a free square of its color. The plank may lie already, or you lay one of yours now and put "
        "the token on it.",
        "Planks lie side by side in one row: a new one goes to either end, either way round. The first turn of a game lays one.",
        "When all six of your tokens are out, move one of them instead, to another free square of its color.",
    ),
    end="Three of your own tokens, one of each color, in any order: on one plank, or in one column over three planks side by "
    "side. Diagonals do not count. If nobody can do anything it is a draw.",
    rules={
        "plank.1": "The letters are drawn by lot; three or four players sit clockwise in their order. The planks are shuffled "
        "and dealt, and lie open: six each for two players, four for three, three for four. A begins (in later games of a "
        "series the next player), then it goes by the letters.",
        "plank.2": "The planks on the table form one row, long side against long side. A new one goes to either end, either way "
        "round, and whoever lays it puts a token on it in the same turn. Planks that lie stay where they are.",
        "plank.3": "A turn, as long as you have tokens in hand: put one on a free square of its color, on a plank that lies "
        "already or on one that you now lay. When all six are out: move one of yours to another free square of its color, on a "
        "plank that lies already or on one that you now lay. The first turn of a game lays a plank.",
        "plank.4": "You win with three tokens of your own, one red, one white, one blue, in any order: on one plank, or in one "
        "column on three planks that lie side by side. Diagonals do not count.",
        "plank.5": "If you can do nothing you pass, and when nobody can do anything the game is a draw (our ruling). If you agree "
        "on it, a position that occurs for the third time, with tokens, planks, hands and the player to move alike, is a draw "
        "(option).",
        "plank.6": "Three players: when someone wins, the player on his left (the next in turn) gets two marks and the other "
        "one; the fewest marks after the agreed number of games win. A drawn game marks nobody. Four players: A and C against "
        "B and D. A line must be one player's own; everybody uses only his own planks and tokens. Whether partners may talk is "
        "agreed before (option; not judged).",
        "plank.7": "In a series the tokens stay with the players, and the first turn passes to the next player with each game.",
    },
    options={
        "repetition": "Whether the same position for the third time ends the game as a draw.",
        "talk": "Whether partners may talk, when four play. It is shown at the table; nobody judges it.",
    },
    examples=captioned(
        _SHOWN,
        "A laid the first plank and put a blue token in its middle. B laid a plank beside it and put a red token.",
        "A wins: red, blue and white on one plank, all his own.",
        "A wins the other way: three of his tokens in one column, over three planks side by side.",
    ),
    tour=(
        TourStep(
            "board", "Planks will lie here, side by side. You want a red, a white and a blue token of yours in line."
        ),
        TourStep("now", "This line always says whose turn it is and what there is to do."),
        TourStep("hand", "Your planks and tokens are here. A token goes on a square of its own color."),
        TourStep("hand", "Your first move: choose a plank and lay it, then put a token on it."),
    ),
)
_FR = RuleSheet(
    goal="Avoir le premier un jeton rouge, un blanc et un bleu à soi, alignés.",
    pieces="Douze planches de trois cases, une rouge, une blanche, une bleue ; seule change la couleur du milieu. Chaque joueur a "
    "six jetons : deux rouges, deux blancs, deux bleus. Les planches sont distribuées, faces visibles.",
    turn=(
        "Posez un de vos jetons sur une case libre de sa couleur. La planche est déjà là, ou vous en posez une des vôtres et le "
        "jeton dessus.",
        "Les planches forment une seule rangée, côte à côte : une nouvelle va à l'un des bouts, dans un sens ou dans l'autre. Le "
        "premier tour d'une partie en pose une.",
        "Quand vos six jetons sont posés, déplacez-en un, vers une autre case libre de sa couleur.",
    ),
    end="Trois jetons à vous, un de chaque couleur, dans n'importe quel ordre : sur une planche, ou dans une colonne sur trois "
    "planches voisines. Les diagonales ne comptent pas. Si plus personne ne peut rien faire, la partie est nulle.",
    rules={
        "plank.1": "Les lettres sont tirées au sort ; à trois ou quatre on s'assied dans leur ordre, dans le sens horaire. Les "
        "planches sont mélangées et distribuées, faces visibles : six chacun à deux, quatre à trois, trois à quatre. A commence "
        "(dans les parties suivantes d'une série, le joueur suivant), puis on suit les lettres.",
        "plank.2": "Les planches sur la table forment une seule rangée, grand côté contre grand côté. Une nouvelle va à l'un des "
        "bouts, dans un sens ou dans l'autre, et qui la pose y met un jeton dans le même tour. Les planches posées restent en "
        "place.",
        "plank.3": "Un tour, tant qu'on a des jetons en main : en poser un sur une case libre de sa couleur, sur une planche déjà "
        "posée ou sur une qu'on pose. Quand les six sont posés : déplacer un des siens vers une autre case libre de sa couleur, "
        "sur une planche déjà posée ou sur une qu'on pose. Le premier tour d'une partie pose une planche.",
        "plank.4": "On gagne avec trois jetons à soi, un rouge, un blanc, un bleu, dans n'importe quel ordre : sur une planche, ou "
        "dans une colonne sur trois planches côte à côte. Les diagonales ne comptent pas.",
        "plank.5": "Qui ne peut rien faire passe, et quand plus personne ne peut rien faire, la partie est nulle (notre décision). "
        "Si on en est convenu, une position qui se présente pour la troisième fois, jetons, planches, mains et trait pareils, est "
        "nulle (option).",
        "plank.6": "À trois : quand quelqu'un gagne, le joueur à sa gauche (le suivant) reçoit deux marques et l'autre une ; le "
        "moins de marques après le nombre de parties convenu gagne. Une partie nulle ne marque personne. À quatre : A et C contre "
        "B et D. Une ligne doit être à un seul joueur ; chacun n'utilise que ses planches et ses jetons. On convient avant si les "
        "partenaires peuvent parler (option ; non jugée).",
        "plank.7": "Dans une série, les jetons restent aux joueurs, et le premier tour passe au joueur suivant à chaque partie.",
    },
    options={
        "repetition": "Si la même position pour la troisième fois rend la partie nulle.",
        "talk": "Si les partenaires peuvent parler, à quatre. C'est affiché à la table ; personne ne le juge.",
    },
    examples=captioned(
        _SHOWN,
        "A a posé la première planche et un jeton bleu en son milieu. B a posé une planche à côté, et un jeton rouge.",
        "A gagne : rouge, bleu et blanc sur une planche, tous à lui.",
        "A gagne de l'autre façon : trois de ses jetons dans une colonne, sur trois planches côte à côte.",
    ),
    tour=(
        TourStep(
            "board", "Les planches seront ici, côte à côte. Il vous faut un jeton rouge, un blanc et un bleu alignés."
        ),
        TourStep("now", "Cette ligne dit toujours à qui de jouer, et quoi faire."),
        TourStep("hand", "Vos planches et vos jetons sont ici. Un jeton va sur une case de sa couleur."),
        TourStep("hand", "Votre premier coup : choisissez une planche, posez-la, puis mettez-y un jeton."),
    ),
)
_PLANK = {"en": _EN, "fr": _FR}

SHEETS = {"plank": _PLANK}
