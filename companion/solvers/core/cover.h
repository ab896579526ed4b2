/* What the searches for solutions of the solitaires share. */
#ifndef COVER_H
#define COVER_H

#include "core.h"

/* What is found, written as the search goes on: others may look at it meanwhile. */
typedef struct {
    volatile uint64_t found, nodes;
    volatile double done; /* how much of the search tree lies behind, 0 … 1 */
} Tally;

#endif
