/* The algorithms that exist, and what their files share. Private to messages/collective/.
 */
#ifndef MESSAGES_COLLECTIVE_ALGORITHMS_ALGORITHMS_H
#define MESSAGES_COLLECTIVE_ALGORITHMS_ALGORITHMS_H

#include "messages/collective/operations.h"
#include "messages/collective/schedule.h"

/* The registry: a line for each algorithm, each a constant in the file of its idea. */
#define COLLECTIVE_ALGORITHMS(X)                                                         \
    X(collective_broadcast_sequential)                                                   \
    X(collective_broadcast_chain)                                                        \
    X(collective_broadcast_binary)                                                       \
    X(collective_broadcast_binomial)                                                     \
    X(collective_broadcast_scatter_allgather)                                            \
    X(collective_scatter_sequential)                                                     \
    X(collective_scatter_chain)                                                          \
    X(collective_scatter_binary)                                                         \
    X(collective_scatter_binomial)                                                       \
    X(collective_gather_sequential)                                                      \
    X(collective_gather_chain)                                                           \
    X(collective_gather_binary)                                                          \
    X(collective_gather_binomial)                                                        \
    X(collective_reduce_gather_op)                                                       \
    X(collective_reduce_chain)                                                           \
    X(collective_reduce_binary)                                                          \
    X(collective_reduce_binomial)                                                        \
    X(collective_reduce_rabenseifner)                                                    \
    X(collective_reduce_scatter_halving)                                                 \
    X(collective_reduce_scatter_ring)                                                    \
    X(collective_reduce_scatter_pairwise)                                                \
    X(collective_allgather_ring)                                                         \
    X(collective_allgather_doubling)                                                     \
    X(collective_allgather_bruck)                                                        \
    X(collective_allgather_gather_broadcast)                                             \
    X(collective_allreduce_reduce_broadcast)                                             \
    X(collective_allreduce_doubling)                                                     \
    X(collective_allreduce_ring)                                                         \
    X(collective_allreduce_rabenseifner)                                                 \
    X(collective_alltoall_circular)                                                      \
    X(collective_alltoall_bruck)                                                         \
    X(collective_alltoall_pairwise)                                                      \
    X(collective_barrier_extended_ring)                                                  \
    X(collective_barrier_dissemination)                                                  \
    X(collective_barrier_tournament)                                                     \
    X(collective_scan_chain)                                                             \
    X(collective_scan_doubling)

#define COLLECTIVE_DECLARE(algorithm) extern const collective_algorithm algorithm;
COLLECTIVE_ALGORITHMS(COLLECTIVE_DECLARE)
#undef COLLECTIVE_DECLARE

/* ---- Ops --------------------------------------------------------------------------- */

/* Elements [begin, end) of a vector. */
typedef struct collective_range {
    int64_t begin, end;
} collective_range;

/* All elements, and those of the blocks of ranks [first, end). */
collective_range collective_all(const collective_problem *problem);
collective_range collective_blocks(const collective_problem *problem, int first, int end);

/* Visits an op with the elements of a range if the rank of the stream takes part in it.
 * An empty range is no op, except for a notification. */
int collective_emit(const collective_stream *to, collective_op op,
                    collective_range range);

/* The same for the blocks of `count` ranks from rank `first` on, in a ring: after the
 * last rank follows rank 0. */
int collective_emit_ring(const collective_stream *to, collective_op op, int first,
                         int count);

/* ---- Numbers ----------------------------------------------------------------------- */

/* The elements of the largest block, ⌈n/p⌉. */
int64_t collective_block_most(const collective_problem *problem);

/* ⌈log2 n⌉ and ⌊log2 n⌋ for n >= 1. */
int collective_log_up(int n);
int collective_log_down(int n);

/* Rank in a ring: `n` may be anything from -size on. */
static inline int collective_wrap(const collective_problem *problem, int n)
{
    return (n + problem->size) % problem->size;
}

/* ---- Trees (tree.c) ---------------------------------------------------------------- */

typedef struct collective_tree {
    collective_shape *shape;
    int root;
    int round;  /* of the first message */
    bool is_up; /* messages go to the root, rounds in reverse */
    collective_kind kind;
    bool has_blocks;    /* messages carry the blocks of a subtree, not whole vectors */
    int segment_rounds; /* rounds between two segments; 0: there are none */
} collective_tree;

/* The number of its rounds without segments. */
int collective_tree_rounds(collective_shape *shape, int size);
int collective_tree_visit(const collective_tree *tree, const collective_stream *to);

/* collective_algorithm.generate of broadcasts, scatters, gathers and reductions that are
 * one tree of the algorithm's shape: the operation says what goes which way. */
int collective_tree_generate(const collective_stream *to);

/* The segments of a vector, and the elements of each. */
int64_t collective_segments(const collective_problem *problem);
int64_t collective_segment_of(const collective_problem *problem);

/* Children are single ranks. All messages lie in one round. */
bool collective_sequential_shape(int length, int k, collective_child *child);
/* There is one child. */
bool collective_chain_shape(int length, int k, collective_child *child);
/* There are two children with half of the others each, the far one first. */
bool collective_binary_shape(int length, int k, collective_child *child);
/* The first child takes half, the second a quarter … */
bool collective_binomial_shape(int length, int k, collective_child *child);

/* A binomial tree in which ranks with the data double from the front: 0 sends to 1, then
 * 0 and 1 to 2 and 3 … Whole vectors, or notifications. */
int collective_double_visit(const collective_stream *to, int root, int round,
                            collective_kind kind);

/* ---- Butterflies (butterfly.c) ------------------------------------------------------
 */

/*
 * Groups for butterflies: as many as the largest power of two that is not above the
 * number of ranks. The first groups are pairs of neighbours. In each pair one rank acts,
 * and the other one waits.
 */
typedef struct collective_groups {
    int count; /* a power of two */
    int pairs; /* groups [0, pairs) have two ranks, the others one */
    int root;  /* acts in its pair; -1: the first one acts everywhere */
} collective_groups;

collective_groups collective_groups_of(int size, int root);
/* The first rank of a group; for group `count` the end of all ranks. */
int collective_group_begin(const collective_groups *groups, int group);
int collective_group_of(const collective_groups *groups, int rank);
int collective_group_actor(const collective_groups *groups, int group);

/* Whole vectors, blocks or results between the two ranks of each pair, in one round.
 * The op says kind and round; `goes_in`: towards the rank that acts. */
int collective_fold(const collective_stream *to, const collective_groups *groups,
                    collective_op op, bool goes_in, collective_range range);

/* Ranks exchange whole vectors, blocks of groups double: allgather, from `round` on. */
int collective_doubling_visit(const collective_stream *to, int round);
/* The cost of its rounds. */
collective_cost collective_doubling_cost(const collective_problem *problem);

/* ---- Costs ------------------------------------------------------------------------- */

static inline collective_cost collective_cost_add(collective_cost a, collective_cost b)
{
    return (collective_cost){a.alpha + b.alpha, a.beta + b.beta, a.gamma + b.gamma};
}

/* So many messages after another, each with `beta` elements of which `gamma` are
 * combined. */
static inline collective_cost collective_cost_times(int64_t times, int64_t beta,
                                                    int64_t gamma)
{
    return (collective_cost){times, times * beta, times * gamma};
}

#endif
