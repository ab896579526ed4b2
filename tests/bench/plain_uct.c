/* The peer of the strength benchmark: plain Monte-Carlo tree search, as textbooks have it.
 *
 * UCT with c = 1.4, one node a roll-out, uniformly random roll-outs to the end of the game on the rules that the
 * companion's own search plays by; the move tried most often is played. Where a deck is hidden it is shuffled anew
 * before each roll-out, and a node then chooses among the moves that are legal with that deck.
 */
#include "core.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    Move move;
    int32_t first, next; /* its children are a chain */
    uint32_t visits;
    double won; /* by side 0 */
} Node;

typedef struct {
    const Rules *rules;
    void (*shuffle)(void *state, uint64_t seed);
    Node *nodes;
    int32_t used, room;
    Random random;
    Move *moves;
    char *state;
    uint64_t rollouts;
} Tree;

enum { LONGEST_ROLLOUT = 400 }; /* moves; a game that goes on counts as a draw */

static int32_t child_for(Tree *tree, int32_t parent, Move move)
{
    for (int32_t n = tree->nodes[parent].first; n; n = tree->nodes[n].next)
        if (tree->nodes[n].move == move)
            return n;
    return 0;
}

static int32_t add(Tree *tree, int32_t parent, Move move)
{
    if (tree->used == tree->room) {
        Node *more = realloc(tree->nodes, sizeof(Node) * (size_t)tree->room * 2);
        if (!more)
            return 0;
        tree->nodes = more;
        tree->room *= 2;
    }
    tree->nodes[tree->used] = (Node){.move = move, .next = tree->nodes[parent].first};
    tree->nodes[parent].first = tree->used;
    return tree->used++;
}

/* The child to go to: one never tried, or the best by UCB1. */
static int32_t descend(Tree *tree, int32_t at, int side, int count)
{
    int untried = 0, known = 0;
    int32_t best = 0;
    double highest = -1, spread = 0;
    if (!tree->shuffle && tree->nodes[at].first == 0)
        for (int n = count - 1; n >= 0; n--)
            add(tree, at, tree->moves[n]);
    if (tree->shuffle) {
        for (int n = 0; n < count; n++)
            if (!child_for(tree, at, tree->moves[n]))
                tree->moves[untried++] = tree->moves[n];
        if (untried)
            return add(tree, at, tree->moves[random_below(&tree->random, (uint32_t)untried)]);
    }
    spread = log((double)tree->nodes[at].visits + 1);
    for (int32_t n = tree->nodes[at].first; n; n = tree->nodes[n].next) {
        const Node *node = &tree->nodes[n];
        if (tree->shuffle) {
            int m = 0;
            while (m < count && tree->moves[m] != node->move)
                m++;
            if (m == count)
                continue;
        }
        if (!node->visits) {
            /* one of those never tried, each as likely */
            if (random_below(&tree->random, (uint32_t)++known) == 0)
                best = n;
            highest = 1e9;
            continue;
        }
        double mean = node->won / node->visits;
        double bound = (side ? 1 - mean : mean) + 1.4 * sqrt(spread / node->visits);
        if (bound > highest)
            highest = bound, best = n;
    }
    return best;
}

static void roll_out(Tree *tree, const void *root)
{
    const Rules *rules = tree->rules;
    int32_t path[LONGEST_ROLLOUT + 1];
    int length = 0, count, depth = 0;
    int32_t at = 0;
    memcpy(tree->state, root, rules->size);
    if (tree->shuffle)
        tree->shuffle(tree->state, random_next(&tree->random));
    path[length++] = 0;
    while ((count = rules->moves(tree->state, tree->moves)) && length <= LONGEST_ROLLOUT) {
        at = descend(tree, at, rules->side(tree->state), count);
        path[length++] = at;
        rules->play(tree->state, tree->nodes[at].move);
        if (!tree->nodes[at].visits)
            break;
    }
    while ((count = rules->moves(tree->state, tree->moves)) && depth++ < LONGEST_ROLLOUT)
        rules->play(tree->state, tree->moves[random_below(&tree->random, (uint32_t)count)]);
    double value = count ? 0.5 : rules->value(tree->state);
    for (int n = 0; n < length; n++) {
        tree->nodes[path[n]].visits++;
        tree->nodes[path[n]].won += value;
    }
    tree->rollouts++;
}

/* The move to play within these seconds; how many roll-outs it took goes to *rollouts. */
EXPORT Move uct_move(const Rules *rules, void (*shuffle)(void *, uint64_t), const void *state, double seconds,
                     uint64_t seed, uint64_t *rollouts)
{
    Tree tree = {.rules = rules, .shuffle = shuffle, .used = 1, .room = 1 << 16, .random = {seed}};
    tree.nodes = calloc((size_t)tree.room, sizeof(Node));
    tree.moves = malloc(sizeof(Move) * (size_t)rules->most_moves);
    tree.state = malloc(rules->size);
    Limit limit = limit_within(NULL, seconds, 0, 8);
    while (!out_of_time(&limit))
        roll_out(&tree, state);
    Move best = 0;
    uint32_t most = 0;
    for (int32_t n = tree.nodes[0].first; n; n = tree.nodes[n].next)
        if (tree.nodes[n].visits > most)
            most = tree.nodes[n].visits, best = tree.nodes[n].move;
    *rollouts = tree.rollouts;
    free(tree.nodes);
    free(tree.moves);
    free(tree.state);
    return best;
}
