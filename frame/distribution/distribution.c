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

/* Finds the node of each rank. Collective. Errors: STATUS_MEMORY, on all ranks. */
static status find_nodes(const frame_scene *scene, int **nodes)
{
    const size_t bytes = (size_t)scene->ranks * sizeof **nodes;
    MPI_Comm node;
    *nodes = malloc(bytes);
    status s = *nodes ? STATUS_OK : base_fail_memory(bytes, "a share of the work");
    s = parallel_agree(scene->comm, s);
    if (s != STATUS_OK) {
        return s;
    }
    parallel_split_nodes(scene->comm, &node);
    parallel_number_nodes(scene->comm, node, *nodes);
    MPI_Comm_free(&node);
    return STATUS_OK;
}

static status make(distribution_state *state)
{
    frame_scene *scene = state->scene;
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

status distribution_create(frame_scene *scene, const frame_layers *layers,
                           frame_picture *picture, distribution_state **out)
{
    distribution_state *state = calloc(1, sizeof *state);
    int *nodes = NULL;
    status s = find_nodes(scene, &nodes);
    if (s == STATUS_OK && !state) {
        s = base_fail_memory(sizeof *state, "a share of the work");
    }
    if (s == STATUS_OK) {
        *state = (distribution_state){.kind = kinds[scene->config->partition.kind],
                                      .scene = scene,
                                      .layers = layers,
                                      .picture = picture,
                                      .nodes = nodes};
        nodes = NULL;
        s = make(state);
    }
    free(nodes);
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
    grid_partition_destroy(&state->owned_boxes);
    free(state);
    *distribution = NULL;
}

status distribution_divide(distribution_state *state)
{
    const frame_scene *scene = state->scene;
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

/* ---- Sets of samples --------------------------------------------------------------- */

/* Whether several ranks draw a pixel of a set. */
static bool blends(const distribution_state *state)
{
    return state->kind->order && state->scene->ranks > 1;
}

status distribution_begin_set(distribution_state *state)
{
    frame_picture *picture = state->picture;
    status s = frame_picture_reserve_set(picture);
    if (s != STATUS_OK) {
        return s;
    }
    image *img = picture->set_img;
    image_clear(img);
    s = frame_samples_begin_set(&picture->samples, img);
    const pixel_rect all = {0, 0, img->width, img->height};
    const pixel_rect bounds = blends(state) ? state->kind->bounds(state) : all;
    img->active = s == STATUS_OK
                      ? frame_samples_set_bounds(&picture->samples, img, bounds)
                      : (pixel_rect){0, 0, 0, 0};
    if (!blends(state)) {
        return parallel_agree(state->scene->comm, s);
    }
    const composite_request request =
        frame_picture_request(picture, state->kind->order(state), COMPOSITE_PIECES);
    return distribution_begin_blending(picture->set_executor, &request, img, img->active,
                                       s);
}

status distribution_put_set(distribution_state *state, status rendered,
                            distribution_result *out)
{
    frame_picture *picture = state->picture;
    const frame_scene *scene = state->scene;
    const io_png_range all = {0, image_pixel_count(picture->set_img)};
    frame_samples_part part = {.img = picture->set_img, .count = 1, .ranges = &all};
    if (!blends(state)) {
        return frame_samples_add_set(&picture->samples,
                                     frame_picture_is_gathered(picture) ? scene->comm
                                                                        : MPI_COMM_SELF,
                                     &part, scene->threads, rendered);
    }
    composite_result blended;
    io_png_range *ranges = NULL;
    status s =
        distribution_blend(picture->set_executor, rendered, &blended, &out->counters);
    s = s == STATUS_OK ? distribution_list_ranges(&blended, &ranges) : s;
    part.count = blended.npieces;
    part.ranges = ranges;
    s = frame_samples_add_set(&picture->samples, scene->comm, &part, scene->threads, s);
    free(ranges);
    return s;
}

status distribution_finish(distribution_state *state, status blended,
                           const distribution_drawn *drawn, distribution_result *out)
{
    frame_picture *picture = state->picture;
    if (blended == STATUS_OK && frame_samples_have_edges(&picture->samples)) {
        const pixel_rect mixed = frame_samples_mix(&picture->samples, picture->img);
        if (frame_picture_target(picture) != COMPOSITE_FLOATS) {
            pixel_rect_grow(&picture->drawn_in[1], mixed);
        }
    }
    return state->kind->finish ? state->kind->finish(state, blended, drawn, out)
                               : blended;
}

/* ------------------------------------------------------------------------------------ */

status distribution_pieces(distribution_state *state, const distribution_drawn *drawn,
                           io_png_share *out)
{
    if (!frame_picture_is_gathered(state->picture)) {
        return state->kind->pieces(state, drawn, out);
    }
    state->root_band = frame_picture_root_band(state->picture);
    out->ranges = &state->root_band;
    out->count = state->root_band.npix > 0;
    out->pixels = frame_picture_root_pixels;
    out->context = state->picture;
    return frame_picture_annotate(state->picture, drawn->step);
}

void distribution_forget(distribution_state *state)
{
    if (state->kind->forget) {
        state->kind->forget(state);
    }
}
