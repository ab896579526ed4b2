/* Alpha-beta search: what all searches of this kind share, and a search method for games with an evaluation function.
 * It distinguishes proved scores from evaluations. */
#ifndef ALPHA_BETA_H
#define ALPHA_BETA_H

#include "search.h"

/* --- the transposition table */

enum { EXACT = 1, AT_LEAST, AT_MOST }; /* the kind of bound that a score in the table is */

typedef struct {
    uint64_t key;
    Move move;     /* the best one */
    int16_t score; /* for the side to move; wins are counted from this position, see `delayed` */
    uint8_t depth; /* searched below it */
    uint8_t bound; /* 0: empty */
} Entry;

typedef struct {
    Entry *entries;
    int shift; /* the highest bits of a key are its index */
} Table;

int table_open(Table *table, int bits); /* with 2^bits entries; false: no memory */
void table_close(Table *table);

/* The entry for a position. It may hold another position: compare the key. */
static inline Entry *table_at(const Table *table, uint64_t key)
{
    return &table->entries[key >> table->shift];
}

/* --- wins */

enum {
    WIN = 30000, /* an immediate win; each move until the win subtracts one, so that the sooner win is chosen */
    WON = 29000, /* higher scores are wins, and scores below −WON losses */
};

/* Convert a score to the view of a position `moves` earlier: a win is then so many moves farther away. A negative
 * number converts it back, for the table. Scores beyond `won` are wins. */
static inline int delayed(int score, int moves, int won)
{
    return score > won ? score - moves : score < -won ? score + moves : score;
}

/* Whether a score is proved, in searches where wins and losses come only from the rules: a win always is, a loss only
 * if all moves were searched. */
static inline int is_proved(int score, int finished)
{
    return score > WON || (score < -WON && finished);
}

/* --- selection sort: swap the best of the moves from n on to n */

static inline void select_best(Move *moves, int32_t *priority, int n, int count)
{
    int best = n;
    for (int m = n + 1; m < count; m++)
        if (priority[m] > priority[best])
            best = m;
    if (best == n)
        return;
    Move move = moves[best];
    int32_t value = priority[best];
    moves[best] = moves[n], priority[best] = priority[n];
    moves[n] = move, priority[n] = value;
}

/* --- a method for games of two sides */

typedef struct Scoring {
    int (*over)(const void *state);
    int (*result)(const void *state); /* of a finished game, for side 0 */
    int (*evaluate)(const void *state, int *proved); /* a running game, for side 0; sets *proved if it is certain */
    void (*range)(const void *state, int *low, int *high); /* the bounds of the result, for side 0; may be NULL */
    uint64_t (*key)(const void *state);                    /* states with equal keys have equal futures */
    int prize; /* results from here on are wins, and sooner ones are better; 0: only points count */
} Scoring;

extern const Method alpha_beta;

#endif
