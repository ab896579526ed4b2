/* What all compiled rules and searches share: limits, large tables, random numbers, hashing, and the interface to a
 * game's rules.
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
 * library, and rejects a library that was built from other sources. */
#define MIRRORED(type, name) EXPORT const size_t size_of_##name = sizeof(type)

/* --- limits of a search: a stop flag, a deadline, and an amount of work (which is the same on any machine) */

typedef struct {
    volatile int32_t *stop; /* may be set by another thread; may be NULL */
    double deadline;        /* by the clock of `now` */
    uint64_t work;          /* the maximum number of calls of out_of_time */
    uint64_t calls;         /* of out_of_time so far */
    uint32_t every;         /* clock and flag are checked once in so many calls, a power of two */
    int owed;               /* the search must return an answer: no limit holds while this is set */
    int over;               /* a limit was reached; it is never reset */
} Limit;

/* Choose `every` so that clock and flag are checked about every 200 µs. `work` 0: unlimited. */
Limit limit_within(volatile int32_t *stop, double seconds, uint64_t work, uint32_t every);
int limit_check(Limit *limit); /* checks all limits now; whether one is reached */

/* Call this at every node. */
static inline int out_of_time(Limit *limit)
{
    if (limit->over)
        return 1;
    limit->calls++;
    return limit->calls < limit->work && limit->calls & (limit->every - 1) ? 0 : limit_check(limit);
}

/* --- large tables: zeroed memory, in huge pages if the system has them, which need fewer TLB entries */

void *zeros_new(size_t bytes); /* NULL if there is no room */
void zeros_free(void *zeros, size_t bytes);

/* --- random numbers and hashing */

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

typedef uint32_t Move; /* each game has an encoding of its own */

typedef struct {
    size_t size;                                /* of a state in bytes; states are copied with memcpy */
    int most_moves;                             /* the maximum number of moves in a state */
    int (*moves)(const void *state, Move *out); /* returns their number; 0: the game is over */
    void (*play)(void *state, Move move);       /* changes the state, including forced passes */
    int (*side)(const void *state);             /* 0 or 1: the side (team) to move */
    double (*value)(const void *state);         /* of a finished game, for side 0: 1, 0.5, 0 (or scaled points) */
} Rules;

/* The number of move sequences of exactly `depth` moves. */
EXPORT uint64_t core_perft(const Rules *rules, const void *state, int depth);

#endif
