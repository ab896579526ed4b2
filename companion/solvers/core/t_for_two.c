/* T for Two, one leg: side 0 plants mushrooms, side 1 lays tetrods with their hole over the last one.
 * Squares are bits, a1 b1 … g7; a move tells its squares. */
#include "deepening.h"

#include <math.h>

enum { SQUARES = 49, MUSHROOMS = 13, TETRODS = 12, MOST_WAYS = 80 };
enum { LAY = 1 << 30 }; /* a move: a square; LAY + tetrod << 24 + hole << 18 + the three other squares */

#define ALL ((1ull << SQUARES) - 1)
#define COLUMN_A (1ull | 1ull << 7 | 1ull << 14 | 1ull << 21 | 1ull << 28 | 1ull << 35 | 1ull << 42)
#define COLUMN_G (COLUMN_A << 6)

typedef struct {
    uint64_t mushrooms, covered, last;
    uint16_t used; /* tetrods */
    uint8_t side, over;
} TForTwo;

/* As companion/games/tetrods.py names them, in alphabetical order of letter groups there: the hole first. */
static const int8_t shapes[TETRODS][4][2] = {
    {{0, 0}, {1, 0}, {2, 0}, {3, 0}}, /* I1 */
    {{1, 0}, {0, 0}, {2, 0}, {3, 0}}, /* I2 */
    {{0, 0}, {1, 0}, {0, 1}, {1, 1}}, /* O1 */
    {{1, 1}, {0, 0}, {1, 0}, {2, 0}}, /* T1 */
    {{0, 0}, {1, 0}, {2, 0}, {1, 1}}, /* T2 */
    {{1, 0}, {0, 0}, {2, 0}, {1, 1}}, /* T3 */
    {{1, 0}, {0, 0}, {0, 1}, {0, 2}}, /* L1 */
    {{0, 0}, {1, 0}, {0, 1}, {0, 2}}, /* L2 */
    {{0, 1}, {1, 0}, {0, 0}, {0, 2}}, /* L3 */
    {{0, 2}, {1, 0}, {0, 0}, {0, 1}}, /* L4 */
    {{0, 0}, {1, 0}, {1, 1}, {2, 1}}, /* S1 */
    {{1, 0}, {0, 0}, {1, 1}, {2, 1}}, /* S2 */
};

typedef struct {
    uint64_t beside; /* the squares it covers around its hole */
    uint16_t tetrod; /* as one bit */
    Move move;
} Lay;

static Lay lays[SQUARES][MOST_WAYS];
static int ways[SQUARES];

static inline int ones(uint64_t squares)
{
    squares -= squares >> 1 & 0x5555555555555555u;
    squares = (squares & 0x3333333333333333u) + (squares >> 2 & 0x3333333333333333u);
    return (int)(((squares + (squares >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
}

static inline int lowest(uint64_t squares)
{
    return __builtin_ctzll(squares);
}

static void add(int hole, int tetrod, const int (*points)[2])
{
    uint64_t beside = 0;
    for (int n = 1; n < 4; n++) {
        int x = hole % 7 + points[n][0], y = hole / 7 + points[n][1];
        if (x < 0 || x > 6 || y < 0 || y > 6)
            return;
        beside |= 1ull << (7 * y + x);
    }
    for (int n = 0; n < ways[hole]; n++)
        if (lays[hole][n].tetrod == 1 << tetrod && lays[hole][n].beside == beside)
            return;
    Move move = (Move)(LAY + (tetrod << 24) + (hole << 18));
    uint64_t left = beside;
    for (int n = 0; n < 3; n++, left &= left - 1)
        move += (Move)lowest(left) << 6 * n;
    lays[hole][ways[hole]++] = (Lay){beside, (uint16_t)(1 << tetrod), move};
}

__attribute__((constructor)) static void prepare(void)
{
    for (int hole = 0; hole < SQUARES; hole++)
        for (int tetrod = 0; tetrod < TETRODS; tetrod++)
            for (int way = 0; way < 8; way++) {
                int points[4][2];
                for (int n = 0; n < 4; n++) {
                    int x = shapes[tetrod][n][0] - shapes[tetrod][0][0], y = shapes[tetrod][n][1] - shapes[tetrod][0][1];
                    if (way & 4)
                        x = -x;
                    for (int turn = way & 3; turn; turn--) {
                        int east = y;
                        y = -x, x = east;
                    }
                    points[n][0] = x, points[n][1] = y;
                }
                add(hole, tetrod, points);
            }
}

/* --- the rules */

static inline uint64_t beside(uint64_t squares)
{
    return ((squares & ~COLUMN_G) << 1 | squares << 7 | (squares & ~COLUMN_A) >> 1 | squares >> 7) & ALL;
}

static inline uint64_t group_of(uint64_t seed, uint64_t squares)
{
    uint64_t grown;
    while ((grown = seed | (beside(seed) & squares)) != seed)
        seed = grown;
    return seed;
}

static int points(uint64_t mushrooms)
{
    int sum = 0;
    while (mushrooms) {
        uint64_t group = group_of(mushrooms & -mushrooms, mushrooms);
        int n = ones(group);
        sum += n * (n + 1) / 2;
        mushrooms &= ~group;
    }
    return sum;
}

static int fits(const TForTwo *at, Move *out, int enough)
{
    int count = 0;
    for (uint64_t left = at->last; left && count < enough; left &= left - 1) {
        int hole = lowest(left);
        uint64_t taken = (at->covered | at->mushrooms) & ~(1ull << hole);
        for (int n = 0; n < ways[hole] && count < enough; n++)
            if (!(lays[hole][n].beside & taken) && !(lays[hole][n].tetrod & at->used)) {
                if (out)
                    out[count] = lays[hole][n].move;
                count++;
            }
    }
    return count;
}

static int moves(const void *state, Move *out)
{
    const TForTwo *at = state;
    int count = 0;
    if (at->over)
        return 0;
    if (at->side)
        return fits(at, out, MOST_WAYS * MUSHROOMS);
    for (uint64_t left = ALL & ~at->mushrooms & ~at->covered; left; left &= left - 1)
        out[count++] = (Move)lowest(left);
    return count;
}

static void play(void *state, Move move)
{
    TForTwo *at = state;
    if (move & LAY) {
        uint64_t squares = 1ull << (move & 63) | 1ull << (move >> 6 & 63) | 1ull << (move >> 12 & 63);
        at->covered |= squares | 1ull << (move >> 18 & 63);
        at->used |= (uint16_t)(1 << (move >> 24 & 15));
        at->last = 0;
        at->side = 0;
        at->over = ones(at->mushrooms) >= MUSHROOMS || !(ALL & ~at->mushrooms & ~at->covered);
    } else {
        at->last = 1ull << move;
        at->mushrooms |= at->last;
        at->side = 1;
        at->over = !fits(at, NULL, 1);
    }
}

static int side(const void *state)
{
    return ((const TForTwo *)state)->side;
}

/* The chance that this leg beats a return leg by players as good: they score PAR or so, SPREAD more or less. */
static const double PAR = 21, SPREAD = 3;

static double value(const void *state)
{
    return 1 / (1 + exp((PAR - points(((const TForTwo *)state)->mushrooms)) / SPREAD));
}

EXPORT const Rules t_for_two_rules = {sizeof(TForTwo), MOST_WAYS * MUSHROOMS, moves, play, side, value};

/* --- what a position is worth, in hundredths of a point */

static int over(const void *state)
{
    return ((const TForTwo *)state)->over;
}

static int result(const void *state)
{
    return 100 * points(((const TForTwo *)state)->mushrooms);
}

enum { FEATURES = 9 };

static void look(const TForTwo *at, int *features)
{
    uint64_t free = ALL & ~at->mushrooms & ~at->covered, left = at->mushrooms, near = 0;
    int sum = 0, joined[SQUARES], lost[SQUARES];
    while (left) {
        uint64_t group = group_of(left & -left, left);
        int n = ones(group);
        sum += n * (n + 1) / 2;
        left &= ~group;
        for (uint64_t edge = beside(group) & free; edge; edge &= edge - 1) {
            int square = lowest(edge);
            if (!(near >> square & 1))
                joined[square] = lost[square] = 0;
            near |= edge & -edge;
            joined[square] += n;
            lost[square] += n * (n + 1) / 2;
        }
    }
    int top[3] = {1, 1, 1}, all = 0;
    for (uint64_t edge = near; edge; edge &= edge - 1) {
        int square = lowest(edge), n = joined[square] + 1, gain = n * (n + 1) / 2 - lost[square];
        all += gain;
        if (gain > top[0])
            top[2] = top[1], top[1] = top[0], top[0] = gain;
        else if (gain > top[1])
            top[2] = top[1], top[1] = gain;
        else if (gain > top[2])
            top[2] = gain;
    }
    /* free squares with a free neighbour that has another: a tetrod may lie there */
    uint64_t pair = free & beside(free), live = pair & beside(pair & beside(free & ~0ull));
    features[0] = sum;
    features[1] = top[0];
    features[2] = top[1];
    features[3] = top[2];
    features[4] = all;
    features[5] = ones(near);
    features[6] = ones(free);
    features[7] = ones(live);
    features[8] = TETRODS - ones(at->used);
}

EXPORT void t_for_two_look(const TForTwo *at, int *features)
{
    look(at, features);
}

static int guess(const void *state, int *proved)
{
    const TForTwo *at = state;
    int f[FEATURES];
    *proved = 0;
    look(at, f);
    return 100 * f[0] + 70 * f[1] + 30 * f[2] + 10 * f[3] + 5 * f[4] + 30 * f[7];
}

static uint64_t key(const void *state)
{
    const TForTwo *at = state;
    return mixed(at->mushrooms ^ (uint64_t)at->side << 60) ^ mixed(at->covered * 3 + 1 + ((uint64_t)at->used << 50)) ^
           at->last * 0x9e3779b97f4a7c15u;
}

EXPORT const Contest t_for_two_contest = {&t_for_two_rules, over, result, guess, NULL, key, 0};
