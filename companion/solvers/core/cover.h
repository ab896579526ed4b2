/* What the searches for solutions of the solitaires share. */
#ifndef COVER_H
#define COVER_H

#include "core.h"

/* The progress of a search, updated while it runs: other threads may read it. */
typedef struct {
    volatile uint64_t found, nodes;
    volatile double done; /* the share of the search tree that has been searched, 0 … 1 */
} Tally;

enum { CHECK_EVERY = 256 }; /* nodes between checks of clock and flag, see Limit */

#endif
