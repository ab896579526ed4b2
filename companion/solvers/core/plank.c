/* Plank for two, three and four. A square is a bit, three for each plank of the row from south to north, west first:
 * a plank laid in the south moves all others up by three. */
#include "alpha_beta.h"
#include "bits.h"

enum { RED, WHITE, BLUE, COLORS };
enum { NOBODY = 255 };
enum { MOST_SOURCES = 36 };        /* tokens that may move: no more than a row of twelve planks has squares */
enum { MOST_MOVES = 24 * MOST_SOURCES }; /* each to twelve squares of its color, or with any of six planks at an end */
enum { PRIZE = 20000 };            /* what a win is worth; companion/solvers/plank.py takes all beyond 19000 for one */

/* A move: the square it goes to (in the row as it then lies), where the token comes from (a square of the row as it
 * is, or HAND + its color), the plank that is laid or NO_PLANK, and at which end. */
enum { FROM = 6, KIND = 12, SOUTH = 1 << 15, HAND = 48, NO_PLANK = 7 };

typedef struct {
    uint64_t color[COLORS];  /* the squares of each color */
    uint64_t own[4][COLORS]; /* tokens on the table */
    const uint64_t *drawn;   /* keys of positions whose next occurrence is a draw, the last one 0; NULL: none */
    uint8_t planks[4][COLORS], tokens[4][COLORS]; /* in the hands; planks by their middle color */
    uint8_t players, length, to_move, over, winner;
    uint8_t me; /* with three: side 0, against the other two */
} Plank;

MIRRORED(Plank, plank);

/* The planks either way round, each by its colors from west to east; and the two other colors of each color. */
static const uint8_t kinds[6][3] = {{RED, WHITE, BLUE}, {BLUE, WHITE, RED}, {WHITE, RED, BLUE},
                                    {BLUE, RED, WHITE}, {RED, BLUE, WHITE}, {WHITE, BLUE, RED}};
static const uint8_t others[COLORS][2] = {{WHITE, BLUE}, {RED, BLUE}, {RED, WHITE}};

#define WEST 0x249249249ull /* the first square of every plank */
#define MIDDLE (WEST << 1)
#define EAST (WEST << 2)
#define ACROSS 7ull   /* the line of one plank, from its first square on */
#define ALONG 0111ull /* the line of one column through three planks, from its first square on */

static inline uint64_t tokens_of(const Plank *at, int player)
{
    return at->own[player][RED] | at->own[player][WHITE] | at->own[player][BLUE];
}

static inline uint64_t occupied(const Plank *at)
{
    uint64_t found = 0;
    for (int player = 0; player < at->players; player++)
        found |= tokens_of(at, player);
    return found;
}

static inline int in_hand(const uint8_t *counts)
{
    return counts[RED] + counts[WHITE] + counts[BLUE];
}

static int can_move(const Plank *at, int player)
{
    int putting = in_hand(at->tokens[player]);
    uint64_t free = ~occupied(at);
    if (in_hand(at->planks[player]))
        return putting || tokens_of(at, player);
    for (int color = 0; color < COLORS; color++)
        if ((putting ? at->tokens[player][color] != 0 : at->own[player][color] != 0) && at->color[color] & free)
            return 1;
    return 0;
}

static int moves(const void *state, Move *out)
{
    const Plank *at = state;
    int player = at->to_move, count = 0, sources = 0;
    Move from[MOST_SOURCES];
    uint8_t color[MOST_SOURCES];
    uint64_t free = ~occupied(at);
    if (at->over)
        return 0;
    if (in_hand(at->tokens[player])) {
        for (int c = 0; c < COLORS; c++)
            if (at->tokens[player][c])
                from[sources] = (Move)(HAND + c), color[sources++] = (uint8_t)c;
    } else {
        for (int c = 0; c < COLORS; c++)
            for (uint64_t left = at->own[player][c]; left; left &= left - 1)
                from[sources] = (Move)lowest(left), color[sources++] = (uint8_t)c;
    }
    for (int n = 0; n < sources; n++)
        for (uint64_t left = at->color[color[n]] & free; left; left &= left - 1)
            out[count++] = (Move)lowest(left) | from[n] << FROM | NO_PLANK << KIND;
    for (Move kind = 0; kind < 6; kind++) {
        if (!at->planks[player][kinds[kind][1]])
            continue;
        for (int south = 0; south <= (at->length > 0); south++)
            for (int n = 0; n < sources; n++) {
                int column = kinds[kind][0] == color[n] ? 0 : kinds[kind][1] == color[n] ? 1 : 2;
                Move to = (Move)(column + (south ? 0 : 3 * at->length));
                out[count++] = to | from[n] << FROM | kind << KIND | (south ? SOUTH : 0);
            }
    }
    return count;
}

static uint64_t key(const void *state)
{
    const Plank *at = state;
    uint64_t found = at->to_move + 8u * at->over + 16u * at->length;
    for (int c = 0; c < COLORS; c++)
        found = mixed(found + at->color[c]);
    for (int player = 0; player < at->players; player++) {
        uint64_t hand = 0;
        for (int c = 0; c < COLORS; c++) {
            found = mixed(found ^ at->own[player][c]);
            hand = hand << 6 | (uint64_t)at->planks[player][c] << 3 | at->tokens[player][c];
        }
        found = mixed(found + hand);
    }
    return found | 1; /* never 0, which ends the list of draws */
}

EXPORT uint64_t plank_key(const Plank *at)
{
    return key(at);
}

static int line_through(const Plank *at, int player, int square)
{
    const uint64_t *own = at->own[player];
    uint64_t lines[4] = {ACROSS << (square - square % 3), ALONG << square, 0, 0};
    int count = 2;
    if (square >= 3)
        lines[count++] = ALONG << (square - 3);
    if (square >= 6)
        lines[count++] = ALONG << (square - 6);
    for (int n = 0; n < count; n++)
        if (own[RED] & lines[n] && own[WHITE] & lines[n] && own[BLUE] & lines[n])
            return 1;
    return 0;
}

static void play(void *state, Move move)
{
    Plank *at = state;
    int player = at->to_move;
    unsigned to = move & 63, from = move >> FROM & 63, kind = move >> KIND & 7, color;
    if (from >= HAND) {
        color = from - HAND;
        at->tokens[player][color]--;
    } else {
        color = at->own[player][RED] >> from & 1 ? RED : at->own[player][WHITE] >> from & 1 ? WHITE : BLUE;
        at->own[player][color] &= ~(1ull << from);
    }
    if (kind != NO_PLANK) {
        if (move & SOUTH) {
            for (int c = 0; c < COLORS; c++) {
                at->color[c] <<= 3;
                for (int p = 0; p < at->players; p++)
                    at->own[p][c] <<= 3;
            }
        }
        unsigned first = move & SOUTH ? 0 : 3u * at->length;
        for (unsigned n = 0; n < 3; n++)
            at->color[kinds[kind][n]] |= 1ull << (first + n);
        at->planks[player][kinds[kind][1]]--;
        at->length++;
    }
    at->own[player][color] |= 1ull << to;
    if (line_through(at, player, (int)to)) {
        at->over = 1;
        at->winner = (uint8_t)player;
        return;
    }
    for (int n = 0; n < at->players; n++) {
        player = (player + 1) % at->players;
        if (!can_move(at, player))
            continue;
        at->to_move = (uint8_t)player;
        if (at->drawn) {
            uint64_t now = key(at);
            for (const uint64_t *drawn = at->drawn; *drawn; drawn++)
                at->over |= *drawn == now;
        }
        return;
    }
    at->over = 1;
}

static inline int side_of(const Plank *at, int player)
{
    return at->players == 3 ? player != at->me : player & 1;
}

static int side_to_move(const void *state)
{
    const Plank *at = state;
    return side_of(at, at->to_move);
}

/* With three, the one left of the winner gets two marks and the other one mark; what counts is the mean of the others'
 * marks less those of `me`. */
static int result(const void *state)
{
    const Plank *at = state;
    if (at->winner == NOBODY)
        return 0;
    if (at->players == 3 && at->winner != at->me)
        return (at->winner + 1) % 3 == at->me ? -PRIZE : 0;
    return side_of(at, at->winner) ? -PRIZE : PRIZE;
}

static double value(const void *state)
{
    return 0.5 + 0.5 * result(state) / PRIZE;
}

/* --- what a position is worth, in points of which a single threat has thirty */

static const int LINE_WITH[3] = {1, 4, 12}; /* a line that can still be completed, by how many tokens stand on it */

enum {
    NO_SUCH_TOKEN = 6,    /* a square that would complete a line with a token that there is none of */
    ONE_THREAT = 30,      /* one way to win with the next move */
    TWO_THREATS = 300,    /* more than one: the side to move can hardly stop them all */
    THREATS_IN_TURN = 60, /* the same for the side to move, whose partner moves later */
    TEMPO = 8,            /* to be the side to move */
};

static int over(const void *state)
{
    return ((const Plank *)state)->over;
}

/* The free squares on which a token of this color would complete a player's line. */
static inline uint64_t completing(const Plank *at, int player, int color)
{
    uint64_t a = at->own[player][others[color][0]], b = at->own[player][others[color][1]];
    uint64_t found = (a >> 3 & b >> 6) | (b >> 3 & a >> 6) | (a << 3 & b << 6) | (b << 3 & a << 6) | (a << 3 & b >> 3) |
                     (b << 3 & a >> 3) | (((a >> 1 & b >> 2) | (b >> 1 & a >> 2)) & WEST) |
                     (((a << 1 & b >> 1) | (b << 1 & a >> 1)) & MIDDLE) |
                     (((a << 1 & b << 2) | (b << 1 & a << 2)) & EAST);
    return found & at->color[color];
}

/* In how many ways a player can complete a column by laying a plank at an end with a token of this color on it. */
static int completing_by_plank(const Plank *at, int player, int color)
{
    if (at->length < 2 || !in_hand(at->planks[player]))
        return 0;
    uint64_t a = at->own[player][others[color][0]], b = at->own[player][others[color][1]];
    int top = 3 * at->length - 3, found = 0;
    for (int column = 0; column < 3; column++) {
        int has = column == 1 ? at->planks[player][color]
                              : at->planks[player][others[color][0]] + at->planks[player][others[color][1]];
        if (!has)
            continue;
        for (int end = 0; end < 2; end++) {
            uint64_t edge = 1ull << (end ? column : top + column), next = end ? edge << 3 : edge >> 3;
            found += (a & edge && b & next) || (b & edge && a & next);
        }
    }
    return found;
}

typedef struct {
    int now;    /* ways to win with one move */
    int lines;  /* what may become of the player's lines */
} Chances;

static inline int worth_of_line(uint64_t tokens)
{
    int count = ones(tokens);
    return LINE_WITH[count < 3 ? count : 0];
}

static Chances chances(const Plank *at, int player, uint64_t taken)
{
    Chances found = {0, 0};
    int putting = in_hand(at->tokens[player]);
    uint64_t mine = tokens_of(at, player), theirs = taken & ~mine;
    for (int color = 0; color < COLORS; color++) {
        uint64_t squares = completing(at, player, color) & ~theirs;
        int have = putting ? at->tokens[player][color] != 0 : at->own[player][color] != 0;
        if (have)
            found.now += ones(squares & ~taken) + completing_by_plank(at, player, color);
        else
            found.lines += NO_SUCH_TOKEN * ones(squares & ~taken);
    }
    /* lines on which nobody else has a token */
    for (int n = 0; n < at->length; n++) {
        uint64_t line = ACROSS << 3 * n;
        if (!(theirs & line))
            found.lines += worth_of_line(mine & line);
        if (n + 2 >= at->length)
            continue;
        for (int column = 0; column < 3; column++) {
            line = ALONG << (3 * n + column);
            if (!(theirs & line) && at->color[RED] & line && at->color[WHITE] & line && at->color[BLUE] & line)
                found.lines += worth_of_line(mine & line);
        }
    }
    return found;
}

static int evaluate(const void *state, int *proved)
{
    const Plank *at = state;
    uint64_t taken = occupied(at);
    int sum = 0, mover = side_to_move(state) ? -1 : 1;
    *proved = 0;
    for (int n = 0; n < at->players; n++) { /* with three, the two others count half as much each */
        int player = (at->to_move + n) % at->players, sign = side_of(at, player) ? -1 : 1;
        Chances found = chances(at, player, taken);
        if (n == 0 && found.now && (at->players != 3 || sign > 0)) {
            *proved = 1;
            return sign * (PRIZE - 1);
        }
        int threats = found.now > 1 ? (sign != mover ? TWO_THREATS : THREATS_IN_TURN) : found.now ? ONE_THREAT : 0;
        sum += sign * (threats + found.lines) / (at->players == 3 && sign < 0 ? 2 : 1);
    }
    return sum + mover * TEMPO;
}

static const Scoring scoring = {over, result, evaluate, NULL, key, PRIZE};

EXPORT const Game plank_game = {
    {sizeof(Plank), MOST_MOVES, moves, play, side_to_move, value}, &alpha_beta, &scoring};
