/* Pegs: rules with a known pack, or one that is drawn from card by card; and a search that shuffles what nobody has
 * seen before each of its games, and so never knows more than the players.
 *
 * Squares are bits, a1 b1 … g7. A card is known by its holes as a six-digit number, the smaller of the two ways round,
 * so that cards are bits too. */
#include "core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SQUARES = 49, PEGS = 41, FIRST_PEGS = 7, HAND = 3, CARDS = 35, BLOCKS = 60, HISTORY = 80 };
enum { FIRST, DRAW, PEG, LAY, REDRAW, LAST, OVER };
enum { PUT, DRAWN, COVER, DISCARD, DONE }; /* a move: its kind << 8, and its square, card or block */
enum { STANDING = 64 };                    /* a block: its south-west square, and whether it is three rows high */
enum { UNKNOWN = 64, GONE = 65 };          /* in a hand's history: a card, or a discard, that nobody saw */

#define ALL ((1ull << SQUARES) - 1)

typedef struct {
    uint64_t pegs, turned; /* the pegs, and the same with rows and columns exchanged */
    uint64_t own[2];       /* squares by the owner of the topmost card: Blue, White */
    uint64_t hand[2];      /* cards */
    uint64_t unseen;       /* cards that nobody has seen */
    uint8_t phase, side, pack, known; /* known: the pack lies in the order of `deck` */
    uint8_t deck[CARDS];
    /* what was seen of the hands, where not all was: cards, UNKNOWN and GONE in the order of play; else length 0 */
    uint8_t length[2], history[2][HISTORY];
} Pegs;

static uint64_t block_squares[BLOCKS];
static int8_t block_at[BLOCKS], block_shift[BLOCKS]; /* the move's number, and the shift in the plain or turned board */
static uint8_t blocks_of[2 * STANDING];
static uint8_t shows[2][2][64]; /* the card that shows a pattern: by side, by standing or not, by the board's bits */
static uint8_t around[SQUARES][12], around_bit[SQUARES][12], around_count[SQUARES];

static inline int ones(uint64_t squares)
{
    squares -= squares >> 1 & 0x5555555555555555u;
    squares = (squares & 0x3333333333333333u) + (squares >> 2 & 0x3333333333333333u);
    return (int)(((squares + (squares >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
}

static inline int lowest(uint64_t bits)
{
    return __builtin_ctzll(bits);
}

static int backwards(int bits, int count)
{
    int found = 0;
    for (int n = 0; n < count; n++)
        found |= (bits >> n & 1) << (count - 1 - n);
    return found;
}

static int card_of(int holes)
{
    int other = backwards(holes, 6);
    return holes < other ? holes : other;
}

__attribute__((constructor)) static void prepare(void)
{
    int count = 0;
    for (int standing = 0; standing < 2; standing++)
        for (int n = 0; n < SQUARES; n++) {
            int x = n % 7, y = n / 7, wide = standing ? 2 : 3, high = standing ? 3 : 2;
            if (x + wide > 7 || y + high > 7)
                continue;
            block_shift[count] = (int8_t)(standing ? 7 * x + y : n);
            block_at[count] = (int8_t)(n + (standing ? STANDING : 0));
            blocks_of[n + (standing ? STANDING : 0)] = (uint8_t)count;
            for (int dy = 0; dy < high; dy++)
                for (int dx = 0; dx < wide; dx++) {
                    int square = n + dx + 7 * dy, m = around_count[square]++;
                    block_squares[count] |= 1ull << square;
                    around[square][m] = (uint8_t)count;
                    around_bit[square][m] = (uint8_t)(1 << (standing ? 3 * dx + dy : 3 * dy + dx));
                }
            count++;
        }
    for (int bits = 0; bits < 64; bits++) {
        /* bits of the near row (or west column) come first and west (south) first in them; digits are read from the
         * north row (west column), west (south) first */
        int near = backwards(bits & 7, 3), far = backwards(bits >> 3, 3);
        int lying = far << 3 | near, standing = near << 3 | far;
        for (int s = 0; s < 2; s++) {
            int holes = s ? standing : lying, over = backwards(holes >> 3, 3) << 3 | backwards(holes & 7, 3);
            shows[0][s][bits] = (uint8_t)card_of(holes);
            shows[1][s][bits] = (uint8_t)card_of(over);
        }
    }
}

static inline int pattern(const Pegs *at, int block)
{
    uint64_t board = (block < BLOCKS / 2 ? at->pegs : at->turned) >> block_shift[block];
    return (int)((board & 7) | (board >> 7 & 7) << 3);
}

static inline int card_for(const Pegs *at, int side, int block)
{
    return shows[side][block >= BLOCKS / 2][pattern(at, block)];
}

/* --- the rules */

static inline uint64_t free_squares(const Pegs *at)
{
    return ones(at->pegs) < PEGS ? ALL & ~at->pegs & ~at->own[0] & ~at->own[1] : 0;
}

static void draw_one(Pegs *at, int card)
{
    at->hand[at->side] |= 1ull << card;
    at->unseen &= ~(1ull << card);
    at->pack--;
}

static void draw(Pegs *at, int phase)
{
    while (at->pack && ones(at->hand[at->side]) < HAND) {
        if (!at->known) {
            at->phase = (uint8_t)phase;
            return;
        }
        draw_one(at, at->deck[at->pack - 1]); /* the next card is the last of `deck` */
    }
    at->phase = phase == DRAW ? PEG : at->pack ? LAY : LAST;
}

static void begin(Pegs *at, int side)
{
    at->side = (uint8_t)side;
    if (free_squares(at))
        draw(at, DRAW);
    else
        at->phase = OVER;
}

static int moves(const void *state, Move *out)
{
    const Pegs *at = state;
    int count = 0;
    switch (at->phase) {
    case FIRST:
    case PEG:
        for (uint64_t left = free_squares(at); left; left &= left - 1)
            out[count++] = PUT << 8 | (Move)lowest(left);
        if (at->phase == FIRST && at->side)
            out[count++] = DONE << 8;
        break;
    case DRAW:
    case REDRAW:
        for (uint64_t left = at->unseen; left; left &= left - 1)
            out[count++] = DRAWN << 8 | (Move)lowest(left);
        break;
    case LAY:
    case LAST:
        for (int block = 0; block < BLOCKS; block++)
            if (at->hand[at->side] >> card_for(at, at->side, block) & 1)
                out[count++] = COVER << 8 | (Move)block_at[block];
        if (at->phase == LAST)
            out[count++] = DONE << 8;
        else
            for (uint64_t left = at->hand[at->side]; left; left &= left - 1)
                out[count++] = DISCARD << 8 | (Move)lowest(left);
    }
    return count;
}

static void put_peg(Pegs *at, int square)
{
    at->pegs |= 1ull << square;
    at->turned |= 1ull << (square % 7 * 7 + square / 7);
}

static void play(void *state, Move move)
{
    Pegs *at = state;
    int what = move & 255;
    switch (move >> 8) {
    case PUT:
        put_peg(at, what);
        if (at->phase == FIRST) {
            int count = ones(at->pegs);
            if (count == FIRST_PEGS)
                at->side = 1;
            else if (count == 2 * FIRST_PEGS)
                begin(at, 0);
        } else {
            at->phase = free_squares(at) && at->pack ? LAY : LAST;
        }
        break;
    case DRAWN:
        draw_one(at, what);
        draw(at, at->phase);
        break;
    case COVER: {
        int block = blocks_of[what];
        at->hand[at->side] &= ~(1ull << card_for(at, at->side, block));
        at->own[at->side] |= block_squares[block];
        at->own[!at->side] &= ~block_squares[block];
        if (at->phase != LAST)
            draw(at, REDRAW);
        break;
    }
    case DISCARD:
        at->hand[at->side] &= ~(1ull << what);
        begin(at, !at->side);
        break;
    default:
        if (at->phase == FIRST)
            begin(at, 0);
        else
            at->phase = OVER;
    }
}

static int side(const void *state)
{
    return ((const Pegs *)state)->side;
}

static int margin(const Pegs *at)
{
    return ones(at->own[0]) - ones(at->own[1]);
}

static double value(const void *state)
{
    int ahead = margin(state);
    return ahead > 0 ? 1 : ahead == 0 ? 0.5 : 0;
}

EXPORT const Rules pegs_rules = {sizeof(Pegs), 128, moves, play, side, value};

/* --- what nobody has seen, one way that it may be */

static uint64_t any_of(uint64_t cards, Random *random)
{
    for (uint32_t n = random_below(random, (uint32_t)ones(cards)); n; n--)
        cards &= cards - 1;
    return cards & -cards;
}

EXPORT void pegs_shuffle(void *state, uint64_t seed)
{
    Pegs *at = state;
    Random random = {seed};
    uint64_t unseen = at->unseen;
    if (at->known)
        return;
    for (int side = 0; side < 2; side++) {
        uint8_t kept[HISTORY];
        int count = 0;
        for (int n = 0; n < at->length[side]; n++) {
            if (at->history[side][n] != GONE) {
                kept[count++] = at->history[side][n];
            } else {
                /* a discard that nobody saw took any of the cards then held */
                uint32_t which = random_below(&random, (uint32_t)count);
                if (kept[which] == UNKNOWN)
                    unseen &= ~any_of(unseen, &random);
                kept[which] = kept[--count];
            }
        }
        if (at->length[side])
            at->hand[side] = 0;
        for (int n = 0; n < count; n++) {
            uint64_t card = kept[n] == UNKNOWN ? any_of(unseen, &random) : 1ull << kept[n];
            at->hand[side] |= card;
            unseen &= ~card;
        }
        at->length[side] = 0;
    }
    at->unseen = unseen;
    if (at->pack > ones(unseen))
        at->pack = (uint8_t)ones(unseen); /* a table that was not kept well */
    for (int n = 0; n < at->pack; n++) {
        uint64_t card = any_of(unseen, &random);
        at->deck[n] = (uint8_t)lowest(card);
        unseen &= ~card;
    }
    at->known = 1;
    if (at->phase == DRAW || at->phase == REDRAW)
        draw(at, at->phase);
}

/* --- a player who takes what he can get */

static inline int gain(const Pegs *at, uint64_t squares)
{
    return ones(squares & ~at->own[at->side]) + ones(squares & at->own[!at->side]);
}

/* What the hand can gain at once as the pegs stand, and where. */
static int best_cover(const Pegs *at, int *best_block)
{
    int most = 0;
    for (int block = 0; block < BLOCKS; block++)
        if (at->hand[at->side] >> card_for(at, at->side, block) & 1) {
            int here = gain(at, block_squares[block]);
            if (here > most)
                most = here, *best_block = block;
        }
    return most;
}

/* What a peg on each free square lets the hand gain; and what each card can gain with one peg more. */
static void prospects(const Pegs *at, uint8_t *by_square, uint8_t *by_card)
{
    uint8_t patterns[BLOCKS], fit[BLOCKS], gains[BLOCKS];
    int fits = 0;
    uint64_t hand = at->hand[at->side];
    const uint8_t(*cards)[64] = shows[at->side];
    for (int block = 0; block < BLOCKS; block++) {
        patterns[block] = (uint8_t)pattern(at, block);
        int card = cards[block >= BLOCKS / 2][patterns[block]];
        if (hand >> card & 1) {
            int here = gain(at, block_squares[block]);
            gains[fits] = (uint8_t)here;
            fit[fits++] = (uint8_t)block;
            if (here > by_card[card])
                by_card[card] = (uint8_t)here;
        }
    }
    for (uint64_t left = free_squares(at); left; left &= left - 1) {
        int square = lowest(left), most = 0;
        for (int n = 0; n < fits; n++)
            if (gains[n] > most && !(block_squares[fit[n]] >> square & 1))
                most = gains[n];
        for (int n = 0; n < around_count[square]; n++) {
            int block = around[square][n];
            int card = cards[block >= BLOCKS / 2][patterns[block] ^ around_bit[square][n]];
            if (hand >> card & 1) {
                int here = gain(at, block_squares[block]);
                if (here > most)
                    most = here;
                if (here > by_card[card])
                    by_card[card] = (uint8_t)here;
            }
        }
        by_square[square] = (uint8_t)most;
    }
}

/* Any of those worth most. */
static int any_best(uint64_t set, const uint8_t *worth, Random *random)
{
    uint64_t best = 0;
    int highest = -1;
    for (; set; set &= set - 1) {
        int n = lowest(set);
        if (worth[n] > highest)
            highest = worth[n], best = 0;
        if (worth[n] == highest)
            best |= 1ull << n;
    }
    return lowest(any_of(best, random));
}

static Move greedy(const Pegs *at, Random *random)
{
    uint8_t by_square[SQUARES] = {0}, by_card[64] = {0};
    int block = 0;
    switch (at->phase) {
    case FIRST:
        if (at->side && random_below(random, 4) == 0)
            return DONE << 8;
        return PUT << 8 | (Move)lowest(any_of(free_squares(at), random));
    case PEG:
        prospects(at, by_square, by_card);
        return PUT << 8 | (Move)any_best(free_squares(at), by_square, random);
    case LAST:
        return best_cover(at, &block) > 0 ? COVER << 8 | (Move)block_at[block] : DONE << 8;
    default:
        if (best_cover(at, &block) > 0)
            return COVER << 8 | (Move)block_at[block];
        prospects(at, by_square, by_card);
        for (int n = 0; n < 64; n++)
            by_card[n] = (uint8_t)(2 * 6 - by_card[n]); /* no card gains more than to take six */
        return DISCARD << 8 | (Move)any_best(at->hand[at->side], by_card, random);
    }
}

/* --- the search: a tree of moves, walked each time with another pack */

typedef struct {
    Move move;
    int32_t first, next; /* its children are a chain */
    uint32_t visits;
    double earned, won; /* by Blue: what guides the search, and what is told */
} Node;

typedef struct {
    Pegs root;
    Node *nodes;
    int32_t used, room;
    Limit limit;
    uint64_t seed, games;
} Search;

enum { TRUSTED = 8 }; /* visits that a move of the line told has had */

typedef struct {
    double value; /* for the player to move */
    uint64_t games;
    int32_t exact, length;
    Move line[LONGEST_LINE];
} Told;

enum { FIRST_ROOM = 1 << 12, MOST_ROOM = 1 << 22, DEEPEST = 60, KINDS = (DONE + 1) << 8 };

EXPORT void pegs_end(Search *search)
{
    if (search)
        free(search->nodes);
    free(search);
}

/* For so long, counted from now, or so many games (0: any); NULL: no memory. */
EXPORT Search *pegs_begin(const Pegs *state, uint64_t seed, volatile int32_t *stop, double seconds, uint64_t work)
{
    Search *search = calloc(1, sizeof *search);
    if (!search)
        return NULL;
    *search = (Search){.root = *state, .used = 1, .room = FIRST_ROOM, .seed = mixed(seed)};
    search->limit = limit_within(stop, seconds, work, 4);
    search->nodes = calloc(FIRST_ROOM, sizeof(Node));
    if (search->nodes)
        return search;
    pegs_end(search);
    return NULL;
}

static int32_t add(Search *search, int32_t parent, Move move)
{
    if (search->used == search->room) {
        Node *more = search->room < MOST_ROOM ? realloc(search->nodes, sizeof(Node) * 2 * (size_t)search->room) : NULL;
        if (!more)
            return 0;
        search->nodes = more;
        search->room *= 2;
    }
    search->nodes[search->used] = (Node){.move = move, .next = search->nodes[parent].first};
    search->nodes[parent].first = search->used;
    return search->used++;
}

static const double BOLDNESS = 1.2; /* how much the tree tries what it knows little of */
static const double CAUTION = 0.05; /* how much worse than its brothers a move never tried is taken for */
static const double DOUBT = 1.6;    /* squares; a move that gains so many more is e times as likely */

/* How likely each move is to be good, by what it gains at once. */
static void priors(const Pegs *at, const Move *out, int count, double *prior)
{
    uint8_t by_square[SQUARES] = {0}, by_card[64] = {0};
    double sum = 0;
    if (at->phase != FIRST)
        prospects(at, by_square, by_card);
    for (int n = 0; n < count; n++) {
        int what = out[n] & 255;
        double worth = 0;
        switch (out[n] >> 8) {
        case PUT:
            worth = by_square[what];
            break;
        case COVER:
            worth = gain(at, block_squares[blocks_of[what]]);
            break;
        case DISCARD:
            worth = 2 - 0.5 * by_card[what];
            break;
        default:
            worth = 0;
        }
        sum += prior[n] = exp(worth / DOUBT);
    }
    for (int n = 0; n < count; n++)
        prior[n] /= sum;
}

/* Mostly the result; a little for winning by much, which tells moves apart where all seem to win or lose. */
static double earned(const Pegs *at)
{
    return 0.8 * value(at) + 0.1 * (1 + tanh(margin(at) / 10.0));
}

/* One game, down the tree and greedily on. A move of the root meets the same packs, in the same order, as its brothers:
 * what luck they have is the same, and a few games tell them apart. */
static void play_one(Search *search)
{
    Pegs at = search->root;
    Random random = {0};
    int shuffled = 0;
    Move out[128];
    double prior[128];
    int32_t path[DEEPEST + 1], slot[KINDS];
    int length = 0, count;
    int32_t here = 0;
    if (at.phase == DRAW || at.phase == REDRAW || at.length[at.side]) { /* what he may do hangs on the cards */
        random.state = mixed(search->seed + search->games);
        pegs_shuffle(&at, random_next(&random));
        shuffled = 1;
    }
    path[length++] = 0;
    while (length <= DEEPEST && (count = moves(&at, out))) {
        priors(&at, out, count, prior);
        for (int n = 0; n < count; n++)
            slot[out[n]] = 0;
        for (int32_t n = search->nodes[here].first; n; n = search->nodes[n].next)
            slot[search->nodes[n].move] = n;
        const Node *parent = &search->nodes[here];
        double reach = BOLDNESS * sqrt(parent->visits + 1.0), highest = -1;
        double unknown = parent->visits ? parent->earned / parent->visits : 0.5;
        unknown = (at.side ? 1 - unknown : unknown) - CAUTION;
        int best = 0;
        for (int n = 0; n < count; n++) {
            const Node *node = &search->nodes[slot[out[n]]];
            double mean = slot[out[n]] ? node->earned / node->visits : 0;
            double worth = slot[out[n]] ? (at.side ? 1 - mean : mean) + reach * prior[n] / (1 + node->visits)
                                        : unknown + reach * prior[n];
            if (worth > highest)
                highest = worth, best = n;
        }
        int32_t next = slot[out[best]] ? slot[out[best]] : add(search, here, out[best]);
        if (!shuffled) {
            random.state = mixed(search->seed + (next ? search->nodes[next].visits : 0));
            pegs_shuffle(&at, random_next(&random));
            shuffled = 1;
        }
        play(&at, out[best]);
        if (!next)
            break;
        here = next;
        path[length++] = here;
        if (!search->nodes[here].visits)
            break;
    }
    while (at.phase != OVER)
        play(&at, greedy(&at, &random));
    double all = earned(&at), won = value(&at);
    for (int n = 0; n < length; n++) {
        Node *node = &search->nodes[path[n]];
        node->visits++;
        node->earned += all;
        node->won += won;
    }
    search->games++;
}

static int32_t favourite(const Search *search, int32_t at)
{
    int32_t best = 0;
    for (int32_t n = search->nodes[at].first; n; n = search->nodes[n].next)
        if (!best || search->nodes[n].visits > search->nodes[best].visits)
            best = n;
    return best;
}

/* With no draws to come and all cards known, the best that the last player can still do; his margin. */
static int finish(const Pegs *at, Move *line, int *length)
{
    Move out[128], rest[HAND + 1];
    int count = moves(at, out), most = -SQUARES - 1;
    if (at->phase == OVER) {
        *length = 0;
        return at->side ? -margin(at) : margin(at);
    }
    for (int n = count - 1; n >= 0; n--) {
        Pegs after = *at;
        int more = 0;
        play(&after, out[n]);
        int here = finish(&after, rest, &more);
        if (here > most) {
            most = here;
            line[0] = out[n];
            memcpy(line + 1, rest, sizeof(Move) * (size_t)more);
            *length = more + 1;
        }
    }
    return most;
}

/* Go on until so many games have been played in all. 0: cut off; the answer holds in any case. */
EXPORT int pegs_search(Search *search, uint64_t games, Told *told)
{
    const Pegs *root = &search->root;
    *told = (Told){0};
    if (root->phase == LAST && !root->length[root->side]) {
        int ahead = finish(root, told->line, &told->length);
        told->exact = 1;
        told->value = ahead > 0 ? 1 : ahead == 0 ? 0.5 : 0;
        return 1;
    }
    while (search->games < games && (!out_of_time(&search->limit) || !search->games))
        play_one(search);
    int32_t here = favourite(search, 0);
    double won = search->nodes[here].won / search->nodes[here].visits;
    told->value = root->side ? 1 - won : won;
    told->games = search->games;
    for (; here && told->length < LONGEST_LINE; here = favourite(search, here)) {
        if (told->length && search->nodes[here].visits < TRUSTED)
            break;
        told->line[told->length++] = search->nodes[here].move;
    }
    return !search->limit.over;
}
