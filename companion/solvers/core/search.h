/* The frame of all searches: iterative deepening within limits.
 *
 * Each step searches one depth deeper by the game's search method. alpha_beta.h has a method for games with an
 * evaluation function; six_faces.c, trippples.c and pegs.c have methods of their own.
 */
#ifndef SEARCH_H
#define SEARCH_H

#include "core.h"

enum { LONGEST_LINE = 96 }; /* moves in the principal variation */

/* The result of a search so far. */
typedef struct {
    double score;     /* for the side to move, in the game's own points; in Pegs the expected result, 0 … 1 */
    uint64_t nodes;   /* positions searched; in Pegs games played */
    int32_t exact;    /* the score is proved */
    int32_t finished; /* 0: this depth was interrupted, and this is the best move of it so far */
    int32_t depth;
    int32_t length;   /* of the line: at least 1 once there is an answer */
    Move line[LONGEST_LINE];
} Answer;

typedef struct Game Game;

/* The common part of every search: the struct of each method begins with it. */
typedef struct {
    const Game *game;
    Limit limit;
    uint64_t seed, nodes;
    Answer answer;
    int depth; /* of the last step */
    int ended; /* further steps cannot improve the answer */
} Search;

/* How a game is searched. */
typedef struct {
    size_t bytes;         /* the size of the method's own struct */
    int max_depth;        /* the depth of the last step */
    uint32_t check_every; /* nodes between checks of clock and flag, see Limit */
    /* Allocates what the zeroed struct points to. False: out of memory; `close` is called anyway. */
    int (*open)(Search *search);
    /* Starts from this state; tables filled by earlier searches are kept. */
    void (*start)(Search *search, const void *state);
    /* Searches to a depth and sets the answer's score, line, exact and finished. False: it was interrupted before it
     * found anything, and the answer is unchanged. It is not interrupted while `limit.owed` is set; it may clear that
     * flag as soon as it has an answer. */
    int (*deepen)(Search *search, int depth, Answer *answer);
    void (*close)(Search *search); /* frees the memory */
} Method;

/* A game, EXPORTed as GAME_game. The rules come first, so that a Game * can be used as a Rules *. */
struct Game {
    Rules rules;
    const Method *method;
    const struct Scoring *scoring; /* for the method of alpha_beta.h */
};

/* `seconds` count from now; `work` 0: unlimited. NULL: out of memory. `stop` must live as long as the search. */
EXPORT Search *search_open(const Game *game, const void *state, uint64_t seed, volatile int32_t *stop, double seconds,
                           uint64_t work);
EXPORT void search_close(Search *search);

/* Search one step deeper. False: the search has ended, and the last answer was the best. The first step always has an
 * answer, whatever the limits are; it takes almost no time. The search ends when its answer is exact, when a limit is
 * reached, and at the maximum depth of its method. */
EXPORT int search_deepen(Search *search, Answer *answer);

/* Start again from another state, with the same limits and tables. */
EXPORT void search_restart(Search *search, const void *state);

/* Search directly to a depth; the limits hold. False: nothing was found. */
EXPORT int search_to(Search *search, int depth, Answer *answer);

/* Run a whole search and return its last answer. False: out of memory. */
EXPORT int search_whole(const Game *game, const void *state, uint64_t seed, volatile int32_t *stop, double seconds,
                        uint64_t work, Answer *answer);

#endif
