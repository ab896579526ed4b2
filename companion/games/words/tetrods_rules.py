"""The rules of Tetrods and of T for Two, to be read."""

from companion.games.sheet import Example, RuleSheet, TourStep, captioned

_PROBLEM = {"mushrooms": ["a2", "a3", "b3", "b5", "c2", "c5", "e4", "e5", "e6", "f2", "f4", "g3", "g7"]}
_SOLUTION = ["I1a3a4a5a6@a3", "L4a7b5b6b7@b5", "L1a1a2b1c1@a2", "T2c5c6c7d6@c5", "S2d7e6e7f6@e6", "L2f7g5g6g7@g7"]
_REST = ["I2g1g2g3g4@g3", "L3e3f3f4f5@f4", "O1e1e2f1f2@f2", "T1c2d1d2d3@c2", "T3b2b3b4c3@b3", "S1c4d4d5e5@e5"]
_SHOWN = (
    Example({"game": "tetrods", "setup": _PROBLEM}),
    Example({"game": "tetrods", "setup": _PROBLEM, "moves": _SOLUTION[:2]}, last=("a7", "b5", "b6", "b7")),
    Example({"game": "tetrods", "setup": _PROBLEM, "moves": [*_SOLUTION, *_REST]}, can=("e4",)),
)
_LEG = ["@b4", "T1b4c3c4c5@b4", "@g7", "L4e6e7f7g7@g7", "@g6", "O1f5f6g5g6@g6", "@f2", "L3e2e3f2g2@f2", "@g1"]
_LEG_REST = ["I1d1e1f1g1@g1", "@c7", "S2b6c6c7d7@c7", "@b1", "L1a1a2a3b1@b1", "@a4", "T2a4a5a6b5@a4", "@f3"]
_LEG_END = ["S1e4e5f3f4@f3", "@b3"]
_SHOWN_FOR_TWO = (
    Example({"game": "t-for-two", "moves": _LEG[:2]}, last=("b4", "c3", "c4", "c5")),
    Example({"game": "t-for-two", "moves": [*_LEG, *_LEG_REST, *_LEG_END]}, last=("b3",)),
)

_EN = RuleSheet(
    goal="Lay all twelve tetrods so that a mushroom looks out of every hole.",
    pieces="Twelve blue tetrods: pieces of four squares, one of them pierced, no two alike. Thirteen black mushrooms, which "
    "stand on the board before you begin.",
    turn=(
        "Lay a tetrod on four squares, turned and flipped as you like. Its hole goes over a mushroom; its other three squares "
        "must be free of mushrooms and of other tetrods.",
        "Each tetrod is there once.",
    ),
    end="Solved when all twelve lie. They cover 48 squares, and the thirteenth mushroom stands on the one that stays bare.",
    rules={
        "tetrods.1": "A problem gives the squares of the 13 mushrooms. They stay where they are.",
        "tetrods.2": "Lay all 12 tetrods, each once, inside the board and without overlap, so that the hole of each is over a "
        "mushroom and none of its other three squares is.",
        "tetrods.3": "Solved when all 12 lie. They cover 48 squares; the 13th mushroom stands on the bare square that is left "
        "(our ruling, from the count).",
    },
    examples=captioned(
        _SHOWN,
        "A problem: thirteen mushrooms. Each of the twelve tetrods will take one of them into its hole.",
        "Two tetrods lie. Out of each hole a mushroom looks, on a3 and on b5, and under the other squares there is none.",
        "Solved. The thirteenth mushroom, on e4, stands on the bare square.",
    ),
    tour=(
        TourStep("board", "Thirteen mushrooms stand on the board. Every tetrod must take one of them into its hole."),
        TourStep("hand", "Here are the twelve tetrods. The pierced square of each is its hole."),
        TourStep(
            "board", "Your first move: lay a tetrod so that its hole is over a mushroom and the rest of it over none."
        ),
    ),
)
_FR = RuleSheet(
    goal="Poser les douze tétrodes de sorte qu'un champignon sorte de chaque trou.",
    pieces="Douze tétrodes bleus : des pièces de quatre cases dont une est percée, toutes différentes. Treize champignons "
    "noirs, en place avant de commencer.",
    turn=(
        "Posez un tétrode sur quatre cases, tourné et retourné comme vous voulez. Son trou va sur un champignon ; ses trois "
        "autres cases doivent être libres de champignons et d'autres tétrodes.",
        "Chaque tétrode n'existe qu'une fois.",
    ),
    end="C'est résolu quand les douze sont posés. Ils couvrent 48 cases, et le treizième champignon reste sur la case nue.",
    rules={
        "tetrods.1": "Un problème donne les cases des 13 champignons. Ils restent en place.",
        "tetrods.2": "Poser les 12 tétrodes, chacun une fois, dans le plateau et sans recouvrement, le trou de chacun sur un "
        "champignon et aucune de ses trois autres cases sur un champignon.",
        "tetrods.3": "C'est résolu quand les 12 sont posés. Ils couvrent 48 cases ; le 13e champignon est sur la case nue qui "
        "reste (notre décision, d'après le compte).",
    },
    examples=captioned(
        _SHOWN,
        "Un problème : treize champignons. Chacun des douze tétrodes en prendra un dans son trou.",
        "Deux tétrodes sont posés. De chaque trou sort un champignon, en a3 et en b5 ; sous les autres cases il n'y en a pas.",
        "Résolu. Le treizième champignon, en e4, est sur la case nue.",
    ),
    tour=(
        TourStep("board", "Treize champignons sont sur le plateau. Chaque tétrode doit en prendre un dans son trou."),
        TourStep("hand", "Voici les douze tétrodes. La case percée de chacun est son trou."),
        TourStep("board", "Votre premier coup : posez un tétrode, le trou sur un champignon et le reste sur aucun."),
    ),
)
_TETRODS = {"en": _EN, "fr": _FR}
_T_FOR_TWO = {
    "en": RuleSheet(
        goal="As the mushroom player, grow large groups of mushrooms. As the tetrod player, keep them apart.",
        pieces="One player has the thirteen mushrooms, the other the twelve tetrods: pieces of four squares with a hole in one "
        "of them, no two alike.",
        turn=(
            "The mushroom player plants a mushroom on any free square.",
            "The tetrod player answers with one of the tetrods that he has left: its hole over that very mushroom, its other "
            "three squares free. If he can, he must.",
        ),
        end="The leg ends when no tetrod that is left fits over the last mushroom; that mushroom stays and counts. Mushrooms "
        "that touch along a side are a group: two are worth 3, three 6, four 10. Then you change roles; the better score as "
        "mushroom player wins.",
        rules={
            "t-for-two.1": "The mushroom player plants one mushroom on any free square: not covered, and without a mushroom.",
            "t-for-two.2": "The tetrod player lays one of the tetrods that he has left with its hole on that last mushroom; its "
            "other squares must be free. If he can, he must.",
            "t-for-two.3": "You go on in turn until no tetrod that is left can be laid on the last mushroom, which is also so "
            "when no tetrod is left. That mushroom stays, and counts.",
            "t-for-two.4": "The mushroom player's score: mushrooms that touch along a side form a group, and a group of n is "
            "worth 1 + 2 + … + n. Groups of 4, 3, 2, 1, 1 and 1 are worth 10 + 6 + 3 + 1 + 1 + 1 = 22. The tetrod player "
            "scores nothing.",
            "t-for-two.5": "In the return leg the roles are changed. Whoever scored more as mushroom player wins the match; "
            "equal is a draw. One leg alone has scores and no winner.",
        },
        examples=captioned(
            _SHOWN_FOR_TWO,
            "A mushroom was planted on b4, and the tetrod player laid a T over it. The mushroom looks out of the hole.",
            "Nothing fits over the last mushroom, on b3: the leg is over. One group of three (6), two pairs (3 and 3) and three "
            "mushrooms alone (1 each): 15 points.",
        ),
        tour=(
            TourStep(
                "board",
                "Mushrooms against tetrods. The mushroom player wants his mushrooms side by side, in large groups.",
            ),
            TourStep("now", "This line always says whose turn it is and what there is to do."),
            TourStep(
                "hand", "The tetrod player's pieces wait here. The next one must go over the mushroom just planted."
            ),
            TourStep("board", "The first move: touch any square to plant a mushroom."),
        ),
    ),
    "fr": RuleSheet(
        goal="Aux champignons, faire pousser de grands groupes. Aux tétrodes, les séparer.",
        pieces="L'un a les treize champignons, l'autre les douze tétrodes : des pièces de quatre cases dont une est percée, "
        "toutes différentes.",
        turn=(
            "Le joueur des champignons en plante un sur n'importe quelle case libre.",
            "Le joueur des tétrodes répond avec un de ceux qui lui restent : le trou sur ce champignon-là, les trois autres "
            "cases libres. S'il peut, il doit.",
        ),
        end="La manche finit quand aucun tétrode restant ne va sur le dernier champignon ; ce champignon reste et compte. Des "
        "champignons qui se touchent par un côté font un groupe : deux valent 3, trois 6, quatre 10. Puis on change de rôle ; "
        "le meilleur score aux champignons gagne.",
        rules={
            "t-for-two.1": "Le joueur des champignons en plante un sur n'importe quelle case libre : ni couverte, ni occupée par "
            "un champignon.",
            "t-for-two.2": "Le joueur des tétrodes pose un de ceux qui lui restent, le trou sur ce dernier champignon ; ses autres "
            "cases doivent être libres. S'il peut, il doit.",
            "t-for-two.3": "On continue à tour de rôle jusqu'à ce qu'aucun tétrode restant ne puisse aller sur le dernier "
            "champignon, donc aussi quand il n'en reste plus. Ce champignon reste, et compte.",
            "t-for-two.4": "Le score du joueur des champignons : ceux qui se touchent par un côté font un groupe, et un groupe de "
            "n vaut 1 + 2 + … + n. Des groupes de 4, 3, 2, 1, 1 et 1 valent 10 + 6 + 3 + 1 + 1 + 1 = 22. Le joueur des tétrodes "
            "ne marque rien.",
            "t-for-two.5": "À la manche retour, les rôles changent. Qui a marqué le plus aux champignons gagne le match ; à "
            "égalité, il est nul. Une seule manche a des scores et pas de gagnant.",
        },
        examples=captioned(
            _SHOWN_FOR_TWO,
            "Un champignon a été planté en b4, et un T posé dessus. Le champignon sort du trou.",
            "Rien ne va sur le dernier champignon, en b3 : la manche est finie. Un groupe de trois (6), deux paires (3 et 3) et "
            "trois champignons seuls (1 chacun) : 15 points.",
        ),
        tour=(
            TourStep(
                "board",
                "Champignons contre tétrodes. Le joueur des champignons les veut côte à côte, en grands groupes.",
            ),
            TourStep("now", "Cette ligne dit toujours à qui de jouer, et quoi faire."),
            TourStep(
                "hand", "Les tétrodes attendent ici. Le prochain doit aller sur le champignon qu'on vient de planter."
            ),
            TourStep("board", "Le premier coup : touchez une case pour y planter un champignon."),
        ),
    ),
}

SHEETS = {"tetrods": _TETRODS, "t-for-two": _T_FOR_TWO}
