/*
 * A distribution: sort-last with the boxes of the k-d tree in reversed order. Rank r of n
 * draws the owned box of rank n - 1 - r. Boxes never move.
 */
#include "base/parallel/parallel.h"
#include "frame/distribution/kind.h"
#include "frame/distribution/picture.h"

#include <stdlib.h>

typedef struct reversed {
    int *order;           /* [ranks]: ranks from front to back */
    io_png_range *ranges; /* this rank's pieces of the picture */
    composite_result composited;
} reversed;

static status create(distribution_state *state)
{
    reversed *own = state->own;
    frame_scene *scene = state->scene;
    const size_t bytes = (size_t)scene->ranks * sizeof *own->order;
    own->order = malloc(bytes);
    scene->part.stays = true;
    scene->part.box =
        grid_partition_box(state->owned_boxes, scene->ranks - 1 - scene->rank);
    return own->order ? STATUS_OK : base_fail_memory(bytes, "an order");
}

static void destroy(distribution_state *state)
{
    reversed *own = state->own;
    free(own->order);
    free(own->ranges);
}

static bool weighs(const distribution_state *state)
{
    (void)state;
    return false;
}

static bool meets(const frame_scene *scene, box3 box, int64_t number)
{
    return grid_layout_brick_meets(scene->layout, number, box);
}

static bool draws(const frame_scene *scene, int64_t number)
{
    return meets(scene, scene->part.box, number);
}

/* ---- Trees of other numbers of ranks, for the limit of memory ---------------------- */

static const void *find_tree(const distribution_state *state)
{
    return state->owned_boxes;
}

static status cut(const distribution_state *state, const struct cost_estimate *estimate,
                  int nparts, void **tree)
{
    (void)estimate;
    grid_partition *boxes = NULL;
    status s = grid_partition_create_weighted(
        state->scene->layout, distribution_parts(state, nparts), NULL, &boxes);
    *tree = boxes;
    return s;
}

static void destroy_tree(void **tree)
{
    grid_partition *boxes = *tree;
    grid_partition_destroy(&boxes);
    *tree = NULL;
}

static bool part_draws(const distribution_state *state,
                       const struct cost_estimate *estimate, const void *tree, int part,
                       int64_t number)
{
    (void)estimate;
    const int last = grid_partition_count(tree) - 1;
    return meets(state->scene, grid_partition_box(tree, last - part), number);
}

/* ---- Pictures ---------------------------------------------------------------------- */

static status correct(distribution_state *state, int frames_left, bool *moved)
{
    (void)state;
    (void)frames_left;
    *moved = false;
    return STATUS_OK;
}

static bool may_crop(const distribution_state *state)
{
    (void)state;
    return false;
}

/* The order of the boxes, whose ranks are counted from the last one. */
static const int *find_order(distribution_state *state)
{
    reversed *own = state->own;
    const render_camera *camera = &state->scene->camera;
    grid_partition_order(state->owned_boxes, render_camera_order_point(camera),
                         !camera->orthographic, own->order);
    for (int n = 0; n < state->scene->ranks; n++) {
        own->order[n] = state->scene->ranks - 1 - own->order[n];
    }
    return own->order;
}

/* The same bounds in all samples, so that a rank keeps its pieces. */
static pixel_rect find_bounds(const distribution_state *state)
{
    const image *img = state->picture->img;
    return (pixel_rect){0, 0, img->width, img->height};
}

/* Blends the images of all boxes, as the order of their ranks says; each rank keeps its
 * pieces. */
static status put_together(distribution_state *state, status rendered,
                           const distribution_drawn *drawn, distribution_result *out)
{
    reversed *own = state->own;
    frame_picture *picture = state->picture;
    const composite_request request = {.algorithm = picture->algorithm,
                                       .params = picture->params,
                                       .order = find_order(state),
                                       .target = frame_picture_is_gathered(picture)
                                                     ? COMPOSITE_FLOATS
                                                     : COMPOSITE_PIECES};
    status s = composite_begin(picture->executor, &request, picture->img,
                               find_bounds(state), rendered);
    s = s == STATUS_OK ? composite_finish(picture->executor, s, &own->composited) : s;
    out->counters = own->composited.counters;
    if (!frame_picture_is_gathered(picture)) {
        picture->drawn_in[0] = drawn->active;
        picture->drawn_in[1] = own->composited.merged;
    }
    s = s == STATUS_OK ? distribution_list_ranges(&own->composited, &own->ranges) : s;
    return s == STATUS_OK
               ? frame_picture_take_sample(picture, own->composited.npieces, own->ranges)
               : s;
}

static status pieces(distribution_state *state, const distribution_drawn *drawn,
                     io_png_share *out)
{
    reversed *own = state->own;
    out->count = own->composited.npieces;
    out->ranges = own->ranges;
    out->pixels = frame_picture_pixels;
    out->context = state->picture;
    return frame_picture_annotate(state->picture, drawn->step);
}

const distribution_kind distribution_reversed_kind = {.size = sizeof(reversed),
                                                      .create = create,
                                                      .destroy = destroy,
                                                      .weighs = weighs,
                                                      .draws = draws,
                                                      .find_tree = find_tree,
                                                      .cut = cut,
                                                      .destroy_tree = destroy_tree,
                                                      .part_draws = part_draws,
                                                      .correct = correct,
                                                      .order = find_order,
                                                      .bounds = find_bounds,
                                                      .may_crop = may_crop,
                                                      .put_together = put_together,
                                                      .pieces = pieces};
