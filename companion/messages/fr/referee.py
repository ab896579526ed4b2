"""Ce que dit l’arbitre : pourquoi un coup est refusé, comment une partie a fini, ce qu’on voit."""

REASONS = {
    "unreadable": "{text!j} ne se lit pas comme un coup",
    "cells-unsorted": "les cases s'écrivent dans l'ordre alphabétique : {cells}",
    "over": "la partie est finie",
    "wrong-phase": "{player!t} doit maintenant {now!t}",
    "outside": "{square} est hors du plateau",
    "square-taken": "{square} n'est pas libre",
    "covered": "{square} est recouverte",
    "overlap": "{square} est déjà recouverte ou bloquée",
    "used-up": "{piece!t} : déjà utilisé",
    "taken-away": "ce qui était en {square} a été enlevé",
    "unexplained": "aucun tour permis ne mène à cela",
}

ENDINGS = {
    "solved": "résolu",
    "stuck": "il ne reste aucun coup",
    "no-move": "il ne reste aucun coup",
    "repetition": "la position est apparue pour la troisième fois",
    "agreed": "d'un commun accord",
    "resigned": "par abandon",
    "time": "au temps",
    "forfeit": "par forfait",
    "referee": "sur décision de l'arbitre",
    "odd": "son journal n'a pas de sens\xa0; companion verify dit s'il a été modifié",
}

VERDICTS = {
    "same": "rien n'a changé",
    "move": "joué\xa0: {moves}",
    "partial": "un tour en cours",
    "hand": "quelque chose cache la table",
    "stands": "quelque chose est posé sur {squares} ; le reste est lu",
    "unsure": "pas sûr\xa0:",
    "hidden": "des cases décisives sont cachées.",
    "faint": "l'image ne tranche pas.",
    "missed": "des coups n'ont pas été vus\xa0; voici comment est le plateau. Jouez-les sur la page, ou repartez d'ici.",
    "several": "plusieurs coups mènent à cela",
    "illegal": "Interdit\xa0:",
    "taken-back": "La table est comme avant\xa0: un coup a-t-il été repris\xa0? Tel quel, c'est interdit\xa0:",
    "otherwise": "Le dernier tour a été joué autrement\xa0: {moves}\xa0? Tel quel, c'est interdit\xa0:",
    "put-right": "Comme il faut\xa0: {squares}.",
    "square": "{square}\xa0: {should} (vu\xa0: {seen})",
}

QUESTIONS = {
    "stood": "Ce coup est interdit. L'accepter quand même ?",
    "taken-back": "{count} coups ont-ils été repris\xa0?",
    "otherwise": "Le dernier tour a-t-il été joué autrement\xa0: {moves}\xa0?",
    "which": "Plusieurs coups donnent la même image\xa0; lequel était-ce\xa0?",
    "route": "Par où est-il passé\xa0? Cela revient au même.",
    "stuck": "Rien n'explique le plateau tel qu'il est. Comment continuer\xa0?",
    "unseen-told": "{move}\xa0: laquelle était-ce\xa0?",
    "unseen": "Quelle carte était-ce ({move}, {player!t})\xa0? Six chiffres, 1 pour un trou",
}
