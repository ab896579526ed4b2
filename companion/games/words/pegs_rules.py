"""The rules of Pegs and of its solitaire, to be read."""

from companion.games.sheet import Example, RuleSheet, TourStep, captioned

_FIRST = ["oc3", "od4", "ob5", "of5", "od6", "od2", "og1"]
_BLUE = [*_FIRST, ".", "+010101", "+000001", "+000010", "oe3", "c3e4"]
_WHITE = ["+000011", "-000001", "+100001", "+000111", "+001001", "oa7", "d4f5"]
_SHOWN = (
    Example({"game": "pegs", "moves": _FIRST}, last=("c3", "d4", "b5", "f5", "d6", "d2", "g1")),
    Example({"game": "pegs", "moves": _BLUE}, last=("c3", "d3", "e3", "c4", "d4", "e4")),
    Example({"game": "pegs", "moves": [*_BLUE, *_WHITE]}, last=("d4", "e4", "f4", "d5", "e5", "f5")),
)
_STANDING = [
    "oa1",
    "oa3",
    "oa4",
    "ob1",
    "ob2",
    "ob4",
    "ob7",
    "oc1",
    "oc2",
    "oc3",
    "oc6",
    "oc7",
    "od7",
    "oe6",
    "oe7",
    "of1",
]
_MORE_PEGS = ["of2", "of3", "of7", "og1", "og2", "og3", "og7"]
_CARDS = ["a3c4", "f1g3", "e6g7", "a1c2", "b6d7"]
_REST_PEGS = ["oa5", "oa6", "oa7", "ob5", "oc5", "od1", "od2", "od4", "od5", "oe1", "oe2", "oe3", "oe4", "oe5", "of4"]
_REST = ["of5", "og4", "og5", "c3e4", "e5g6", "d1e3", "c4d6", "f4g6", "a5b7"]
_SHOWN_SOLO = (
    Example({"game": "pegs-solo", "moves": [*_STANDING, *_MORE_PEGS, *_CARDS]}),
    Example({"game": "pegs-solo", "moves": [*_STANDING, *_MORE_PEGS, *_CARDS, *_REST_PEGS, *_REST]}),
)

_EN = RuleSheet(
    goal="Cover more squares with your cards than the other.",
    pieces="41 pegs and 35 punched cards of 2×3 squares, no two with the same holes. One face of a card is Blue's (blue circles "
    "on white), the other White's (white circles on blue). Turned over, its holes are mirrored.",
    turn=(
        "To begin, Blue puts seven pegs and White adds as many as he likes, up to seven. Then Blue has the first turn.",
        "Draw until three cards lie open before you.",
        "Put one peg on a free square: no peg there, no card over it.",
        "Now place cards, as many as you can and like, your own face up. A card fits where a peg stands under each of its "
        "holes and none under its other squares. It may lie on other cards. After each one draw again to three.",
        "At the end discard one of your three cards and hand the pack on.",
    ),
    end="It ends when the pack is used up or no peg can be put any more; whoever drew the last card or put the last peg may "
    "still place what he can. Each square counts for the card on top of it. More squares win.",
    rules={
        "pegs.1": "Blue puts seven pegs on seven squares. Then White adds from none to seven, on other squares. Blue has the "
        "first turn, then you take turns.",
        "pegs.2": "The 35 cards are shuffled, blue faces up. They are drawn from one pack, by whoever draws.",
        "pegs.3": "A turn: (a) draw until three cards lie open before you: three in your first turn, later the third; (b) put "
        "one peg on a free square, with no peg and not covered by a card; (c) as often as you can and like, place one of your "
        "cards and draw to be three again; (d) put one of your three cards out of the game, turn the pack over and hand it on.",
        "pegs.4": "A card lies on a block of 2×3 or 3×2 squares of the board, your own face up. It fits where holes and pegs "
        "agree, square by square: a peg under every hole, and no peg under a square that is not punched (our ruling: the card "
        "could not lie flat). It may lie on other cards, partly or wholly.",
        "pegs.5": "The game ends when the pack is used up or no peg can be put any more. Whoever draws the last card, or puts "
        "the last peg, may still place as many cards as he can, without drawing and without a discard; the other plays no "
        "more. If you draw the last card at the beginning of your turn you still put your peg first. No peg can be put (our "
        "ruling) when all 41 are in, or when every square is covered or holds a peg. It is looked at when a peg has just been "
        "put, and when a turn begins: then the game is over before any card is drawn.",
        "pegs.6": "Each square counts for the owner of the topmost card on it. More squares win; equal is a draw.",
        "pegs.7": "Solitaire: with all 41 pegs and eleven different cards (our ruling: at most eleven), blue faces up, cover "
        "the whole board, holes and pegs agreeing as in pegs.4. Pegs and cards come in any order that fits, and it ends with "
        "the card that covers the last square. A solution is the pegs and the cards, whatever the order.",
    },
    examples=captioned(
        _SHOWN,
        "Blue's seven pegs stand. White may add up to seven, or none.",
        "Blue put a peg on e3, and one of his cards fits: its three holes are over the pegs on c3, e3 and d4, and under its "
        "other squares no peg stands.",
        "White's card lies partly on Blue's. The squares on top count: six for White, four are left to Blue.",
    ),
    tour=(
        TourStep(
            "board",
            "Pegs go onto the squares, cards go over the pegs. In the end the color on top of a square owns it.",
        ),
        TourStep("now", "This line always says whose turn it is and what there is to do."),
        TourStep("hand", "Your three open cards will lie here. A card fits where its holes and the pegs agree."),
        TourStep("board", "Your first move: touch any square to put one of Blue's seven pegs there."),
    ),
)
_FR = RuleSheet(
    goal="Couvrir de ses cartes plus de cases que l'autre.",
    pieces="41 chevilles et 35 cartes perforées de 2×3 cases, aux trous tous différents. Une face est à Bleu (ronds bleus sur "
    "blanc), l'autre à Blanc (ronds blancs sur bleu). Retourner une carte inverse ses trous comme un miroir.",
    turn=(
        "Pour commencer, Bleu met sept chevilles et Blanc en ajoute autant qu'il veut, sept au plus. Puis Bleu a le premier "
        "tour.",
        "Piochez jusqu'à ce que trois cartes soient ouvertes devant vous.",
        "Mettez une cheville sur une case libre : ni cheville, ni carte dessus.",
        "Posez alors des cartes, autant que vous pouvez et voulez, votre face au-dessus. Une carte va là où il y a une cheville "
        "sous chacun de ses trous et aucune sous ses autres cases. Elle peut couvrir d'autres cartes. Après chacune, piochez "
        "pour en avoir de nouveau trois.",
        "Pour finir, défaussez une de vos trois cartes et passez la pioche.",
    ),
    end="C'est fini quand la pioche est épuisée ou quand plus aucune cheville ne peut être mise ; qui a pioché la dernière "
    "carte ou mis la dernière cheville pose encore ce qu'il peut. Chaque case compte pour la carte du dessus. Le plus de cases "
    "gagne.",
    rules={
        "pegs.1": "Bleu met sept chevilles sur sept cases. Puis Blanc en ajoute de zéro à sept, sur d'autres cases. Bleu a le "
        "premier tour, puis on alterne.",
        "pegs.2": "Les 35 cartes sont mélangées, faces bleues au-dessus. On les pioche toutes dans le même paquet.",
        "pegs.3": "Un tour : (a) piocher jusqu'à avoir trois cartes ouvertes devant soi : trois au premier tour, plus tard la "
        "troisième ; (b) mettre une cheville sur une case libre, sans cheville ni carte dessus ; (c) aussi souvent qu'on peut et "
        "veut, poser une de ses cartes et piocher pour en avoir de nouveau trois ; (d) mettre une de ses trois cartes hors jeu, "
        "retourner la pioche et la passer.",
        "pegs.4": "Une carte se pose sur un bloc de 2×3 ou 3×2 cases du plateau, sa propre face au-dessus. Elle va là où trous "
        "et chevilles s'accordent, case par case : une cheville sous chaque trou, et aucune sous une case non percée (notre "
        "décision : la carte ne tiendrait pas à plat). Elle peut couvrir d'autres cartes, en partie ou entièrement.",
        "pegs.5": "La partie finit quand la pioche est épuisée ou quand plus aucune cheville ne peut être mise. Qui pioche la "
        "dernière carte, ou met la dernière cheville, peut encore poser autant de cartes qu'il peut, sans piocher et sans "
        "défausse ; l'autre ne joue plus. Si l'on pioche la dernière carte au début de son tour, on met d'abord sa cheville. "
        "Plus aucune cheville ne peut être mise (notre décision) quand les 41 sont en place, ou quand chaque case est couverte "
        "ou porte une cheville. On le regarde dès qu'une cheville est mise, et au début d'un tour : alors la partie est finie "
        "avant toute pioche.",
        "pegs.6": "Chaque case compte pour le possesseur de la carte du dessus. Le plus de cases gagne ; à égalité, la partie "
        "est nulle.",
        "pegs.7": "En solitaire : avec les 41 chevilles et onze cartes différentes (notre décision : onze au plus), faces bleues "
        "au-dessus, couvrir tout le plateau, trous et chevilles s'accordant comme dans la pegs.4. Chevilles et cartes viennent dans "
        "n'importe quel ordre qui convient, et c'est fini avec la carte qui couvre la dernière case. Une solution, ce sont les "
        "chevilles et les cartes, quel que soit l'ordre.",
    },
    examples=captioned(
        _SHOWN,
        "Les sept chevilles de Bleu sont en place. Blanc peut en ajouter jusqu'à sept, ou aucune.",
        "Bleu a mis une cheville en e3, et une de ses cartes va : ses trois trous sont sur les chevilles de c3, e3 et d4, et "
        "sous ses autres cases il n'y en a pas.",
        "La carte de Blanc couvre en partie celle de Bleu. C'est le dessus qui compte : six cases à Blanc, il en reste quatre à "
        "Bleu.",
    ),
    tour=(
        TourStep(
            "board",
            "Les chevilles vont sur les cases, les cartes sur les chevilles. À la fin, la couleur du dessus a la case.",
        ),
        TourStep("now", "Cette ligne dit toujours à qui de jouer, et quoi faire."),
        TourStep(
            "hand", "Vos trois cartes ouvertes seront ici. Une carte va là où ses trous et les chevilles s'accordent."
        ),
        TourStep("board", "Votre premier coup : touchez une case pour y mettre une des sept chevilles de Bleu."),
    ),
)
_PEGS = {"en": _EN, "fr": _FR}
_PEGS_SOLO = {
    "en": RuleSheet(
        goal="Cover the whole board with eleven cards at most, and put all 41 pegs.",
        pieces="41 pegs and 35 punched cards of 2×3 squares, no two with the same holes. You use the blue faces only.",
        turn=(
            "Put a peg on a square that no card covers, or place a card, in any order.",
            "A card fits where a peg stands under each of its holes and none under its other squares. It may lie on other "
            "cards.",
        ),
        end="Solved with the card that covers the last square, if all 41 pegs are in and no more than eleven cards lie.",
        rules={"pegs.4": _EN.rules["pegs.4"], "pegs.7": _EN.rules["pegs.7"]},
        examples=captioned(
            _SHOWN_SOLO,
            "A problem as it is set: 23 pegs and five cards lie already.",
            "Solved: 41 pegs, eleven cards, no bare square.",
        ),
        tour=(
            TourStep("board", "Cover all 49 squares with cards, eleven at most, over 41 pegs."),
            TourStep("now", "This line says what there is to do."),
            TourStep(
                "board", "Your first move: touch a free square to put a peg, or the squares of a block to place a card."
            ),
        ),
    ),
    "fr": RuleSheet(
        goal="Couvrir tout le plateau avec onze cartes au plus, et mettre les 41 chevilles.",
        pieces="41 chevilles et 35 cartes perforées de 2×3 cases, aux trous tous différents. On n'utilise que les faces bleues.",
        turn=(
            "Mettez une cheville sur une case qu'aucune carte ne couvre, ou posez une carte, dans l'ordre que vous voulez.",
            "Une carte va là où il y a une cheville sous chacun de ses trous et aucune sous ses autres cases. Elle peut couvrir "
            "d'autres cartes.",
        ),
        end="C'est résolu avec la carte qui couvre la dernière case, si les 41 chevilles sont en place et s'il n'y a pas plus de "
        "onze cartes.",
        rules={"pegs.4": _FR.rules["pegs.4"], "pegs.7": _FR.rules["pegs.7"]},
        examples=captioned(
            _SHOWN_SOLO,
            "Un problème tel qu'il est donné : 23 chevilles et cinq cartes sont déjà en place.",
            "Résolu : 41 chevilles, onze cartes, aucune case nue.",
        ),
        tour=(
            TourStep("board", "Couvrez les 49 cases de cartes, onze au plus, sur 41 chevilles."),
            TourStep("now", "Cette ligne dit quoi faire."),
            TourStep(
                "board",
                "Votre premier coup : touchez une case libre pour y mettre une cheville, ou un bloc pour une carte.",
            ),
        ),
    ),
}

SHEETS = {"pegs": _PEGS, "pegs-solo": _PEGS_SOLO}
