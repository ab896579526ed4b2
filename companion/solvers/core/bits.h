/* Sets of up to 64 things as bits: squares of a board, cards, blocks, items of an exact cover. */
#ifndef BITS_H
#define BITS_H

#include <stdint.h>

static inline uint64_t bit(int n)
{
    return (uint64_t)1 << n;
}

/* The number of bits. Without -mpopcnt compilers turn __builtin_popcountll into a function call; this is inlined. */
static inline int ones(uint64_t set)
{
    set -= set >> 1 & 0x5555555555555555u;
    set = (set & 0x3333333333333333u) + (set >> 2 & 0x3333333333333333u);
    return (int)(((set + (set >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
}

/* The index of the lowest bit; the set must not be empty. */
static inline int lowest(uint64_t set)
{
    return __builtin_ctzll(set);
}

/* The lowest bit alone. */
static inline uint64_t first_of(uint64_t set)
{
    return set & -set;
}

#endif
