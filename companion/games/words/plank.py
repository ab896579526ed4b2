"""Plank in words."""

from companion.games.game import Words
from companion.games.words import plank_rules as rules

EN = Words(
    name="Plank",
    about="Two to four: three colors in line",
    labels={"A": "Player A", "B": "Player B", "C": "Player C", "D": "Player D"},
    now={
        "plank.put": "put a token from his hand, as in W@c0",
        "plank.move": "move a token, as in a0>b3: all six are out",
    },
    moves={
        "plank.put": "{color!c} token on {to}",
        "plank.move": "{color!c} token from {from} to {to}",
        "plank.lay-and-put": "plank {plank} {end!t}, {color!c} token on {to}",
        "plank.lay-and-move": "plank {plank} {end!t}, {color!c} token from {from} to {to}",
    },
    reasons={
        "first-plank-north": "the first plank is always written with ^: {move}",
        "not-your-token": "the token on {square} belongs to {owner!t}",
        "no-such-plank": "there is no plank {plank!j}: each has one red, one white and one blue square",
        "no-plank-left": "{player!t} has no plank left with {color!c} in the middle",
        "plank-without-token": "a plank that is laid needs a token in the same turn",
        "token-not-on-new-plank": "the token must go on the new plank, row {row}, not on {square}",
        "first-lays-a-plank": "the first turn of a game lays a plank",
        "no-token-left": "{player!t} has no {color!c} token left to put",
        "no-token": "there is no token on {square}",
        "no-plank-there": "no plank lies under {square}",
        "wrong-color": "{square} is {is!c}: a {color!c} token cannot go there",
        "planks-stay": "planks that lie stay where they are",
        "one-plank": "a turn lays one plank at most",
        "one-token": "a turn puts or moves one token",
    },
    endings={"line": "red, white and blue in line"},
    options={"repetition": "Third repetition is a draw", "talk": "Partners may talk"},
    terms={"plank.north": "to the north", "plank.south": "to the south"},
    bad={
        "no-such-plank": "{plank!j} is not a plank: one red, one white and one blue square",
        "not-the-players": "must have one entry for each player: {players}",
        "not-planks-by-color": 'must be planks by middle color, as in {{"R": 2, "W": 2, "B": 2}}',
        "not-a-count": "must be a whole number from 0 to {most}",
        "wrong-model-count": "there are {count} planks with {color!c} in the middle, not {got}",
        "too-many-planks": "there are more planks with {color!c} in the middle than were dealt",
        "too-many-tokens": "{player!t} has more than two {color!c} tokens",
    },
    sheet=rules.PLANK["en"],
)
FR = Words(
    name="Plank",
    about="De deux à quatre\xa0: trois couleurs en ligne",
    labels={"A": "Joueur A", "B": "Joueur B", "C": "Joueur C", "D": "Joueur D"},
    now={
        "plank.put": "poser un jeton de sa main, comme W@c0",
        "plank.move": "déplacer un jeton, comme a0>b3 : les six sont posés",
    },
    moves={
        "plank.put": "jeton {color!c} en {to}",
        "plank.move": "jeton {color!c} de {from} à {to}",
        "plank.lay-and-put": "planche {plank} {end!t}, jeton {color!c} en {to}",
        "plank.lay-and-move": "planche {plank} {end!t}, jeton {color!c} de {from} à {to}",
    },
    reasons={
        "first-plank-north": "la première planche s'écrit toujours avec ^ : {move}",
        "not-your-token": "le jeton en {square} appartient à {owner!t}",
        "no-such-plank": "il n'y a pas de planche {plank!j} : chacune a une case rouge, une blanche et une bleue",
        "no-plank-left": "{player!t} n'a plus de planche avec le {color!c} au milieu",
        "plank-without-token": "une planche posée demande un jeton dans le même tour",
        "token-not-on-new-plank": "le jeton doit aller sur la nouvelle planche, rangée {row}, et non en {square}",
        "first-lays-a-plank": "le premier tour d'une partie pose une planche",
        "no-token-left": "{player!t} n'a plus de jeton {color!c} à poser",
        "no-token": "il n'y a pas de jeton en {square}",
        "no-plank-there": "il n'y a pas de planche sous {square}",
        "wrong-color": "{square} est de couleur {is!c} : un jeton {color!c} ne peut y aller",
        "planks-stay": "les planches posées restent en place",
        "one-plank": "un tour pose au plus une planche",
        "one-token": "un tour pose ou déplace un seul jeton",
    },
    endings={"line": "rouge, blanc et bleu alignés"},
    options={"repetition": "La troisième répétition est nulle", "talk": "Les partenaires peuvent parler"},
    terms={"plank.north": "au nord", "plank.south": "au sud"},
    bad={
        "no-such-plank": "{plank!j} n'est pas une planche : une case rouge, une blanche, une bleue",
        "not-the-players": "il faut une entrée par joueur : {players}",
        "not-planks-by-color": 'il faut des planches par couleur du milieu, comme {{"R": 2, "W": 2, "B": 2}}',
        "not-a-count": "doit être un nombre entier de 0 à {most}",
        "wrong-model-count": "il y a {count} planches avec le {color!c} au milieu, et non {got}",
        "too-many-planks": "il y a plus de planches avec le {color!c} au milieu qu'on n'en a distribué",
        "too-many-tokens": "{player!t} a plus de deux jetons de couleur {color!c}",
    },
    sheet=rules.PLANK["fr"],
)
PLANK = {"en": EN, "fr": FR}
