#include "space.h"

#include "base/parallel/parallel.h"
#include "grid/cutter.h"
#include "points.h"
#include "share.h"

#include <stdlib.h>

/* After so many moves boxes stay: what is left does not come from where they are. But a
 * flow changes: a move is forgotten after so many pictures. */
enum { MOST_MOVES = 8, PICTURES_PER_MOVE = 100 };

/* ---- Measuring --------------------------------------------------------------------- */

/* Begins to measure anew: the shorter pictures take, the more of them, as what disturbs
 * one lasts for milliseconds. The same number on every rank. */
static void measure_anew(app_job *job, double mean_seconds)
{
    const double enough = 0.1; /* seconds */
    enum { FEWEST = 3, MOST = 16 };
    job->least_seconds = INFINITY;
    job->pictures = 0;
    job->wanted = (int)fmin(fmax(ceil(enough / fmax(mean_seconds, 1e-9)), FEWEST), MOST);
}

void app_space_note(app_job *job)
{
    if (job->is_settled) {
        job->least_seconds = fmin(job->least_seconds, job->draw_seconds);
        job->pictures++;
    }
    if (job->moves > 0 && job->drawn % PICTURES_PER_MOVE == 0) {
        job->moves--;
    }
}

bool app_space_is_measured(const app_job *job)
{
    return job->drawn == 1 || (job->drawn > 1 && job->pictures >= job->wanted);
}

/* ---- Before the first picture ------------------------------------------------------ */

static double pixels_of(pixel_rect rect)
{
    return pixel_rect_is_empty(rect)
               ? 0.0
               : (double)(rect.x1 - rect.x0) * (double)(rect.y1 - rect.y0);
}

static void take_space(app_job *job, grid_partition *space)
{
    if (job->space != job->partition) {
        grid_partition_destroy(&job->space);
    }
    job->space = space;
    job->box = grid_partition_box(space, job->rank);
}

status app_space_divide(app_job *job, const app_needs *needs)
{
    const size_t bytes = ((size_t)needs->nbricks + 1) * sizeof *job->weights;
    job->cost_factor = 1.0;
    measure_anew(job, 0.0);
    job->weights = malloc(bytes);
    if (!job->weights) {
        return base_fail_memory(bytes, "the costs of bricks");
    }
    /* Rays through a brick times the cells that each meets there. What is not seen costs
     * next to nothing, but somebody has to have it. */
    for (int64_t n = 0; n < needs->nbricks; n++) {
        job->weights[n] = pixels_of(needs->rects[n]) * needs->cells[n] + 1e-3;
    }
    grid_partition *space = NULL;
    status s =
        grid_partition_create_weighted(job->layout, job->ranks, job->weights, &space);
    if (s == STATUS_OK) {
        take_space(job, space);
    }
    return s;
}

void app_space_destroy(app_job *job)
{
    if (job->space != job->partition) {
        grid_partition_destroy(&job->space);
    }
    job->space = NULL;
    free(job->weights);
    job->weights = NULL;
}

/* ---- Afterwards -------------------------------------------------------------------- */

/* Seconds that drawing and compositing took, of one rank or all together. */
typedef struct space_load {
    double mine, all;
} space_load;

static space_load find_load(const app_job *job)
{
    const bool is_measured = isfinite(job->least_seconds);
    space_load load = {.mine = is_measured ? job->least_seconds : job->draw_seconds};
    parallel_allreduce(&load.mine, &load.all, 1, MPI_DOUBLE, MPI_SUM, job->comm);
    return load;
}

/*
 * Corrects how much longer this rank takes for its points than others do, by the clock:
 * a third of the way at first and then as an average of all times, as how long a rank
 * takes varies with what else its node does. That can only make it longer: so the fastest
 * of some pictures counts. Boxes move little from one time to the next, so that a factor
 * stays of use; what is drawn may change, so that the last times always count for
 * something. The first picture of a view takes more than the next ones, and does not
 * count.
 */
static void correct_factor(app_job *job, const app_points *points, const space_load *load)
{
    const double most_trust = fmax(1.0 / (3.0 + 0.5 * job->corrections), 0.15);
    const double noise = 5e-3; /* seconds */
    double all_points = 0.0;
    parallel_allreduce(&points->sum, &all_points, 1, MPI_DOUBLE, MPI_SUM, job->comm);
    if (isfinite(job->least_seconds) && points->sum > 0.0 && load->all > 0.0) {
        const double ratio = (load->mine / points->sum) / (load->all / all_points);
        const double seconds = job->pictures * load->mine;
        const double trust = most_trust * seconds / (seconds + noise);
        job->cost_factor += trust * (fmin(fmax(ratio, 0.25), 4.0) - job->cost_factor);
        job->corrections++;
    }
}

/* Cuts space where the points of all ranks are. Collective. Errors: STATUS_MEMORY. */
static status cut_points(const app_job *job, const app_points *points,
                         grid_partition **out)
{
    grid_cutter *cutter = NULL;
    const render_camera *camera = &job->camera;
    const grid_sight sight = {render_camera_order_point(camera), !camera->orthographic,
                              2.0 * camera->scale / camera->height};
    status s = grid_cutter_create(job->layout->bounds, job->ranks, &sight, &cutter);
    s = parallel_agree(job->comm, s);
    int count;
    while (s == STATUS_OK && (count = grid_cutter_begin(cutter)) > 0) {
        double *mine = calloc(2 * (size_t)count, sizeof *mine), *all = mine + count;
        s = mine ? STATUS_OK : base_fail_memory((size_t)count * 16, "histograms of work");
        s = parallel_agree(job->comm, s);
        for (int64_t n = 0; s == STATUS_OK && n < points->count; n++) {
            const app_point *p = &points->items[n];
            grid_cutter_add(
                cutter, vec3_make((double)p->at[0], (double)p->at[1], (double)p->at[2]),
                job->cost_factor * (double)p->weight, mine);
        }
        if (s == STATUS_OK) {
            parallel_allreduce(mine, all, count, MPI_DOUBLE, MPI_SUM, job->comm);
            grid_cutter_cut(cutter, all);
        }
        free(mine);
    }
    if (s != STATUS_OK) {
        grid_cutter_destroy(&cutter);
        return s;
    }
    grid_cutter_finish(&cutter, out);
    return STATUS_OK;
}

/* Whether boxes of equal cost win more, over the frames that are left, than reading other
 * bricks takes. The same on every rank. */
static bool pays(const app_job *job, const app_points *points, double all_seconds,
                 int frames_left)
{
    const double least_gain = 0.05; /* less is noise */
    const double mine = job->cost_factor * points->sum;
    double most = 0.0, sum = 0.0;
    parallel_allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, job->comm);
    parallel_allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, job->comm);
    const double mean = sum / job->ranks;
    const double per_weight = sum > 0.0 ? all_seconds / sum : 0.0;
    return job->moves < MOST_MOVES && mean < (1.0 - least_gain) * most &&
           (most - mean) * per_weight / job->mean_threads * frames_left >
               app_share_move_seconds(job);
}

status app_space_correct(app_job *job, int frames_left, bool *moved)
{
    app_points points = {0};
    status s = parallel_agree(job->comm, app_points_find(job, &points));
    if (s != STATUS_OK) {
        return s;
    }
    const space_load load = find_load(job);
    correct_factor(job, &points, &load);
    measure_anew(job, load.all / job->ranks);
    grid_partition *space = NULL;
    if (pays(job, &points, load.all, frames_left)) {
        s = cut_points(job, &points, &space);
    }
    if (space) {
        take_space(job, space);
        job->moves++;
        *moved = true;
    }
    app_points_clear(&points);
    return s;
}
