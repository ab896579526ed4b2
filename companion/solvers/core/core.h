/* What every game's compiled rules and search share: limits, chance, hashing, and one narrow view of a game.
 *
 * C11 without Python.h: the library is loaded with ctypes (companion/solvers/compiled.py), so a C compiler is all that
 * it takes to build it. Functions marked EXPORT are what Python calls.
 */
#ifndef CORE_H
#define CORE_H

#include <stddef.h>
#include <stdint.h>

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

/* --- how long to think: until told to stop, until a time, or until so much work is done (the same on any machine) */

typedef struct {
    volatile int32_t *stop; /* set from outside, perhaps by another thread; may be NULL */
    double deadline;        /* by the clock of `now` */
    uint64_t work;          /* calls of out_of_time until it is over; 0: any number */
    uint64_t calls;
    uint32_t every; /* looks at clock and flag each so many calls, a power of two: at least every 200 µs or so */
    int over;
} Limit;

double now(void); /* seconds, from some moment on */
Limit limit_within(volatile int32_t *stop, double seconds, uint64_t work, uint32_t every);
int limit_look(Limit *limit); /* looks at flag and clock, at once */

/* To be asked at every node; once true it stays true. */
static inline int out_of_time(Limit *limit)
{
    if (limit->over)
        return 1;
    limit->calls++;
    if (limit->calls == limit->work)
        return limit->over = 1;
    return limit->calls & (limit->every - 1) ? 0 : limit_look(limit);
}

/* --- tables of what has been met before: megabytes of zeros, where the system can in large pages, which are found faster */

void *table_new(size_t bytes); /* NULL if there is no room */
void table_free(void *table, size_t bytes);

/* --- chance and hashing */

typedef struct {
    uint64_t state;
} Random;

/* A well-mixed number from any number (the finisher of splitmix64): hashing, and the step of the generator below. */
static inline uint64_t mixed(uint64_t n)
{
    n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9u;
    n = (n ^ n >> 27) * 0x94d049bb133111ebu;
    return n ^ n >> 31;
}

static inline uint64_t random_next(Random *random)
{
    return mixed(random->state += 0x9e3779b97f4a7c15u);
}

static inline uint32_t random_below(Random *random, uint32_t bound) /* 0 … bound − 1 */
{
    return (uint32_t)((random_next(random) >> 32) * bound >> 32);
}

/* --- a game's rules, for code that serves all games */

typedef uint32_t Move;

typedef struct {
    size_t size;                                /* of a state, in bytes; a state may be copied as bytes */
    int most_moves;                             /* that any state has */
    int (*moves)(const void *state, Move *out); /* how many; 0: the game is over */
    void (*play)(void *state, Move move);       /* in place, forced passes included */
    int (*side)(const void *state);             /* 0 or 1: the side (team) to move */
    double (*value)(const void *state);         /* of a finished game, for side 0: 1, 0.5, 0 (or scaled points) */
} Rules;

/* What a search that goes deeper and deeper has found so far. GAME_open makes one from a state and a seed, GAME_deepen
 * goes one step deeper within its limits, GAME_close ends it (see compiled.deepen). */
enum { LONGEST_LINE = 96 };

typedef struct {
    int32_t score;    /* for the side to move; beyond ±29 000 a proved win or loss */
    int32_t depth;
    int32_t length;
    int32_t finished; /* 0: cut short; the line is as good as what was found before, or better */
    uint64_t nodes;
    Move line[LONGEST_LINE];
} Found;

/* The number of move sequences of exactly `depth` moves. */
EXPORT uint64_t core_perft(const Rules *rules, const void *state, int depth);

#endif
