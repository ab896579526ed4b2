#include "alpha_beta.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

int table_open(Table *table, int bits)
{
    table->shift = 64 - bits;
    table->entries = zeros_new(sizeof(Entry) << bits);
    return table->entries != NULL;
}

void table_close(Table *table)
{
    zeros_free(table->entries, sizeof(Entry) << (64 - table->shift));
}

/* --- the method */

enum {
    MAX_DEPTH = 120, /* longer lines are not reached before a game is decided */
    TABLE_BITS = 19, /* 8 MB: about as many entries as nodes searched in a second */
    PROVED = 255,    /* a depth in the table: the score contains no evaluation, so it holds for any depth */
    CHECK_EVERY = 64, /* a node takes a few microseconds, since moves are played to be ordered */
};

/* Late move reductions: late moves are searched less deeply, and again at full depth if their score is good. */
enum {
    FULL_MOVES = 3,   /* so many moves are never reduced; at the root twice as many */
    REDUCED_FROM = 3, /* the minimum depth for reductions; at the root one more */
    LATE_MOVES = 12,  /* later moves are reduced by two, from a depth of VERY_LATE_FROM on */
    VERY_LATE_FROM = 4,
};

/* Move ordering: the evaluation after a move counts most, then its history. One ply from the leaves moves are ordered
 * without their evaluation. */
enum {
    HASH_MOVE = 1 << 30,       /* the best move in the transposition table */
    KILLER = 1 << 29,          /* a move that refuted a sibling node */
    EVALUATION_WEIGHT = 64,    /* for each point */
    KILLER_BONUS = 64 * 20,    /* for a killer, when moves are ordered by evaluation */
    HISTORY_BITS = 12,         /* the history table has 2^12 counters, shared by hash */
    HISTORY_FULL = 1 << 20,    /* when a counter reaches this, all are halved */
    HISTORY_BONUS_MASK = 1023, /* beside evaluations only the higher bits of a counter count */
};

typedef struct {
    int value; /* for the side to move */
    int proved;
} Worth;

typedef struct {
    Search frame;
    int won; /* values beyond are wins */
    Table table;
    char *states; /* one for each ply */
    Move *moves;  /* most_moves for each ply, with their priorities */
    int32_t *priority;
    Move killers[MAX_DEPTH + 2][2];
    uint32_t history[2][1 << HISTORY_BITS];
} AlphaBeta;

static int open_search(Search *search)
{
    AlphaBeta *own = (AlphaBeta *)search;
    const Rules *rules = &search->game->rules;
    int prize = search->game->scoring->prize;
    own->won = prize ? prize - 2 * MAX_DEPTH : INT_MAX;
    own->states = malloc(rules->size * (MAX_DEPTH + 2));
    own->moves = malloc(sizeof *own->moves * (size_t)rules->most_moves * (MAX_DEPTH + 2));
    own->priority = malloc(sizeof *own->priority * (size_t)rules->most_moves * (MAX_DEPTH + 2));
    return table_open(&own->table, TABLE_BITS) && own->states && own->moves && own->priority;
}

static void close_search(Search *search)
{
    AlphaBeta *own = (AlphaBeta *)search;
    table_close(&own->table);
    free(own->states);
    free(own->moves);
    free(own->priority);
}

static void start_search(Search *search, const void *state)
{
    memcpy(((AlphaBeta *)search)->states, state, search->game->rules.size);
}

static inline void *state_at(AlphaBeta *own, int ply)
{
    return own->states + own->frame.game->rules.size * (size_t)ply;
}

static inline uint32_t *history_of(AlphaBeta *own, int side, Move move)
{
    return &own->history[side][move * 0x9e3779b1u >> (32 - HISTORY_BITS)];
}

static inline int for_side(int value, int side)
{
    return side ? -value : value;
}

/* The priorities of moves: the hash move, killers, then by evaluation or history. */
static void judge(AlphaBeta *own, int ply, int count, int depth, Move best)
{
    const Rules *rules = &own->frame.game->rules;
    const Scoring *scoring = own->frame.game->scoring;
    const void *state = state_at(own, ply);
    void *after = state_at(own, ply + 1);
    int side = rules->side(state);
    const Move *moves = own->moves + (size_t)rules->most_moves * (size_t)ply, *killers = own->killers[ply];
    int32_t *priority = own->priority + (size_t)rules->most_moves * (size_t)ply;
    for (int n = 0; n < count; n++) {
        if (moves[n] == best) {
            priority[n] = HASH_MOVE;
            continue;
        }
        uint32_t often = *history_of(own, side, moves[n]);
        int killer = moves[n] == killers[0] || moves[n] == killers[1];
        if (depth >= 2) {
            memcpy(after, state, rules->size);
            rules->play(after, moves[n]);
            int proved = 0;
            int value = scoring->over(after) ? scoring->result(after) : scoring->evaluate(after, &proved);
            priority[n] = for_side(value, side) * EVALUATION_WEIGHT + (int)(often >> 6 & HISTORY_BONUS_MASK);
            if (killer)
                priority[n] += KILLER_BONUS;
        } else {
            priority[n] = (int)(often >> 1);
            if (killer)
                priority[n] += KILLER;
        }
    }
}

/* Record a beta cutoff in the killers and the history. */
static void remember(AlphaBeta *own, int ply, int side, int depth, Move move)
{
    Move *killers = own->killers[ply];
    if (killers[0] != move) {
        killers[1] = killers[0];
        killers[0] = move;
    }
    uint32_t *often = history_of(own, side, move);
    *often += (uint32_t)(depth * depth);
    if (*often > HISTORY_FULL)
        for (int s = 0; s < 2; s++)
            for (int m = 0; m < 1 << HISTORY_BITS; m++)
                own->history[s][m] >>= 1;
}

static Worth walk(AlphaBeta *own, int ply, int depth, int alpha, int beta);

/* The value of the state at ply + 1 for `side`, which has just moved. */
static Worth child(AlphaBeta *own, int side, int ply, int depth, int alpha, int beta)
{
    Worth found;
    if (own->frame.game->rules.side(state_at(own, ply + 1)) == side) {
        found = walk(own, ply + 1, depth, alpha, beta);
    } else {
        found = walk(own, ply + 1, depth, -beta, -alpha);
        found.value = -found.value;
    }
    return found;
}

static Worth walk(AlphaBeta *own, int ply, int depth, int alpha, int beta)
{
    const Rules *rules = &own->frame.game->rules;
    const Scoring *scoring = own->frame.game->scoring;
    const void *state = state_at(own, ply);
    own->frame.nodes++;
    int side = rules->side(state), won = own->won;
    if (scoring->over(state))
        return (Worth){delayed(for_side(scoring->result(state), side), ply, won), 1};
    if (out_of_time(&own->frame.limit))
        return (Worth){0, 0};
    if (scoring->range) {
        int low, high;
        scoring->range(state, &low, &high);
        int least = side ? -high : low, most = side ? -low : high;
        if (least == most || most <= alpha)
            return (Worth){most, 1};
        if (least >= beta)
            return (Worth){least, 1};
    }
    if (depth <= 0 || ply >= MAX_DEPTH || scoring->prize) {
        int proved = 0;
        int value = for_side(scoring->evaluate(state, &proved), side);
        if (proved || depth <= 0 || ply >= MAX_DEPTH)
            return (Worth){proved ? delayed(value, ply, won) : value, proved};
    }
    uint64_t key = scoring->key(state);
    Entry *entry = table_at(&own->table, key);
    Move best = 0;
    if (entry->key == key) {
        best = entry->move;
        if (entry->depth >= depth) {
            int value = delayed(entry->score, ply, won);
            if (entry->bound == EXACT || (entry->bound == AT_LEAST ? value >= beta : value <= alpha))
                return (Worth){value, entry->depth == PROVED};
        }
    }
    Move *moves = own->moves + (size_t)rules->most_moves * (size_t)ply;
    int32_t *priority = own->priority + (size_t)rules->most_moves * (size_t)ply;
    int count = rules->moves(state, moves);
    judge(own, ply, count, depth, best);
    int most = -WIN, all_proved = 1, floor = alpha, proved = 0;
    for (int n = 0; n < count; n++) {
        select_best(moves, priority, n, count);
        void *after = state_at(own, ply + 1);
        memcpy(after, state, rules->size);
        rules->play(after, moves[n]);
        Worth found;
        if (n == 0) {
            found = child(own, side, ply, depth - 1, alpha, beta);
        } else {
            int less = depth >= REDUCED_FROM && n >= FULL_MOVES ? 1 + (n >= LATE_MOVES && depth >= VERY_LATE_FROM) : 0;
            found = child(own, side, ply, depth - 1 - less, alpha, alpha + 1);
            if (less && found.value > alpha)
                found = child(own, side, ply, depth - 1, alpha, alpha + 1);
            if (found.value > alpha && found.value < beta)
                found = child(own, side, ply, depth - 1, alpha, beta);
        }
        if (own->frame.limit.over)
            return (Worth){0, 0};
        all_proved &= found.proved;
        if (found.value > most) {
            most = found.value;
            best = moves[n];
            proved = found.proved;
        }
        if (most > alpha)
            alpha = most;
        if (alpha >= beta) {
            remember(own, ply, side, depth, best);
            break;
        }
    }
    /* a cutoff or a win is proved by one move, anything else only by all moves */
    if (most < beta && most <= won)
        proved = all_proved;
    uint8_t bound = most >= beta ? AT_LEAST : most <= floor ? AT_MOST : EXACT;
    if (entry->key != key || entry->depth != PROVED || proved)
        *entry = (Entry){key, best, (int16_t)delayed(most, -ply, won), (uint8_t)(proved ? PROVED : depth), bound};
    return (Worth){most, proved};
}

/* Extend a line after its first move by the transposition table. */
static void follow(AlphaBeta *own, Answer *answer)
{
    const Rules *rules = &own->frame.game->rules;
    const Scoring *scoring = own->frame.game->scoring;
    void *state = state_at(own, 1);
    Move *moves = own->moves + rules->most_moves;
    memcpy(state, state_at(own, 0), rules->size);
    rules->play(state, answer->line[0]);
    while (answer->length < LONGEST_LINE && !scoring->over(state)) {
        uint64_t key = scoring->key(state);
        const Entry *entry = table_at(&own->table, key);
        if (entry->key != key || entry->bound == AT_MOST)
            break;
        int count = rules->moves(state, moves), n = 0;
        while (n < count && moves[n] != entry->move)
            n++;
        if (n == count)
            break;
        answer->line[answer->length++] = entry->move;
        rules->play(state, entry->move);
    }
}

static int deepen(Search *search, int depth, Answer *answer)
{
    AlphaBeta *own = (AlphaBeta *)search;
    const Rules *rules = &search->game->rules;
    const Limit *limit = &search->limit;
    const void *state = state_at(own, 0);
    Move *moves = own->moves;
    int side = rules->side(state), alpha = -WIN, searched = 0, proved = 0, all_proved = 1, won = 0;
    int count = rules->moves(state, moves);
    uint64_t key = search->game->scoring->key(state);
    Entry *entry = table_at(&own->table, key);
    judge(own, 0, count, 2, entry->key == key ? entry->move : 0);
    for (int n = 0; n < count && !won; n++) {
        select_best(moves, own->priority, n, count);
        void *after = state_at(own, 1);
        memcpy(after, state, rules->size);
        rules->play(after, moves[n]);
        Worth found = {0, 0};
        int less = depth > REDUCED_FROM && n >= 2 * FULL_MOVES;
        if (n)
            found = child(own, side, 0, depth - 1 - less, alpha, alpha + 1);
        if (n && less && found.value > alpha && !limit->over)
            found = child(own, side, 0, depth - 1, alpha, alpha + 1);
        if ((n == 0 || found.value > alpha) && !limit->over)
            found = child(own, side, 0, depth - 1, alpha, WIN);
        if (limit->over)
            break;
        searched++;
        all_proved &= found.proved;
        if (n == 0 || found.value > alpha) {
            alpha = found.value;
            proved = found.proved;
            answer->line[0] = moves[n];
            answer->length = 1;
        }
        won = proved && alpha > own->won; /* a proved win ends the search */
    }
    if (!searched)
        return 0;
    answer->score = alpha;
    answer->exact = won || (!limit->over && all_proved);
    answer->finished = won || !limit->over;
    if (!limit->over)
        *entry = (Entry){key, answer->line[0], (int16_t)alpha, (uint8_t)(answer->exact ? PROVED : depth), EXACT};
    follow(own, answer);
    return 1;
}

const Method alpha_beta = {sizeof(AlphaBeta), MAX_DEPTH, CHECK_EVERY, open_search, start_search, deepen, close_search};
