/* Hepta: seven blockers, the choice, then I against L. */
#include "alpha_beta.h"
#include "seven.h"

enum { BLOCKING, CHOOSING, LAYING, OVER };
enum { BLOCKERS = 7, PIECES = 7, I = 0, L = 1 };
enum { MOST_MOVES = 4 * 36 }; /* an L on the empty board: four ways in each block of four squares; an I has 70 */

/* A move: the square of a blocker; CHOICE + shape; or LAY + shape << SHAPE + three squares of six bits each. */
enum { SHAPE = 18, CHOICE = 1 << 20, LAY = 1 << 21 };

typedef struct {
    uint64_t taken;
    uint8_t phase, side;
    uint8_t second_has; /* the shape of the second player, side 1 */
    uint8_t laid[2];    /* how many pieces, by side */
} Hepta;

MIRRORED(Hepta, hepta);

typedef struct {
    uint64_t squares;
    Move move;
} Piece;

static Piece pieces[2][MOST_MOVES]; /* all ways that a piece can lie, by shape */
static int ways[2];

#define A_TO_E (31 * COLUMN_A) /* the columns from a to e, the first five */
#define A_TO_F (63 * COLUMN_A)

static void add(int shape, int a, int b, int c)
{
    pieces[shape][ways[shape]++] = (Piece){bit(a) | bit(b) | bit(c),
                                           (Move)(LAY + (shape << SHAPE) + a + (b << 6) + (c << 12))};
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
        if (at->laid[side] < PIECES && has_room(BOARD & ~at->taken, shape_of(at, side))) {
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

static inline uint64_t squares_of(Move lay)
{
    return bit(lay & 63) | bit(lay >> 6 & 63) | bit(lay >> 12 & 63);
}

static void play(void *state, Move move)
{
    Hepta *at = state;
    if (move & LAY) {
        at->taken |= squares_of(move);
        at->laid[at->side]++;
        turn_to(at, !at->side);
    } else if (move & CHOICE) {
        at->second_has = move & 1;
        at->phase = LAYING;
        turn_to(at, 1);
    } else {
        at->taken |= bit((int)move);
        if (ones(at->taken) == BLOCKERS) {
            at->phase = CHOOSING;
            at->side = 1;
        }
    }
}

static int side_to_move(const void *state)
{
    return ((const Hepta *)state)->side;
}

static double value(const void *state)
{
    const Hepta *at = state;
    return at->laid[0] > at->laid[1] ? 1 : at->laid[0] == at->laid[1] ? 0.5 : 0;
}

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
        Room room = room_in(BOARD & ~at->taken);
        for (int n = 0; n < 2; n++)
            more[n] = lesser(PIECES - at->laid[n], ones(reach(&room, shape_of(at, n))) / 3);
    }
    *low = 100 * (ahead - more[1]);
    *high = 100 * (ahead + more[0]);
}

/* What a guess goes by: places for I and for L, the squares that they reach, whether I is to move, and a constant. The
 * weights are thousandths of a piece to the player who has I, by how many pieces lie; they were fitted to games that
 * this search has played against itself (tests/bench/tuning_contests.py). */
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
    Room room = room_in(BOARD & ~at->taken);
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

static int evaluate(const void *state, int *proved)
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

static const Scoring scoring = {over, result, evaluate, range, key, 0};

EXPORT const Game hepta_game = {
    {sizeof(Hepta), MOST_MOVES, moves, play, side_to_move, value}, &alpha_beta, &scoring};
