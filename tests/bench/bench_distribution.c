/*
 * How evenly ranks share the work: processor seconds of rendering, rank by rank.
 *
 *   mpiexec -n RANKS bench_distribution CONFIG [KEY=VALUE…]
 *
 * Renders the frames of a config with one thread a rank and prints for each of them the
 * mean and the most processor seconds over ranks, and how many bricks a rank holds at
 * most. Processor seconds mean the same with more ranks than cores, so that machines of
 * any number of ranks can be looked at on a small one; what ranks take from each other's
 * caches is in them.
 */
#include "base/parallel/parallel.h"
#include "frame/job.h"
#include "frame/job_state.h"

#include <stdio.h>
#include <stdlib.h>

static void stop(void)
{
    fprintf(stderr, "%s\n", base_fail_message());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static int compare(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* What a frame took, on rank 0: mean and most over ranks. */
static void report_frame(const frame_job *job, double *mean, double *most)
{
    int64_t held = job->scene.volume.store ? job->scene.volume.store->nbricks : 0,
            most_held = 0;
    parallel_allreduce(&job->times.render_seconds, mean, 1, MPI_DOUBLE, MPI_SUM,
                       job->scene.comm);
    parallel_allreduce(&job->times.render_seconds, most, 1, MPI_DOUBLE, MPI_MAX,
                       job->scene.comm);
    parallel_allreduce(&held, &most_held, 1, MPI_INT64_T, MPI_MAX, job->scene.comm);
    *mean /= job->scene.ranks;
    if (job->scene.rank == 0) {
        printf("  mean %.5f s, most %.5f s, most over mean %.3f; %lld bricks at most\n",
               *mean, *most, *most / *mean, (long long)most_held);
    }
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (argc < 2) {
        fprintf(stderr, "usage: bench_distribution CONFIG [KEY=VALUE…]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const frame_job_options options = {
        .threads = 1, .noverrides = argc - 2, .overrides = (const char *const *)argv + 2};
    frame_job *job = NULL;
    if (frame_job_create(MPI_COMM_WORLD, argv[1], &options, &job) != STATUS_OK) {
        stop();
    }
    const int frames = frame_job_frame_count(job);
    double *means = calloc((size_t)frames, sizeof *means);
    double *mosts = calloc((size_t)frames, sizeof *mosts);
    for (int frame = 0; means && mosts && frame < frames; frame++) {
        frame_result done;
        if (frame_job_render(job, frame, &done) != STATUS_OK) {
            stop();
        }
        report_frame(job, &means[frame], &mosts[frame]);
    }
    if (frame_job_finish(job) != STATUS_OK || !means || !mosts) {
        stop();
    }
    if (job->scene.rank == 0) {
        qsort(means, (size_t)frames, sizeof *means, compare);
        qsort(mosts, (size_t)frames, sizeof *mosts, compare);
        printf("%d ranks, %d frames: median mean %.5f s, median most %.5f s\n",
               job->scene.ranks, frames, means[frames / 2], mosts[frames / 2]);
    }
    free(means);
    free(mosts);
    frame_job_destroy(&job);
    MPI_Finalize();
    return 0;
}
