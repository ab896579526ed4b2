/* Trippples on a full frame: the rules as companion/games/trippples.py has them (without the indirect win, which looks
 * back at the whole game), the solution of a board for two pawns, and a search for teams.
 */
#include "alpha_beta.h"
#include "bits.h"

#include <stdlib.h>
#include <string.h>

enum { SQUARES = 64, MOST_MOVES = 8, ALL_WAYS = 255, NOBODY = -1 };
enum { RUNNING, SQUARE_WON, ROUND_WON, DRAWN };

typedef struct {
    uint8_t pawn[4]; /* in the order of play: square and round alternate */
    uint8_t turn, again;
} Moment;

typedef struct {
    uint8_t arrows[SQUARES]; /* north the lowest bit, clockwise; all of them where there are none */
    uint64_t neutral;
    uint8_t finish[4];
    uint8_t pawns;     /* 2 or 4 */
    uint8_t second;    /* whether a neutral square may be entered and gives a second move */
    uint8_t freezing;  /* whether who makes a freeze wins by it */
    uint8_t end;
    Moment now;
} Trippples;

static uint64_t NEAR[SQUARES][256]; /* the squares one step away, by directions */

__attribute__((constructor)) static void make_tables(void)
{
    static const int STEP[8][2] = {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};
    for (int n = 0; n < SQUARES; n++)
        for (int way = 0; way < 8; way++) {
            int x = n % 8 + STEP[way][0], y = n / 8 + STEP[way][1];
            if (x >= 0 && x < 8 && y >= 0 && y < 8)
                for (int ways = 0; ways < 256; ways++)
                    if (ways >> way & 1)
                        NEAR[n][ways] |= bit(y * 8 + x);
        }
}

/* --- rules */

static inline uint64_t reach(const Trippples *t, const Moment *m, int turn, int again)
{
    int ways = again ? ALL_WAYS : 0;
    uint64_t closed = t->second ? 0 : t->neutral;
    for (int n = 0; n < t->pawns; n++) {
        closed |= bit(m->pawn[n]);
        if ((n ^ turn) & 1)
            ways |= t->arrows[m->pawn[n]];
    }
    return NEAR[m->pawn[turn]][ways] & ~closed;
}

/* Whose turn it is after a pawn has gone to a square: passes are made, a second move given. False when nobody can. */
static inline int go(const Trippples *t, Moment *m, int to)
{
    int turn = m->turn;
    m->pawn[turn] = (uint8_t)to;
    if (t->second && t->neutral >> to & 1 && reach(t, m, turn, 1)) {
        m->again = 1;
        return 1;
    }
    m->again = 0;
    for (int n = 1; n <= t->pawns; n++) {
        int then = (turn + n) % t->pawns;
        if (reach(t, m, then, 0)) {
            m->turn = (uint8_t)then;
            return 1;
        }
    }
    return 0;
}

static int rules_moves(const void *state, Move *out)
{
    const Trippples *t = state;
    int count = 0;
    if (!t->end)
        for (uint64_t left = reach(t, &t->now, t->now.turn, t->now.again); left; left &= left - 1)
            out[count++] = (Move)lowest(left);
    return count;
}

static void rules_play(void *state, Move move)
{
    Trippples *t = state;
    int turn = t->now.turn, goes_on = go(t, &t->now, (int)move);
    if ((int)move == t->finish[turn])
        t->end = turn & 1 ? ROUND_WON : SQUARE_WON;
    else if (!goes_on)
        t->end = DRAWN; /* a freeze without an announcement */
}

static int rules_side(const void *state) { return ((const Trippples *)state)->now.turn & 1; }

static double rules_value(const void *state)
{
    int end = ((const Trippples *)state)->end;
    return end == SQUARE_WON ? 1 : end == ROUND_WON ? 0 : 0.5;
}

EXPORT void trippples_set(Trippples *t, const uint8_t *arrows, uint64_t neutral, int pawns, const uint8_t *squares,
                          const uint8_t *finishes, int turn, int again, int second, int freezing)
{
    memset(t, 0, sizeof *t);
    memcpy(t->arrows, arrows, SQUARES);
    t->neutral = neutral;
    t->pawns = (uint8_t)pawns;
    t->second = (uint8_t)second;
    t->freezing = (uint8_t)freezing;
    memcpy(t->now.pawn, squares, (size_t)pawns);
    memcpy(t->finish, finishes, (size_t)pawns);
    t->now.turn = (uint8_t)turn;
    t->now.again = (uint8_t)again;
}

/* --- a board solved for two pawns, backwards from the ends, as companion/games/retrograde.py does it.
 *
 * A moment's number: (square pawn * 64 + round pawn) * 4 + turn + 2 if it is a second move.
 */

enum { MOMENTS = SQUARES * SQUARES * 4 };

typedef struct {
    const Trippples *board;
    uint8_t back[SQUARES]; /* the opposite directions */
    uint64_t entered;
} Back;

static inline uint64_t near_to(const Back *b, int square, int ways) { return NEAR[square][ways] & b->entered; }

static inline uint64_t reach_at(const Back *b, int number)
{
    int turn = number & 1, first = number >> 8, second = number >> 2 & 63;
    int pawn = turn ? second : first, other = turn ? first : second;
    return near_to(b, pawn, number & 2 ? ALL_WAYS : b->board->arrows[other]) & ~bit(other);
}

static int came_from(const Back *b, int pawn, int other, int turn, int *out)
{
    const Trippples *t = b->board;
    uint64_t open = ~(bit(other) | bit(t->finish[turn]));
    int step = turn ? 4 : 4 * SQUARES, base = turn ? 4 * SQUARES * other + 1 : 4 * other, count = 0;
    for (uint64_t left = near_to(b, pawn, b->back[other]) & open; left; left &= left - 1)
        out[count++] = lowest(left) * step + base;
    if (t->second)
        for (uint64_t left = near_to(b, pawn, ALL_WAYS) & t->neutral & open; left; left &= left - 1)
            out[count++] = lowest(left) * step + base + 2;
    return count;
}

/* The moment after a pawn has come to where it stands, or −1 if nobody can move. */
static int then_at(const Back *b, int pair, int pawn, int other, int turn)
{
    const Trippples *t = b->board;
    if (t->second && t->neutral >> pawn & 1 && near_to(b, pawn, ALL_WAYS) & ~bit(other))
        return pair * 4 + 2 + turn;
    if (reach_at(b, pair * 4 + 1 - turn))
        return pair * 4 + 1 - turn;
    return reach_at(b, pair * 4 + turn) ? pair * 4 + turn : -1;
}

static int from_where(const Back *b, int number, int *out)
{
    int pair = number >> 2, count = 0;
    for (int turn = 0; turn < 2; turn++) {
        int pawn = turn ? pair & 63 : pair >> 6, other = turn ? pair >> 6 : pair & 63;
        if (then_at(b, pair, pawn, other, turn) == number)
            count += came_from(b, pawn, other, turn, out + count);
    }
    return count;
}

/* Fills in who wins each moment (0, 1, or −1: nobody) and in how many moves. */
EXPORT void trippples_solve(const Trippples *t, int8_t *winner, uint16_t *moves)
{
    Back back = {.board = t, .entered = t->second ? ~(uint64_t)0 : ~t->neutral};
    static _Thread_local uint8_t open[MOMENTS];
    static _Thread_local int queue[MOMENTS];
    int before[64], end = 0;
    for (int n = 0; n < SQUARES; n++)
        back.back[n] = (uint8_t)(t->arrows[n] << 4 | t->arrows[n] >> 4);
    memset(winner, NOBODY, MOMENTS);
    memset(moves, 0, MOMENTS * sizeof *moves);
    memset(open, 0, MOMENTS);
    for (int turn = 0; turn < 2; turn++)
        for (int pawn = 0; pawn < SQUARES; pawn++)
            for (int other = 0; other < SQUARES; other++) {
                if (other == pawn || !(back.entered >> pawn & 1) || !(back.entered >> other & 1) ||
                    other == t->finish[!turn])
                    continue;
                int pair = turn ? other * SQUARES + pawn : pawn * SQUARES + other;
                if (pawn != t->finish[turn] && !(t->freezing && then_at(&back, pair, pawn, other, turn) < 0))
                    continue;
                for (int n = came_from(&back, pawn, other, turn, before) - 1; n >= 0; n--)
                    if (winner[before[n]] == NOBODY) {
                        winner[before[n]] = (int8_t)turn;
                        moves[before[n]] = 1;
                        queue[end++] = before[n];
                    }
            }
    for (int at = 0; at < end; at++) {
        int who = winner[queue[at]], more = moves[queue[at]] + 1;
        for (int n = from_where(&back, queue[at], before) - 1; n >= 0; n--) {
            int number = before[n];
            if (winner[number] != NOBODY)
                continue;
            if ((number & 1) != who) { /* only a player whose every move loses has lost */
                if (!open[number])
                    open[number] = (uint8_t)ones(reach_at(&back, number));
                if (--open[number])
                    continue;
            }
            winner[number] = (int8_t)who;
            moves[number] = (uint16_t)more;
            queue[end++] = number;
        }
    }
}

/* How likely a side is to win moments that are drawn, if it never lets the draw go and the other side errs now and
 * then. Chances of decided moments are 1 and 0. */
EXPORT void trippples_chances(const Trippples *t, const int8_t *winner, int side, float *chance)
{
    enum { SWEEPS = 40 };      /* enough for chances to spread from one end of the board to the other */
    const float errs = 0.25f;  /* the share of the other side's moves that are random */
    const float later = 0.98f; /* the discount for each move */
    Back back = {.board = t, .entered = t->second ? ~(uint64_t)0 : ~t->neutral};
    static _Thread_local int drawn[MOMENTS];
    int count = 0;
    for (int n = 0; n < MOMENTS; n++) {
        int first = n >> 8, second = n >> 2 & 63;
        chance[n] = winner[n] == side ? 1 : 0;
        if (winner[n] == NOBODY && first != second && first != t->finish[0] && second != t->finish[1] &&
            (back.entered >> first & 1) && (back.entered >> second & 1) && (!(n & 2) || t->second))
            drawn[count++] = n;
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int k = 0; k < count; k++) {
            int n = drawn[sweep & 1 ? count - 1 - k : k], turn = n & 1, pair = n >> 2, moves = 0;
            int other = turn ? pair >> 6 : pair & 63;
            float best = 0, worst = 1, sum = 0;
            for (uint64_t left = reach_at(&back, n); left; left &= left - 1) {
                int to = lowest(left), after = turn ? other * SQUARES + to : to * SQUARES + other;
                int then = then_at(&back, after, to, other, turn);
                float value = then < 0 ? 0 : chance[then];
                sum += value;
                moves++;
                if (value > best)
                    best = value;
                if (value < worst)
                    worst = value;
            }
            if (moves)
                chance[n] = later * (turn == side ? best : (1 - errs) * worst + errs * sum / (float)moves);
        }
}

/* --- the search for teams: alpha-beta in which a position that comes again in a line is a draw */

enum {
    MAX_DEPTH = 80,   /* by then positions repeat */
    LAST_PLY = 90,
    TABLE_BITS = 20,  /* 16 MB */
    GLANCE_BITS = 10, /* for very short searches: clearing a large table would take longer than the search */
    CHECK_EVERY = 256, /* a node takes less than a microsecond */
};

/* The evaluation: steps to the finish, with more weight for the nearer pawn, and whose turn it is. */
enum { NEARER_STEP = 10, FARTHER_STEP = 3, TO_MOVE = 6, TO_MOVE_TWICE = 12 };
enum { OUT_OF_REACH = 40 }; /* the distance to a finish that a pawn cannot reach */

typedef struct {
    Search frame;
    Trippples board;
    Table table;
    uint64_t salt; /* from the seed: it changes which positions share a table entry */
    uint64_t path[LAST_PLY + 2];
    uint8_t away[4][SQUARES]; /* steps from a pawn's finish, by any arrows */
    uint8_t line[LAST_PLY + 2][LAST_PLY + 2];
    int length[LAST_PLY + 2];
    int score; /* of the last depth, or the best of this one so far */
} Teams;

static void measure(Teams *s)
{
    const Trippples *t = &s->board;
    memset(s->away, OUT_OF_REACH, sizeof s->away);
    for (int n = 0; n < t->pawns; n++) {
        uint64_t seen = bit(t->finish[n]), edge = seen, closed = t->second ? 0 : t->neutral;
        for (int steps = 0; edge; steps++) {
            uint64_t next = 0;
            for (uint64_t left = edge; left; left &= left - 1) {
                s->away[n][lowest(left)] = (uint8_t)steps;
                next |= NEAR[lowest(left)][ALL_WAYS];
            }
            edge = next & ~seen & ~closed;
            seen |= edge;
        }
    }
}

static int evaluate(const Teams *s, const Moment *m)
{
    int team[2] = {0, 0};
    for (int side = 0; side < 2; side++) {
        int a = s->away[side][m->pawn[side]];
        int b = s->board.pawns == 4 ? s->away[side + 2][m->pawn[side + 2]] : a;
        team[side] = -NEARER_STEP * (a < b ? a : b) - FARTHER_STEP * (a < b ? b : a);
    }
    int side = m->turn & 1;
    return team[side] - team[!side] + (m->again ? TO_MOVE_TWICE : TO_MOVE);
}

static inline uint64_t hash_of(const Teams *s, const Moment *m)
{
    uint64_t all = (uint64_t)m->pawn[0] | (uint64_t)m->pawn[1] << 6 | (uint64_t)m->pawn[2] << 12 |
                   (uint64_t)m->pawn[3] << 18 | (uint64_t)m->turn << 24 | (uint64_t)m->again << 26;
    return mixed(all + s->salt);
}

static int walk(Teams *s, const Moment *m, int depth, int alpha, int beta, int ply)
{
    s->length[ply] = 0;
    if (out_of_time(&s->frame.limit))
        return 0;
    s->frame.nodes++;
    const Trippples *t = &s->board;
    uint64_t left = reach(t, m, m->turn, m->again), hash = hash_of(s, m);
    int finish = t->finish[m->turn];
    if (left >> finish & 1) {
        s->line[ply][0] = (uint8_t)finish;
        s->length[ply] = 1;
        return WIN - ply - 1;
    }
    for (int n = ply - 1; n >= 0; n--)
        if (s->path[n] == hash)
            return 0;
    if (depth <= 0 || ply >= LAST_PLY)
        return evaluate(s, m);
    s->path[ply] = hash;
    Entry *entry = table_at(&s->table, hash);
    int first = -1;
    if (entry->bound && entry->key == hash) {
        first = (int)entry->move;
        int score = delayed(entry->score, ply, WON);
        if (ply && (entry->depth >= depth || abs(score) > WON) && beta - alpha == 1 &&
            (entry->bound == EXACT || (entry->bound == AT_LEAST ? score >= beta : score <= alpha)))
            return score;
    }
    int best = -WIN, floor = alpha, best_move = -1;
    for (int n = 0; left; n++) {
        int to = -1, nearest = 1000;
        if (n == 0 && first >= 0 && left >> first & 1)
            to = first;
        else
            for (uint64_t rest = left; rest; rest &= rest - 1) {
                int square = lowest(rest), far = s->away[m->turn][square] * 2 - (t->second && t->neutral >> square & 1);
                if (far < nearest)
                    nearest = far, to = square;
            }
        left &= ~bit(to);
        Moment after = *m;
        int score;
        if (!go(t, &after, to)) {
            score = t->freezing ? WIN - ply - 1 : 0;
            s->length[ply + 1] = 0;
        } else if ((after.turn ^ m->turn) & 1) {
            score = n ? -walk(s, &after, depth - 1, -alpha - 1, -alpha, ply + 1)
                      : -walk(s, &after, depth - 1, -beta, -alpha, ply + 1);
            if (n && score > alpha && score < beta)
                score = -walk(s, &after, depth - 1, -beta, -alpha, ply + 1);
        } else {
            score = walk(s, &after, depth - 1, alpha, beta, ply + 1);
        }
        if (s->frame.limit.over)
            return best;
        if (score > best) {
            best = score;
            best_move = to;
            if (score > alpha || (!ply && !n)) {
                if (score > alpha)
                    alpha = score;
                s->line[ply][0] = (uint8_t)to;
                memcpy(s->line[ply] + 1, s->line[ply + 1], (size_t)s->length[ply + 1]);
                s->length[ply] = s->length[ply + 1] + 1;
                if (!ply)
                    s->score = score;
            }
            if (score >= beta)
                break;
        }
    }
    entry->key = hash;
    entry->move = (Move)best_move;
    entry->score = (int16_t)delayed(best, -ply, WON);
    entry->depth = (uint8_t)depth;
    entry->bound = best >= beta ? AT_LEAST : best > floor ? EXACT : AT_MOST;
    return best;
}

static int open_search(Search *search)
{
    return table_open(&((Teams *)search)->table, TABLE_BITS);
}

static int open_glance(Search *search)
{
    return table_open(&((Teams *)search)->table, GLANCE_BITS);
}

static void close_search(Search *search)
{
    table_close(&((Teams *)search)->table);
}

static void start_search(Search *search, const void *state)
{
    Teams *s = (Teams *)search;
    s->board = *(const Trippples *)state;
    s->salt = mixed(search->seed);
    s->score = 0;
    measure(s);
}

static int deepen(Search *search, int depth, Answer *answer)
{
    Teams *s = (Teams *)search;
    s->length[0] = 0;
    int score = walk(s, &s->board.now, depth, -WIN, WIN, 0);
    answer->finished = !search->limit.over;
    if (answer->finished)
        s->score = score;
    if (!s->length[0])
        return 0;
    answer->score = s->score;
    answer->exact = is_proved(s->score, answer->finished);
    answer->length = s->length[0];
    for (int n = 0; n < s->length[0]; n++)
        answer->line[n] = s->line[0][n];
    return 1;
}

static const Method method = {sizeof(Teams), MAX_DEPTH, CHECK_EVERY, open_search, start_search, deepen, close_search};
static const Method glance = {sizeof(Teams), MAX_DEPTH, CHECK_EVERY, open_glance, start_search, deepen, close_search};

#define RULES {sizeof(Trippples), MOST_MOVES, rules_moves, rules_play, rules_side, rules_value}

EXPORT const Game trippples_game = {RULES, &method, NULL};

/* For very short searches of many sampled boards. */
EXPORT const Game trippples_glance_game = {RULES, &glance, NULL};
