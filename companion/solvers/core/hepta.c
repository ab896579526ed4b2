/* Hepta: seven blockers, the choice, then I against L. Squares are bits, a1 b1 … g7; a move tells its squares. */
#include "deepening.h"

enum { BLOCKING, CHOOSING, LAYING, OVER };
enum { SQUARES = 49, BLOCKERS = 7, PIECES = 7, I = 0, L = 1 };
enum { CHOICE = 1 << 20, LAY = 1 << 21 }; /* a move: a square; CHOICE + shape; LAY + shape << 18 + three squares */

#define ALL ((1ull << SQUARES) - 1)

typedef struct {
    uint64_t taken;
    uint8_t phase, side, second_has, laid[2];
} Hepta;

typedef struct {
    uint64_t squares;
    Move move;
} Piece;

static Piece pieces[2][144];
static int ways[2];

#define ROW_BY_ROW (1ull | 1ull << 7 | 1ull << 14 | 1ull << 21 | 1ull << 28 | 1ull << 35 | 1ull << 42)
#define A_TO_E (31 * ROW_BY_ROW)
#define A_TO_F (63 * ROW_BY_ROW)

static inline int ones(uint64_t squares)
{
    squares -= squares >> 1 & 0x5555555555555555u;
    squares = (squares & 0x3333333333333333u) + (squares >> 2 & 0x3333333333333333u);
    return (int)(((squares + (squares >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
}

static void add(int shape, int a, int b, int c)
{
    pieces[shape][ways[shape]++] = (Piece){1ull << a | 1ull << b | 1ull << c,
                                           (Move)(LAY + (shape << 18) + a + (b << 6) + (c << 12))};
}

__attribute__((constructor)) static void prepare(void)
{
    for (int n = 0; n < SQUARES; n++) {
        int x = n % 7, y = n / 7;
        if (x < 5)
            add(I, n, n + 1, n + 2);
        if (y < 5)
            add(I, n, n + 7, n + 14);
        if (x < 6 && y < 6) {
            int block[4] = {n, n + 1, n + 7, n + 8};
            for (int out = 0; out < 4; out++)
                add(L, block[out == 0], block[1 + (out <= 1)], block[2 + (out <= 2)]);
        }
    }
}

/* --- the rules */

static inline int shape_of(const Hepta *at, int side)
{
    return side ? at->second_has : !at->second_has;
}

/* Where pieces can lie: I from their first square east and north, L by the block of four they leave one square of. */
typedef struct {
    uint64_t east, north, block[4];
} Room;

static inline Room room_in(uint64_t free)
{
    uint64_t a = free & A_TO_F, b = free >> 1 & A_TO_F, c = free >> 7 & A_TO_F, d = free >> 8 & A_TO_F;
    return (Room){free & free >> 1 & free >> 2 & A_TO_E,
                  free & free >> 7 & free >> 14,
                  {b & c & d, a & c & d, a & b & d, a & b & c}};
}

static inline int has_room(uint64_t free, int shape)
{
    Room room = room_in(free);
    return shape == I ? (room.east | room.north) != 0
                      : (room.block[0] | room.block[1] | room.block[2] | room.block[3]) != 0;
}

static void turn_to(Hepta *at, int side)
{
    for (int n = 0; n < 2; n++, side = !side) {
        if (at->laid[side] < PIECES && has_room(ALL & ~at->taken, shape_of(at, side))) {
            at->side = (uint8_t)side;
            return;
        }
    }
    at->phase = OVER;
}

static int moves(const void *state, Move *out)
{
    const Hepta *at = state;
    int count = 0;
    if (at->phase == BLOCKING) {
        for (Move n = 0; n < SQUARES; n++)
            if (!(at->taken >> n & 1))
                out[count++] = n;
    } else if (at->phase == CHOOSING) {
        out[count++] = CHOICE + I;
        out[count++] = CHOICE + L;
    } else if (at->phase == LAYING) {
        int shape = shape_of(at, at->side);
        for (int n = 0; n < ways[shape]; n++)
            if (!(pieces[shape][n].squares & at->taken))
                out[count++] = pieces[shape][n].move;
    }
    return count;
}

static void play(void *state, Move move)
{
    Hepta *at = state;
    if (move & LAY) {
        at->taken |= 1ull << (move & 63) | 1ull << (move >> 6 & 63) | 1ull << (move >> 12 & 63);
        at->laid[at->side]++;
        turn_to(at, !at->side);
    } else if (move & CHOICE) {
        at->second_has = move & 1;
        at->phase = LAYING;
        turn_to(at, 1);
    } else {
        at->taken |= 1ull << move;
        if (ones(at->taken) == BLOCKERS) {
            at->phase = CHOOSING;
            at->side = 1;
        }
    }
}

static int side(const void *state)
{
    return ((const Hepta *)state)->side;
}

static double value(const void *state)
{
    const Hepta *at = state;
    return at->laid[0] > at->laid[1] ? 1 : at->laid[0] == at->laid[1] ? 0.5 : 0;
}

EXPORT const Rules hepta_rules = {sizeof(Hepta), 144, moves, play, side, value};

/* --- what a position is worth, in hundredths of a piece */

static inline uint64_t reach(const Room *room, int shape) /* the squares that some piece can cover */
{
    if (shape == I)
        return room->east | room->east << 1 | room->east << 2 | room->north | room->north << 7 | room->north << 14;
    uint64_t a = room->block[1] | room->block[2] | room->block[3], b = room->block[0] | room->block[2] | room->block[3];
    uint64_t c = room->block[0] | room->block[1] | room->block[3], d = room->block[0] | room->block[1] | room->block[2];
    return a | b << 1 | c << 7 | d << 8;
}

static int over(const void *state)
{
    return ((const Hepta *)state)->phase == OVER;
}

static int result(const void *state)
{
    const Hepta *at = state;
    return 100 * (at->laid[0] - at->laid[1]);
}

static inline int lesser(int a, int b)
{
    return a < b ? a : b;
}

static void range(const void *state, int *low, int *high)
{
    const Hepta *at = state;
    int ahead = at->laid[0] - at->laid[1], more[2] = {PIECES, PIECES};
    if (at->phase == LAYING) {
        Room room = room_in(ALL & ~at->taken);
        for (int n = 0; n < 2; n++)
            more[n] = lesser(PIECES - at->laid[n], ones(reach(&room, shape_of(at, n))) / 3);
    }
    *low = 100 * (ahead - more[1]);
    *high = 100 * (ahead + more[0]);
}

/* What a guess goes by: places for I and for L, squares that they reach, and whether I is to move. Worth in thousandths
 * of a piece to him who has I, by how many pieces lie; from games that this search has played against itself
 * (tests/bench/tuning_contests.py). */
enum { FEATURES = 6, STAGES = 13 };

static const int16_t weights[STAGES][FEATURES] = {
    {84, -37, 249, -236, 1721, -1908},
    {74, -32, 228, -226, 1589, -1445},
    {57, -26, 218, -224, 1524, -1038},
    {38, -21, 220, -225, 1487, -791},
    {18, -17, 224, -224, 1454, -667},
    {-11, -11, 232, -218, 1339, -664},
    {-46, -2, 253, -222, 1195, -688},
    {-75, 17, 270, -237, 984, -585},
    {-123, 52, 291, -261, 738, -410},
    {-206, 87, 334, -289, 419, -223},
    {-314, 111, 386, -301, 239, -141},
    {-377, 112, 417, -290, 226, -165},
    {-401, 96, 423, -252, 349, -273},
};

static void look(const Hepta *at, int32_t *features)
{
    Room room = room_in(ALL & ~at->taken);
    features[0] = ones(room.east) + ones(room.north);
    features[1] = ones(room.block[0]) + ones(room.block[1]) + ones(room.block[2]) + ones(room.block[3]);
    features[2] = ones(reach(&room, I));
    features[3] = ones(reach(&room, L));
    features[4] = shape_of(at, at->side) == I;
    features[5] = 1;
}

EXPORT void hepta_look(const Hepta *at, int32_t *features)
{
    look(at, features);
}

static int guess(const void *state, int *proved)
{
    const Hepta *at = state;
    int32_t features[FEATURES], sum = 0;
    const int16_t *weight = weights[lesser(at->laid[0] + at->laid[1], STAGES - 1)];
    *proved = 0;
    look(at, features);
    for (int n = 0; n < FEATURES; n++)
        sum += weight[n] * features[n];
    return result(at) + (shape_of(at, 0) == I ? sum : -sum) / 10;
}

static uint64_t key(const void *state)
{
    const Hepta *at = state;
    uint64_t rest = (uint64_t)at->side | (uint64_t)at->second_has << 1 | (uint64_t)at->phase << 2 |
                    (uint64_t)at->laid[0] << 4 | (uint64_t)at->laid[1] << 8;
    return mixed(at->taken ^ rest << 50) ^ mixed(rest + 1);
}

EXPORT const Contest hepta_contest = {&hepta_rules, over, result, guess, range, key, 0};
