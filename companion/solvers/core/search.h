/* The one frame of all searches: a game, a search that goes deeper and deeper within its limits, and the answer it has.
 *
 * A step of a search goes one depth deeper. What is done in it is the game's method: alpha_beta.h has one for games
 * that tell what a state is worth; six_faces.c, trippples.c and pegs.c have methods of their own.
 */
#ifndef SEARCH_H
#define SEARCH_H

#include "core.h"

enum { LONGEST_LINE = 96 }; /* moves of a line that is told */

/* What a search has found so far. */
typedef struct {
    double score;     /* for the side to move, in the game's own points; in Pegs the result to be expected, 0 … 1 */
    uint64_t nodes;   /* positions looked at; in Pegs games played */
    int32_t exact;    /* proved, not only searched */
    int32_t finished; /* 0: this depth was cut short, and the answer holds the best of it so far */
    int32_t depth;
    int32_t length;   /* of the line: at least 1 once there is an answer */
    Move line[LONGEST_LINE];
} Answer;

typedef struct Game Game;

/* The head of every search: a method's own struct begins with one. */
typedef struct {
    const Game *game;
    Limit limit;
    uint64_t seed, nodes;
    Answer answer;
    int depth; /* of the last step */
    int ended; /* no further step will bring anything new */
} Search;

/* How a game is searched. */
typedef struct {
    size_t bytes;        /* of the method's own struct */
    int deepest;         /* no step goes deeper */
    uint32_t look_every; /* nodes from one look at clock and flag to the next, see Limit */
    /* Gets memory for what the struct points to, which is all zeros. False: there is none; `close` is called anyway. */
    int (*open)(Search *search);
    /* Makes ready to search from this state, with what was learnt from others before. */
    void (*start)(Search *search, const void *state);
    /* Searches to a depth. Sets the answer's score, line, exact and finished; false: it was cut off before it found
     * anything new, and the answer is as it was. While `limit.owed` is set it is not cut off; it may clear the flag as
     * soon as it has an answer. */
    int (*deepen)(Search *search, int depth, Answer *answer);
    void (*close)(Search *search); /* gives the memory back */
} Method;

/* All that is known of a game; EXPORTed as GAME_game. The rules come first: a game can be passed for its rules. */
struct Game {
    Rules rules;
    const Method *method;
    const struct Scoring *scoring; /* for the method of alpha_beta.h */
};

/* For so long, counted from now, or so much work (0: any); NULL: no memory. `stop` must live as long as the search. */
EXPORT Search *search_open(const Game *game, const void *state, uint64_t seed, volatile int32_t *stop, double seconds,
                           uint64_t work);
EXPORT void search_close(Search *search);

/* One step deeper. False: it has come to its end, and the answer given last was the best. The first step brings an
 * answer whatever the limits say, because one is owed; it takes next to no time. The search ends when its answer is
 * exact, when it is out of time, and at the deepest step of its method. */
EXPORT int search_deepen(Search *search, Answer *answer);

/* Go on from another state, with the same limits and with what was learnt so far. */
EXPORT void search_restart(Search *search, const void *state);

/* Straight to a depth, which is not owed. False: nothing was found. */
EXPORT int search_to(Search *search, int depth, Answer *answer);

/* A whole search at once: its last answer. False: no memory. */
EXPORT int search_whole(const Game *game, const void *state, uint64_t seed, volatile int32_t *stop, double seconds,
                        uint64_t work, Answer *answer);

#endif
