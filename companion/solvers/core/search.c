#include "search.h"

#include <stdlib.h>

MIRRORED(Answer, answer);

EXPORT Search *search_open(const Game *game, const void *state, uint64_t seed, volatile int32_t *stop, double seconds,
                           uint64_t work)
{
    const Method *method = game->method;
    Search *search = calloc(1, method->bytes);
    if (!search)
        return NULL;
    search->game = game;
    search->seed = seed;
    search->limit = limit_within(stop, seconds, work, method->check_every);
    if (!method->open(search)) {
        search_close(search);
        return NULL;
    }
    method->start(search, state);
    return search;
}

EXPORT void search_close(Search *search)
{
    if (search)
        search->game->method->close(search);
    free(search);
}

EXPORT void search_restart(Search *search, const void *state)
{
    search->depth = search->ended = 0;
    search->answer = (Answer){0};
    search->game->method->start(search, state);
}

EXPORT int search_to(Search *search, int depth, Answer *answer)
{
    const Method *method = search->game->method;
    Answer *own = &search->answer;
    search->depth = depth < method->max_depth ? depth : method->max_depth;
    own->exact = own->finished = 0;
    int found = method->deepen(search, search->depth, own);
    if (found)
        own->depth = search->depth;
    own->nodes = search->nodes;
    search->ended = !own->finished || own->exact || search->depth == method->max_depth;
    *answer = *own;
    return found;
}

EXPORT int search_deepen(Search *search, Answer *answer)
{
    search->limit.owed = search->depth == 0;
    if (search->ended || limit_check(&search->limit))
        return 0;
    int found = search_to(search, search->depth + 1, answer);
    search->limit.owed = 0;
    return found;
}

EXPORT int search_whole(const Game *game, const void *state, uint64_t seed, volatile int32_t *stop, double seconds,
                        uint64_t work, Answer *answer)
{
    Search *search = search_open(game, state, seed, stop, seconds, work);
    if (!search)
        return 0;
    while (search_deepen(search, answer))
        ;
    search_close(search);
    return 1;
}
