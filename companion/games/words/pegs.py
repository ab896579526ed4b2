"""Pegs in words."""

from collections.abc import Iterator

from companion.games.game import Words


def _cards(pierced: str, last: str) -> Iterator[tuple[str, str]]:
    """Every card by where it is pierced: places 1 to 6, row by row, with Blue's face up."""
    for n in range(1, 64):
        name = f"{n:06b}"
        places = [str(k) for k, hole in enumerate(name, 1) if hole == "1"]
        listed = f"{', '.join(places[:-1])} {last} {places[-1]}" if len(places) > 1 else places[0]
        yield name, f"{pierced} {listed}"


EN = Words(
    name="Pegs",
    about="Two players: punched cards over pegs",
    seats={"blue": "Blue", "white": "White"},
    labels={"blue": "Blue", "white": "White"},
    now={
        "pegs.first-pegs": "put one of the first seven pegs ({left} to go)",
        "pegs.first-white": "add a peg, or leave it at that (up to {left} more)",
        "pegs.draw": "draw, to have three cards",
        "pegs.redraw": "draw, to have three cards again",
        "pegs.peg": "put a peg on a free square; the three cards lie open",
        "pegs.cards": "place a card that fits, or discard one to end the turn",
        "pegs.last": "place the last cards that fit, or end the game (no more draws, no discard)",
        "pegs.solo": "put a peg or place a card (left: {pegs} pegs, {cards} cards)",
    },
    moves={
        "pegs.peg": "a peg on {square}",
        "pegs.cover": "{player!t}'s card over {from} to {to}",
        "pegs.cover-alone": "a card over {from} to {to}",
        "pegs.draw": "{player!t} draws {card!t}",
        "pegs.draw-unseen": "{player!t} draws a card that nobody saw",
        "pegs.discard": "{player!t} ends the turn and discards {card!t}",
        "pegs.discard-unseen": "{player!t} ends the turn and discards a card that nobody saw",
        "pegs.enough": "no more first pegs",
        "pegs.done": "{player!t} ends the last turn",
    },
    pieces=dict(_cards("the card pierced at", "and")),
    reasons={
        "blank-card": "the card with no holes is a spare and is not played",
        "card-is-out": "{card!t} has left the pack already",
        "not-in-hand": "{card!t} is not one of his open cards",
        "no-cards": "he has no card left to place",
        "not-a-block": "{block} is not a block of 2×3 squares, from its south-west to its north-east square",
        "peg-without-hole": "no open card fits on {block}: the nearest, {card!t}, has no hole for the peg on {square}",
        "hole-without-peg": "no open card fits on {block}: the nearest, {card!t}, has a hole on {square}, where no peg stands",
        "too-many-cards": "all {most} cards are placed",
        "one-peg": "a turn puts one peg",
        "not-your-face": "it is {player!t}'s turn, and the card on {square} shows the other face",
        "not-a-card": "no card of 2×3 squares, nor several, covers what is new",
    },
    endings={"most-squares": "no more turns; each square counts for the topmost card"},
    terms={"peg": "the last peg"},
    bad={
        "cards-too-soon": "cards lie on the board before the first turn",
        "no-such-card": "{card!j} is not one of the 35 cards",
        "card-twice": "{card!t} is there twice",
    },
)
FR = Words(
    name="Pegs",
    about="À deux\xa0: cartes perforées sur chevilles",
    seats={"blue": "Bleu", "white": "Blanc"},
    labels={"blue": "Bleu", "white": "Blanc"},
    now={
        "pegs.first-pegs": "mettre une des sept premières chevilles (encore\xa0{left})",
        "pegs.first-white": "ajouter une cheville, ou en rester là (encore\xa0{left} au plus)",
        "pegs.draw": "piocher, pour avoir trois cartes",
        "pegs.redraw": "piocher, pour avoir de nouveau trois cartes",
        "pegs.peg": "mettre une cheville sur une case libre ; les trois cartes sont ouvertes",
        "pegs.cards": "poser une carte qui va, ou en défausser une pour finir le tour",
        "pegs.last": "poser les dernières cartes qui vont, ou finir la partie (plus de pioche, pas de défausse)",
        "pegs.solo": "mettre une cheville ou poser une carte (il reste {pegs} chevilles, {cards} cartes)",
    },
    moves={
        "pegs.peg": "une cheville en {square}",
        "pegs.cover": "une carte de {player!t} sur les cases {from} à {to}",
        "pegs.cover-alone": "une carte sur les cases {from} à {to}",
        "pegs.draw": "{player!t} pioche {card!t}",
        "pegs.draw-unseen": "{player!t} pioche une carte que personne n'a vue",
        "pegs.discard": "{player!t} finit son tour et se défausse de {card!t}",
        "pegs.discard-unseen": "{player!t} finit son tour et se défausse d'une carte que personne n'a vue",
        "pegs.enough": "plus de premières chevilles",
        "pegs.done": "{player!t} finit le dernier tour",
    },
    pieces=dict(_cards("la carte percée en", "et")),
    reasons={
        "blank-card": "la carte sans trou est une carte de réserve et ne se joue pas",
        "card-is-out": "{card!t} a déjà quitté la pioche",
        "not-in-hand": "{card!t} n'est pas une de ses cartes ouvertes",
        "no-cards": "il n'a plus de carte à poser",
        "not-a-block": "{block} n'est pas un bloc de 2×3 cases, de sa case sud-ouest à sa case nord-est",
        "peg-without-hole": "aucune carte ouverte ne va sur {block} : la plus proche, {card!t}, n'a pas de trou pour la cheville en {square}",
        "hole-without-peg": "aucune carte ouverte ne va sur {block} : la plus proche, {card!t}, a un trou en {square}, où il n'y a pas de cheville",
        "too-many-cards": "les {most} cartes sont toutes posées",
        "one-peg": "un tour met une seule cheville",
        "not-your-face": "c'est à {player!t} de jouer, et la carte en {square} montre l'autre face",
        "not-a-card": "aucune carte de 2×3 cases, ni plusieurs, ne couvre ce qui est nouveau",
    },
    endings={"most-squares": "plus de tours ; chaque case compte pour la carte du dessus"},
    terms={"peg": "la dernière cheville"},
    bad={
        "cards-too-soon": "des cartes sont posées avant le premier tour",
        "no-such-card": "{card!j} n'est pas une des 35 cartes",
        "card-twice": "{card!t} s'y trouve deux fois",
    },
)
PEGS = {"en": EN, "fr": FR}
PEGS_SOLO = {
    "en": EN._replace(
        name="Pegs solitaire",
        about="Alone: cover the board with 11 cards",
        seats={"solver": "the solver"},
        labels={"solver": "Solver"},
    ),
    "fr": FR._replace(
        name="Pegs en solitaire",
        about="Seul\xa0: couvrir le plateau de 11 cartes",
        seats={"solver": "le joueur"},
        labels={"solver": "Joueur"},
    ),
}
