/*
 * Sort-first: every rank draws a rectangle of the picture, with all bricks that its rays
 * may meet, and rectangles are put side by side (gather.h). With balance: cost tiles of
 * the picture say what they took, and it is cut anew where that pays.
 */
#include "screen.h"

#include "base/log.h"
#include "base/parallel/parallel.h"
#include "loads.h"
#include "memory.h"
#include "needs.h"
#include "render/cells/march.h"

#include <stdlib.h>
#include <string.h>

/* ---- Rectangles -------------------------------------------------------------------- */

static status create(share_state *state)
{
    share_screen *screen = state->own;
    state->scene->part.box = box3_everything();
    screen->gather = (share_gather){.scene = state->scene, .picture = state->picture};
    return STATUS_OK;
}

static void destroy(share_state *state)
{
    share_screen *screen = state->own;
    share_gather_clear(&screen->gather);
    render_costs_clear(&screen->measured);
    render_costs_clear(&screen->average);
    render_screen_destroy(&screen->rectangles);
}

static bool weighs(const share_state *state)
{
    (void)state;
    return true;
}

/* On all ranks alike. */
static void warn_of_idle_ranks(const app_scene *scene)
{
    const int width = scene->camera.width, height = scene->camera.height;
    const int64_t most = render_screen_capacity(width, height);
    if (scene->ranks > most) {
        base_log_warning("partition: screen: %d of %d ranks draw nothing of %d x %d "
                         "pixels: use fewer ranks, a larger picture or partition: object",
                         scene->ranks - (int)most, scene->ranks, width, height);
    }
}

/* What the tiles of the picture are expected to cost, in cells that rays meet; with
 * balance: area, all pixels the same. */
static status expect_costs(const app_scene *scene, const share_needs *needs,
                           render_costs *out)
{
    const double ray = 4.0; /* to set one up, in cells */
    status s = render_costs_create(scene->camera.width, scene->camera.height, out);
    if (s != STATUS_OK) {
        return s;
    }
    render_costs_add(out, (pixel_rect){0, 0, out->width, out->height}, ray);
    if (scene->config->partition.balance == IO_BALANCE_COST) {
        for (int64_t n = 0; n < needs->nbricks; n++) {
            render_costs_add(out, needs->rects[n], needs->cells[n]);
        }
    }
    return STATUS_OK;
}

/* share_kind.cut */
static status cut(const share_state *state, const share_needs *needs, int nparts,
                  void **tree)
{
    render_costs costs = {0};
    render_screen *rectangles = NULL;
    status s = expect_costs(state->scene, needs, &costs);
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

static void take_rectangles(const share_state *state, render_screen *rectangles)
{
    share_screen *screen = state->own;
    app_scene *scene = state->scene;
    render_screen_destroy(&screen->rectangles);
    screen->rectangles = rectangles;
    screen->gather.screen = rectangles;
    scene->camera.window = render_screen_rect(rectangles, scene->rank);
}

/* Lets tiles say what they take. */
static status clock_tiles(const share_state *state)
{
    share_screen *screen = state->own;
    app_scene *scene = state->scene;
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

static status divide(share_state *state, const share_needs *needs)
{
    const app_scene *scene = state->scene;
    void *rectangles = NULL;
    warn_of_idle_ranks(scene);
    status s = cut(state, needs, scene->ranks, &rectangles);
    if (s != STATUS_OK) {
        return s;
    }
    take_rectangles(state, rectangles);
    return scene->config->partition.balance == IO_BALANCE_COST ? clock_tiles(state)
                                                               : STATUS_OK;
}

/* ---- Bricks ------------------------------------------------------------------------ */

/* app_draws: whether some ray of this rank's rectangle may meet the brick. */
static bool draws(const app_scene *scene, int64_t number)
{
    const box3 bounds = grid_brick_bounds(&scene->layout->bricks[number]);
    return render_march_wants(scene->layout, number, &scene->camera, scene->part.box) &&
           !pixel_rect_is_empty(render_camera_footprint(&scene->camera, bounds));
}

static const void *find_tree(const share_state *state)
{
    const share_screen *screen = state->own;
    return screen->rectangles;
}

/* share_kind.part_draws */
static bool part_draws(const share_state *state, const share_needs *needs,
                       const void *tree, int part, int64_t number)
{
    (void)state;
    return !pixel_rect_is_empty(
        march_rect_intersect(needs->rects[number], render_screen_rect(tree, part)));
}

/* ---- Correction -------------------------------------------------------------------- */

/* What fragments of the last picture's layers took in a tile. */
static double weigh_fragments(const app_layers *layers, int64_t tile)
{
    double cost = 0.0;
    for (int n = 0; n < layers->count; n++) {
        cost += app_layer_cost(&layers->items[n], tile);
    }
    return cost;
}

/* What the tiles of all ranks took in the last picture: seconds that were counted tile by
 * tile, and shares of those that were not. */
typedef struct tile_loads {
    int64_t tiles;
    double *seconds, *shares; /* [tiles] */
    double rest;              /* seconds that no tile has counted */
} tile_loads;

/* Seconds that are not of a single tile are of fragments. With a volume alone they are
 * what every rank takes to set up, which no rectangle changes. */
static void find_loads(const share_state *state, tile_loads *loads)
{
    const share_screen *screen = state->own;
    const app_scene *scene = state->scene;
    const app_share_took *took = &state->took;
    const bool has_volume = scene->volume.scene != NULL;
    const double of_tile = has_volume ? 0.0 : 8.0; /* in fragments: what is left empty */
    const pixel_rect all = {0, 0, scene->camera.width, scene->camera.height};
    for (int64_t tile = 0; tile < loads->tiles; tile++) {
        const double cost = weigh_fragments(state->layers, tile);
        loads->seconds[tile] = screen->measured.tile[tile];
        loads->shares[tile] = cost + (cost > 0.0 ? of_tile : 0.0);
    }
    /* The first picture of a view takes longer than the next ones. */
    loads->rest =
        took->is_settled || !has_volume
            ? fmax(took->render_seconds - render_costs_sum(&screen->measured, all), 0.0)
            : 0.0;
}

/*
 * Brings what all ranks have measured into the average: how long a rank takes varies with
 * what else its node does. For that reason, too, fragments count the same on all ranks.
 * Collective. Errors: STATUS_MEMORY.
 */
static status update_average(const share_state *state)
{
    share_screen *screen = state->own;
    const app_scene *scene = state->scene;
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
    const double tile_seconds = 2e-7; /* to make bytes of it, empty or not */
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

/* Whether the new rectangles win more, over the frames that are left, than reading other
 * bricks takes. */
static bool pays(const share_state *state, const render_screen *next, int frames_left)
{
    const share_screen *screen = state->own;
    const double least_gain = 0.05; /* less is noise */
    const double now = render_screen_most(screen->rectangles, &screen->average);
    const double then = render_screen_most(next, &screen->average);
    return then < (1.0 - least_gain) * now &&
           (now - then) / state->scene->mean_threads * frames_left >
               share_loads_move_seconds(state);
}

/* Takes other rectangles, if that pays. Collective. */
static status try_rectangles(const share_state *state, int frames_left, bool *moved)
{
    const share_screen *screen = state->own;
    const app_scene *scene = state->scene;
    render_screen *next = NULL;
    status s = parallel_agree(
        scene->comm, render_screen_create(&screen->average, scene->ranks, &next));
    bool fit = false;
    if (s == STATUS_OK && pays(state, next, frames_left)) {
        s = share_memory_fit(state, next, &fit);
    }
    if (s == STATUS_OK && fit) {
        take_rectangles(state, next);
        next = NULL;
        *moved = true;
    }
    render_screen_destroy(&next);
    return s;
}

/* Rectangles settle within the first frames; later on it is enough to look now and then.
 */
static bool is_time(const app_share_took *took)
{
    return took->drawn > 0 && (took->drawn <= 4 || took->drawn % 4 == 0);
}

/* share_kind.correct */
static status correct(share_state *state, int frames_left, bool *moved)
{
    share_screen *screen = state->own;
    const bool looks = is_time(&state->took);
    if (!screen->follows) {
        return STATUS_OK;
    }
    share_loads_note(state, looks);
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

/* share_kind.may_narrow */
static bool may_narrow(const share_state *state)
{
    (void)state;
    return false;
}

/* share_kind.put_together: pixels become bytes on the way, with what is written over
 * them. */
static status put_together(share_state *state, status rendered,
                           const app_share_drawn *drawn, app_share_result *out)
{
    share_screen *screen = state->own;
    const status s = rendered == STATUS_OK
                         ? app_picture_annotate(state->picture, drawn->step)
                         : rendered;
    return share_gather_picture(&screen->gather, s, &out->counters);
}

/* share_kind.pieces */
static status pieces(share_state *state, const app_share_drawn *drawn, io_png_share *out)
{
    share_screen *screen = state->own;
    const app_picture *picture = state->picture;
    const bool has_floats = state->scene->config->output.floats != NULL;
    (void)drawn;
    screen->range = has_floats ? (io_png_range){0, image_pixel_count(picture->img)}
                               : share_gather_range(&screen->gather);
    out->ranges = &screen->range;
    out->count = has_floats ? state->scene->rank == 0 : screen->range.npix > 0;
    out->pixels = has_floats ? app_picture_pixels : share_gather_pixels;
    out->context = has_floats ? (const void *)picture : (const void *)&screen->gather;
    return STATUS_OK;
}

static void rest(share_state *state)
{
    share_screen *screen = state->own;
    screen->gather.window_before = (pixel_rect){0, 0, 0, 0};
}

const share_kind share_screen_kind = {.size = sizeof(share_screen),
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
                                      .may_narrow = may_narrow,
                                      .put_together = put_together,
                                      .pieces = pieces,
                                      .rest = rest};
