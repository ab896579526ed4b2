/* The field of 7 × 7 squares that Hepta, Pegs, T for Two and their solitaires are played on: a bit for each square, in
 * the order a1 b1 … g7. */
#ifndef SEVEN_H
#define SEVEN_H

#include "bits.h"

enum { SIDE = 7, SQUARES = SIDE * SIDE };

#define BOARD (((uint64_t)1 << SQUARES) - 1)
#define COLUMN_A ((uint64_t)0x40810204081)
#define COLUMN_G (COLUMN_A << (SIDE - 1))

/* The squares beside these along rows and columns. Bits beyond the board may be among them: mask them with the squares
 * that matter. */
static inline uint64_t beside(uint64_t squares)
{
    return (squares & ~COLUMN_G) << 1 | (squares & ~COLUMN_A) >> 1 | squares << SIDE | squares >> SIDE;
}

#endif
