#include "needs.h"

#include "app/frame/layers/layer.h"
#include "base/parallel/parallel.h"
#include "render/cells/march.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Bricks ------------------------------------------------------------------------ */

app_need app_need_march(const grid_layout *layout, int64_t number, int vertex_bytes,
                        bool has_cell_values)
{
    const grid_brick_place place = grid_layout_place(layout, number);
    const int *n = place.n;
    const int64_t vertices = (int64_t)(n[0] + 1) * (n[1] + 1) * (n[2] + 1);
    const int64_t cells = (int64_t)n[0] * n[1] * n[2];
    return (app_need){.cells = (double)(n[0] + n[1] + n[2]) / 3.0,
                      .bytes = vertices * vertex_bytes +
                               (has_cell_values ? APP_CELL_BYTES * cells : 0)};
}

static app_need need_of_volume(const app_job *job, int64_t number)
{
    if (!job->recipe) {
        return (app_need){0};
    }
    return app_need_march(job->layout, number,
                          APP_VERTEX_BYTES + (job->style.shade ? APP_GRADIENT_BYTES : 0),
                          grid_recipe_location(job->recipe) == GRID_CELL);
}

/* What volume and layers do with a brick. */
static app_need need_of_brick(const app_job *job, int64_t number)
{
    app_need sum = need_of_volume(job, number);
    for (int n = 0; n < job->nlayers; n++) {
        const app_layer *layer = &job->layers[n];
        if (layer->kind->need) {
            const app_need more = layer->kind->need(layer, job->layout, number);
            sum.cells += more.cells;
            sum.bytes += more.bytes;
            sum.home_bytes += more.home_bytes;
        }
    }
    return sum;
}

status app_needs_create(const app_job *job, app_needs *out)
{
    const int64_t nbricks = job->layout->nbricks;
    const size_t count = (size_t)nbricks + 1;
    render_camera camera = job->camera;
    camera.window = (pixel_rect){0, 0, camera.width, camera.height};
    app_needs needs = {.nbricks = nbricks,
                       .rects = calloc(count, sizeof *needs.rects),
                       .cells = calloc(count, sizeof *needs.cells),
                       .bytes = calloc(count, sizeof *needs.bytes),
                       .home_bytes = calloc(count, sizeof *needs.home_bytes)};
    if (!needs.rects || !needs.cells || !needs.bytes || !needs.home_bytes) {
        app_needs_clear(&needs);
        return base_fail_memory(count * sizeof *needs.rects, "a list of bricks");
    }
    for (int64_t number = 0; number < nbricks; number++) {
        if (job->layout->bricks[number].cells == 0) {
            continue;
        }
        const app_need need = need_of_brick(job, number);
        needs.cells[number] = need.cells;
        needs.bytes[number] = need.bytes;
        needs.home_bytes[number] = need.home_bytes;
        if (render_march_wants(job->layout, number, &camera, box3_everything())) {
            needs.rects[number] = render_camera_footprint(
                &camera, grid_brick_bounds(&job->layout->bricks[number]));
        }
    }
    *out = needs;
    return STATUS_OK;
}

void app_needs_clear(app_needs *needs)
{
    free(needs->rects);
    free(needs->cells);
    free(needs->bytes);
    free(needs->home_bytes);
    *needs = (app_needs){0};
}

/* ---- Costs ------------------------------------------------------------------------- */

status app_needs_costs(const app_job *job, const app_needs *needs, render_costs *out)
{
    const double ray = 4.0; /* to set one up, in cells */
    status s = render_costs_create(job->camera.width, job->camera.height, out);
    if (s != STATUS_OK) {
        return s;
    }
    render_costs_add(out, (pixel_rect){0, 0, out->width, out->height}, ray);
    if (job->config->partition.balance == IO_BALANCE_COST) {
        for (int64_t n = 0; n < needs->nbricks; n++) {
            render_costs_add(out, needs->rects[n], needs->cells[n]);
        }
    }
    return STATUS_OK;
}

/* ---- Memory ------------------------------------------------------------------------ */

/* Space and picture, cut into so many parts. */
typedef struct division {
    grid_partition *partition;
    grid_partition *space; /* what is drawn; NULL: the same */
    render_screen *screen; /* NULL: parts of space are drawn */
} division;

static void division_clear(division *d)
{
    render_screen_destroy(&d->screen);
    grid_partition_destroy(&d->space);
    grid_partition_destroy(&d->partition);
}

static status divide(const app_job *job, const app_needs *needs, int nparts, division *d)
{
    render_costs costs = {0};
    *d = (division){NULL, NULL, NULL};
    status s = grid_partition_create(job->layout, nparts, &d->partition);
    if (s == STATUS_OK && job->weights) {
        s = grid_partition_create_weighted(job->layout, nparts, job->weights, &d->space);
    }
    if (s == STATUS_OK && job->screen) {
        s = app_needs_costs(job, needs, &costs);
    }
    if (s == STATUS_OK && job->screen) {
        s = render_screen_create(&costs, nparts, &d->screen);
    }
    render_costs_clear(&costs);
    return s;
}

/* What the bricks of a part take. */
static int64_t bytes_of_part(const app_job *job, const app_needs *needs,
                             const division *d, int part)
{
    const box3 home = grid_partition_box(d->partition, part);
    const box3 box = d->space ? grid_partition_box(d->space, part) : home;
    int64_t bytes = 0;
    for (int64_t n = 0; n < needs->nbricks; n++) {
        const grid_brick_info *brick = &job->layout->bricks[n];
        const bool is_home =
            brick->cells > 0 && box3_meets(grid_brick_bounds(brick), home);
        bool is_drawn = brick->cells > 0 && box3_meets(grid_brick_bounds(brick), box);
        if (d->screen) {
            is_drawn = !pixel_rect_is_empty(march_rect_intersect(
                needs->rects[n], render_screen_rect(d->screen, part)));
        }
        bytes += (is_drawn ? needs->bytes[n] : 0) + (is_home ? needs->home_bytes[n] : 0);
    }
    return bytes;
}

/* What the bricks of the part that has most of them take with so many ranks. Local. */
static status most_of_parts(const app_job *job, const app_needs *needs, int nparts,
                            int64_t *most)
{
    division d;
    status s = divide(job, needs, nparts, &d);
    *most = 0;
    for (int part = 0; s == STATUS_OK && part < nparts; part++) {
        const int64_t bytes = bytes_of_part(job, needs, &d, part);
        *most = bytes > *most ? bytes : *most;
    }
    division_clear(&d);
    return s;
}

enum { MOST_RANKS = 4096 };

/* The least number of ranks above job->ranks that would do, as halving finds it; 0 where
 * there is none up to MOST_RANKS. */
static status find_ranks(const app_job *job, const app_needs *needs, int *out)
{
    int few = job->ranks, enough = 0;
    int64_t most = 0;
    status s = STATUS_OK;
    for (int n = 2 * few; s == STATUS_OK && !enough && n <= MOST_RANKS; n *= 2) {
        s = most_of_parts(job, needs, n, &most);
        enough = most <= job->config->memory ? n : 0;
        few = enough ? few : n;
    }
    while (s == STATUS_OK && enough && enough - few > 1) {
        const int middle = few + (enough - few) / 2;
        s = most_of_parts(job, needs, middle, &most);
        *(most <= job->config->memory ? &enough : &few) = middle;
    }
    *out = enough;
    return s;
}

/* "1.25 GiB" */
static const char *write_bytes(int64_t bytes, size_t size, char *text)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
    double count = (double)bytes;
    int unit = 0;
    while (count >= 1024.0 && unit < 5) {
        count /= 1024.0;
        unit++;
    }
    snprintf(text, size, "%.3g %s", count, units[unit]);
    return text;
}

static status fail_memory_limit(const app_job *job, const app_needs *needs, int64_t most)
{
    char taken[32], limit[32];
    int ranks = 0;
    status s = find_ranks(job, needs, &ranks);
    if (s != STATUS_OK) {
        return s;
    }
    write_bytes(most, sizeof taken, taken);
    write_bytes(job->config->memory, sizeof limit, limit);
    if (ranks == 0) {
        return base_fail(STATUS_USAGE,
                         "memory: the bricks of a rank may take %s, more than the limit "
                         "of %s, and no number of ranks up to %d brings that down to it: "
                         "raise the limit",
                         taken, limit, MOST_RANKS);
    }
    return base_fail(STATUS_USAGE,
                     "memory: the bricks of a rank may take %s, more than the limit of "
                     "%s: use about %d ranks, not %d, or raise the limit",
                     taken, limit, ranks, job->ranks);
}

/* What the bricks of the rank that has most of them take. Collective. */
static int64_t most_of_ranks(const app_job *job, const app_needs *needs,
                             render_screen *screen)
{
    const division d = {job->partition, job->weights ? job->space : NULL, screen};
    const int64_t mine = bytes_of_part(job, needs, &d, job->rank);
    int64_t most = 0;
    parallel_allreduce(&mine, &most, 1, MPI_INT64_T, MPI_MAX, job->comm);
    return most;
}

status app_needs_fit(const app_job *job, render_screen *screen, bool *fit)
{
    app_needs needs = {0};
    *fit = true;
    if (job->config->memory == 0) {
        return STATUS_OK;
    }
    status s = parallel_agree(job->comm, app_needs_create(job, &needs));
    if (s == STATUS_OK) {
        *fit = most_of_ranks(job, &needs, screen) <= job->config->memory;
    }
    app_needs_clear(&needs);
    return s;
}

status app_needs_check(const app_job *job, const app_needs *needs)
{
    const int64_t most = most_of_ranks(job, needs, job->screen);
    status s =
        most <= job->config->memory ? STATUS_OK : fail_memory_limit(job, needs, most);
    return parallel_agree(job->comm, s);
}
