/* Pegs: rules with a known pack, or one that is drawn from card by card; and a search that shuffles what nobody has
 * seen before each of its games, and so never knows more than the players.
 *
 * A card is known by its holes as a number of six binary digits, the smaller of the two ways round, so that cards are
 * bits too. */
#include "search.h"
#include "seven.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PEGS = 41, FIRST_PEGS = 7, HAND = 3, CARDS = 35 };
enum { PATTERNS = 64, CELLS = 6 };   /* what a card can show: a hole or none in each of its cells */
enum { BLOCKS = 60 };                /* places for a card: 30 lying, then 30 standing */
enum { HISTORY = 80 };               /* what may be seen of a hand in a game: at most 35 draws and as many discards */
enum { MOST_MOVES = 128 };           /* no phase has as many: 60 blocks and 35 cards, or 49 squares */
enum { FIRST, DRAW, PEG, LAY, REDRAW, LAST, OVER }; /* phases of a turn */
enum { PUT, DRAWN, COVER, DISCARD, DONE }; /* a move: its kind << 8, and its square, card or block */
enum { STANDING = 64 };              /* a block: its south-west square, and this if it is three rows high */
enum { UNKNOWN = 64, GONE = 65 };    /* in a hand's history: a card, or a discard, that nobody saw */

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

MIRRORED(Pegs, pegs);

static uint64_t block_squares[BLOCKS];
static int8_t block_at[BLOCKS], block_shift[BLOCKS]; /* the move's number, and the shift in the plain or turned board */
static uint8_t blocks_of[2 * STANDING];
/* The card that shows a pattern, by the side that looks at it, by standing or not, and by the board's bits. */
static uint8_t shows[2][2][PATTERNS];
/* The blocks over a square, at most twelve, and which of a block's bits the square is. */
static uint8_t around[SQUARES][2 * CELLS], around_bit[SQUARES][2 * CELLS], around_count[SQUARES];

static int backwards(int bits, int count)
{
    int found = 0;
    for (int n = 0; n < count; n++)
        found |= (bits >> n & 1) << (count - 1 - n);
    return found;
}

static int card_of(int holes)
{
    int other = backwards(holes, CELLS);
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
                    block_squares[count] |= bit(square);
                    around[square][m] = (uint8_t)count;
                    around_bit[square][m] = (uint8_t)(1 << (standing ? 3 * dx + dy : 3 * dy + dx));
                }
            count++;
        }
    for (int bits = 0; bits < PATTERNS; bits++) {
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
    return ones(at->pegs) < PEGS ? BOARD & ~at->pegs & ~at->own[0] & ~at->own[1] : 0;
}

static void draw_one(Pegs *at, int card)
{
    at->hand[at->side] |= bit(card);
    at->unseen &= ~bit(card);
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
    at->pegs |= bit(square);
    at->turned |= bit(square % 7 * 7 + square / 7);
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
        at->hand[at->side] &= ~bit(card_for(at, at->side, block));
        at->own[at->side] |= block_squares[block];
        at->own[!at->side] &= ~block_squares[block];
        if (at->phase != LAST)
            draw(at, REDRAW);
        break;
    }
    case DISCARD:
        at->hand[at->side] &= ~bit(what);
        begin(at, !at->side);
        break;
    default:
        if (at->phase == FIRST)
            begin(at, 0);
        else
            at->phase = OVER;
    }
}

static int side_to_move(const void *state)
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

/* --- sampling what nobody has seen */

static uint64_t any_of(uint64_t cards, Random *random)
{
    for (uint32_t n = random_below(random, (uint32_t)ones(cards)); n; n--)
        cards &= cards - 1;
    return first_of(cards);
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
            uint64_t card = kept[n] == UNKNOWN ? any_of(unseen, &random) : bit(kept[n]);
            at->hand[side] |= card;
            unseen &= ~card;
        }
        at->length[side] = 0;
    }
    at->unseen = unseen;
    if (at->pack > ones(unseen))
        at->pack = (uint8_t)ones(unseen); /* cards were taken that nobody saw */
    for (int n = 0; n < at->pack; n++) {
        uint64_t card = any_of(unseen, &random);
        at->deck[n] = (uint8_t)lowest(card);
        unseen &= ~card;
    }
    at->known = 1;
    if (at->phase == DRAW || at->phase == REDRAW)
        draw(at, at->phase);
}

/* --- playouts: a greedy player */

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
    const uint8_t(*cards)[PATTERNS] = shows[at->side];
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

/* A random one of those with the highest value. */
static int any_best(uint64_t set, const uint8_t *worth, Random *random)
{
    uint64_t best = 0;
    int highest = -1;
    for (; set; set &= set - 1) {
        int n = lowest(set);
        if (worth[n] > highest)
            highest = worth[n], best = 0;
        if (worth[n] == highest)
            best |= bit(n);
    }
    return lowest(any_of(best, random));
}

static Move greedy(const Pegs *at, Random *random)
{
    uint8_t by_square[SQUARES] = {0}, by_card[PATTERNS] = {0};
    int block = 0;
    switch (at->phase) {
    case FIRST:
        if (at->side && random_below(random, 4) == 0) /* now and then White puts fewer than seven */
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
        for (int n = 0; n < PATTERNS; n++)
            by_card[n] = (uint8_t)(2 * CELLS - by_card[n]); /* the worst goes; none gains more than by taking six */
        return DISCARD << 8 | (Move)any_best(at->hand[at->side], by_card, random);
    }
}

/* --- the search: UCT, with the hidden cards sampled anew for each game */

typedef struct {
    Move move;
    int32_t first, next; /* its children are a chain */
    uint32_t visits;
    double earned, won; /* by Blue, in all: what guides the search, and what is told */
} Node;

typedef struct {
    Search frame;
    Pegs root;
    Node *nodes;
    int32_t used, room;
    uint64_t seed, games;
} Tree;

enum {
    FIRST_CAPACITY = 1 << 12, /* nodes; the room is doubled when it is used up … */
    MAX_CAPACITY = 1 << 22,  /* … up to 128 MB, and then the tree grows no more */
    LAST_PLY = 60,        /* of the tree */
    MOVES = (DONE + 1) << 8, /* more than the number of any move */
    FIRST_GAMES = 128,    /* of the first step; each further step doubles their number */
    MAX_DEPTH = 40,         /* steps, more than anybody waits for */
    CHECK_EVERY = 4,       /* a game takes tens of microseconds */
    TRUSTED = 8,          /* games that have gone through a move which is told, but for the first */
};

static int32_t add(Tree *tree, int32_t parent, Move move)
{
    if (tree->used == tree->room) {
        Node *more = tree->room < MAX_CAPACITY ? realloc(tree->nodes, sizeof(Node) * 2 * (size_t)tree->room) : NULL;
        if (!more)
            return 0;
        tree->nodes = more;
        tree->room *= 2;
    }
    tree->nodes[tree->used] = (Node){.move = move, .next = tree->nodes[parent].first};
    tree->nodes[parent].first = tree->used;
    return tree->used++;
}

static const double EXPLORATION = 1.2;      /* the weight of exploration in UCT */
static const double UNTRIED_PENALTY = 0.05; /* subtracted from the mean as the estimate for an untried move */
static const double DOUBT = 1.6; /* the temperature of the prior, in squares gained */

/* The prior of each move: a softmax over the squares that it gains at once. */
static void priors(const Pegs *at, const Move *out, int count, double *prior)
{
    uint8_t by_square[SQUARES] = {0}, by_card[PATTERNS] = {0};
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

static const double FOR_RESULT = 0.8, FOR_MARGIN = 0.2; /* the weights of both in the reward */
static const double LARGE_MARGIN = 10; /* the margin, in squares, with three quarters of the largest reward */

/* The reward: mostly the result, and a little for the margin, which distinguishes moves if all of them win or lose. */
static double earned(const Pegs *at)
{
    return FOR_RESULT * value(at) + FOR_MARGIN / 2 * (1 + tanh(margin(at) / LARGE_MARGIN));
}

/* One game, down the tree and greedily on. All moves of the root meet the same packs in the same order: they have the
 * same luck, and a few games tell them apart. */
static void play_one(Tree *tree)
{
    Pegs at = tree->root;
    Random random = {0};
    int shuffled = 0;
    Move out[MOST_MOVES];
    double prior[MOST_MOVES];
    int32_t path[LAST_PLY + 1], slot[MOVES];
    int length = 0, count;
    int32_t here = 0;
    if (at.phase == DRAW || at.phase == REDRAW || at.length[at.side]) { /* what may be played depends on the cards */
        random.state = mixed(tree->seed + tree->games);
        pegs_shuffle(&at, random_next(&random));
        shuffled = 1;
    }
    path[length++] = 0;
    while (length <= LAST_PLY && (count = moves(&at, out))) {
        priors(&at, out, count, prior);
        for (int n = 0; n < count; n++)
            slot[out[n]] = 0;
        for (int32_t n = tree->nodes[here].first; n; n = tree->nodes[n].next)
            slot[tree->nodes[n].move] = n;
        const Node *parent = &tree->nodes[here];
        double reach = EXPLORATION * sqrt(parent->visits + 1.0), highest = -1;
        double unknown = parent->visits ? parent->earned / parent->visits : 0.5;
        unknown = (at.side ? 1 - unknown : unknown) - UNTRIED_PENALTY;
        int best = 0;
        for (int n = 0; n < count; n++) {
            const Node *node = &tree->nodes[slot[out[n]]];
            double mean = slot[out[n]] ? node->earned / node->visits : 0;
            double worth = slot[out[n]] ? (at.side ? 1 - mean : mean) + reach * prior[n] / (1 + node->visits)
                                        : unknown + reach * prior[n];
            if (worth > highest)
                highest = worth, best = n;
        }
        int32_t next = slot[out[best]] ? slot[out[best]] : add(tree, here, out[best]);
        if (!shuffled) {
            random.state = mixed(tree->seed + (next ? tree->nodes[next].visits : 0));
            pegs_shuffle(&at, random_next(&random));
            shuffled = 1;
        }
        play(&at, out[best]);
        if (!next)
            break;
        here = next;
        path[length++] = here;
        if (!tree->nodes[here].visits)
            break;
    }
    while (at.phase != OVER)
        play(&at, greedy(&at, &random));
    double all = earned(&at), won = value(&at);
    for (int n = 0; n < length; n++) {
        Node *node = &tree->nodes[path[n]];
        node->visits++;
        node->earned += all;
        node->won += won;
    }
    tree->games++;
}

static int32_t favorite(const Tree *tree, int32_t at)
{
    int32_t best = 0;
    for (int32_t n = tree->nodes[at].first; n; n = tree->nodes[n].next)
        if (!best || tree->nodes[n].visits > tree->nodes[best].visits)
            best = n;
    return best;
}

/* With no draws to come and all cards known: the best margin that the last player can still reach, and how. */
static int finish(const Pegs *at, Move *line, int *length)
{
    Move out[MOST_MOVES], rest[HAND + 1];
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

static int open_search(Search *search)
{
    Tree *tree = (Tree *)search;
    tree->room = FIRST_CAPACITY;
    tree->nodes = malloc(FIRST_CAPACITY * sizeof(Node));
    return tree->nodes != NULL;
}

static void close_search(Search *search)
{
    free(((Tree *)search)->nodes);
}

static void start_search(Search *search, const void *state)
{
    Tree *tree = (Tree *)search;
    tree->root = *(const Pegs *)state;
    tree->seed = mixed(search->seed);
    tree->games = 0;
    tree->used = 1;
    tree->nodes[0] = (Node){0};
}

static int deepen(Search *search, int depth, Answer *answer)
{
    Tree *tree = (Tree *)search;
    const Pegs *root = &tree->root;
    if (root->phase == LAST && !root->length[root->side]) {
        int ahead = finish(root, answer->line, &answer->length);
        answer->exact = answer->finished = 1;
        answer->score = ahead > 0 ? 1 : ahead == 0 ? 0.5 : 0;
        return 1;
    }
    while (tree->games < (uint64_t)FIRST_GAMES << (depth - 1) && !out_of_time(&search->limit)) {
        play_one(tree);
        search->limit.owed = 0; /* one game is an answer */
    }
    search->nodes = tree->games;
    answer->finished = !search->limit.over;
    int32_t here = favorite(tree, 0);
    if (!here)
        return 0;
    double won = tree->nodes[here].won / tree->nodes[here].visits;
    answer->score = root->side ? 1 - won : won;
    for (answer->length = 0; here && answer->length < LONGEST_LINE; here = favorite(tree, here)) {
        if (answer->length && tree->nodes[here].visits < TRUSTED)
            break;
        answer->line[answer->length++] = tree->nodes[here].move;
    }
    return 1;
}

static const Method method = {sizeof(Tree), MAX_DEPTH, CHECK_EVERY, open_search, start_search, deepen, close_search};

EXPORT const Game pegs_game = {{sizeof(Pegs), MOST_MOVES, moves, play, side_to_move, value}, &method, NULL};
