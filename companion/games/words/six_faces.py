"""6 Faces in words."""

from companion.games.game import Words

EN = Words(
    name="6 Faces",
    about="Two players: rolling dice, one King each",
    seats={"white": "White", "red": "Red"},
    labels={"white": "White", "red": "Red"},
    now={"six-faces.now": "roll one die as far as it shows, or move the King one square"},
    moves={
        "six-faces.roll": "{player!t}'s {die}: {route}, now a {top}",
        "six-faces.roll-takes": "{player!t}'s {die}: {route}, takes the {taken!t}, now a {top}",
        "six-faces.king": "{player!t}'s King: {route}",
        "six-faces.king-takes": "{player!t}'s King: {route}, takes the {taken!t}",
    },
    reasons={
        "not-your-die": "it is {player!t}'s turn, and the die on {square} is not his",
        "no-die": "there is no die on {square}",
        "not-straight": "{from} and {to} are not in one row or column",
        "went-back": "a die never rolls back: {move}",
        "turned-twice": "a die turns to the side once at most: {move}",
        "one-square": "the {die} on {square} must roll exactly one square; {move} is {is}",
        "wrong-distance": "the {die} on {square} must roll exactly {must} squares; {move} is {is}",
        "king-distance": "the King on {square} moves one square; {move} is {is}",
        "blocked": "{square} is in the way of {move}",
        "own-piece": "his own die stands on {square}",
        "turn-straight-on": "the die does not turn on {square}: write {move}",
        "wrong-top": "no die that rolls to {square} shows a {top} lying like this",
        "die-turned": "the die on {square} was turned where it stands",
        "not-rolled-there": "a die stands on {square}, and none has rolled there",
        "one-die": "a turn moves one die",
    },
    endings={
        "king-taken": "the King is taken",
        "home-reached": "the enemy King's home square is reached",
    },
    options={
        "handedness": "Dice",
        "home": "Who wins on the King's home square",
        "repetition": "Third repetition is a draw",
    },
    choices={"right": "right-handed", "left": "left-handed", "any": "any die", "king": "only the King"},
    terms={"King": "King"},
    bad={
        "no-such-die": '{die!j} is not a die, as in "w5/3" (5 on top, 3 to the south) or "wK"',
        "impossible-die": "{die}: this top and this south face cannot be on one die so; opposite faces add to 7",
        "one-king": "{player!t} must have one King, not {got}",
        "too-many-dice": "{player!t} has more dice than the game has",
    },
)
FR = Words(
    name="6 Faces",
    about="À deux\xa0: des dés qui roulent, un Roi chacun",
    seats={"white": "Blanc", "red": "Rouge"},
    labels={"white": "Blanc", "red": "Rouge"},
    now={"six-faces.now": "rouler un dé du nombre de cases qu'il montre, ou avancer le Roi d'une case"},
    moves={
        "six-faces.roll": "le {die} de {player!t}\xa0: {route}, montre un {top}",
        "six-faces.roll-takes": "le {die} de {player!t}\xa0: {route}, prend le {taken!t}, montre un {top}",
        "six-faces.king": "le Roi de {player!t}\xa0: {route}",
        "six-faces.king-takes": "le Roi de {player!t}\xa0: {route}, prend le {taken!t}",
    },
    reasons={
        "not-your-die": "c'est à {player!t} de jouer, et le dé en {square} n'est pas à lui",
        "no-die": "il n'y a pas de dé en {square}",
        "not-straight": "{from} et {to} ne sont ni sur une même ligne ni sur une même colonne",
        "went-back": "un dé ne roule jamais en arrière : {move}",
        "turned-twice": "un dé ne tourne de côté qu'une fois au plus : {move}",
        "one-square": "le {die} en {square} doit rouler d'exactement une case ; {move} en fait {is}",
        "wrong-distance": "le {die} en {square} doit rouler d'exactement {must} cases ; {move} en fait {is}",
        "king-distance": "le Roi en {square} avance d'une case ; {move} en fait {is}",
        "blocked": "{square} barre le chemin de {move}",
        "own-piece": "un de ses propres dés est en {square}",
        "turn-straight-on": "le dé ne tourne pas en {square} : écrire {move}",
        "wrong-top": "aucun dé qui roule jusqu'en {square} n'y montre un {top} posé ainsi",
        "die-turned": "le dé en {square} a été tourné sur place",
        "not-rolled-there": "il y a un dé en {square}, et aucun n'y a roulé",
        "one-die": "un tour déplace un seul dé",
    },
    endings={
        "king-taken": "le Roi est pris",
        "home-reached": "la case de départ du Roi adverse est atteinte",
    },
    options={
        "handedness": "Dés",
        "home": "Qui gagne sur la case du Roi",
        "repetition": "La troisième répétition est nulle",
    },
    choices={"right": "droitiers", "left": "gauchers", "any": "n'importe quel dé", "king": "seulement le Roi"},
    terms={"King": "Roi"},
    bad={
        "no-such-die": "{die!j} n'est pas un dé, comme « w5/3 » (5 dessus, 3 au sud) ou « wK »",
        "impossible-die": "{die} : cette face du dessus et cette face sud ne vont pas ensemble ; deux faces opposées font 7",
        "one-king": "{player!t} doit avoir un Roi, et non {got}",
        "too-many-dice": "{player!t} a plus de dés qu'il n'y en a dans le jeu",
    },
)
SIX_FACES = {"en": EN, "fr": FR}
