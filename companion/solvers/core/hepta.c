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

enum { FEATURES = 10 };

/* How many pieces can lie together, taken from the south-west as they come. */
static int packed(uint64_t free, int shape, int most)
{
    int count = 0;
    for (; count < most; count++) {
        Room room = room_in(free);
        if (shape == I) {
            uint64_t east = room.east & -room.east, north = room.north & -room.north;
            if (!(east | north))
                break;
            free &= east && (!north || east <= north) ? ~(7 * east) : ~(north | north << 7 | north << 14);
        } else {
            uint64_t any = room.block[0] | room.block[1] | room.block[2] | room.block[3], first = any & -any;
            if (!any)
                break;
            uint64_t block = first | first << 1 | first << 7 | first << 8;
            free &= first & room.block[3]   ? ~(block ^ first << 8)
                    : first & room.block[2] ? ~(block ^ first << 7)
                    : first & room.block[1] ? ~(block ^ first << 1)
                                            : ~(block ^ first);
        }
    }
    return count;
}

/* How many more pieces a player may come to lay, by what there is room for. */
static void look(const Hepta *at, int *features)
{
    Room room = room_in(ALL & ~at->taken);
    uint64_t i = reach(&room, I), l = reach(&room, L);
    int n_i = ones(room.east) + ones(room.north);
    int n_l = ones(room.block[0]) + ones(room.block[1]) + ones(room.block[2]) + ones(room.block[3]);
    int has_i = at->second_has == I;
    features[0] = n_i;
    features[1] = n_l;
    features[2] = ones(i);
    features[3] = ones(l);
    features[4] = ones(i & ~l);
    features[5] = ones(l & ~i);
    features[6] = PIECES - at->laid[has_i];
    features[7] = PIECES - at->laid[!has_i];
    features[8] = packed(ALL & ~at->taken, I, features[6]);
    features[9] = packed(ALL & ~at->taken, L, features[7]);
}

EXPORT void hepta_look(const Hepta *at, int *features)
{
    look(at, features);
}

static int guess(const void *state, int *proved)
{
    const Hepta *at = state;
    *proved = 0;
    int f[FEATURES];
    look(at, f);
    int mine = lesser(100 * f[6], 20 * f[2] + 4 * f[0]), theirs = lesser(100 * f[7], 18 * f[3] + 3 * f[1]);
    int i_side = at->second_has == I ? 1 : 0;
    int worth = mine - theirs;
    return 100 * (at->laid[0] - at->laid[1]) + (i_side ? -worth : worth) + (at->side == 0 ? 20 : -20);
}

static uint64_t key(const void *state)
{
    const Hepta *at = state;
    uint64_t rest = (uint64_t)at->side | (uint64_t)at->second_has << 1 | (uint64_t)at->phase << 2 |
                    (uint64_t)at->laid[0] << 4 | (uint64_t)at->laid[1] << 8;
    return mixed(at->taken ^ rest << 50) ^ mixed(rest + 1);
}

EXPORT const Contest hepta_contest = {&hepta_rules, over, result, guess, range, key, 0};
