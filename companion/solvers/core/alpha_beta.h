/* Alpha-beta search: what all searches of this kind share, and a method for games that tell what a state is worth. It
 * says what it has proved and what it only guesses. */
#ifndef ALPHA_BETA_H
#define ALPHA_BETA_H

#include "search.h"

/* --- the transposition table: what was found of positions met before */

enum { EXACT = 1, AT_LEAST, AT_MOST }; /* what a score in the table says of the true one */

typedef struct {
    uint64_t key;
    Move move;     /* the best one */
    int16_t score; /* for the side to move; wins counted from this position, see `delayed` */
    uint8_t depth; /* that was searched below it */
    uint8_t bound; /* 0: nothing is kept here */
} Entry;

typedef struct {
    Entry *entries;
    int shift; /* the highest bits of a key tell its entry; the others are shifted out */
} Table;

int table_open(Table *table, int bits); /* with 2^bits entries; false: no memory */
void table_close(Table *table);

/* Where a position has its entry; it may hold another one's. */
static inline Entry *table_at(const Table *table, uint64_t key)
{
    return &table->entries[key >> table->shift];
}

/* --- wins */

enum {
    WIN = 30000, /* at once; each move until then makes it less by one, so that of two wins the sooner is chosen */
    WON = 29000, /* scores beyond are wins, and those below −WON losses */
};

/* A score as it looks from so many moves before, where scores beyond `won` are wins. With a negative number of moves it
 * is turned back: in the table, wins are counted from the position itself. */
static inline int delayed(int score, int moves, int won)
{
    return score > won ? score - moves : score < -won ? score + moves : score;
}

/* Whether a score is proved where wins and losses come from the rules alone: a win wherever it is seen, a loss only if
 * all ways out have been tried. */
static inline int is_proved(int score, int finished)
{
    return score > WON || (score < -WON && finished);
}

/* --- the order of moves: the best of those from n on comes to n */

static inline void bring_best(Move *moves, int32_t *promise, int n, int count)
{
    int best = n;
    for (int m = n + 1; m < count; m++)
        if (promise[m] > promise[best])
            best = m;
    if (best == n)
        return;
    Move move = moves[best];
    int32_t value = promise[best];
    moves[best] = moves[n], promise[best] = promise[n];
    moves[n] = move, promise[n] = value;
}

/* --- a method for games of two sides */

typedef struct Scoring {
    int (*over)(const void *state);
    int (*result)(const void *state); /* of a finished game, for side 0 */
    int (*guess)(const void *state, int *proved); /* of a running game, for side 0; sets *proved where it is certain */
    void (*range)(const void *state, int *low, int *high); /* what the result can still be, for side 0; may be NULL */
    uint64_t (*key)(const void *state);                    /* equal keys: equal futures */
    int prize; /* a result of this or more is a win, and less is made of later ones; 0: only points count */
} Scoring;

extern const Method alpha_beta;

#endif
