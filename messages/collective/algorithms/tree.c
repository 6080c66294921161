/*
 * Trees of ranks, for the algorithms that differ in the shape of the tree alone.
 *
 *     chain            binary, 7 ranks   binomial, 8 ranks
 *     0 - 1 - 2 - 3    0 - 4 - 6         0 - 4 - 6 - 7
 *                        |   \ 5         |   \ 5
 *                        \ 1 - 3         | - 2 - 3
 *                            \ 2         \ 1
 *
 * The child that is listed first is served first on the way down, and last on the way up:
 * so a reduction combines neighbours first.
 *
 * A node is found from the root, by walking down through the row of neighbours that it is
 * in. So a rank knows its parent, its children and its rounds without a table.
 */
#include "algorithms.h"

/* ---- Shapes ------------------------------------------------------------------------ */

bool collective_sequential_shape(int length, int k, collective_child *child)
{
    *child = (collective_child){1 + k, 1, 1};
    return k < length - 1;
}

bool collective_chain_shape(int length, int k, collective_child *child)
{
    *child = (collective_child){1, length - 1, 1};
    return k == 0 && length > 1;
}

bool collective_binary_shape(int length, int k, collective_child *child)
{
    const int far = length / 2; /* half of the others, rounded up */
    *child = k == 0 ? (collective_child){length - far, far, 1}
                    : (collective_child){1, length - 1 - far, 2};
    return k < 2 && child->length > 0;
}

bool collective_binomial_shape(int length, int k, collective_child *child)
{
    const int half = length > 1 ? 1 << (collective_log_up(length) - 1) : 0;
    const int offset = half >> k;
    *child = (collective_child){offset, k == 0 ? length - half : offset, k + 1};
    return offset > 0;
}

/* ---- Nodes ------------------------------------------------------------------------- */

typedef struct node {
    int number, length; /* ranks [number, number + length), relative to the root */
    int parent;         /* -1: it is the root */
    int round;          /* of the message from its parent; that of the root is -1 */
} node;

static node child_of(node of, const collective_child *child)
{
    return (node){of.number + child->offset, child->length, of.number,
                  of.round + child->delay};
}

static node find_node(const collective_tree *tree, int size, int number)
{
    node at = {0, size, -1, -1};
    while (at.number != number) {
        collective_child child;
        for (int k = 0; tree->shape(at.length, k, &child); k++) {
            const node below = child_of(at, &child);
            if (number >= below.number && number < below.number + below.length) {
                at = below;
                break;
            }
        }
    }
    return at;
}

int collective_tree_rounds(collective_shape *shape, int size)
{
    int most = 0;
    collective_child child;
    for (int k = 0; shape(size, k, &child); k++) {
        const int rounds = child.delay + collective_tree_rounds(shape, child.length);
        most = rounds > most ? rounds : most;
    }
    return most;
}

int64_t collective_segment_of(const collective_problem *problem)
{
    return problem->segment > 0 && problem->segment < problem->count ? problem->segment
                                                                     : problem->count;
}

int64_t collective_segments(const collective_problem *problem)
{
    const int64_t segment = collective_segment_of(problem);
    return segment > 0 ? (problem->count + segment - 1) / segment : 1;
}

/* ---- Messages ---------------------------------------------------------------------- */

/* A tree as one rank sees it. */
typedef struct view {
    const collective_tree *tree;
    const collective_stream *to;
    int rounds; /* of a segment */
    int64_t segments;
} view;

/* Round `round` of the edge between a node and its parent, if a segment has it. */
static int visit_edge(const view *v, node at, int round)
{
    const collective_tree *tree = v->tree;
    const collective_problem *problem = v->to->problem;
    const int stride = tree->segment_rounds > 0 ? tree->segment_rounds : 1;
    const int since = round - (tree->is_up ? v->rounds - 1 - at.round : at.round);
    const int64_t segment = since / stride;
    if (at.parent < 0 || since < 0 || since % stride != 0 || segment >= v->segments) {
        return 0;
    }
    const int rank = (at.number + tree->root) % problem->size;
    const int parent = (at.parent + tree->root) % problem->size;
    const collective_op op = {.round = tree->round + round,
                              .src = tree->is_up ? rank : parent,
                              .dst = tree->is_up ? parent : rank,
                              .kind = tree->kind};
    if (tree->has_blocks) {
        return collective_emit_ring(v->to, op, rank, at.length);
    }
    const int64_t most =
        v->segments > 1 ? collective_segment_of(problem) : problem->count;
    const int64_t begin = segment * most;
    const int64_t end = begin + most < problem->count ? begin + most : problem->count;
    return collective_emit(v->to, op, (collective_range){begin, end});
}

int collective_tree_visit(const collective_tree *tree, const collective_stream *to)
{
    const collective_problem *problem = to->problem;
    const bool cuts = tree->segment_rounds > 0;
    const view v = {tree, to, collective_tree_rounds(tree->shape, problem->size),
                    cuts ? collective_segments(problem) : 1};
    const node at =
        find_node(tree, problem->size, collective_wrap(problem, to->rank - tree->root));
    const int end = v.rounds + (int)(v.segments - 1) * tree->segment_rounds;
    int ended = 0;
    for (int round = 0; round < end && !ended; round++) {
        ended = visit_edge(&v, at, round);
        collective_child child;
        for (int k = 0; !ended && tree->shape(at.length, k, &child); k++) {
            ended = visit_edge(&v, child_of(at, &child), round);
        }
    }
    return ended;
}

int collective_tree_generate(const collective_stream *to)
{
    const collective_operation *operation = to->algorithm->operation;
    const bool gathers = operation == &collective_gather;
    const bool has_blocks = gathers || operation == &collective_scatter;
    const collective_tree tree = {.shape = to->algorithm->shape,
                                  .root = to->problem->root,
                                  .is_up = gathers || operation->reduces,
                                  .kind = operation->reduces ? COLLECTIVE_REDUCE
                                          : gathers          ? COLLECTIVE_CONCATENATE
                                          : has_blocks       ? COLLECTIVE_MOVE
                                                             : COLLECTIVE_COPY,
                                  .has_blocks = has_blocks,
                                  .segment_rounds = to->algorithm->segment_rounds};
    return collective_tree_visit(&tree, to);
}

/* ---- Doubling from the front --------------------------------------------------------
 */

int collective_double_visit(const collective_stream *to, int root, int round,
                            collective_kind kind)
{
    const collective_problem *problem = to->problem;
    const int size = problem->size;
    const int number = (to->rank - root + size) % size;
    int ended = 0;
    for (int k = 0; (1 << k) < size && !ended; k++) {
        const int stride = 1 << k;
        const int child = number < stride ? number + stride : number;
        if (child < 2 * stride && child < size) {
            const collective_op op = {.round = round + k,
                                      .src = (child - stride + root) % size,
                                      .dst = (child + root) % size,
                                      .kind = kind};
            ended = collective_emit(to, op, collective_all(problem));
        }
    }
    return ended;
}
