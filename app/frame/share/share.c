#include "share.h"

#include "app/frame/job_state.h"
#include "app/frame/layers/layers.h"
#include "base/log.h"
#include "base/parallel/parallel.h"
#include "needs.h"
#include "render/cells/march.h"
#include "space.h"

#include <stdlib.h>
#include <string.h>

/* ---- Parts of space ---------------------------------------------------------------- */

status app_share_create(app_job *job)
{
    status s = grid_partition_create(job->layout, job->ranks, &job->partition);
    if (s == STATUS_OK) {
        const bool is_screen = job->config->partition.kind == IO_PARTITION_SCREEN;
        job->home = grid_partition_box(job->partition, job->rank);
        job->box = is_screen ? box3_everything() : job->home;
        job->space = job->partition;
    }
    return parallel_agree(job->comm, s);
}

void app_share_destroy(app_job *job)
{
    free(job->band);
    render_costs_clear(&job->measured);
    render_costs_clear(&job->average);
    render_screen_destroy(&job->screen);
    app_space_destroy(job);
    grid_partition_destroy(&job->partition);
}

/* ---- Parts of the picture ---------------------------------------------------------- */

/* On all ranks alike. */
static void warn_of_idle_ranks(const app_job *job)
{
    const int width = job->camera.width, height = job->camera.height;
    const int64_t most = render_screen_capacity(width, height);
    if (job->ranks > most) {
        base_log_warning("partition: screen: %d of %d ranks draw nothing of %d x %d "
                         "pixels: use fewer ranks, a larger picture or partition: object",
                         job->ranks - (int)most, job->ranks, width, height);
    }
}

static status cut_picture(app_job *job, const app_needs *needs)
{
    warn_of_idle_ranks(job);
    render_costs costs = {0};
    status s = app_needs_costs(job, needs, &costs);
    if (s == STATUS_OK) {
        s = render_screen_create(&costs, job->ranks, &job->screen);
    }
    if (s == STATUS_OK) {
        job->camera.window = render_screen_rect(job->screen, job->rank);
    }
    if (s == STATUS_OK && job->config->partition.balance == IO_BALANCE_COST) {
        s = render_costs_create(job->camera.width, job->camera.height, &job->measured);
        job->style.seconds = job->measured.tile;
    }
    if (s == STATUS_OK && job->style.seconds) {
        s = render_costs_create(job->camera.width, job->camera.height, &job->average);
    }
    render_costs_clear(&costs);
    return s;
}

status app_share_divide(app_job *job)
{
    const bool is_screen = job->config->partition.kind == IO_PARTITION_SCREEN;
    const bool is_weighed =
        !is_screen && job->config->partition.balance == IO_BALANCE_COST;
    if (!is_screen && !is_weighed && job->config->memory == 0) {
        return STATUS_OK;
    }
    app_needs needs = {0};
    status s = app_needs_create(job, &needs);
    if (s == STATUS_OK && is_screen) {
        s = cut_picture(job, &needs);
    } else if (s == STATUS_OK && is_weighed) {
        s = app_space_divide(job, &needs);
    }
    s = parallel_agree(job->comm, s);
    if (s == STATUS_OK && job->config->memory > 0) {
        s = app_needs_check(job, &needs);
    }
    app_needs_clear(&needs);
    return s;
}

/* ---- Bricks ------------------------------------------------------------------------ */

/* Whether some ray of this rank's rectangle may meet the brick. */
static bool is_seen(const app_job *job, int64_t number)
{
    const box3 bounds = grid_brick_bounds(&job->layout->bricks[number]);
    return render_march_wants(job->layout, number, &job->camera, job->box) &&
           !pixel_rect_is_empty(render_camera_footprint(&job->camera, bounds));
}

static bool is_at_home(const app_job *job, int64_t number)
{
    const grid_brick_info *brick = &job->layout->bricks[number];
    return brick->cells > 0 && box3_meets(grid_brick_bounds(brick), job->home);
}

static bool is_in_box(const app_job *job, int64_t number)
{
    const grid_brick_info *brick = &job->layout->bricks[number];
    return brick->cells > 0 && box3_meets(grid_brick_bounds(brick), job->box);
}

typedef bool is_wanted(const app_job *job, int64_t number);

static bool is_drawn(const app_job *job, int64_t number)
{
    return job->screen ? is_seen(job, number) : is_in_box(job, number);
}

static bool is_any(const app_job *job, int64_t number)
{
    return is_at_home(job, number) || is_drawn(job, number);
}

static status list_bricks(const app_job *job, is_wanted *wants, int64_t *count,
                          int64_t **numbers)
{
    const size_t bytes = ((size_t)job->layout->nbricks + 1) * sizeof **numbers;
    int64_t *list = malloc(bytes), found = 0;
    if (!list) {
        return base_fail_memory(bytes, "the bricks of a rank");
    }
    for (int64_t number = 0; number < job->layout->nbricks; number++) {
        if (wants(job, number)) {
            list[found++] = number;
        }
    }
    *count = found;
    *numbers = list;
    return STATUS_OK;
}

status app_share_bricks(const app_job *job, int64_t *count, int64_t **numbers)
{
    return list_bricks(job, is_drawn, count, numbers);
}

status app_share_home_bricks(const app_job *job, int64_t *count, int64_t **numbers)
{
    return list_bricks(job, is_at_home, count, numbers);
}

status app_share_all_bricks(const app_job *job, int64_t *count, int64_t **numbers)
{
    return list_bricks(job, is_any, count, numbers);
}

/* ---- Correction -------------------------------------------------------------------- */

/* What fragments of the last picture's layers took in a tile. */
static double weigh_fragments(const app_job *job, int64_t tile)
{
    double cost = 0.0;
    for (int n = 0; n < job->nlayers; n++) {
        cost += app_layers_cost(job, n, tile);
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
static void find_loads(const app_job *job, tile_loads *loads)
{
    const double of_tile = job->scene ? 0.0 : 8.0; /* in fragments: what is left empty */
    const pixel_rect all = {0, 0, job->camera.width, job->camera.height};
    for (int64_t tile = 0; tile < loads->tiles; tile++) {
        const double cost = weigh_fragments(job, tile);
        loads->seconds[tile] = job->measured.tile[tile];
        loads->shares[tile] = cost + (cost > 0.0 ? of_tile : 0.0);
    }
    /* The first picture of a view takes longer than the next ones. */
    loads->rest =
        job->is_settled || !job->scene
            ? fmax(job->render_seconds - render_costs_sum(&job->measured, all), 0.0)
            : 0.0;
}

/*
 * Brings what all ranks have measured into the average: how long a rank takes varies with
 * what else its node does. For that reason, too, fragments count the same on all ranks.
 * Collective. Errors: STATUS_MEMORY.
 */
static status update_average(app_job *job)
{
    const int64_t tiles = (int64_t)job->average.columns * job->average.rows;
    const size_t count = 2 * (size_t)tiles + 1;
    double *mine = calloc(2 * count, sizeof *mine), *all = mine + count;
    status s = mine ? STATUS_OK : base_fail_memory(2 * count * sizeof *mine, "costs");
    s = parallel_agree(job->comm, s);
    if (s != STATUS_OK) {
        free(mine);
        return s;
    }
    tile_loads loads = {.tiles = tiles, .seconds = mine, .shares = mine + tiles};
    find_loads(job, &loads);
    mine[2 * tiles] = loads.rest;
    parallel_allreduce(mine, all, parallel_count((int64_t)count), MPI_DOUBLE, MPI_SUM,
                       job->comm);
    const double tile_seconds = 2e-7; /* to make bytes of it, empty or not */
    double sum = 0.0;
    for (int64_t n = 0; n < tiles; n++) {
        sum += all[tiles + n];
    }
    const double per_share = sum > 0.0 ? all[2 * tiles] / sum : 0.0;
    for (int64_t n = 0; n < tiles; n++) {
        const double cost = all[n] + per_share * all[tiles + n] + tile_seconds;
        double *average = &job->average.tile[n];
        *average = job->has_average ? 0.5 * (*average + cost) : cost;
    }
    job->has_average = true;
    free(mine);
    return STATUS_OK;
}

bool app_share_stays(const app_job *job)
{
    return !job->screen && !job->weights;
}

bool app_share_exchanges(const app_job *job)
{
    const double read = job->move_seconds[0], exchanged = job->move_seconds[1];
    return job->ranks > 1 && job->config->memory == 0 && exchanged <= read;
}

double app_share_move_seconds(const app_job *job)
{
    const double moved = job->move_seconds[app_share_exchanges(job)];
    const double whole = moved > 0.0 ? moved : job->move_seconds[0];
    /* Not known yet: coordinates are about as much as a field. */
    const double field = job->field_seconds > 0.0 ? job->field_seconds : 0.5 * whole;
    return fmax(whole - field, 0.0);
}

/* Remembers how long the last load took. Collective. */
static void note_load(app_job *job)
{
    double *seconds =
        job->is_settled ? &job->field_seconds : &job->move_seconds[job->is_exchanging];
    parallel_allreduce(&job->load_seconds, seconds, 1, MPI_DOUBLE, MPI_MAX, job->comm);
}

/* Whether the new rectangles win more, over the frames that are left, than reading other
 * bricks takes. */
static bool pays(const app_job *job, const render_screen *next, int frames_left)
{
    const double least_gain = 0.05; /* less is noise */
    const double now = render_screen_most(job->screen, &job->average);
    const double then = render_screen_most(next, &job->average);
    return then < (1.0 - least_gain) * now &&
           (now - then) / job->mean_threads * frames_left > app_share_move_seconds(job);
}

/* Takes other rectangles, if that pays. Collective. */
static status try_rectangles(app_job *job, int frames_left, bool *moved)
{
    render_screen *next = NULL;
    status s =
        parallel_agree(job->comm, render_screen_create(&job->average, job->ranks, &next));
    bool fit = false;
    if (s == STATUS_OK && pays(job, next, frames_left)) {
        s = app_needs_fit(job, next, &fit);
    }
    if (s == STATUS_OK && fit) {
        render_screen_destroy(&job->screen);
        job->screen = next;
        next = NULL;
        job->camera.window = render_screen_rect(job->screen, job->rank);
        *moved = true;
    }
    render_screen_destroy(&next);
    return s;
}

/* Rectangles settle within the first frames; later on it is enough to look now and then.
 */
static bool is_time(const app_job *job)
{
    return job->weights ? app_space_is_measured(job)
                        : job->drawn > 0 && (job->drawn <= 4 || job->drawn % 4 == 0);
}

status app_share_correct(app_job *job, int frames_left, bool *moved)
{
    *moved = false;
    status s = STATUS_OK;
    if (job->weights) {
        app_space_note(job);
    }
    /* After a move at once: that load is the only one of its kind. */
    if ((job->weights || job->style.seconds) && job->drawn > 0 &&
        (is_time(job) || !job->is_settled)) {
        note_load(job);
    }
    if (job->weights && is_time(job)) {
        s = app_space_correct(job, frames_left, moved);
    } else if (job->style.seconds && is_time(job)) {
        s = update_average(job);
        s = s == STATUS_OK ? try_rectangles(job, frames_left, moved) : s;
    }
    if (job->style.seconds) {
        const size_t tiles = (size_t)job->measured.columns * (size_t)job->measured.rows;
        memset(job->measured.tile, 0, tiles * sizeof *job->measured.tile);
    }
    return s;
}
