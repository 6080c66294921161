#include "distribution.h"

#include "base/parallel/nodes.h"
#include "base/parallel/parallel.h"
#include "cost_estimate.h"
#include "grid/partition/partition.h"
#include "kind.h"
#include "loads.h"
#include "memory.h"

#include <stdlib.h>

/* By the config's partition.kind. */
#define DISTRIBUTION_KIND(name, word, kind) [IO_PARTITION_##name] = &(kind),
static const distribution_kind *const kinds[] = {IO_DISTRIBUTIONS(DISTRIBUTION_KIND)};

grid_parts distribution_parts(const distribution_state *state, int count)
{
    return count == state->scene->ranks
               ? (grid_parts){count, state->nodes, state->sockets}
               : (grid_parts){.count = count};
}

/* Finds the node and the socket of each rank. Collective. Errors: STATUS_MEMORY, on all
 * ranks. */
static status find_places(const app_scene *scene, int **nodes, int **sockets)
{
    const size_t bytes = (size_t)scene->ranks * sizeof **nodes;
    MPI_Comm node;
    *nodes = malloc(bytes);
    *sockets = malloc(bytes);
    status s = *nodes && *sockets ? STATUS_OK
                                  : base_fail_memory(2 * bytes, "a share of the work");
    s = parallel_agree(scene->comm, s);
    if (s != STATUS_OK) {
        return s;
    }
    parallel_split_nodes(scene->comm, &node);
    parallel_number_nodes(scene->comm, node, *nodes);
    parallel_number_sockets(scene->comm, node, *sockets);
    MPI_Comm_free(&node);
    return STATUS_OK;
}

static status make(distribution_state *state)
{
    app_scene *scene = state->scene;
    const grid_parts parts = distribution_parts(state, scene->ranks);
    status s =
        grid_partition_create_weighted(scene->layout, parts, NULL, &state->owned_boxes);
    if (s != STATUS_OK) {
        return s;
    }
    scene->part.owned_box = grid_partition_box(state->owned_boxes, scene->rank);
    scene->part.draws = state->kind->draws;
    state->own = calloc(1, state->kind->size);
    return state->own ? state->kind->create(state)
                      : base_fail_memory(state->kind->size, "a share of the work");
}

status distribution_create(app_scene *scene, const app_layers *layers,
                           app_picture *picture, distribution_state **out)
{
    distribution_state *state = calloc(1, sizeof *state);
    int *nodes = NULL, *sockets = NULL;
    status s = find_places(scene, &nodes, &sockets);
    if (s == STATUS_OK && !state) {
        s = base_fail_memory(sizeof *state, "a share of the work");
    }
    if (s == STATUS_OK) {
        *state = (distribution_state){.kind = kinds[scene->config->partition.kind],
                                      .scene = scene,
                                      .layers = layers,
                                      .picture = picture,
                                      .nodes = nodes,
                                      .sockets = sockets};
        nodes = sockets = NULL;
        s = make(state);
    }
    free(nodes);
    free(sockets);
    s = parallel_agree(scene->comm, s);
    if (s != STATUS_OK) {
        distribution_destroy(&state);
        return s;
    }
    *out = state;
    return STATUS_OK;
}

void distribution_destroy(distribution_state **distribution)
{
    distribution_state *state = *distribution;
    if (!state) {
        return;
    }
    if (state->own) {
        state->kind->destroy(state);
    }
    free(state->own);
    free(state->nodes);
    free(state->sockets);
    grid_partition_destroy(&state->owned_boxes);
    free(state);
    *distribution = NULL;
}

status distribution_divide(distribution_state *state)
{
    const app_scene *scene = state->scene;
    const bool weighs = state->kind->weighs(state);
    if (!weighs && scene->config->memory == 0) {
        return STATUS_OK;
    }
    cost_estimate estimate = {0};
    status s = cost_estimate_create(state, &estimate);
    if (s == STATUS_OK && weighs) {
        s = state->kind->divide(state, &estimate);
    }
    s = parallel_agree(scene->comm, s);
    if (s == STATUS_OK && scene->config->memory > 0) {
        s = distribution_memory_check(state, &estimate);
    }
    cost_estimate_clear(&estimate);
    return s;
}

status distribution_correct(distribution_state *state, const distribution_times *times,
                            int frames_left, bool *moved)
{
    *moved = false;
    state->times = *times;
    status s = state->kind->correct(state, frames_left, moved);
    if (s == STATUS_OK && *moved) {
        state->scene->part.is_exchanging = distribution_loads_exchanges(state);
    }
    return s;
}

bool distribution_may_crop(const distribution_state *state)
{
    return state->kind->may_crop(state);
}

status distribution_begin(distribution_state *state)
{
    return state->kind->begin ? state->kind->begin(state) : STATUS_OK;
}

status distribution_put_together(distribution_state *state, status rendered,
                                 const distribution_drawn *drawn,
                                 distribution_result *out)
{
    return state->kind->put_together(state, rendered, drawn, out);
}

status distribution_pieces(distribution_state *state, const distribution_drawn *drawn,
                           io_png_share *out)
{
    if (!app_picture_is_gathered(state->picture)) {
        return state->kind->pieces(state, drawn, out);
    }
    state->root_band = app_picture_root_band(state->picture);
    out->ranges = &state->root_band;
    out->count = state->root_band.npix > 0;
    out->pixels = app_picture_root_pixels;
    out->context = state->picture;
    return app_picture_annotate(state->picture, drawn->step);
}

void distribution_forget(distribution_state *state)
{
    if (state->kind->forget) {
        state->kind->forget(state);
    }
}
