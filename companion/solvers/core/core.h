/* What all compiled rules and searches share: limits, large tables, chance, hashing, and the one view of a game's
 * states.
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

/* Exports the size of a struct that companion/solvers/structs.py mirrors. Python compares the sizes when it loads the
 * library, and does not use one that was built from other sources. */
#define MIRRORED(type, name) EXPORT const size_t size_of_##name = sizeof(type)

/* --- how long to think: until told to stop, until a time, or until so much work is done (the same on any machine) */

typedef struct {
    volatile int32_t *stop; /* set from outside, perhaps by another thread; may be NULL */
    double deadline;        /* by the clock of `now` */
    uint64_t work;          /* calls of out_of_time until it is over */
    uint64_t calls;         /* of out_of_time so far */
    uint32_t every;         /* clock and flag are looked at each so many calls, a power of two */
    int owed;               /* an answer is owed, time or not: it is not over while this is set */
    int over;               /* once it is over it stays over */
} Limit;

/* `every` is to be chosen so that clock and flag are looked at each 200 µs or so; `work` 0: any amount. */
Limit limit_within(volatile int32_t *stop, double seconds, uint64_t work, uint32_t every);
int limit_look(Limit *limit); /* looks at flag, clock and work done, at once; whether it is over */

/* To be asked at every node; counts them. */
static inline int out_of_time(Limit *limit)
{
    if (limit->over)
        return 1;
    limit->calls++;
    return limit->calls < limit->work && limit->calls & (limit->every - 1) ? 0 : limit_look(limit);
}

/* --- large tables: zeros, in large pages where the system has them, which are found faster */

void *zeros_new(size_t bytes); /* NULL if there is no room */
void zeros_free(void *zeros, size_t bytes);

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

typedef uint32_t Move; /* what its bits mean, each game says itself */

typedef struct {
    size_t size;                                /* of a state, in bytes; a state may be copied as bytes */
    int most_moves;                             /* that any state has */
    int (*moves)(const void *state, Move *out); /* how many; 0: the game is over */
    void (*play)(void *state, Move move);       /* in place, forced passes included */
    int (*side)(const void *state);             /* 0 or 1: the side (team) to move */
    double (*value)(const void *state);         /* of a finished game, for side 0: 1, 0.5, 0 (or scaled points) */
} Rules;

/* The number of move sequences of exactly `depth` moves. */
EXPORT uint64_t core_perft(const Rules *rules, const void *state, int depth);

#endif
