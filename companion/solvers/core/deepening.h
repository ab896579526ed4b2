/* Alpha-beta with iterative deepening for games of two sides, which says what it has proved and what it only guesses. */
#ifndef DEEPENING_H
#define DEEPENING_H

#include "core.h"

enum { SURE = 30000 }; /* no result is worth more than SURE */

typedef struct {
    const Rules *rules;
    int (*over)(const void *state);
    int (*result)(const void *state); /* of a finished game, for side 0 */
    /* A guess for side 0 where the search ends; sets *proved where it is none. */
    int (*guess)(const void *state, int *proved);
    void (*range)(const void *state, int *low, int *high); /* what the result can still be, for side 0; may be NULL */
    uint64_t (*key)(const void *state);                    /* equal keys: equal futures */
    int prize; /* a result of at least this is a win, the sooner the better: less one for each move; 0: points */
} Contest;

typedef struct {
    int32_t result; /* for the side to move */
    int32_t exact;  /* proved */
    int32_t depth;
    int32_t length;
    uint64_t nodes;
    Move line[LONGEST_LINE];
} Answer;

typedef struct Deepening Deepening;

/* For so long, counted from now, or so much work (0: any); NULL: no memory. */
EXPORT Deepening *deepening_begin(const Contest *contest, const void *state, volatile int32_t *stop, double seconds,
                                  uint64_t work);
EXPORT void deepening_end(Deepening *search);

/* Go on from another state, with what was learnt so far. */
EXPORT void deepening_from(Deepening *search, const void *state);

/* Search to this depth (call it for 1, 2, 3 …). 0: cut off, and `answer` holds the best of this depth so far, if any
 * move was searched (length > 0). */
EXPORT int deepening_search(Deepening *search, int depth, Answer *answer);

#endif
