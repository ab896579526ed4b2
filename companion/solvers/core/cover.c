/* Exact cover: every item once, by options that are sets of items (Hepta solitaire, Tetrods).
 *
 * An item is a square or whatever else must be used once: a tetrod, the right to leave a square bare. The two highest
 * bits of an option are no items but say its kind, where only so many of a kind may be used.
 * companion/solvers/cover.py does the same without a compiler, in the same order.
 */
#include "cover.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_OPTIONS = 1024, DEEPEST = 24 /* also in cover.py */ };
static const uint64_t KIND_A = (uint64_t)1 << 62, KIND_B = (uint64_t)1 << 63;

typedef struct {
    uint64_t must;    /* the items to be covered */
    int32_t remember; /* whether the same items are often covered in several ways, so that it pays to remember what
                         follows; not with items from 56 on */
    int32_t left[2];  /* how many options of each kind may be used */
    int32_t options;
    const uint64_t *option;
} Cover;

/* --- positions met before, with the number of solutions from there */

typedef struct {
    uint64_t *key, *count; /* a key is never 0: it is kept only after some item was used */
    size_t size, used;
} Memory;

static size_t memory_place(const Memory *memory, uint64_t key)
{
    size_t at = mixed(key) & (memory->size - 1);
    while (memory->key[at] && memory->key[at] != key)
        at = (at + 1) & (memory->size - 1);
    return at;
}

static int memory_grow(Memory *memory)
{
    Memory next = {.size = memory->size ? memory->size * 4 : 1 << 10, .used = memory->used};
    next.key = calloc(next.size, sizeof *next.key);
    next.count = malloc(next.size * sizeof *next.count);
    if (!next.key || !next.count) {
        free(next.key);
        free(next.count);
        return 0;
    }
    for (size_t n = 0; n < memory->size; n++)
        if (memory->key[n]) {
            size_t at = memory_place(&next, memory->key[n]);
            next.key[at] = memory->key[n];
            next.count[at] = memory->count[n];
        }
    free(memory->key);
    free(memory->count);
    *memory = next;
    return 1;
}

static const uint64_t *memory_find(const Memory *memory, uint64_t key)
{
    if (!memory->size)
        return NULL;
    size_t at = memory_place(memory, key);
    return memory->key[at] ? &memory->count[at] : NULL;
}

static void memory_keep(Memory *memory, uint64_t key, uint64_t count)
{
    if (!key || (memory->used * 2 >= memory->size && !memory_grow(memory)))
        return; /* what is not remembered is searched again */
    size_t at = memory_place(memory, key);
    memory->key[at] = key;
    memory->count[at] = count;
    memory->used++;
}

/* --- the search: always the item with the fewest options left, the lowest among equals */

typedef struct {
    const Cover *cover;
    uint64_t most; /* solutions that are wanted */
    int32_t *list; /* where to write them, DEEPEST numbers each, ended by −1; NULL: only counted */
    Tally *tally;
    Limit limit;
    Memory memory;
    uint64_t chosen[DEEPEST];
    uint64_t live[(DEEPEST + 1) * MOST_OPTIONS]; /* by depth, the options that were open to the one before */
} Search;

static void found(Search *search, uint64_t count, double share)
{
    search->tally->found += count;
    search->tally->done += share;
    if (search->tally->found >= search->most)
        search->limit.over = 1;
}

static void write_down(Search *search, int depth)
{
    const Cover *cover = search->cover;
    int32_t *to = search->list + search->tally->found * DEEPEST;
    for (int n = 0; n < depth; n++) {
        to[n] = 0;
        while (cover->option[to[n]] != search->chosen[n])
            to[n]++;
    }
    to[depth] = -1;
}

static uint64_t lowest(uint64_t items)
{
    return items & -items;
}

/* The open item that the fewest options have, by counting. */
static uint64_t rarest(const uint64_t *live, int count, uint64_t open, int *ways)
{
    int counts[64] = {0};
    for (int n = 0; n < count; n++)
        for (uint64_t items = live[n] & open; items; items &= items - 1)
            counts[__builtin_ctzll(items)]++;
    int best = __builtin_ctzll(open);
    for (uint64_t items = open; items; items &= items - 1)
        if (counts[__builtin_ctzll(items)] < counts[best])
            best = __builtin_ctzll(items);
    *ways = counts[best];
    return (uint64_t)1 << best;
}

/* The number of solutions that use these items already; `share` is this node's part of the whole search tree. */
static uint64_t below(Search *search, int depth, const uint64_t *from, int options, uint64_t used, int left_a, int left_b,
                      double share)
{
    const Cover *cover = search->cover;
    if (out_of_time(&search->limit))
        return 0;
    search->tally->nodes++;
    uint64_t open = cover->must & ~used;
    if (!open) {
        if (search->list)
            write_down(search, depth);
        found(search, 1, share);
        return 1;
    }
    uint64_t key = used ^ (uint64_t)left_a << 56; /* squares end before, and how many of B are left follows */
    const uint64_t *known = cover->remember ? memory_find(&search->memory, key) : NULL;
    if (known && !(search->list && *known)) {
        uint64_t count = *known;
        found(search, count, share);
        return count;
    }
    uint64_t *to = search->live + (from - search->live) + options;
    uint64_t one = 0, two = 0, three = 0, four = 0; /* the items that at least so many options have */
    int count = 0;
    for (int n = 0; n < options; n++) { /* without branches: which options are left cannot be foretold */
        uint64_t mask = from[n];
        int alive = !(mask & used);
        to[count] = mask;
        count += alive;
        mask &= -(uint64_t)alive;
        four |= three & mask;
        three |= two & mask;
        two |= one & mask;
        one |= mask;
    }
    uint64_t sum = 0;
    if (open & ~one) {
        search->tally->done += share;
    } else {
        int ways = open & ~two ? 1 : open & ~three ? 2 : 3;
        uint64_t item = open & ~two     ? lowest(open & ~two)
                        : open & ~three ? lowest(open & ~three)
                        : open & ~four  ? lowest(open & ~four)
                                        : rarest(to, count, open, &ways);
        for (int n = 0; n < count && !search->limit.over; n++) {
            uint64_t mask = to[n];
            if (!(mask & item))
                continue;
            search->chosen[depth] = mask;
            int a = left_a - !!(mask & KIND_A), b = left_b - !!(mask & KIND_B);
            uint64_t next = used | (mask & ~(KIND_A | KIND_B)) | (a ? 0 : KIND_A) | (b ? 0 : KIND_B);
            sum += below(search, depth + 1, to, count, next, a, b, share / ways);
        }
    }
    if (cover->remember && !search->limit.over && !known)
        memory_keep(&search->memory, key, sum);
    return sum;
}

/* Ends when told to stop, after so many seconds, or after `work` nodes (0: any number), and when `most`
   solutions are found. Returns whether the whole tree was searched; −1 where there is not the memory for it. */
EXPORT int cover_search(const Cover *cover, uint64_t most, int32_t *list, Tally *tally, volatile int32_t *stop,
                        double seconds, uint64_t work)
{
    Search *search = cover->options <= MOST_OPTIONS ? malloc(sizeof *search) : NULL;
    if (!search)
        return -1;
    search->cover = cover;
    search->most = most;
    search->list = list;
    search->tally = tally;
    search->limit = limit_within(stop, seconds, work, 256);
    search->memory = (Memory){0};
    memcpy(search->live, cover->option, (size_t)cover->options * sizeof *cover->option);
    uint64_t used = (cover->left[0] ? 0 : KIND_A) | (cover->left[1] ? 0 : KIND_B);
    below(search, 0, search->live, cover->options, used, cover->left[0], cover->left[1], 1);
    free(search->memory.key);
    free(search->memory.count);
    int finished = !search->limit.over;
    free(search);
    return finished;
}
