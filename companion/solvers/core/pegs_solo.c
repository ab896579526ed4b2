/* Pegs solitaire: 41 pegs and at most eleven different cards cover the board; cards may lie on cards.
 *
 * What counts is the set of pegs and the set of cards. Pegs under cards stay as they are, so all pegs might as well be
 * put before the first card; only the last card must be one without which the board was not covered: with it the game
 * ends. companion/solvers/pegs_solo.py does the same without a compiler, in the same order.
 */
#include "cover.h"
#include "seven.h"

enum { PEGS = 41, EMPTY = SQUARES - PEGS };
enum { CELLS = 6, PATTERNS = 64 }; /* of a card; what it can show: a hole or none in each */
enum { BLOCKS = 60 };              /* places for a card */
enum { MOST_LEFT = 11 };           /* cards of a game */
enum { NOISE = 4 };                /* chance changes the ranks of a shuffled order by less; also in pegs_solo.py */
static const uint64_t ALL_BLOCKS = ((uint64_t)1 << BLOCKS) - 1;

typedef struct {
    uint64_t pegs, covered;
    uint64_t cards; /* that lie already, by the smaller of the two patterns each shows */
    int32_t left;   /* how many cards may still be laid */
} Start;

/* The cards' geometry, which Python gives: it stands in companion/games/pegs.py. */
typedef struct {
    int8_t square[BLOCKS][CELLS]; /* in the order of a pattern's digits */
    int8_t card[PATTERNS];        /* that shows a pattern; 0 is not played */
} Cards;

MIRRORED(Start, pegs_start);
MIRRORED(Cards, pegs_cards);

typedef struct {
    int8_t block, pattern;
    int16_t rank;
} Option;

typedef struct {
    const Cards *cards;
    uint64_t squares[BLOCKS], over[SQUARES]; /* a block's squares, the blocks over a square */
    uint64_t of_holes[CELLS + 1];            /* the cards with so many holes */
    int8_t order[PATTERNS];                  /* patterns, those with most holes first */
    uint64_t fresh;                          /* the squares that were bare at the start */
    uint64_t most;                           /* solutions that are wanted */
    uint64_t *list;                          /* where to write them, pegs and blocks in turn; NULL: only counted */
    Tally *tally;
    Limit limit;
    int shuffled;
    Random chance;
} Covering;

static void prepare(Covering *search, const Cards *cards)
{
    search->cards = cards;
    for (int b = 0; b < BLOCKS; b++)
        for (int n = 0; n < CELLS; n++) {
            search->squares[b] |= bit(cards->square[b][n]);
            search->over[cards->square[b][n]] |= bit(b);
        }
    int count = 0;
    for (int holes = CELLS; holes >= 0; holes--)
        for (int p = 0; p < PATTERNS; p++)
            if (ones((uint64_t)p) == holes) {
                search->order[count++] = (int8_t)p;
                search->of_holes[holes] |= bit(cards->card[p]);
            }
}

/* Which squares of a block are in a set, as a pattern. */
static int pattern_of(const Covering *search, int block, uint64_t set)
{
    int pattern = 0;
    for (int n = 0; n < CELLS; n++)
        pattern = pattern << 1 | (int)(set >> search->cards->square[block][n] & 1);
    return pattern;
}

static void found(Covering *search, uint64_t count, uint64_t pegs, uint64_t placed)
{
    if (search->list) {
        search->list[2 * search->tally->found] = pegs;
        search->list[2 * search->tally->found + 1] = placed;
    }
    if ((search->tally->found += count) >= search->most)
        search->limit.over = 1;
}

/* --- the board is covered: with some of the cards that are left more may be covered twice */

/* How many sets of at most `left` cards there are, no card twice. */
static uint64_t sets_of(const int *blocks_of_card, int left)
{
    uint64_t sets[MOST_LEFT + 1] = {1}, sum = 0; /* by size */
    for (int card = 1; card < PATTERNS; card++)
        for (int size = left; size > 0 && blocks_of_card[card]; size--)
            sets[size] += sets[size - 1] * (uint64_t)blocks_of_card[card];
    for (int size = 0; size <= left; size++)
        sum += sets[size];
    return sum;
}

static void with_more(Covering *search, uint64_t pegs, uint64_t may, uint64_t cards, int left, uint64_t placed,
                      uint64_t once, uint64_t twice)
{
    if (out_of_time(&search->limit))
        return;
    search->tally->nodes++;
    uint64_t free = 0;
    int blocks_of_card[PATTERNS] = {0};
    for (uint64_t rest = left ? may : 0; rest; rest &= rest - 1) {
        int card = search->cards->card[pattern_of(search, lowest(rest), pegs)];
        if (card && !(cards >> card & 1)) {
            free |= first_of(rest);
            blocks_of_card[card]++;
        }
    }
    /* More squares are covered once than the cards left can cover again: some card can be last, whatever is added. */
    if (!search->list && ones(once & search->fresh) > CELLS * left) {
        found(search, sets_of(blocks_of_card, left), pegs, placed);
        return;
    }
    if (once & search->fresh)
        found(search, 1, pegs, placed);
    for (uint64_t rest = free; rest && !search->limit.over; rest &= rest - 1) {
        int b = lowest(rest);
        uint64_t squares = search->squares[b], both = twice | (once & squares);
        int card = search->cards->card[pattern_of(search, b, pegs)];
        with_more(search, pegs, rest & (rest - 1), cards | bit(card), left - 1, placed | bit(b),
                  (once | squares) & ~both, both);
    }
}

static void all_covered(Covering *search, uint64_t pegs, uint64_t cards, uint64_t barred, int left, uint64_t placed)
{
    uint64_t once = 0, twice = 0;
    for (uint64_t rest = placed; rest; rest &= rest - 1) {
        uint64_t squares = search->squares[lowest(rest)];
        twice |= once & squares;
        once = (once | squares) & ~twice;
    }
    with_more(search, pegs, ALL_BLOCKS & ~barred & ~placed, cards, left, placed, once, twice);
}

/* --- covering it: always the bare square with the fewest ways to cover it */

/* Whether the cards that are left cannot have holes for all pegs that are not covered yet. */
static int too_few_holes(const Covering *search, uint64_t covered_pegs, uint64_t cards, int left)
{
    int need = PEGS - ones(covered_pegs);
    for (int holes = CELLS; holes && left; holes--) {
        int have = ones(search->of_holes[holes] & ~cards);
        have = have < left ? have : left;
        need -= have * holes;
        left -= have;
    }
    return need > 0;
}

/* The bare square with the fewest ways; −1 if some have none, or the cards that are left cannot cover them all. */
static int hardest(const Covering *search, uint64_t pegs, uint64_t none, uint64_t bare, uint64_t cards, uint64_t may,
                   int left)
{
    int ways[SQUARES] = {0}, gains[CELLS + 1] = {0}, best[PATTERNS] = {0};
    for (uint64_t rest = may; rest; rest &= rest - 1) {
        int b = lowest(rest), count = 0;
        uint64_t gain = search->squares[b] & bare;
        if (!gain)
            continue;
        int unknown = ones(search->squares[b] & ~pegs & ~none);
        if (unknown) {
            count = 1 << unknown;
            gains[ones(gain)]++;
        } else {
            int card = search->cards->card[pattern_of(search, b, pegs)];
            if (card && !(cards >> card & 1)) {
                count = 1;
                if (ones(gain) > best[card])
                    best[card] = ones(gain);
            }
        }
        for (uint64_t squares = count ? gain : 0; squares; squares &= squares - 1)
            ways[lowest(squares)] += count;
    }
    for (int card = 1; card < PATTERNS; card++) /* a card is laid once: only where it covers most */
        gains[best[card]]++;
    int need = ones(bare);
    for (int gain = CELLS; gain && left; gain--) {
        int have = gains[gain] < left ? gains[gain] : left;
        need -= have * gain;
        left -= have;
    }
    if (need > 0)
        return -1;
    int square = lowest(bare);
    for (uint64_t rest = bare; rest; rest &= rest - 1)
        if (ways[lowest(rest)] < ways[square])
            square = lowest(rest);
    return ways[square] ? square : -1;
}

/* Promising ones first, with some chance in it: holes are scarce, and none should lie over pegs that are covered. */
static void shuffle(Covering *search, Option *option, int count, uint64_t pegs, uint64_t none, uint64_t covered)
{
    for (int n = 0; n < count; n++) {
        uint64_t again = search->squares[option[n].block] & covered;
        option[n].rank = (int16_t)(2 * ones(again & pegs) - ones(again & none) - ones((uint64_t)option[n].pattern) +
                                   (int)random_below(&search->chance, NOISE));
    }
    for (int n = 1; n < count; n++) {
        Option moved = option[n];
        int at = n;
        for (; at && option[at - 1].rank > moved.rank; at--)
            option[at] = option[at - 1];
        option[at] = moved;
    }
}

/* All ways on from here: where pegs stand and where none will, what is covered, the cards used, the blocks that are
 * barred and those that cards lie on; `share` is this node's part of the whole search tree. */
static void below(Covering *search, uint64_t pegs, uint64_t none, uint64_t covered, uint64_t cards, uint64_t barred,
                  int left, uint64_t placed, double share)
{
    if (out_of_time(&search->limit))
        return;
    search->tally->nodes++;
    if (covered == BOARD) {
        all_covered(search, pegs, cards, barred, left, placed);
        search->tally->done += search->limit.over ? 0 : share;
        return;
    }
    if (ones(none) == EMPTY)
        pegs = BOARD & ~none;
    if (ones(pegs) == PEGS)
        none = BOARD & ~pegs;
    uint64_t may = ALL_BLOCKS & ~barred & ~placed;
    int square = too_few_holes(search, pegs & covered, cards, left)
                     ? -1
                     : hardest(search, pegs, none, BOARD & ~covered, cards, may, left);
    if (square < 0) {
        search->tally->done += share;
        return;
    }
    Option option[2 * CELLS * PATTERNS];
    int count = 0;
    for (uint64_t rest = search->over[square] & may; rest; rest &= rest - 1) {
        int b = lowest(rest), must = pattern_of(search, b, pegs), free = pattern_of(search, b, BOARD & ~none) & ~must;
        for (int n = 0; n < PATTERNS; n++) {
            int p = search->order[n], card = search->cards->card[p];
            if ((p & must) == must && !(p & ~must & ~free) && card && !(cards >> card & 1) &&
                ones((uint64_t)(p & free)) <= PEGS - ones(pegs) && ones((uint64_t)(free & ~p)) <= EMPTY - ones(none))
                option[count++] = (Option){.block = (int8_t)b, .pattern = (int8_t)p};
        }
    }
    if (search->shuffled)
        shuffle(search, option, count, pegs, none, covered);
    for (int n = 0; n < count && !search->limit.over; n++) {
        int b = option[n].block, p = option[n].pattern;
        uint64_t holes = 0;
        for (int i = 0; i < CELLS; i++)
            holes |= (uint64_t)(p >> (CELLS - 1 - i) & 1) << search->cards->square[b][i];
        /* each set of cards is found once: with the lowest of its blocks over this square */
        uint64_t lower = search->shuffled ? 0 : search->over[square] & (bit(b) - 1);
        below(search, pegs | holes, none | (search->squares[b] & ~holes), covered | search->squares[b],
              cards | bit(search->cards->card[p]), barred | lower, left - 1, placed | bit(b), share / count);
    }
    if (!count)
        search->tally->done += share;
}

/* Ends as cover_search does. With a seed the ways are tried in a shuffled order, which finds a first solution sooner
 * but may find one twice. Returns whether the whole tree was searched. */
EXPORT int pegs_solo_search(const Start *start, const Cards *cards, uint64_t most, uint64_t *list, Tally *tally,
                            volatile int32_t *stop, double seconds, uint64_t work, uint64_t seed)
{
    Covering search = {.fresh = BOARD & ~start->covered,
                     .most = most,
                     .list = list,
                     .tally = tally,
                     .limit = limit_within(stop, seconds, work, CHECK_EVERY),
                     .shuffled = seed != 0,
                     .chance = {.state = seed}};
    uint64_t none = start->covered & ~start->pegs;
    prepare(&search, cards);
    if (ones(none) <= EMPTY && ones(start->pegs) <= PEGS)
        below(&search, start->pegs, none, start->covered, start->cards, 0, start->left, 0, 1);
    return !search.limit.over;
}
