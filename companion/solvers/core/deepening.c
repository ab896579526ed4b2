#include "deepening.h"

#include <stdlib.h>
#include <string.h>

enum { PLACES = 1 << 19, PROVED = 255, DEEPEST = 120, HISTORY = 1 << 12, FEW = 3 };
enum { EXACTLY, AT_LEAST, AT_MOST };

typedef struct {
    uint64_t key;
    Move best;
    int16_t value;
    uint8_t depth; /* PROVED: no guess is in it */
    uint8_t bound;
} Place;

typedef struct {
    int value; /* for the side to move */
    int proved;
} Worth;

struct Deepening {
    const Contest *contest;
    Limit limit;
    int owed; /* the first answer is owed, time or not; it takes next to none */
    Place *places;
    char *states; /* one for each ply */
    Move *moves;
    int *worth;
    uint64_t nodes;
    Move killers[DEEPEST + 2][2];
    uint32_t history[2][HISTORY];
};

EXPORT Deepening *deepening_begin(const Contest *contest, const void *state, volatile int32_t *stop, double seconds,
                                  uint64_t work)
{
    const Rules *rules = contest->rules;
    Deepening *search = calloc(1, sizeof *search);
    if (!search)
        return NULL;
    search->contest = contest;
    search->limit = limit_within(stop, seconds, work, 64);
    search->places = calloc(PLACES, sizeof(Place));
    search->states = malloc(rules->size * (DEEPEST + 2));
    search->moves = malloc(sizeof(Move) * (size_t)rules->most_moves * (DEEPEST + 2));
    search->worth = malloc(sizeof(int) * (size_t)rules->most_moves * (DEEPEST + 2));
    if (!search->places || !search->states || !search->moves || !search->worth) {
        deepening_end(search);
        return NULL;
    }
    deepening_from(search, state);
    return search;
}

EXPORT void deepening_from(Deepening *search, const void *state)
{
    memcpy(search->states, state, search->contest->rules->size);
}

EXPORT void deepening_end(Deepening *search)
{
    if (!search)
        return;
    free(search->places);
    free(search->states);
    free(search->moves);
    free(search->worth);
    free(search);
}

static inline int cut_off(const Deepening *search)
{
    return search->limit.over && !search->owed;
}

static inline uint32_t slot(Move move)
{
    return move * 0x9e3779b1u >> 20;
}

static inline void *state_at(Deepening *search, int ply)
{
    return search->states + search->contest->rules->size * (size_t)ply;
}

static inline int is_won(const Contest *contest, int value)
{
    return contest->prize && value > contest->prize - 2 * DEEPEST;
}

/* A win far off is worth a little less than one at hand: counted from the node it is kept for. */
static inline int moved_back(const Contest *contest, int value, int plies)
{
    return is_won(contest, value) ? value - plies : is_won(contest, -value) ? value + plies : value;
}

static inline int for_side(int value, int side)
{
    return side ? -value : value;
}

/* Likely good moves first: the one that was best, those that refuted a brother, then by guess or by custom. */
static void judge(Deepening *search, int ply, int count, int depth, Move best)
{
    const Contest *contest = search->contest;
    const Rules *rules = contest->rules;
    const void *state = state_at(search, ply);
    void *after = state_at(search, ply + 1);
    int side = rules->side(state);
    Move *moves = search->moves + (size_t)rules->most_moves * (size_t)ply;
    int *worth = search->worth + (size_t)rules->most_moves * (size_t)ply;
    for (int n = 0; n < count; n++) {
        if (moves[n] == best) {
            worth[n] = 1 << 30;
        } else if (depth >= 2) {
            memcpy(after, state, rules->size);
            rules->play(after, moves[n]);
            int proved = 0;
            int guess = contest->over(after) ? contest->result(after) : contest->guess(after, &proved);
            worth[n] = for_side(guess, side) * 64 + (int)(search->history[side][slot(moves[n])] >> 6 & 1023);
            if (moves[n] == search->killers[ply][0] || moves[n] == search->killers[ply][1])
                worth[n] += 64 * 20;
        } else {
            worth[n] = (int)(search->history[side][slot(moves[n])] >> 1);
            if (moves[n] == search->killers[ply][0] || moves[n] == search->killers[ply][1])
                worth[n] += 1 << 29;
        }
    }
}

static inline void bring_best(Move *moves, int *worth, int n, int count)
{
    int best = n;
    for (int m = n + 1; m < count; m++)
        if (worth[m] > worth[best])
            best = m;
    Move move = moves[best];
    int value = worth[best];
    moves[best] = moves[n], worth[best] = worth[n];
    moves[n] = move, worth[n] = value;
}

static Worth walk(Deepening *search, int ply, int depth, int alpha, int beta);

/* The value of the state at ply + 1 for `side`, which moved there. */
static Worth child(Deepening *search, int side, int ply, int depth, int alpha, int beta)
{
    const Contest *contest = search->contest;
    Worth found;
    if (contest->rules->side(state_at(search, ply + 1)) == side) {
        found = walk(search, ply + 1, depth, alpha, beta);
    } else {
        found = walk(search, ply + 1, depth, -beta, -alpha);
        found.value = -found.value;
    }
    return found;
}

static Worth walk(Deepening *search, int ply, int depth, int alpha, int beta)
{
    const Contest *contest = search->contest;
    const Rules *rules = contest->rules;
    const void *state = state_at(search, ply);
    search->nodes++;
    int side = rules->side(state);
    if (contest->over(state))
        return (Worth){moved_back(contest, for_side(contest->result(state), side), ply), 1};
    if (out_of_time(&search->limit) && cut_off(search))
        return (Worth){0, 0};
    if (contest->range) {
        int low, high;
        contest->range(state, &low, &high);
        int least = side ? -high : low, most = side ? -low : high;
        if (least == most || most <= alpha)
            return (Worth){most, 1};
        if (least >= beta)
            return (Worth){least, 1};
    }
    if (depth <= 0 || ply >= DEEPEST || contest->prize) {
        int proved = 0;
        int value = for_side(contest->guess(state, &proved), side);
        if (proved || depth <= 0 || ply >= DEEPEST)
            return (Worth){proved ? moved_back(contest, value, ply) : value, proved};
    }
    uint64_t key = contest->key(state);
    Place *place = &search->places[key & (PLACES - 1)];
    Move best = 0;
    if (place->key == key) {
        best = place->best;
        if (place->depth >= depth) {
            int value = moved_back(contest, place->value, ply);
            if (place->bound == EXACTLY || (place->bound == AT_LEAST ? value >= beta : value <= alpha))
                return (Worth){value, place->depth == PROVED};
        }
    }
    Move *moves = search->moves + (size_t)rules->most_moves * (size_t)ply;
    int *worth = search->worth + (size_t)rules->most_moves * (size_t)ply;
    int count = rules->moves(state, moves);
    judge(search, ply, count, depth, best);
    int most = -SURE, all_proved = 1, floor = alpha, proved = 0;
    for (int n = 0; n < count; n++) {
        bring_best(moves, worth, n, count);
        void *after = state_at(search, ply + 1);
        memcpy(after, state, rules->size);
        rules->play(after, moves[n]);
        Worth found;
        if (n == 0) {
            found = child(search, side, ply, depth - 1, alpha, beta);
        } else {
            int less = depth >= 3 && n >= FEW ? 1 + (n >= 12 && depth >= 4) : 0;
            found = child(search, side, ply, depth - 1 - less, alpha, alpha + 1);
            if (less && found.value > alpha)
                found = child(search, side, ply, depth - 1, alpha, alpha + 1);
            if (found.value > alpha && found.value < beta)
                found = child(search, side, ply, depth - 1, alpha, beta);
        }
        if (cut_off(search))
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
            if (search->killers[ply][0] != best) {
                search->killers[ply][1] = search->killers[ply][0];
                search->killers[ply][0] = best;
            }
            uint32_t *custom = &search->history[side][slot(best)];
            *custom += (uint32_t)(depth * depth);
            if (*custom > 1u << 20)
                for (int s = 0; s < 2; s++)
                    for (int m = 0; m < HISTORY; m++)
                        search->history[s][m] >>= 1;
            break;
        }
    }
    /* a cut or a win needs the proof of one move, anything else that of all */
    if (most < beta && !is_won(contest, most))
        proved = all_proved;
    int bound = most >= beta ? AT_LEAST : most <= floor ? AT_MOST : EXACTLY;
    if (place->key != key || place->depth != PROVED || proved)
        *place = (Place){key, best, (int16_t)moved_back(contest, most, -ply), proved ? PROVED : (uint8_t)depth,
                         (uint8_t)bound};
    return (Worth){most, proved};
}

/* The line that the table remembers, as far as it goes. */
static void follow(Deepening *search, Answer *answer)
{
    const Contest *contest = search->contest;
    const Rules *rules = contest->rules;
    void *state = state_at(search, 1);
    Move *moves = search->moves + rules->most_moves;
    memcpy(state, state_at(search, 0), rules->size);
    rules->play(state, answer->line[0]);
    while (answer->length < LONGEST_LINE && !contest->over(state)) {
        uint64_t key = contest->key(state);
        const Place *place = &search->places[key & (PLACES - 1)];
        if (place->key != key || place->bound == AT_MOST)
            break;
        int count = rules->moves(state, moves), n = 0;
        while (n < count && moves[n] != place->best)
            n++;
        if (n == count)
            break;
        answer->line[answer->length++] = place->best;
        rules->play(state, place->best);
    }
}

EXPORT int deepening_search(Deepening *search, int depth, Answer *answer)
{
    const Contest *contest = search->contest;
    const Rules *rules = contest->rules;
    const void *state = state_at(search, 0);
    Move *moves = search->moves;
    int side = rules->side(state), alpha = -SURE, best_proved = 0, all_proved = 1;
    search->owed = depth == 1;
    if (depth > DEEPEST)
        depth = DEEPEST;
    answer->length = 0;
    answer->depth = depth;
    int count = rules->moves(state, moves);
    uint64_t key = contest->key(state);
    Place *place = &search->places[key & (PLACES - 1)];
    judge(search, 0, count, 2, place->key == key ? place->best : 0);
    for (int n = 0; n < count; n++) {
        bring_best(moves, search->worth, n, count);
        void *after = state_at(search, 1);
        memcpy(after, state, rules->size);
        rules->play(after, moves[n]);
        Worth found = {0, 0};
        int less = depth >= 4 && n >= 2 * FEW ? 1 : 0;
        if (n)
            found = child(search, side, 0, depth - 1 - less, alpha, alpha + 1);
        if (n && less && found.value > alpha && !cut_off(search))
            found = child(search, side, 0, depth - 1, alpha, alpha + 1);
        if ((n == 0 || found.value > alpha) && !cut_off(search))
            found = child(search, side, 0, depth - 1, alpha, SURE);
        if (cut_off(search))
            break;
        all_proved &= found.proved;
        if (n == 0 || found.value > alpha) {
            alpha = found.value;
            best_proved = found.proved;
            answer->line[0] = moves[n];
            answer->length = 1;
        }
        if (best_proved && is_won(contest, alpha))
            break; /* a win is a win */
    }
    answer->nodes = search->nodes;
    if (!answer->length)
        return 0;
    int won = best_proved && is_won(contest, alpha);
    answer->result = alpha;
    answer->exact = won || (!cut_off(search) && all_proved);
    if (!cut_off(search))
        *place = (Place){key, answer->line[0], (int16_t)moved_back(contest, alpha, 0),
                         answer->exact ? PROVED : (uint8_t)depth, EXACTLY};
    follow(search, answer);
    return !cut_off(search) || won;
}
