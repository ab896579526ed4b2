/* 6 Faces: the rules as companion/games/six_faces.py has them, and a search.
 *
 * A die reaches exactly the squares whose distance along rows and columns is its top face, by at most two routes. So
 * "who can take on this square" is answered by comparing nine distances: that is what makes the search fast.
 */
#include "alpha_beta.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 9, ROWS = 8, SQUARES = 72 };
enum { SLOTS = 9 };                         /* pieces of a side */
enum { KING = 24, CODES = 25, GONE = 255 }; /* a piece's code: the 24 ways a die can lie, and the King */
enum { LINE = 64 };                         /* positions of a line that are remembered for repetition */
enum { MOST_MOVES = 8 * 44 + 4 };           /* eight dice, at most 44 ways for each, and the King's four */
enum { NORTH, EAST, SOUTH, WEST };
enum { RUNNING, WHITE_WON, RED_WON, DRAWN };
static const int HOME[2] = {4, 67}; /* e1, e8 */

/* A position. Slots hold each side's pieces, its King first. White is side 0. */
typedef struct {
    uint8_t at[SQUARES];        /* 0, or 1 + side * SLOTS + slot */
    uint8_t square[2][SLOTS];   /* GONE when taken */
    uint8_t code[2][SLOTS];     /* a die's lie: (top, south) in order, 0 … 23; or KING */
    uint16_t row[ROWS];         /* which squares are occupied, by row and by column */
    uint8_t column[COLUMNS];
    uint8_t turn, hand, king_home, repetition, end;
    int32_t score;              /* of all pieces where they stand, for White */
    uint64_t hash;
    const uint64_t *before;     /* hashes of the positions before this one, where repetition counts */
    int32_t before_count;
    int32_t played;             /* moves since then */
    uint64_t line[LINE];        /* hashes of the last positions since then */
} SixFaces;

/* A move: where it starts, ends and turns (the same as where it ends if it goes straight), seven bits each. */
static inline int from_of(Move m) { return m & 127; }
static inline int end_of(Move m) { return m >> 7 & 127; }
static inline int turn_of(Move m) { return m >> 14 & 127; }
static inline Move move_of(int from, int turn, int end) { return (Move)(from | end << 7 | turn << 14); }

/* --- tables */

static uint8_t TOP[CODES];
static uint8_t ROLLED[2][16][CODES];      /* by hand, 4 * way + squares % 4, code */
static uint8_t LEG[SQUARES][SQUARES];     /* 4 * way + squares % 4, for squares in line */
static uint8_t APART[SQUARES][256];       /* steps along rows and columns; 0 to a piece that is GONE */
static uint16_t BETWEEN[9][9], UP_TO[9][9]; /* bits from one to another: neither end, only the last */
static uint64_t KEY[2][CODES][SQUARES], KEY_TURN;
static int16_t WORTH[2][CODES][SQUARES];

#include "six_faces_worth.h"

static const uint8_t LIES[KING][2] = { /* a die's top and south, by code */
    {1, 2}, {1, 3}, {1, 4}, {1, 5}, {2, 1}, {2, 3}, {2, 4}, {2, 6}, {3, 1}, {3, 2}, {3, 5}, {3, 6},
    {4, 1}, {4, 2}, {4, 5}, {4, 6}, {5, 1}, {5, 3}, {5, 4}, {5, 6}, {6, 2}, {6, 3}, {6, 4}, {6, 5},
};

static int code_of(int top, int south)
{
    int code = 0;
    while (LIES[code][0] != top || LIES[code][1] != south)
        code++;
    return code;
}

static int east_of(int top, int south, int left_handed)
{
    static const int AXIS[7][3] = {{0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}, {0, -1, 0}, {-1, 0, 0}};
    const int *a = AXIS[top], *b = AXIS[south];
    int c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    for (int face = 1; face <= 6; face++)
        if (!memcmp(AXIS[face], c, sizeof c))
            return left_handed ? 7 - face : face;
    return 0;
}

static int rolled_once(int code, int way, int hand)
{
    if (code == KING)
        return KING;
    int top = LIES[code][0], south = LIES[code][1], east = east_of(top, south, hand);
    switch (way) {
    case NORTH: return code_of(south, 7 - top);
    case SOUTH: return code_of(7 - south, top);
    case EAST: return code_of(7 - east, south);
    default: return code_of(east, south);
    }
}

__attribute__((constructor)) static void make_tables(void)
{
    Random random = {0x6face5};
    for (int code = 0; code < KING; code++)
        TOP[code] = LIES[code][0];
    TOP[KING] = 1;
    for (int hand = 0; hand < 2; hand++)
        for (int way = 0; way < 4; way++)
            for (int code = 0; code < CODES; code++) {
                int now = code;
                for (int n = 0; n < 4; n++, now = rolled_once(now, way, hand))
                    ROLLED[hand][way * 4 + n][code] = (uint8_t)now;
            }
    for (int a = 0; a < SQUARES; a++)
        for (int b = 0; b < SQUARES; b++) {
            int dx = b % 9 - a % 9, dy = b / 9 - a / 9, n = abs(dx) + abs(dy);
            APART[a][b] = (uint8_t)n;
            int way = dy > 0 ? NORTH : dy < 0 ? SOUTH : dx > 0 ? EAST : WEST;
            LEG[a][b] = (uint8_t)(way * 4 + n % 4);
        }
    for (int a = 0; a < 9; a++)
        for (int b = 0; b < 9; b++)
            for (int n = 0; n < 9; n++) {
                if ((a < n && n < b) || (b < n && n < a))
                    BETWEEN[a][b] |= (uint16_t)(1 << n);
                if ((a < n && n <= b) || (b <= n && n < a))
                    UP_TO[a][b] |= (uint16_t)(1 << n);
            }
    for (int code = 0; code < CODES; code++)
        for (int n = 0; n < SQUARES; n++) {
            int x = n % 9 > 4 ? 8 - n % 9 : n % 9, y = n / 9;
            for (int side = 0; side < 2; side++) {
                KEY[side][code][n] = random_next(&random);
                int value = STANDS[code == KING ? 6 : TOP[code] - 1][side ? 7 - y : y][x];
                WORTH[side][code][n] = (int16_t)(side ? -value : value);
            }
        }
    KEY_TURN = random_next(&random);
}

/* --- putting pieces down and taking them up */

static inline void put(SixFaces *p, int side, int slot, int code, int n)
{
    p->at[n] = (uint8_t)(1 + side * SLOTS + slot);
    p->square[side][slot] = (uint8_t)n;
    p->code[side][slot] = (uint8_t)code;
    p->row[n / 9] |= (uint16_t)(1 << n % 9);
    p->column[n % 9] |= (uint8_t)(1 << n / 9);
    p->hash ^= KEY[side][code][n];
    p->score += WORTH[side][code][n];
}

static inline void lift(SixFaces *p, int side, int slot)
{
    int n = p->square[side][slot], code = p->code[side][slot];
    p->at[n] = 0;
    p->square[side][slot] = GONE;
    p->row[n / 9] &= (uint16_t)~(1 << n % 9);
    p->column[n % 9] &= (uint8_t)~(1 << n / 9);
    p->hash ^= KEY[side][code][n];
    p->score -= WORTH[side][code][n];
}

/* Dice by square: 0 none, else 1 + code, and 32 more for Red. Positions `before` must stay where they are. */
EXPORT void six_faces_set(SixFaces *p, const uint8_t *dice, int turn, int left_handed, int king_home, int repetition,
                          const uint64_t *before, int before_count)
{
    memset(p, 0, sizeof *p);
    memset(p->square, GONE, sizeof p->square);
    p->hand = (uint8_t)left_handed;
    p->king_home = (uint8_t)king_home;
    p->repetition = (uint8_t)repetition;
    p->before = before;
    p->before_count = before_count;
    int next[2] = {1, 1};
    for (int n = 0; n < SQUARES; n++)
        if (dice[n]) {
            int side = dice[n] >> 5, code = (dice[n] & 31) - 1;
            put(p, side, code == KING ? 0 : next[side]++, code, n);
        }
    p->turn = (uint8_t)turn;
    if (turn)
        p->hash ^= KEY_TURN;
}

EXPORT uint64_t six_faces_hash(const SixFaces *p) { return p->hash; }

/* --- where pieces can go */

/* Whether one of two routes from a square to another is open: along the row first, or along the column first. In one
 * row or column both are the same. */
static inline int open_by_row(const SixFaces *p, int a, int b)
{
    int xa = a % 9, ya = a / 9, xb = b % 9, yb = b / 9;
    if (ya == yb)
        return !(p->row[ya] & BETWEEN[xa][xb]);
    return !(p->row[ya] & UP_TO[xa][xb]) && !(p->column[xb] & BETWEEN[ya][yb]);
}

static inline int open_by_column(const SixFaces *p, int a, int b)
{
    int xa = a % 9, ya = a / 9, xb = b % 9, yb = b / 9;
    if (xa == xb)
        return !(p->column[xa] & BETWEEN[ya][yb]);
    return !(p->column[xa] & UP_TO[ya][yb]) && !(p->row[yb] & BETWEEN[xa][xb]);
}

static inline int is_own(const SixFaces *p, int side, int n)
{
    return p->at[n] && (p->at[n] > SLOTS) == side;
}

/* Whether a side could win with one move if it were to move. */
static inline int can_win(const SixFaces *p, int side)
{
    int king = p->square[!side][0], home = HOME[!side];
    const uint8_t *squares = p->square[side], *codes = p->code[side];
    const uint8_t *to_king = APART[king], *to_home = APART[home];
    for (int slot = 0; slot < SLOTS; slot++) {
        int a = squares[slot], top = TOP[codes[slot]];
        if (to_king[a] == top && (open_by_row(p, a, king) || open_by_column(p, a, king)))
            return 1;
        if (to_home[a] == top && (!p->king_home || slot == 0) && !is_own(p, side, home) &&
            (open_by_row(p, a, home) || open_by_column(p, a, home)))
            return 1;
    }
    return 0;
}

static inline int in_line(int a, int b) { return a % 9 == b % 9 || a / 9 == b / 9; }

static inline int add_routes(const SixFaces *p, int a, int b, Move *out)
{
    int count = 0;
    if (open_by_row(p, a, b))
        out[count++] = move_of(a, in_line(a, b) ? b : a / 9 * 9 + b % 9, b);
    if (!in_line(a, b) && open_by_column(p, a, b))
        out[count++] = move_of(a, b / 9 * 9 + a % 9, b);
    return count;
}

/* Captures. */
static int takes(const SixFaces *p, Move *out)
{
    int count = 0, side = p->turn;
    for (int slot = 0; slot < SLOTS; slot++) {
        int a = p->square[side][slot];
        if (a == GONE)
            continue;
        int top = TOP[p->code[side][slot]];
        const uint8_t *apart = APART[a], *enemies = p->square[!side];
        for (int enemy = 0; enemy < SLOTS; enemy++) {
            int b = enemies[enemy];
            if (apart[b] == top)
                count += add_routes(p, a, b, out + count);
        }
    }
    return count;
}

/* How many squares are free from a square on, each way. */
static inline void free_ways(const SixFaces *p, int x, int y, int *free)
{
    uint32_t column = p->column[x], row = p->row[y];
    uint32_t south = column & ((1u << y) - 1), west = row & ((1u << x) - 1);
    free[NORTH] = __builtin_ctz(column >> (y + 1) | 1u << (7 - y));
    free[EAST] = __builtin_ctz(row >> (x + 1) | 1u << (8 - x));
    free[SOUTH] = south ? y - 32 + __builtin_clz(south) : y;
    free[WEST] = west ? x - 32 + __builtin_clz(west) : x;
}

static int all_moves(const SixFaces *p, Move *out)
{
    int count = 0, side = p->turn;
    for (int slot = 0; slot < SLOTS; slot++) {
        int a = p->square[side][slot];
        if (a == GONE)
            continue;
        int top = TOP[p->code[side][slot]], x = a % 9, y = a / 9, free[4];
        free_ways(p, x, y, free);
        for (int way = NORTH; way <= WEST; way++) {
            int upright = way == NORTH || way == SOUTH;
            int step = way == NORTH ? 9 : way == SOUTH ? -9 : way == EAST ? 1 : -1;
            int edge = way == NORTH ? 7 - y : way == SOUTH ? y : way == EAST ? 8 - x : x;
            if (free[way] >= top - 1 && top <= edge && !is_own(p, side, a + top * step))
                out[count++] = move_of(a, a + top * step, a + top * step);
            int most = free[way] < top - 1 ? free[way] : top - 1;
            for (int first = 1; first <= most; first++) {
                int turn = a + first * step, rest = top - first;
                if (upright) {
                    uint32_t row = p->row[turn / 9];
                    if (x + rest <= 8 && !(row & BETWEEN[x][x + rest]) && !is_own(p, side, turn + rest))
                        out[count++] = move_of(a, turn, turn + rest);
                    if (x - rest >= 0 && !(row & BETWEEN[x][x - rest]) && !is_own(p, side, turn - rest))
                        out[count++] = move_of(a, turn, turn - rest);
                } else {
                    uint32_t column = p->column[turn % 9];
                    if (y + rest <= 7 && !(column & BETWEEN[y][y + rest]) && !is_own(p, side, turn + 9 * rest))
                        out[count++] = move_of(a, turn, turn + 9 * rest);
                    if (y - rest >= 0 && !(column & BETWEEN[y][y - rest]) && !is_own(p, side, turn - 9 * rest))
                        out[count++] = move_of(a, turn, turn - 9 * rest);
                }
            }
        }
    }
    return count;
}

/* --- playing */

typedef struct {
    uint64_t hash;
    int32_t score;
    uint8_t slot, code, taken; /* what `at` had on the last square */
} Undo;

static inline Undo make(SixFaces *p, Move move)
{
    int a = from_of(move), b = end_of(move), turn = turn_of(move), side = p->turn;
    int slot = p->at[a] - 1 - side * SLOTS, code = p->code[side][slot];
    Undo undo = {p->hash, p->score, (uint8_t)slot, (uint8_t)code, p->at[b]};
    lift(p, side, slot);
    if (undo.taken)
        lift(p, !side, undo.taken - 1 - !side * SLOTS);
    code = ROLLED[p->hand][LEG[a][turn]][code];
    if (turn != b)
        code = ROLLED[p->hand][LEG[turn][b]][code];
    put(p, side, slot, code, b);
    p->turn = (uint8_t)!side;
    p->hash ^= KEY_TURN;
    return undo;
}

static inline void unmake(SixFaces *p, Move move, Undo undo)
{
    int a = from_of(move), b = end_of(move), side = !p->turn;
    p->turn = (uint8_t)side;
    p->at[a] = p->at[b];
    p->square[side][undo.slot] = (uint8_t)a;
    p->code[side][undo.slot] = undo.code;
    p->row[a / 9] |= (uint16_t)(1 << a % 9);
    p->column[a % 9] |= (uint8_t)(1 << a / 9);
    p->at[b] = undo.taken;
    if (undo.taken)
        p->square[!side][undo.taken - 1 - !side * SLOTS] = (uint8_t)b;
    else {
        p->row[b / 9] &= (uint16_t)~(1 << b % 9);
        p->column[b % 9] &= (uint8_t)~(1 << b / 9);
    }
    p->hash = undo.hash;
    p->score = undo.score;
}

static int times_before(const SixFaces *p, uint64_t hash)
{
    int times = 0;
    for (int n = 0; n < p->before_count; n++)
        times += p->before[n] == hash;
    for (int n = p->played > LINE ? p->played - LINE : 0; n < p->played; n++)
        times += p->line[n % LINE] == hash;
    return times;
}

static int rules_moves(const void *state, Move *out)
{
    const SixFaces *p = state;
    return p->end ? 0 : all_moves(p, out);
}

static void rules_play(void *state, Move move)
{
    SixFaces *p = state;
    int side = p->turn, b = end_of(move);
    if (p->repetition)
        p->line[p->played++ % LINE] = p->hash;
    Undo undo = make(p, move);
    int king = undo.slot == 0;
    if (undo.taken == 1 + !side * SLOTS || (b == HOME[!side] && (king || !p->king_home)))
        p->end = side ? RED_WON : WHITE_WON;
    else if (p->repetition && times_before(p, p->hash) >= 2)
        p->end = DRAWN;
}

static int rules_side(const void *state) { return ((const SixFaces *)state)->turn; }

static double rules_value(const void *state)
{
    int end = ((const SixFaces *)state)->end;
    return end == WHITE_WON ? 1 : end == RED_WON ? 0 : 0.5;
}

/* --- the search: alpha-beta with quiescence search and the usual pruning.
 *
 * A score above WON is a proof: pruned moves (reductions, null moves, futility, delta pruning) are replaced by scores
 * that claim no win, so wins and losses come only from the rules.
 *
 * Scores are in hundredths of the average value of a die (six_faces_worth.h).
 */

enum {
    MAX_DEPTH = 80,          /* by then even the longest endgame is decided or repeats */
    LAST_PLY = LONGEST_LINE, /* threats extend lines beyond the depth, up to this ply */
    PLIES = LAST_PLY + 64,   /* with the captures of the quiescence search */
    TABLE_BITS = 20,         /* 16 MB */
    CHECK_EVERY = 256,       /* a node takes less than a microsecond */
};

/* Pruning and reductions. */
enum {
    ASPIRATION_WINDOW = 40, /* the width on each side of the last depth's score, from depth ASPIRATION_FROM on */
    ASPIRATION_FROM = 5,
    DELTA_MARGIN = 60, /* delta pruning: a capture is skipped if its value plus this does not reach alpha */
    REVERSE_FUTILITY_DEPTH = 3, /* up to this depth a score so far above beta, for each ply, is returned at once */
    REVERSE_FUTILITY_MARGIN = 90,
    FUTILITY_DEPTH = 2, /* up to this depth only captures are tried if the score is so far below alpha */
    FUTILITY_MARGIN = 80,
    FUTILITY_BASE = 40,
    NULL_MOVE_FROM = 3, /* null move pruning from this depth on */
    REDUCED_FROM = 3,   /* late move reductions of quiet moves from this depth on: */
    LATE = 3,           /* by one ply from this move on, then by two, then by three from depth VERY_LATE_FROM on */
    LATER = 8,
    VERY_LATE = 20,
    VERY_LATE_FROM = 5,
};

/* Move ordering: the hash move, then captures, then killers, then by history. */
enum {
    HASH_MOVE = 1 << 30,
    CAPTURE = 1 << 26,
    KILLER = 1 << 25,        /* a move that refuted a sibling node */
    HISTORY_FULL = 1 << 20,  /* when a counter reaches this, all are halved */
    VICTIM_WEIGHT = 64,      /* MVV-LVA: the weight of the victim against that of the attacker */
    CAPTURE_IN_QUIET = 1000, /* for a capture among quiet moves, in quiet_down */
};

typedef struct {
    Search frame;
    SixFaces board;
    Table table;
    uint64_t path[PLIES];
    Move killers[PLIES][2];
    int32_t history[2][SQUARES][SQUARES];
    Move line[PLIES][LONGEST_LINE];
    int length[PLIES];
    Move root[MOST_MOVES];
    int root_count;
    int score; /* of the last finished depth, or the best of this one so far */
} Faces;

static inline int evaluate(const SixFaces *p)
{
    return (p->turn ? -p->score : p->score) + TEMPO;
}

static int repeated(const Faces *s, int ply)
{
    const SixFaces *p = &s->board;
    for (int n = ply - 4; n >= 0; n -= 2)
        if (s->path[n] == p->hash)
            return 1;
    return p->repetition && times_before(p, p->hash) >= 2;
}

static inline int worth_of(const SixFaces *p, int side, int n)
{
    int slot = p->at[n] - 1 - side * SLOTS;
    return abs(WORTH[side][p->code[side][slot]][n]);
}

/* Quiescence search. Up to `threats_left` threats to win at once are answered by any move, not only by captures. */
static int quiet_down(Faces *s, int alpha, int beta, int ply, int threatened, int threats_left)
{
    SixFaces *p = &s->board;
    if (ply >= LAST_PLY + 32)
        return evaluate(p);
    int best = -WIN, count;
    Move moves[MOST_MOVES];
    int32_t priority[MOST_MOVES];
    if (threatened) {
        count = all_moves(p, moves);
        if (!count)
            return 0;
    } else {
        best = evaluate(p);
        if (best >= beta)
            return best;
        if (best > alpha)
            alpha = best;
        count = takes(p, moves);
    }
    for (int n = 0; n < count; n++)
        priority[n] = p->at[end_of(moves[n])] ? CAPTURE_IN_QUIET + worth_of(p, !p->turn, end_of(moves[n])) : 0;
    for (int n = 0; n < count; n++) {
        select_best(moves, priority, n, count);
        if (!threatened && best + priority[n] - CAPTURE_IN_QUIET + DELTA_MARGIN < alpha)
            continue; /* delta pruning */
        Undo undo = make(p, moves[n]);
        s->frame.nodes++;
        out_of_time(&s->frame.limit);
        int score, left = threats_left - threatened;
        if (can_win(p, p->turn))
            score = ply + 2 - WIN;
        else
            score = -quiet_down(s, -beta, -alpha, ply + 1, left > 0 && can_win(p, !p->turn), left);
        unmake(p, moves[n], undo);
        if (s->frame.limit.over)
            return 0;
        if (score > best) {
            best = score;
            if (score > alpha)
                alpha = score;
            if (score >= beta)
                break;
        }
    }
    return best;
}

static void good_quiet(Faces *s, Move move, int depth, int ply)
{
    if (s->killers[ply][0] != move) {
        s->killers[ply][1] = s->killers[ply][0];
        s->killers[ply][0] = move;
    }
    int32_t *often = &s->history[s->board.turn][from_of(move)][end_of(move)];
    *often += depth * depth;
    if (*often > HISTORY_FULL)
        for (int n = 0; n < 2 * SQUARES * SQUARES; n++)
            (&s->history[0][0][0])[n] /= 2;
}

/* A staged move generator: the moves of a node in order, generated when they are needed. */
typedef enum { TRY_FIRST, FIND_TAKES, TAKES, FIND_QUIET, QUIET } Stage;

typedef struct {
    Move moves[MOST_MOVES];
    int32_t priority[MOST_MOVES];
    int count, next;
    Stage stage;
    int sorted;        /* how many have a priority: the others follow in any order */
    int captures_only; /* futility pruning: quiet moves are skipped */
    Move first;        /* the hash move */
} Picker;

static int can_be_played(const SixFaces *p, Move move)
{
    int a = from_of(move), b = end_of(move);
    if (!move || !is_own(p, p->turn, a) || is_own(p, p->turn, b))
        return 0;
    if (APART[a][b] != TOP[p->code[p->turn][p->at[a] - 1 - p->turn * SLOTS]])
        return 0;
    return turn_of(move) / 9 == a / 9 ? open_by_row(p, a, b) : open_by_column(p, a, b);
}

static Move next_move(const Faces *s, Picker *k, int ply)
{
    const SixFaces *p = &s->board;
    for (;;) {
        switch (k->stage) {
        case TRY_FIRST:
            k->stage = FIND_TAKES;
            if (can_be_played(p, k->first))
                return k->first;
            k->first = 0;
            break;
        case FIND_TAKES:
            k->stage = TAKES;
            k->count = k->sorted = takes(p, k->moves);
            for (int n = 0; n < k->count; n++)
                k->priority[n] = worth_of(p, !p->turn, end_of(k->moves[n])) * VICTIM_WEIGHT -
                                worth_of(p, p->turn, from_of(k->moves[n]));
            break;
        case FIND_QUIET:
            if (k->captures_only)
                return 0;
            k->stage = QUIET;
            k->next = k->count = k->sorted = 0;
            int all = all_moves(p, k->moves);
            for (int n = 0; n < all; n++) {
                Move move = k->moves[n];
                if (p->at[end_of(move)])
                    continue;
                int killer = move == s->killers[ply][0] || move == s->killers[ply][1];
                int priority = killer ? KILLER : s->history[p->turn][from_of(move)][end_of(move)];
                if (priority) {
                    k->moves[k->count++] = k->moves[k->sorted];
                    k->priority[k->sorted] = priority;
                    k->moves[k->sorted++] = move;
                } else {
                    k->moves[k->count++] = move;
                }
            }
            break;
        default: /* TAKES, QUIET */
            while (k->next < k->count) {
                select_best(k->moves, k->priority, k->next, k->sorted);
                Move move = k->moves[k->next++];
                if (move != k->first)
                    return move;
            }
            if (k->stage == QUIET)
                return 0;
            k->stage = FIND_QUIET;
        }
    }
}

static int walk(Faces *s, int depth, int alpha, int beta, int ply, int may_null_move)
{
    SixFaces *p = &s->board;
    s->length[ply] = 0;
    int threatened;
    if (ply) {
        if (out_of_time(&s->frame.limit))
            return 0;
        s->frame.nodes++;
        if (can_win(p, p->turn))
            return WIN - ply - 1;
        threatened = can_win(p, !p->turn);
        if (depth <= 0 && !threatened)
            return quiet_down(s, alpha, beta, ply, 0, 1);
        if (repeated(s, ply))
            return 0;
        if (ply >= LAST_PLY - 1)
            return evaluate(p);
        if (WIN - ply - 1 <= alpha)
            return WIN - ply - 1;
    } else {
        threatened = can_win(p, !p->turn);
    }
    if (threatened)
        depth++;
    s->path[ply] = p->hash;

    Entry *entry = table_at(&s->table, p->hash);
    Move first = 0;
    if (entry->bound && entry->key == p->hash) {
        first = entry->move;
        int score = delayed(entry->score, ply, WON);
        if (ply && (entry->depth >= depth || abs(score) > WON) && beta - alpha == 1 &&
            (entry->bound == EXACT || (entry->bound == AT_LEAST ? score >= beta : score <= alpha)))
            return score;
    }

    int static_score = evaluate(p);
    if (ply && !threatened && beta - alpha == 1 && abs(beta) < WON) {
        if (depth <= REVERSE_FUTILITY_DEPTH && static_score - REVERSE_FUTILITY_MARGIN * depth >= beta)
            return static_score;
        if (may_null_move && depth >= NULL_MOVE_FROM && static_score >= beta) {
            p->turn ^= 1;
            p->hash ^= KEY_TURN;
            __builtin_prefetch(table_at(&s->table, p->hash));
            int score = -walk(s, depth - 3 - depth / 4, -beta, -beta + 1, ply + 1, 0);
            p->turn ^= 1;
            p->hash ^= KEY_TURN;
            if (s->frame.limit.over)
                return 0;
            if (score >= beta)
                return score > WON ? beta : score;
        }
    }

    Picker picker;
    picker.first = first;
    picker.next = picker.count = 0;
    picker.stage = TRY_FIRST;
    picker.captures_only = ply && !threatened && depth <= FUTILITY_DEPTH && beta - alpha == 1 &&
                      static_score + FUTILITY_MARGIN * depth + FUTILITY_BASE <= alpha;
    if (!ply) { /* at the root all moves are shuffled and ordered at once */
        picker.stage = QUIET;
        picker.first = 0;
        picker.count = picker.sorted = s->root_count;
        for (int n = 0; n < s->root_count; n++) {
            picker.moves[n] = s->root[n];
            picker.priority[n] = s->root[n] == first ? HASH_MOVE : p->at[end_of(s->root[n])] ? CAPTURE : 0;
        }
    }
    int best = -WIN, start = alpha;
    Move best_move = 0;
    int n = 0;
    for (Move move; (move = next_move(s, &picker, ply)); n++) {
        int quiet = !p->at[end_of(move)];
        Undo undo = make(p, move);
        __builtin_prefetch(table_at(&s->table, p->hash));
        int score, less = 0;
        if (quiet && n >= LATE && depth >= REDUCED_FROM && !threatened) {
            less = 1 + (n >= LATER) + (n >= VERY_LATE && depth >= VERY_LATE_FROM);
            if (less > depth - 2)
                less = depth - 2;
        }
        if (n == 0) {
            score = -walk(s, depth - 1, -beta, -alpha, ply + 1, 1);
        } else {
            score = -walk(s, depth - 1 - less, -alpha - 1, -alpha, ply + 1, 1);
            if (score > alpha && less)
                score = -walk(s, depth - 1, -alpha - 1, -alpha, ply + 1, 1);
            if (score > alpha && score < beta)
                score = -walk(s, depth - 1, -beta, -alpha, ply + 1, 1);
        }
        unmake(p, move, undo);
        if (s->frame.limit.over)
            return best;
        if (score > best) {
            best = score;
            best_move = move;
            if (score > alpha || (!ply && n == 0)) {
                if (score > alpha)
                    alpha = score;
                int more = s->length[ply + 1] < LONGEST_LINE - 1 ? s->length[ply + 1] : LONGEST_LINE - 1;
                s->line[ply][0] = move;
                memcpy(s->line[ply] + 1, s->line[ply + 1], sizeof(Move) * (size_t)more);
                s->length[ply] = more + 1;
                if (!ply)
                    s->score = score;
            }
            if (score >= beta) {
                if (quiet)
                    good_quiet(s, move, depth, ply);
                break;
            }
        }
    }
    if (picker.captures_only && best < static_score)
        best = static_score; /* stands for the pruned moves */
    if (best == -WIN)
        return 0; /* no move: a draw */
    entry->key = p->hash;
    entry->move = best_move ? best_move : first;
    entry->score = (int16_t)delayed(best, -ply, WON);
    entry->depth = (uint8_t)depth;
    entry->bound = best >= beta ? AT_LEAST : best > start ? EXACT : AT_MOST;
    return best;
}

static int open_search(Search *search)
{
    return table_open(&((Faces *)search)->table, TABLE_BITS);
}

static void close_search(Search *search)
{
    table_close(&((Faces *)search)->table);
}

static void start_search(Search *search, const void *state)
{
    Faces *s = (Faces *)search;
    s->board = *(const SixFaces *)state;
    s->score = 0;
    s->root_count = all_moves(&s->board, s->root);
    Random random = {search->seed};
    for (int n = s->root_count - 1; n > 0; n--) { /* so that equally good moves are chosen at random */
        int k = (int)random_below(&random, (uint32_t)n + 1);
        Move move = s->root[n];
        s->root[n] = s->root[k], s->root[k] = move;
    }
}

/* A move that wins at once, or 0. `walk` detects such wins without trying moves, so it has no move for them. */
static Move win_at_once(const Faces *s)
{
    const SixFaces *p = &s->board;
    for (int n = 0; n < s->root_count; n++) {
        Move move = s->root[n];
        int taken = p->at[end_of(move)], king = p->at[from_of(move)] == 1 + p->turn * SLOTS;
        if (taken == 1 + !p->turn * SLOTS || (end_of(move) == HOME[!p->turn] && (king || !p->king_home)))
            return move;
    }
    return 0;
}

static int deepen(Search *search, int depth, Answer *answer)
{
    Faces *s = (Faces *)search;
    Move win = win_at_once(s);
    if (win) {
        answer->score = WIN - 1;
        answer->exact = answer->finished = answer->length = 1;
        answer->line[0] = win;
        search->nodes++;
        return 1;
    }
    int alpha = depth >= ASPIRATION_FROM ? s->score - ASPIRATION_WINDOW : -WIN;
    int beta = depth >= ASPIRATION_FROM ? s->score + ASPIRATION_WINDOW : WIN;
    for (;;) {
        s->length[0] = 0;
        int score = walk(s, depth, alpha, beta, 0, 0);
        if (search->limit.over)
            break;
        if (score <= alpha && alpha > -WIN) {
            alpha = -WIN;
        } else if (score >= beta && beta < WIN) {
            beta = WIN;
        } else {
            s->score = score;
            break;
        }
    }
    answer->finished = !search->limit.over;
    if (!answer->finished && !s->length[0] && s->score == (int)answer->score)
        return 0;
    answer->score = s->score;
    answer->exact = is_proved(s->score, answer->finished);
    if (s->length[0]) {
        answer->length = s->length[0];
        memcpy(answer->line, s->line[0], sizeof(Move) * (size_t)s->length[0]);
    }
    return 1;
}

static const Method method = {sizeof(Faces), MAX_DEPTH, CHECK_EVERY, open_search, start_search, deepen, close_search};

EXPORT const Game six_faces_game = {
    {sizeof(SixFaces), MOST_MOVES, rules_moves, rules_play, rules_side, rules_value}, &method, NULL};
