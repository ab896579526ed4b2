/* Sets of up to 64 things as the bits of a number: squares of a board, cards, blocks, items to be covered. */
#ifndef BITS_H
#define BITS_H

#include <stdint.h>

static inline uint64_t bit(int n)
{
    return (uint64_t)1 << n;
}

/* How many there are. Compilers turn __builtin_popcountll into the call of a function unless they may use the newest
 * processors' instructions; these few steps are inlined and run anywhere. */
static inline int ones(uint64_t set)
{
    set -= set >> 1 & 0x5555555555555555u;
    set = (set & 0x3333333333333333u) + (set >> 2 & 0x3333333333333333u);
    return (int)(((set + (set >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
}

/* The number of the first one; the set must not be empty. */
static inline int lowest(uint64_t set)
{
    return __builtin_ctzll(set);
}

/* The set of the first one alone. */
static inline uint64_t first_of(uint64_t set)
{
    return set & -set;
}

#endif
