"""Hepta in words."""

from companion.games.game import Words

EN = Words(
    name="Hepta",
    about="Two players: fit the most pieces",
    seats={"first": "the first player", "second": "the second player"},
    labels={"first": "First player", "second": "Second player"},
    now={
        "hepta.block": "put a blocker on any free square ({left} to go)",
        "hepta.choose": "choose a shape: the I pieces or the L pieces",
        "hepta.lay": "lay one of the {shape} pieces on three free squares",
        "hepta.fill": "lay a piece on three free squares ({left} to go)",
    },
    moves={
        "hepta.blocker": "a blocker on {square}",
        "hepta.choose": "choose the {piece} pieces",
        "hepta.lay": "the {piece} over {cells}",
    },
    reasons={
        "not-your-shape": "{player!t} plays the {shape} pieces",
        "not-that-shape": "{cells} is not the shape of an {piece} piece",
        "blockers-stay": "the blockers stay where they are: look at {square}",
        "one-piece": "a turn lays one piece",
        "not-a-tromino": "{cells} is not the shape of an I or an L piece",
    },
    endings={"most-pieces": "nobody can place any more; each piece is a point"},
    terms={"I": "the last I piece", "L": "the last L piece"},
    pieces={"tromino.I": "I", "tromino.L": "L"},
    bad={"pieces-too-soon": "pieces lie on the board before I or L was chosen"},
)
FR = Words(
    name="Hepta",
    about="À deux\xa0: placer le plus de pièces",
    seats={"first": "le premier joueur", "second": "le second joueur"},
    labels={"first": "Premier joueur", "second": "Second joueur"},
    now={
        "hepta.block": "mettre un bloqueur sur une case libre (encore\xa0{left})",
        "hepta.choose": "choisir une forme : les pièces I ou les pièces L",
        "hepta.lay": "poser une des pièces {shape} sur trois cases libres",
        "hepta.fill": "poser une pièce sur trois cases libres (encore\xa0{left})",
    },
    moves={
        "hepta.blocker": "un bloqueur en {square}",
        "hepta.choose": "choisir les pièces {piece}",
        "hepta.lay": "le {piece} sur {cells}",
    },
    reasons={
        "not-your-shape": "{player!t} joue les pièces {shape}",
        "not-that-shape": "{cells} n'a pas la forme d'une pièce {piece}",
        "blockers-stay": "les bloqueurs restent en place : voyez {square}",
        "one-piece": "un tour pose une seule pièce",
        "not-a-tromino": "{cells} n'a la forme ni d'un I ni d'un L",
    },
    endings={"most-pieces": "plus personne ne peut poser ; chaque pièce vaut un point"},
    terms={"I": "la dernière pièce I", "L": "la dernière pièce L"},
    pieces={"tromino.I": "I", "tromino.L": "L"},
    bad={"pieces-too-soon": "des pièces sont posées avant le choix de I ou L"},
)
HEPTA = {"en": EN, "fr": FR}
HEPTA_SOLO = {
    "en": EN._replace(
        name="Hepta solitaire",
        about="Alone: make all 14 pieces fit",
        seats={"solver": "the solver"},
        labels={"solver": "Solver"},
    ),
    "fr": FR._replace(
        name="Hepta en solitaire",
        about="Seul\xa0: loger les 14 pièces",
        seats={"solver": "le joueur"},
        labels={"solver": "Joueur"},
    ),
}
