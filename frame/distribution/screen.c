/*
 * Sort-first: every rank draws a rectangle of the picture with all bricks that its rays
 * may meet, and rectangles are put side by side (assemble.h). With `balance: cost`, ranks
 * measure the tiles of the picture, and cut it again if that pays.
 */
#include "screen.h"

#include "base/log.h"
#include "base/parallel/parallel.h"
#include "cost_estimate.h"
#include "frame/scene/bricks.h"
#include "loads.h"
#include "memory.h"
#include "render/cells/march.h"

#include <stdlib.h>
#include <string.h>

/* ---- Rectangles -------------------------------------------------------------------- */

static status create(distribution_state *state)
{
    distribution_screen *screen = state->own;
    state->scene->part.box = box3_everything();
    screen->assembly =
        (distribution_assembly){.scene = state->scene, .picture = state->picture};
    return STATUS_OK;
}

static void destroy(distribution_state *state)
{
    distribution_screen *screen = state->own;
    distribution_assembly_clear(&screen->assembly);
    render_costs_clear(&screen->measured);
    render_costs_clear(&screen->average);
    render_screen_destroy(&screen->rectangles);
}

static bool weighs(const distribution_state *state)
{
    (void)state;
    return true;
}

/* Warns on all ranks alike. */
static void warn_of_idle_ranks(const frame_scene *scene)
{
    const int width = scene->camera.width, height = scene->camera.height;
    const int64_t most = render_screen_capacity(width, height);
    if (scene->ranks > most) {
        base_log_warning("partition: screen: %d of %d ranks draw nothing of %d x %d "
                         "pixels: use fewer ranks, a larger picture or partition: object",
                         scene->ranks - (int)most, scene->ranks, width, height);
    }
}

/* The expected costs of the picture's tiles, in cells that rays meet. With `balance:
 * area` all pixels cost the same. */
static status expect_costs(const frame_scene *scene, const cost_estimate *estimate,
                           render_costs *out)
{
    const double ray = 4.0; /* the set-up of a ray, in cells */
    status s = render_costs_create(scene->camera.width, scene->camera.height, out);
    if (s != STATUS_OK) {
        return s;
    }
    render_costs_add(out, (pixel_rect){0, 0, out->width, out->height}, ray);
    if (scene->config->partition.balance == IO_BALANCE_COST) {
        for (int64_t n = 0; n < estimate->nbricks; n++) {
            render_costs_add(out, estimate->rects[n], estimate->cells[n]);
        }
    }
    return STATUS_OK;
}

/* distribution_kind.cut */
static status cut(const distribution_state *state, const cost_estimate *estimate,
                  int nparts, void **tree)
{
    render_costs costs = {0};
    render_screen *rectangles = NULL;
    status s = expect_costs(state->scene, estimate, &costs);
    if (s == STATUS_OK) {
        s = render_screen_create(&costs, nparts, &rectangles);
    }
    render_costs_clear(&costs);
    *tree = rectangles;
    return s;
}

static void destroy_tree(void **tree)
{
    render_screen *rectangles = *tree;
    render_screen_destroy(&rectangles);
    *tree = NULL;
}

static void take_rectangles(const distribution_state *state, render_screen *rectangles)
{
    distribution_screen *screen = state->own;
    frame_scene *scene = state->scene;
    render_screen_destroy(&screen->rectangles);
    screen->rectangles = rectangles;
    screen->assembly.screen = rectangles;
    scene->camera.window = render_screen_rect(rectangles, scene->rank);
}

/* Measures the time of each tile. */
static status clock_tiles(const distribution_state *state)
{
    distribution_screen *screen = state->own;
    frame_scene *scene = state->scene;
    const int width = scene->camera.width, height = scene->camera.height;
    status s = render_costs_create(width, height, &screen->measured);
    if (s == STATUS_OK) {
        s = render_costs_create(width, height, &screen->average);
    }
    if (s == STATUS_OK) {
        screen->follows = true;
        scene->style.seconds = screen->measured.tile;
    }
    return s;
}

static status divide(distribution_state *state, const cost_estimate *estimate)
{
    const frame_scene *scene = state->scene;
    void *rectangles = NULL;
    warn_of_idle_ranks(scene);
    status s = cut(state, estimate, scene->ranks, &rectangles);
    if (s != STATUS_OK) {
        return s;
    }
    take_rectangles(state, rectangles);
    return scene->config->partition.balance == IO_BALANCE_COST ? clock_tiles(state)
                                                               : STATUS_OK;
}

/* ---- Bricks ------------------------------------------------------------------------ */

/* frame_draws: whether a ray of this rank's rectangle may meet the brick. */
static bool draws(const frame_scene *scene, int64_t number)
{
    const box3 bounds = grid_brick_bounds(&scene->layout->bricks[number]);
    return render_march_wants(scene->layout, number, &scene->camera, scene->part.box) &&
           !pixel_rect_is_empty(render_camera_footprint(&scene->camera, bounds));
}

static const void *find_tree(const distribution_state *state)
{
    const distribution_screen *screen = state->own;
    return screen->rectangles;
}

/* distribution_kind.part_draws */
static bool part_draws(const distribution_state *state, const cost_estimate *estimate,
                       const void *tree, int part, int64_t number)
{
    const frame_scene *scene = state->scene;
    const bool casts =
        frame_scene_casts(scene) && part < scene->ranks &&
        grid_layout_brick_meets(scene->layout, number,
                                grid_partition_box(state->owned_boxes, part));
    return casts || !pixel_rect_is_empty(march_rect_intersect(
                        estimate->rects[number], render_screen_rect(tree, part)));
}

/* ---- Correction -------------------------------------------------------------------- */

/* The cost of a tile's fragments in the last picture, of all layers. */
static double weigh_fragments(const frame_layers *layers, int64_t tile)
{
    double cost = 0.0;
    for (int n = 0; n < layers->count; n++) {
        cost += frame_layer_cost(&layers->items[n], tile);
    }
    return cost;
}

/* The costs of tiles in the last picture: measured seconds, and weights by which tiles
 * divide the seconds that no tile measured. */
typedef struct tile_loads {
    int64_t tiles;
    double *seconds, *shares; /* [tiles] */
    double rest;              /* seconds that no tile measured */
} tile_loads;

/* The seconds that no tile measured went into fragments. With a volume and no layers they
 * are the set-up of a view, which takes every rank the same time with any rectangle. */
static void find_loads(const distribution_state *state, tile_loads *loads)
{
    const distribution_screen *screen = state->own;
    const frame_scene *scene = state->scene;
    const distribution_times *times = &state->times;
    const bool has_volume = scene->volume.scene != NULL;
    const double of_tile =
        has_volume ? 0.0
                   : 8.0; /* in fragments: the empty pixels of a tile with fragments */
    const pixel_rect all = {0, 0, scene->camera.width, scene->camera.height};
    for (int64_t tile = 0; tile < loads->tiles; tile++) {
        const double cost = weigh_fragments(state->layers, tile);
        loads->seconds[tile] = screen->measured.tile[tile];
        loads->shares[tile] = cost + (cost > 0.0 ? of_tile : 0.0);
    }
    /* The first picture of a view takes longer than the next ones. */
    loads->rest =
        times->is_settled || !has_volume
            ? fmax(times->render_seconds - render_costs_sum(&screen->measured, all), 0.0)
            : 0.0;
}

/*
 * Averages the measurements of all ranks, and these with earlier ones. The times of a
 * rank vary, as other programs run on its node. For the same reason a fragment counts
 * alike on all ranks. Collective. Errors: STATUS_MEMORY.
 */
static status update_average(const distribution_state *state)
{
    distribution_screen *screen = state->own;
    const frame_scene *scene = state->scene;
    const int64_t tiles = (int64_t)screen->average.columns * screen->average.rows;
    const size_t count = 2 * (size_t)tiles + 1;
    double *mine = calloc(2 * count, sizeof *mine), *all = mine + count;
    status s = mine ? STATUS_OK : base_fail_memory(2 * count * sizeof *mine, "costs");
    s = parallel_agree(scene->comm, s);
    if (s != STATUS_OK) {
        free(mine);
        return s;
    }
    tile_loads loads = {.tiles = tiles, .seconds = mine, .shares = mine + tiles};
    find_loads(state, &loads);
    mine[2 * tiles] = loads.rest;
    parallel_allreduce(mine, all, parallel_count((int64_t)count), MPI_DOUBLE, MPI_SUM,
                       scene->comm);
    const double tile_seconds = 2e-7; /* converting a tile to bytes, empty or not */
    double sum = 0.0;
    for (int64_t n = 0; n < tiles; n++) {
        sum += all[tiles + n];
    }
    const double per_share = sum > 0.0 ? all[2 * tiles] / sum : 0.0;
    for (int64_t n = 0; n < tiles; n++) {
        const double cost = all[n] + per_share * all[tiles + n] + tile_seconds;
        double *average = &screen->average.tile[n];
        *average = screen->has_average ? 0.5 * (*average + cost) : cost;
    }
    screen->has_average = true;
    free(mine);
    return STATUS_OK;
}

/*
 * Whether the new rectangles save more time over the remaining frames than a move costs.
 */
static bool pays(const distribution_state *state, const render_screen *next,
                 int frames_left)
{
    const distribution_screen *screen = state->own;
    const double least_gain = 0.05; /* less is noise */
    const double now = render_screen_most(screen->rectangles, &screen->average);
    const double then = render_screen_most(next, &screen->average);
    return then < (1.0 - least_gain) * now &&
           (now - then) / state->scene->mean_threads * frames_left >
               distribution_loads_move_seconds(state);
}

/* Takes other rectangles if that pays. Collective. */
static status try_rectangles(const distribution_state *state, int frames_left,
                             bool *moved)
{
    const distribution_screen *screen = state->own;
    const frame_scene *scene = state->scene;
    render_screen *next = NULL;
    status s = parallel_agree(
        scene->comm, render_screen_create(&screen->average, scene->ranks, &next));
    bool fit = false;
    if (s == STATUS_OK && pays(state, next, frames_left)) {
        s = distribution_memory_fit(state, next, &fit);
    }
    if (s == STATUS_OK && fit) {
        take_rectangles(state, next);
        next = NULL;
        *moved = true;
    }
    render_screen_destroy(&next);
    return s;
}

/* Rectangles settle within the first frames; later an occasional check suffices. */
static bool is_time(const distribution_times *times)
{
    return times->drawn > 0 && (times->drawn <= 4 || times->drawn % 4 == 0);
}

/* distribution_kind.correct */
static status correct(distribution_state *state, int frames_left, bool *moved)
{
    distribution_screen *screen = state->own;
    const bool looks = is_time(&state->times);
    if (!screen->follows) {
        return STATUS_OK;
    }
    distribution_loads_note(state, looks);
    status s = looks ? update_average(state) : STATUS_OK;
    if (s == STATUS_OK && looks) {
        s = try_rectangles(state, frames_left, moved);
    }
    const render_costs *measured = &screen->measured;
    const size_t tiles = (size_t)measured->columns * (size_t)measured->rows;
    memset(measured->tile, 0, tiles * sizeof *measured->tile);
    return s;
}

/* ---- The picture ------------------------------------------------------------------- */

/* distribution_kind.may_crop */
static bool may_crop(const distribution_state *state)
{
    (void)state;
    return false;
}

/* Adds the sample: the rows of this rank's rectangle. */
static status take_sample(const distribution_state *state)
{
    frame_picture *picture = state->picture;
    const pixel_rect rect = state->scene->camera.window;
    const int count = pixel_rect_is_empty(rect) ? 0 : rect.y1 - rect.y0;
    const size_t bytes = ((size_t)count + 1) * sizeof(io_png_range);
    io_png_range *rows = malloc(bytes);
    if (!rows) {
        return base_fail_memory(bytes, "the samples of a picture");
    }
    for (int n = 0; n < count; n++) {
        const int64_t first = (int64_t)(rect.y0 + n) * picture->img->width;
        rows[n] = (io_png_range){first + rect.x0, rect.x1 - rect.x0};
    }
    const status s = frame_picture_take_sample(picture, count, rows);
    free(rows);
    return s;
}

/* distribution_kind.put_together: floats go to rank 0. */
static status put_together(distribution_state *state, status rendered,
                           const distribution_drawn *drawn, distribution_result *out)
{
    distribution_screen *screen = state->own;
    const bool is_gathered = frame_picture_is_gathered(state->picture);
    status s = is_gathered
                   ? distribution_assemble(&screen->assembly, rendered, &out->counters)
                   : rendered;
    (void)drawn;
    return s == STATUS_OK && frame_samples_are_several(&state->picture->samples)
               ? take_sample(state)
               : s;
}

/* distribution_kind.finish: converts pixels to bytes, with annotations, before they are
 * sent. */
static status finish(distribution_state *state, status blended,
                     const distribution_drawn *drawn, distribution_result *out)
{
    distribution_screen *screen = state->own;
    if (frame_picture_is_gathered(state->picture)) {
        return blended;
    }
    status s = blended == STATUS_OK ? frame_picture_annotate(state->picture, drawn->step)
                                    : blended;
    return distribution_assemble(&screen->assembly, s, &out->counters);
}

/* distribution_kind.pieces */
static status pieces(distribution_state *state, const distribution_drawn *drawn,
                     io_png_share *out)
{
    distribution_screen *screen = state->own;
    (void)drawn;
    screen->range = distribution_assembly_range(&screen->assembly);
    out->ranges = &screen->range;
    out->count = screen->range.npix > 0;
    out->pixels = distribution_assembly_pixels;
    out->context = &screen->assembly;
    return STATUS_OK;
}

static void forget(distribution_state *state)
{
    distribution_screen *screen = state->own;
    screen->assembly.window_before = (pixel_rect){0, 0, 0, 0};
}

const distribution_kind distribution_screen_kind = {.size = sizeof(distribution_screen),
                                                    .create = create,
                                                    .destroy = destroy,
                                                    .weighs = weighs,
                                                    .divide = divide,
                                                    .draws = draws,
                                                    .find_tree = find_tree,
                                                    .cut = cut,
                                                    .destroy_tree = destroy_tree,
                                                    .part_draws = part_draws,
                                                    .correct = correct,
                                                    .may_crop = may_crop,
                                                    .put_together = put_together,
                                                    .finish = finish,
                                                    .pieces = pieces,
                                                    .forget = forget};
