"""What the referee says: why a move is refused, how a game ended, what a look shows."""

REASONS = {
    "unreadable": "{text!j} cannot be read as a move",
    "cells-unsorted": "squares are written in alphabetical order: {cells}",
    "over": "the game is over",
    "wrong-phase": "{player!t} must now {now!t}",
    "outside": "{square} is not on the board",
    "square-taken": "{square} is not free",
    "covered": "{square} is covered",
    "overlap": "{square} is covered or blocked already",
    "used-up": "{piece!t} has been used already",
    "taken-away": "what stood on {square} was taken away",
    "unexplained": "no legal turn leads to this",
}

ENDINGS = {
    "solved": "solved",
    "stuck": "no move is left",
    "no-move": "no move is left",
    "repetition": "the position stood for the third time",
    "agreed": "agreed by the players",
    "resigned": "resigned",
    "time": "on time",
    "forfeit": "by forfeit",
    "referee": "decided by the referee",
    "odd": "its log makes no sense; companion verify says whether it was changed",
}

VERDICTS = {
    "same": "nothing has changed",
    "move": "played: {moves}",
    "partial": "a turn in progress",
    "hand": "something is in the way",
    "stands": "something stands on {squares}; all else is read",
    "unsure": "not sure:",
    "hidden": "squares that decide are hidden.",
    "faint": "the picture does not decide.",
    "missed": "some moves were not seen; this is how the board stands. Play them on the page, or go on from here.",
    "several": "several moves lead to this",
    "illegal": "Illegal:",
    "taken-back": "The board stands as it did before: was a move taken back? As play goes on it is illegal:",
    "otherwise": "The last turn was made otherwise: {moves}? As play goes on it is illegal:",
    "put-right": "As it should be: {squares}.",
    "square": "{square}: {should} (seen: {seen})",
}

QUESTIONS = {
    "stood": "This is illegal. Accept it all the same?",
    "taken-back": "Were {count} moves taken back?",
    "otherwise": "Was the last turn made otherwise: {moves}?",
    "which": "Several moves look like this; which was it?",
    "route": "Which way did it go? It comes to the same.",
    "stuck": "Nothing explains the board as it lies. How does it go on?",
    "unseen-told": "{move}: which was it?",
    "unseen": "Which card was it ({move}, {player!t})? Six digits, the holes as 1",
}
