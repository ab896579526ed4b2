#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L
#include "core.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

MIRRORED(Rules, rules);

static double now(void) /* monotonic, in seconds */
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

Limit limit_within(volatile int32_t *stop, double seconds, uint64_t work, uint32_t every)
{
    return (Limit){.stop = stop, .deadline = now() + seconds, .work = work ? work : UINT64_MAX, .every = every};
}

int limit_check(Limit *limit)
{
    if (!limit->owed && (limit->calls >= limit->work || (limit->stop && *limit->stop) || now() >= limit->deadline))
        limit->over = 1;
    return limit->over;
}

enum { LARGE_PAGE = 1 << 21 }; /* bytes, on most processors; smaller tables do not gain from it */

void *zeros_new(size_t bytes)
{
#ifdef __linux__
    if (bytes >= LARGE_PAGE) {
        void *zeros = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (zeros == MAP_FAILED)
            return NULL;
        madvise(zeros, bytes, MADV_HUGEPAGE); /* only a hint, so errors are ignored */
        return zeros;
    }
#endif
    return calloc(1, bytes);
}

void zeros_free(void *zeros, size_t bytes)
{
#ifdef __linux__
    if (zeros && bytes >= LARGE_PAGE) {
        munmap(zeros, bytes);
        return;
    }
#endif
    (void)bytes;
    free(zeros);
}

static uint64_t walk(const Rules *rules, const void *state, int depth, Move *moves, char *after)
{
    int count = rules->moves(state, moves);
    if (depth == 1)
        return (uint64_t)count;
    uint64_t sum = 0;
    for (int n = 0; n < count; n++) {
        memcpy(after, state, rules->size);
        rules->play(after, moves[n]);
        sum += walk(rules, after, depth - 1, moves + rules->most_moves, after + rules->size);
    }
    return sum;
}

EXPORT uint64_t core_perft(const Rules *rules, const void *state, int depth)
{
    if (depth <= 0)
        return 1;
    Move *moves = malloc(sizeof(Move) * (size_t)rules->most_moves * (size_t)depth);
    char *after = malloc(rules->size * (size_t)depth);
    uint64_t sum = moves && after ? walk(rules, state, depth, moves, after) : 0;
    free(moves);
    free(after);
    return sum;
}

/* setuptools makes Windows linkers export this function. It is never called: ctypes loads the library. */
EXPORT void *PyInit__core(void)
{
    return NULL;
}
