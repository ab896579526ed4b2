/* Exact cover: every item once, by options that are sets of items (Hepta solitaire, Tetrods).
 *
 * An item is a square (0 … 48) or whatever else must be used once: a tetrod, the right to leave a square bare. The two
 * highest bits of an option are no items but say its kind, where only so many of a kind may be used.
 * companion/solvers/cover.py does the same without a compiler, in the same order.
 */
#include "cover.h"
#include "seven.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_OPTIONS = 1024 }; /* Tetrods has the most: up to 76 over each of 13 mushrooms, and a few bare squares */
enum { MAX_DEPTH = 24 };        /* options of a solution, and one more: Hepta has 14, Tetrods 13 */
static const uint64_t KIND_A = (uint64_t)1 << 62, KIND_B = (uint64_t)1 << 63;

typedef struct {
    uint64_t must;   /* the items to be covered */
    uint64_t bare;   /* the squares that an option can cover alone */
    int32_t left[2]; /* how many options of each kind may be used */
    int32_t size;    /* the squares of a piece, for cover_count */
    int32_t options;
    const uint64_t *option;
} Cover;

/* A solution by the numbers of its options, ended by −1. */
typedef struct {
    int32_t option[MAX_DEPTH];
} CoverSolution;

MIRRORED(Tally, tally);
MIRRORED(Cover, cover_problem);
MIRRORED(CoverSolution, cover_solution);

/* --- the search: always the item with the fewest options left, the lowest among equals */

typedef struct {
    const Cover *cover;
    uint64_t most;       /* solutions that are wanted */
    CoverSolution *list; /* where to write them; NULL: only counted */
    Tally *tally;
    Limit limit;
    uint64_t chosen[MAX_DEPTH];
    uint64_t live[(MAX_DEPTH + 1) * MOST_OPTIONS]; /* by depth, the options that were open to the one before */
} Covering;

static void found(Covering *search, double share)
{
    search->tally->done += share;
    if (++search->tally->found >= search->most)
        search->limit.over = 1;
}

static void write_down(Covering *search, int depth)
{
    const Cover *cover = search->cover;
    int32_t *to = search->list[search->tally->found].option;
    for (int n = 0; n < depth; n++) {
        to[n] = 0;
        while (cover->option[to[n]] != search->chosen[n])
            to[n]++;
    }
    to[depth] = -1;
}

/* The open item that the fewest options have, by counting them. */
static uint64_t rarest(const uint64_t *live, int count, uint64_t open, int *ways)
{
    int counts[64] = {0};
    for (int n = 0; n < count; n++)
        for (uint64_t items = live[n] & open; items; items &= items - 1)
            counts[lowest(items)]++;
    int best = lowest(open);
    for (uint64_t items = open; items; items &= items - 1)
        if (counts[lowest(items)] < counts[best])
            best = lowest(items);
    *ways = counts[best];
    return bit(best);
}

/* Whether a free square has no free neighbor and cannot stay bare, or two such squares would have to. */
static int walled_in(const Cover *cover, uint64_t squares)
{
    uint64_t alone = squares & ~beside(squares);
    return (alone & ~cover->bare) || (alone & (alone - 1));
}

/* The solutions that use these items already; `share` is this node's part of the whole search tree. */
static void below(Covering *search, int depth, const uint64_t *from, int options, uint64_t used, int left_a, int left_b,
                      double share)
{
    const Cover *cover = search->cover;
    if (out_of_time(&search->limit))
        return;
    search->tally->nodes++;
    uint64_t open = cover->must & ~used;
    if (!open) {
        if (search->list)
            write_down(search, depth);
        found(search, share);
        return;
    }
    if (walled_in(cover, open & BOARD)) {
        search->tally->done += share;
        return;
    }
    uint64_t *to = search->live + (from - search->live) + options;
    uint64_t one = 0, two = 0, three = 0, four = 0; /* the items that at least so many options have */
    int count = 0;
    for (int n = 0; n < options; n++) { /* without branches: which options are left cannot be foretold */
        to[count] = from[n];
        count += !(from[n] & used);
    }
    for (int n = 0; n < count; n++) {
        four |= three & to[n];
        three |= two & to[n];
        two |= one & to[n];
        one |= to[n];
    }
    if (open & ~one) {
        search->tally->done += share;
    } else {
        int ways = open & ~two ? 1 : open & ~three ? 2 : 3;
        uint64_t item = open & ~two     ? first_of(open & ~two)
                        : open & ~three ? first_of(open & ~three)
                        : open & ~four  ? first_of(open & ~four)
                                        : rarest(to, count, open, &ways);
        for (int n = 0; n < count; n++) {
            uint64_t mask = to[n];
            if (!(mask & item))
                continue;
            search->chosen[depth] = mask;
            int a = left_a - !!(mask & KIND_A), b = left_b - !!(mask & KIND_B);
            uint64_t next = used | (mask & ~(KIND_A | KIND_B)) | (a ? 0 : KIND_A) | (b ? 0 : KIND_B);
            below(search, depth + 1, to, count, next, a, b, share / ways);
            if (search->limit.over)
                return;
        }
    }
}

/* Ends when told to stop, after so many seconds, or after `work` nodes (0: any number), and when `most` solutions are
 * found. Returns whether the whole tree was searched; −1 where there is not the memory for it. */
EXPORT int cover_search(const Cover *cover, uint64_t most, CoverSolution *list, Tally *tally, volatile int32_t *stop,
                        double seconds, uint64_t work)
{
    Covering *search = cover->options <= MOST_OPTIONS ? malloc(sizeof *search) : NULL;
    if (!search)
        return -1;
    search->cover = cover;
    search->most = most;
    search->list = list;
    search->tally = tally;
    search->limit = limit_within(stop, seconds, work, CHECK_EVERY);
    memcpy(search->live, cover->option, (size_t)cover->options * sizeof *cover->option);
    uint64_t used = (cover->left[0] ? 0 : KIND_A) | (cover->left[1] ? 0 : KIND_B);
    below(search, 0, search->live, cover->options, used, cover->left[0], cover->left[1], 1);
    int finished = !search->limit.over;
    free(search);
    return finished;
}

/* --- counting where many pieces are alike: square by square, and what follows each set of squares only once */

enum { MOST_KINDS = 8 };       /* Hepta has none to seven I */
enum { MOST_FROM = 8 };        /* ways for a piece to lie from its lowest square on; in Hepta there are six */
enum { FIRST_CAPACITY = 1 << 11 }; /* sets of squares; the room becomes four times as large when it is used up */

typedef uint64_t Ways[MOST_KINDS]; /* by how many options of kind A it takes */

typedef struct {
    const Cover *cover;
    int kinds; /* one more than how many options of kind A may be used */
    int from[64];
    uint64_t option[64][MOST_FROM]; /* by their lowest item */
    /* what is known: by number the squares used and in how many ways the others can be covered */
    uint64_t *used;
    Ways *ways;
    uint32_t count, room;
    uint32_t *table; /* four places for each that there is room for: 0, or its number + 1 */
    Tally *tally;
    Limit limit;
    int no_room;
} Counting;

/* Where the number of these squares stands, or will stand. */
static uint32_t *place(const Counting *counting, uint64_t used)
{
    uint32_t last = 4 * counting->room - 1, at = (uint32_t)mixed(used) & last;
    while (counting->table[at] && counting->used[counting->table[at] - 1] != used)
        at = (at + 1) & last;
    return &counting->table[at];
}

static int grow(Counting *counting)
{
    uint32_t room = counting->room ? counting->room * 4 : FIRST_CAPACITY;
    uint64_t *used = realloc(counting->used, room * sizeof *used);
    if (used)
        counting->used = used;
    Ways *ways = realloc(counting->ways, room * sizeof *ways);
    if (ways)
        counting->ways = ways;
    uint32_t *table = calloc(4 * (size_t)room, sizeof *table);
    if (!used || !ways || !table) {
        free(table);
        return 0;
    }
    free(counting->table);
    counting->table = table;
    counting->room = room;
    for (uint32_t n = 0; n < counting->count; n++)
        *place(counting, counting->used[n]) = n + 1;
    return 1;
}

static void ways_from(Counting *counting, uint64_t used, uint64_t *ways)
{
    size_t size = (size_t)counting->kinds * sizeof *ways;
    uint64_t open = counting->cover->must & ~used;
    memset(ways, 0, size);
    if (!open)
        ways[0] = 1;
    if (!open || walled_in(counting->cover, open))
        return;
    uint32_t known = *place(counting, used);
    if (known) {
        memcpy(ways, counting->ways[known - 1], size);
        return;
    }
    if (counting->no_room || out_of_time(&counting->limit))
        return;
    counting->tally->nodes++;
    int square = lowest(open);
    for (int n = 0; n < counting->from[square]; n++) {
        uint64_t mask = counting->option[square][n];
        if (mask & used)
            continue;
        Ways rest;
        ways_from(counting, used | (mask & ~(KIND_A | KIND_B)), rest);
        int is_a = !!(mask & KIND_A);
        for (int a = 0; a + is_a < counting->kinds; a++)
            ways[a + is_a] += rest[a];
    }
    if (counting->count == counting->room && !grow(counting)) {
        counting->no_room = 1;
        return;
    }
    counting->used[counting->count] = used;
    memcpy(counting->ways[counting->count], ways, size);
    *place(counting, used) = ++counting->count;
}

/* Counts all solutions of a cover whose options are pieces of one size on squares, each of kind A or of kind B.
 * Returns whether it came to its end; −1 where there is not the memory for it. */
EXPORT int cover_count(const Cover *cover, Tally *tally, volatile int32_t *stop, double seconds, uint64_t work)
{
    Counting *counting = cover->left[0] < MOST_KINDS ? calloc(1, sizeof *counting) : NULL;
    if (!counting)
        return -1;
    counting->cover = cover;
    counting->kinds = cover->left[0] + 1;
    counting->tally = tally;
    counting->limit = limit_within(stop, seconds, work, CHECK_EVERY);
    counting->no_room = !grow(counting);
    for (int n = 0; n < cover->options; n++) {
        int square = lowest(cover->option[n]);
        if (counting->from[square] < MOST_FROM)
            counting->option[square][counting->from[square]++] = cover->option[n];
    }
    Ways ways = {0};
    if (!counting->no_room)
        ways_from(counting, ~cover->must & ~(KIND_A | KIND_B), ways);
    int pieces = ones(cover->must) / cover->size;
    for (int a = 0; a < counting->kinds; a++)
        if (pieces - a <= cover->left[1])
            tally->found += ways[a];
    int finished = counting->no_room ? -1 : !counting->limit.over;
    free(counting->used);
    free(counting->ways);
    free(counting->table);
    free(counting);
    return finished;
}
