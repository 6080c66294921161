#include "memory.h"

#include "base/parallel/parallel.h"
#include "base/words.h"
#include "cost_estimate.h"

#include <stdio.h>

/* Owned boxes, and the tree of the kind, for some number of ranks. */
typedef struct division {
    grid_partition *owned_boxes;
    void *tree;
} division;

static void division_clear(const distribution_state *state, division *d)
{
    state->kind->destroy_tree(&d->tree);
    grid_partition_destroy(&d->owned_boxes);
}

static status divide(const distribution_state *state, const cost_estimate *estimate,
                     int nparts, division *d)
{
    *d = (division){NULL, NULL};
    status s = grid_partition_create_weighted(
        state->scene->layout, distribution_parts(state, nparts), NULL, &d->owned_boxes);
    return s == STATUS_OK ? state->kind->cut(state, estimate, nparts, &d->tree) : s;
}

static bool is_owned(const distribution_state *state, box3 owned, int64_t number)
{
    return grid_layout_brick_meets(state->scene->layout, number, owned);
}

/* The bytes of a part's bricks. */
static int64_t bytes_of_part(const distribution_state *state,
                             const cost_estimate *estimate,
                             const grid_partition *owned_boxes, const void *tree,
                             int part)
{
    const box3 owned = grid_partition_box(owned_boxes, part);
    int64_t bytes = 0;
    for (int64_t n = 0; n < estimate->nbricks; n++) {
        bytes += is_owned(state, owned, n) ? estimate->owned_bytes[n] : 0;
        if (state->kind->part_draws(state, estimate, tree, part, n)) {
            bytes += estimate->bytes[n];
        }
    }
    return bytes;
}

/* The bytes of the largest part, with `nparts` ranks. Local. */
static status most_of_parts(const distribution_state *state,
                            const cost_estimate *estimate, int nparts, int64_t *most)
{
    division d;
    status s = divide(state, estimate, nparts, &d);
    *most = 0;
    for (int part = 0; s == STATUS_OK && part < nparts; part++) {
        const int64_t bytes = bytes_of_part(state, estimate, d.owned_boxes, d.tree, part);
        *most = bytes > *most ? bytes : *most;
    }
    division_clear(state, &d);
    return s;
}

enum { MOST_RANKS = 4096 };

/* The least sufficient number of ranks above that of the scene, found by bisection; 0:
 * none up to MOST_RANKS suffices. */
static status find_ranks(const distribution_state *state, const cost_estimate *estimate,
                         int *out)
{
    int few = state->scene->ranks, enough = 0;
    int64_t most = 0;
    status s = STATUS_OK;
    for (int n = 2 * few; s == STATUS_OK && !enough && n <= MOST_RANKS; n *= 2) {
        s = most_of_parts(state, estimate, n, &most);
        enough = most <= state->scene->config->memory ? n : 0;
        few = enough ? few : n;
    }
    while (s == STATUS_OK && enough && enough - few > 1) {
        const int middle = few + (enough - few) / 2;
        s = most_of_parts(state, estimate, middle, &most);
        *(most <= state->scene->config->memory ? &enough : &few) = middle;
    }
    *out = enough;
    return s;
}

static status fail_memory_limit(const distribution_state *state,
                                const cost_estimate *estimate, int64_t most)
{
    char taken[32], limit[32];
    int ranks = 0;
    status s = find_ranks(state, estimate, &ranks);
    if (s != STATUS_OK) {
        return s;
    }
    base_words_bytes((double)most, sizeof taken, taken);
    base_words_bytes((double)state->scene->config->memory, sizeof limit, limit);
    if (ranks == 0) {
        return base_fail(
            STATUS_USAGE,
            "memory: the bricks of a rank may take %s, more than the limit "
            "of %s, and no number of ranks up to %d suffices: raise the limit",
            taken, limit, MOST_RANKS);
    }
    return base_fail(STATUS_USAGE,
                     "memory: the bricks of a rank may take %s, more than the limit of "
                     "%s: use about %d ranks, not %d, or raise the limit",
                     taken, limit, ranks, state->scene->ranks);
}

/* The bytes of the rank with most of them. Collective. */
static int64_t most_of_ranks(const distribution_state *state,
                             const cost_estimate *estimate, const void *tree)
{
    const frame_scene *scene = state->scene;
    const int64_t mine =
        bytes_of_part(state, estimate, state->owned_boxes, tree, scene->rank);
    int64_t most = 0;
    parallel_allreduce(&mine, &most, 1, MPI_INT64_T, MPI_MAX, scene->comm);
    return most;
}

status distribution_memory_fit(const distribution_state *state, const void *tree,
                               bool *fit)
{
    const frame_scene *scene = state->scene;
    cost_estimate estimate = {0};
    *fit = true;
    if (scene->config->memory == 0) {
        return STATUS_OK;
    }
    status s = parallel_agree(scene->comm, cost_estimate_create(state, &estimate));
    if (s == STATUS_OK) {
        *fit = most_of_ranks(state, &estimate, tree) <= scene->config->memory;
    }
    cost_estimate_clear(&estimate);
    return s;
}

status distribution_memory_check(const distribution_state *state,
                                 const cost_estimate *estimate)
{
    const frame_scene *scene = state->scene;
    const int64_t most = most_of_ranks(state, estimate, state->kind->find_tree(state));
    status s = most <= scene->config->memory ? STATUS_OK
                                             : fail_memory_limit(state, estimate, most);
    return parallel_agree(scene->comm, s);
}
