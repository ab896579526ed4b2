/* T for Two, one leg: side 0 plants mushrooms, side 1 lays tetrods with their hole over the last one. */
#include "alpha_beta.h"
#include "seven.h"

#include <math.h>

enum { MUSHROOMS = 13, TETRODS = 12 };
enum { MOST_WAYS = 80 }; /* twelve tetrods over one hole, each turned and flipped in at most eight ways: 76 differ */

/* A move: the square of a mushroom; or LAY + tetrod << TETROD + hole << HOLE + three other squares of six bits each. */
enum { HOLE = 18, TETROD = 24, LAY = 1 << 30 };

typedef struct {
    uint64_t mushrooms, covered;
    uint64_t last; /* the mushrooms that a tetrod may be laid over now */
    uint16_t used; /* tetrods */
    uint8_t side, over;
} TForTwo;

MIRRORED(TForTwo, t_for_two);

/* In the order of companion/games/tetrods.py, the hole first. */
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
    uint64_t around; /* the squares it covers around its hole */
    uint16_t tetrod; /* as one bit */
    Move move;
} Lay;

static Lay lays[SQUARES][MOST_WAYS]; /* by hole */
static int ways[SQUARES];

static void add(int hole, int tetrod, const int (*points)[2])
{
    uint64_t around = 0;
    for (int n = 1; n < 4; n++) {
        int x = hole % 7 + points[n][0], y = hole / 7 + points[n][1];
        if (x < 0 || x > 6 || y < 0 || y > 6)
            return;
        around |= bit(7 * y + x);
    }
    for (int n = 0; n < ways[hole]; n++)
        if (lays[hole][n].tetrod == 1 << tetrod && lays[hole][n].around == around)
            return;
    Move move = (Move)(LAY + (tetrod << TETROD) + (hole << HOLE));
    uint64_t left = around;
    for (int n = 0; n < 3; n++, left &= left - 1)
        move += (Move)lowest(left) << 6 * n;
    lays[hole][ways[hole]++] = (Lay){around, (uint16_t)(1 << tetrod), move};
}

/* The ways over the center, where nothing is cut off, as shifts of the board from the hole to the other squares. */
enum { CENTER = 24 };

static struct {
    uint64_t within; /* the holes with which it lies inside the board */
    int8_t by[3];
} shifts[MOST_WAYS];

__attribute__((constructor)) static void prepare(void)
{
    for (int hole = 0; hole < SQUARES; hole++)
        for (int tetrod = 0; tetrod < TETRODS; tetrod++)
            for (int way = 0; way < 8; way++) {
                int points[4][2];
                for (int n = 0; n < 4; n++) {
                    int x = shapes[tetrod][n][0] - shapes[tetrod][0][0];
                    int y = shapes[tetrod][n][1] - shapes[tetrod][0][1];
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
    for (int n = 0; n < ways[CENTER]; n++) {
        uint64_t left = lays[CENTER][n].around;
        shifts[n].within = BOARD;
        for (int m = 0; m < 3; m++, left &= left - 1) {
            int square = lowest(left), east = square % 7 - CENTER % 7, north = square / 7 - CENTER / 7;
            shifts[n].by[m] = (int8_t)(square - CENTER);
            for (int hole = 0; hole < SQUARES; hole++)
                if (hole % 7 + east < 0 || hole % 7 + east > 6 || hole / 7 + north < 0 || hole / 7 + north > 6)
                    shifts[n].within &= ~bit(hole);
        }
    }
}

/* --- the rules */

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
        uint64_t group = group_of(first_of(mushrooms), mushrooms);
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
        uint64_t taken = (at->covered | at->mushrooms) & ~bit(hole);
        for (int n = 0; n < ways[hole] && count < enough; n++)
            if (!(lays[hole][n].around & taken) && !(lays[hole][n].tetrod & at->used)) {
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
    for (uint64_t left = BOARD & ~at->mushrooms & ~at->covered; left; left &= left - 1)
        out[count++] = (Move)lowest(left);
    return count;
}

static void play(void *state, Move move)
{
    TForTwo *at = state;
    if (move & LAY) {
        uint64_t around = bit(move & 63) | bit(move >> 6 & 63) | bit(move >> 12 & 63);
        at->covered |= around | bit(move >> HOLE & 63);
        at->used |= (uint16_t)(1 << (move >> TETROD & 15));
        at->last = 0;
        at->side = 0;
        at->over = ones(at->mushrooms) >= MUSHROOMS || !(BOARD & ~at->mushrooms & ~at->covered);
    } else {
        at->last = bit((int)move);
        at->mushrooms |= at->last;
        at->side = 1;
        at->over = !fits(at, NULL, 1);
    }
}

static int side_to_move(const void *state)
{
    return ((const TForTwo *)state)->side;
}

/* The chance that this leg beats a return leg between players as good: such legs end with PAR points or so, SPREAD more
 * or less. Also in companion/solvers/t_for_two.py. */
static const double PAR = 18, SPREAD = 3;

static double value(const void *state)
{
    return 1 / (1 + exp((PAR - points(((const TForTwo *)state)->mushrooms)) / SPREAD));
}

/* --- what a position is worth, in hundredths of a point */

static int over(const void *state)
{
    return ((const TForTwo *)state)->over;
}

static int result(const void *state)
{
    return 100 * points(((const TForTwo *)state)->mushrooms);
}

static inline uint64_t shifted(uint64_t squares, int by)
{
    return by >= 0 ? squares >> by : squares << -by;
}

/* The free squares over which a tetrod that is left can be laid once a mushroom stands there. */
static uint64_t playable(const TForTwo *at, uint64_t free)
{
    uint64_t all = 0;
    for (int n = 0; n < ways[CENTER]; n++) {
        const int8_t *by = shifts[n].by;
        if (!(lays[CENTER][n].tetrod & at->used))
            all |= free & shifts[n].within & shifted(free, by[0]) & shifted(free, by[1]) & shifted(free, by[2]);
    }
    return all;
}

/* What a guess goes by: what the best mushroom would gain, and the best of those that a tetrod can still be laid over;
 * the second and third best; how many free squares lie beside mushrooms, and over how many a tetrod can be laid; and a
 * constant. The weights are hundredths of a point to come, by whose turn it is and how many tetrods are left; they were
 * fitted to games that this search has played against itself (tests/bench/tuning_contests.py). */
enum { FEATURES = 7, STAGES = TETRODS + 1 };

static const int16_t weights[2][STAGES][FEATURES] = {
    {
        {84, 69, -4, 18, 5, 12, 3},
        {85, 73, -2, 17, 4, 12, -9},
        {85, 76, 1, 15, 4, 14, -19},
        {83, 79, 5, 14, 5, 16, -33},
        {79, 80, 11, 12, 6, 19, -59},
        {74, 79, 17, 12, 7, 23, -105},
        {66, 78, 23, 14, 10, 27, -186},
        {54, 73, 29, 24, 14, 33, -308},
        {39, 65, 36, 38, 20, 38, -457},
        {27, 54, 42, 46, 25, 43, -594},
        {25, 38, 41, 54, 24, 46, -676},
        {19, 31, 33, 67, 18, 47, -669},
        {-2, 44, 20, 78, 12, 47, -621},
    },
    {
        {64, -15, 4, -8, 25, 19, -12},
        {71, -14, 0, -2, 21, 20, -23},
        {76, -12, -3, -1, 20, 21, -31},
        {78, -8, -5, -7, 21, 21, -35},
        {76, -5, -6, -12, 22, 22, -39},
        {70, -1, -5, -8, 22, 24, -55},
        {62, 3, -2, 4, 21, 26, -100},
        {56, 4, 5, 11, 23, 29, -185},
        {51, -4, 16, 11, 29, 33, -324},
        {49, -22, 29, 11, 38, 38, -501},
        {52, -39, 37, 16, 45, 42, -649},
        {56, -49, 37, 22, 49, 44, -757},
        {55, -46, 37, 23, 55, 46, -872},
    },
};

/* Fills in the features and returns the points so far. */
static int look(const TForTwo *at, int32_t *features)
{
    uint64_t free = BOARD & ~at->mushrooms & ~at->covered, good = playable(at, free), left = at->mushrooms, near = 0;
    int sum = 0, size[SQUARES], worth[SQUARES], top[3] = {1, 1, 1}, go_on = good != 0;
    while (left) {
        uint64_t group = group_of(first_of(left), left);
        int n = ones(group);
        sum += n * (n + 1) / 2;
        left &= ~group;
        for (uint64_t edge = beside(group) & free; edge; edge &= edge - 1) {
            int square = lowest(edge);
            if (!(near >> square & 1))
                size[square] = worth[square] = 0;
            near |= first_of(edge);
            size[square] += n;
            worth[square] += n * (n + 1) / 2;
        }
    }
    for (uint64_t edge = near; edge; edge &= edge - 1) {
        int square = lowest(edge), n = size[square] + 1, gain = n * (n + 1) / 2 - worth[square];
        if (gain > go_on && good >> square & 1)
            go_on = gain;
        if (gain > top[0])
            top[2] = top[1], top[1] = top[0], top[0] = gain;
        else if (gain > top[1])
            top[2] = top[1], top[1] = gain;
        else if (gain > top[2])
            top[2] = gain;
    }
    features[0] = top[0];
    features[1] = go_on;
    features[2] = top[1];
    features[3] = top[2];
    features[4] = ones(near);
    features[5] = ones(good);
    features[6] = 1;
    return sum;
}

EXPORT int t_for_two_look(const TForTwo *at, int32_t *features)
{
    return look(at, features);
}

static int evaluate(const void *state, int *proved)
{
    const TForTwo *at = state;
    int32_t features[FEATURES];
    int sum = 100 * look(at, features);
    const int16_t *weight = weights[at->side][TETRODS - ones(at->used)];
    *proved = 0;
    for (int n = 0; n < FEATURES; n++)
        sum += weight[n] * features[n];
    return sum;
}

static uint64_t key(const void *state)
{
    const TForTwo *at = state;
    return mixed(at->mushrooms ^ (uint64_t)at->side << 60) ^ mixed(at->covered * 3 + 1 + ((uint64_t)at->used << 50)) ^
           at->last * 0x9e3779b97f4a7c15u;
}

static const Scoring scoring = {over, result, evaluate, NULL, key, 0};

EXPORT const Game t_for_two_game = {
    {sizeof(TForTwo), MOST_WAYS * MUSHROOMS, moves, play, side_to_move, value}, &alpha_beta, &scoring};
