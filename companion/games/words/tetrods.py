"""Tetrods and T for Two in words: both are played with tetrods and mushrooms."""

from companion.games.game import Words

PIECES = {
    "en": {
        "I1": "the I pierced at an end",
        "I2": "the I pierced inside",
        "O1": "the O",
        "T1": "the T pierced at its stem",
        "T2": "the T pierced at an arm",
        "T3": "the T pierced in the middle",
        "L1": "the L pierced at its foot",
        "L2": "the L pierced at the corner",
        "L3": "the L pierced in its leg",
        "L4": "the L pierced at its leg's end",
        "S1": "the S pierced at an end",
        "S2": "the S pierced inside",
    },
    "fr": {
        "I1": "le I percé au bout",
        "I2": "le I percé à l'intérieur",
        "O1": "le O",
        "T1": "le T percé au pied",
        "T2": "le T percé à un bras",
        "T3": "le T percé au milieu",
        "L1": "le L percé au pied",
        "L2": "le L percé au coin",
        "L3": "le L percé dans la jambe",
        "L4": "le L percé au bout de la jambe",
        "S1": "le S percé au bout",
        "S2": "le S percé à l'intérieur",
    },
}
EN = Words(
    name="Tetrods",
    about="Alone: 12 tetrods over 13 mushrooms",
    seats={"solver": "the solver"},
    labels={"solver": "Solver"},
    now={"tetrods.now": "lay a tetrod, its hole over a mushroom ({left} to go)"},
    moves={"tetrods.lay": "{piece!t} over {cells}, its hole on {hole}"},
    pieces=PIECES["en"],
    reasons={
        "no-such-piece": "there is no tetrod {piece}",
        "not-that-tetrod": "{cells} with the hole on {hole} is not {piece!t}",
        "hole-without-mushroom": "there is no mushroom on {square} for the hole",
        "mushroom-under-tetrod": "the mushroom on {square} would be under the tetrod",
        "mushrooms-stay": "the mushrooms stay where they are: look at {square}",
        "not-a-tetrod": "{cells} is not the shape of a tetrod",
    },
)
FR = Words(
    name="Tétrodes",
    about="Seul\xa0: 12 tétrodes sur 13 champignons",
    seats={"solver": "le joueur"},
    labels={"solver": "Joueur"},
    now={"tetrods.now": "poser un tétrode, le trou sur un champignon (encore\xa0{left})"},
    moves={"tetrods.lay": "{piece!t} sur {cells}, son trou en {hole}"},
    pieces=PIECES["fr"],
    reasons={
        "no-such-piece": "il n'y a pas de tétrode {piece}",
        "not-that-tetrod": "{cells} avec le trou en {hole} n'est pas {piece!t}",
        "hole-without-mushroom": "il n'y a pas de champignon en {square} pour le trou",
        "mushroom-under-tetrod": "le champignon en {square} serait sous le tétrode",
        "mushrooms-stay": "les champignons restent en place : voyez {square}",
        "not-a-tetrod": "{cells} n'a la forme d'aucun tétrode",
    },
)
TETRODS = {"en": EN, "fr": FR}
T_FOR_TWO = {
    "en": Words(
        name="T for Two",
        about="Two players: mushrooms against tetrods",
        seats={"mushrooms": "the mushroom player", "tetrods": "the tetrod player"},
        labels={"mushrooms": "Mushrooms", "tetrods": "Tetrods"},
        now={
            "t-for-two.plant": "plant a mushroom on any free square",
            "t-for-two.lay": "lay a tetrod with its hole over the last mushroom",
        },
        moves={**EN.moves, "t-for-two.plant": "a mushroom on {square}"},
        pieces=EN.pieces,
        reasons={
            **EN.reasons,
            "hole-not-on-last": "the hole must be over the last mushroom, on {last}, not on {square}",
            "one-mushroom": "a turn plants one mushroom",
        },
        endings={"leg-over": "no tetrod fits over the last mushroom"},
    ),
    "fr": Words(
        name="T for Two",
        about="À deux\xa0: champignons contre tétrodes",
        seats={"mushrooms": "le joueur des champignons", "tetrods": "le joueur des tétrodes"},
        labels={"mushrooms": "Champignons", "tetrods": "Tétrodes"},
        now={
            "t-for-two.plant": "planter un champignon sur une case libre",
            "t-for-two.lay": "poser un tétrode, le trou sur le dernier champignon",
        },
        moves={**FR.moves, "t-for-two.plant": "un champignon en {square}"},
        pieces=FR.pieces,
        reasons={
            **FR.reasons,
            "hole-not-on-last": "le trou doit être sur le dernier champignon, en {last}, et non en {square}",
            "one-mushroom": "un tour plante un seul champignon",
        },
        endings={"leg-over": "aucun tétrode ne va sur le dernier champignon"},
    ),
}
