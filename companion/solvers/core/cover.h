/* What the searches for solutions of the solitaires share. */
#ifndef COVER_H
#define COVER_H

#include "core.h"

/* What is found, written as the search goes on: other threads may look at it meanwhile. */
typedef struct {
    volatile uint64_t found, nodes;
    volatile double done; /* the share of the search tree that has been searched, 0 … 1 */
} Tally;

enum { LOOK_EVERY = 256 }; /* nodes from one look at clock and flag to the next, see Limit */

#endif
