#include "app/space.h"

#include "base/parallel.h"

#include <stdlib.h>
#include <string.h>

/* After so many times boxes stay: what is left does not come from where they are. */
enum { MOST_MOVES = 6 };

/* Gives every rank a box of about the same weight. */
static status cut_space(app_job *job)
{
    grid_partition *space = NULL;
    status s =
        grid_partition_create_weighted(job->layout, job->ranks, job->weights, &space);
    if (s != STATUS_OK) {
        return s;
    }
    if (job->space != job->partition) {
        grid_partition_destroy(&job->space);
    }
    job->space = space;
    job->box = grid_partition_box(space, job->rank);
    return STATUS_OK;
}

static double pixels_of(pixel_rect rect)
{
    return pixel_rect_is_empty(rect)
               ? 0.0
               : (double)(rect.x1 - rect.x0) * (double)(rect.y1 - rect.y0);
}

status app_space_divide(app_job *job, const app_needs *needs)
{
    const size_t bytes = ((size_t)needs->nbricks + 1) * sizeof *job->weights;
    job->weights = malloc(bytes);
    if (!job->weights) {
        return base_fail_memory(bytes, "the costs of bricks");
    }
    /* Rays through a brick times the cells that each meets there. What is not seen costs
     * next to nothing, but somebody has to have it. */
    for (int64_t n = 0; n < needs->nbricks; n++) {
        job->weights[n] = pixels_of(needs->rects[n]) * needs->cells[n] + 1e-3;
    }
    return cut_space(job);
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

/* Which part of a brick's bounds lies in a box; a flat side counts as a whole. */
static double share_inside(const grid_brick_info *brick, box3 box)
{
    double share = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        const double lo = (double)brick->lo[axis], hi = (double)brick->hi[axis];
        const double inside = fmin(hi, box.hi.v[axis]) - fmax(lo, box.lo.v[axis]);
        if (inside < 0.0 || (hi <= lo && !(lo < box.hi.v[axis]))) {
            return 0.0;
        }
        share *= hi > lo ? inside / (hi - lo) : 1.0;
    }
    return share;
}

/* What the bricks of a rank's box weigh. */
static double weight_of_box(const app_job *job, box3 box)
{
    double sum = 0.0;
    for (int64_t n = 0; n < job->layout->nbricks; n++) {
        const grid_brick_info *brick = &job->layout->bricks[n];
        sum += brick->cells > 0 ? job->weights[n] * share_inside(brick, box) : 0.0;
    }
    return sum;
}

/* Scales weights, so that those of a rank's box add up to what it took. seconds:
 * [ranks]. */
static status scale_weights(app_job *job, const double *seconds)
{
    const int64_t nbricks = job->layout->nbricks;
    const size_t bytes = ((size_t)nbricks + 1) * sizeof(double);
    double *scaled = calloc(1, bytes);
    if (!scaled) {
        return base_fail_memory(bytes, "the costs of bricks");
    }
    for (int rank = 0; rank < job->ranks; rank++) {
        const box3 box = grid_partition_box(job->space, rank);
        const double weight = weight_of_box(job, box);
        const double factor = weight > 0.0 ? seconds[rank] / weight : 0.0;
        for (int64_t n = 0; n < nbricks; n++) {
            const grid_brick_info *brick = &job->layout->bricks[n];
            if (brick->cells > 0) {
                scaled[n] += factor * job->weights[n] * share_inside(brick, box);
            }
        }
    }
    for (int64_t n = 0; n < nbricks; n++) {
        /* Half of the way: how long a rank takes varies with what else its node does. */
        job->weights[n] = 0.5 * (job->weights[n] + fmax(scaled[n], 1e-12));
    }
    free(scaled);
    return STATUS_OK;
}

/* Brings the weights, which are pixels and cells at first, to seconds. */
static void calibrate(app_job *job, double seconds)
{
    double sum = 0.0;
    for (int64_t n = 0; n < job->layout->nbricks; n++) {
        sum += job->layout->bricks[n].cells > 0 ? job->weights[n] : 0.0;
    }
    for (int64_t n = 0; n < job->layout->nbricks && sum > 0.0; n++) {
        job->weights[n] *= seconds / sum;
    }
}

/* Whether boxes of equal cost win more, over the frames that are left, than reading other
 * bricks takes. */
static bool pays(const app_job *job, const double *seconds, double load_seconds,
                 int frames_left)
{
    const double least_gain = 0.1; /* less is noise */
    double most = 0.0, sum = 0.0;
    for (int rank = 0; rank < job->ranks; rank++) {
        most = fmax(most, seconds[rank]);
        sum += seconds[rank];
    }
    const double mean = sum / job->ranks;
    return job->moves < MOST_MOVES && mean < (1.0 - least_gain) * most &&
           (most - mean) / job->threads * frames_left > load_seconds;
}

status app_space_correct(app_job *job, int frames_left, bool *moved)
{
    if (!job->is_settled) {
        return STATUS_OK;
    }
    double load_seconds = 0.0, sum = 0.0;
    double *seconds = malloc((size_t)job->ranks * sizeof *seconds);
    status s = parallel_agree(
        job->comm, seconds ? STATUS_OK
                           : base_fail_memory((size_t)job->ranks * sizeof *seconds,
                                              "the times of ranks"));
    if (s != STATUS_OK) {
        free(seconds);
        return s;
    }
    MPI_Allgather(&job->render_seconds, 1, MPI_DOUBLE, seconds, 1, MPI_DOUBLE, job->comm);
    parallel_allreduce(&job->load_seconds, &load_seconds, 1, MPI_DOUBLE, MPI_MAX,
                       job->comm);
    for (int rank = 0; rank < job->ranks; rank++) {
        sum += seconds[rank];
    }
    calibrate(job, sum);
    if (pays(job, seconds, load_seconds, frames_left)) {
        s = scale_weights(job, seconds);
        s = parallel_agree(job->comm, s == STATUS_OK ? cut_space(job) : s);
        *moved = s == STATUS_OK;
        job->moves += *moved;
    }
    free(seconds);
    return s;
}
