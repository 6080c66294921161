/*
 * What a stable view saves: the layers of a config (contours, objects, isosurfaces)
 * rendered with a new view in every frame, and with the same view and new data.
 *
 *   mpiexec -n N bench_stable CONFIG [ROUNDS]
 *
 * The two kinds of frames alternate, so that a machine that drifts does so for both.
 * Prints medians over ROUNDS (20) of the time that rendering takes on the slowest rank,
 * and of the whole frame but for the file: load, render, composite.
 */
#include "base/parallel/parallel.h"
#include "base/system.h"
#include "frame/distribution/box.h"
#include "frame/job.h"
#include "frame/job_state.h"
#include "frame/layers/layers.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_ROUNDS = 1000 };

typedef struct bench_times {
    double render[MOST_ROUNDS], frame[MOST_ROUNDS];
} bench_times;

static void fail_on(status s)
{
    if (s != STATUS_OK) {
        fprintf(stderr, "bench_stable: %s\n", base_fail_message());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* Seconds on the slowest rank. */
static double slowest(MPI_Comm comm, double seconds)
{
    double most = 0.0;
    parallel_allreduce(&seconds, &most, 1, MPI_DOUBLE, MPI_MAX, comm);
    return most;
}

/* One frame without its file. */
static void draw(frame_job *job, int step, double *render, double *frame)
{
    distribution_box *box = job->distribution->own;
    MPI_Barrier(job->scene.comm);
    const double begin = base_clock();
    fail_on(frame_layers_load(&job->scene, &job->layers,
                              job->scene.steps[step % job->scene.nsteps]));
    const double loaded = base_clock();
    render_counters counters = {0};
    image_clear(job->picture.img);
    const draw_request request = frame_scene_request(&job->scene);
    fail_on(frame_layers_draw(&job->scene, &request, &job->layers, &counters));
    render_style style = job->scene.style;
    style.nlayers = job->layers.count;
    style.layers = job->layers.fragments;
    fail_on(render_stack_draw(job->stack, &style, &request.camera, request.box,
                              job->scene.threads, job->picture.img));
    const double drawn = base_clock();
    const composite_request wanted = {.algorithm = job->picture.algorithm,
                                      .params = job->picture.params,
                                      .order = box->order,
                                      .target = COMPOSITE_PIECES};
    composite_result composited = {0};
    grid_partition_order(box->tree, render_camera_order_point(&job->scene.camera),
                         !job->scene.camera.orthographic, box->order);
    fail_on(composite_execute(job->picture.executor, &wanted, job->picture.img, STATUS_OK,
                              &composited));
    *render = slowest(job->scene.comm, drawn - loaded);
    *frame = slowest(job->scene.comm, base_clock() - begin);
}

/* Moves the camera by a thousandth of a pixel: what is seen stays the same. */
static void nudge(frame_job *job, int round)
{
    const double pixel = 2.0 * job->scene.camera.scale / job->scene.camera.height;
    job->scene.camera.eye =
        vec3_add(job->scene.camera.eye,
                 vec3_scale(job->scene.camera.right, (round % 2 ? 1e-3 : -1e-3) * pixel));
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[count / 2];
}

static void measure(frame_job *job, int rounds)
{
    static bench_times moved, stable;
    double render, frame;
    for (int n = 0; n < rounds; n++) {
        nudge(job, n);
        draw(job, 2 * n, &moved.render[n], &moved.frame[n]);
        draw(job, 2 * n + 1, &stable.render[n], &stable.frame[n]);
        if (n == 0) { /* warming up: once more */
            draw(job, 1, &render, &frame);
        }
    }
    if (job->scene.rank == 0) {
        const double a = median(moved.render, rounds), b = median(stable.render, rounds);
        const double c = median(moved.frame, rounds), d = median(stable.frame, rounds);
        printf("%d ranks, %d threads, %d rounds\n", job->scene.ranks, job->scene.threads,
               rounds);
        printf("render: new view %.2f ms, stable view %.2f ms, gain %.2f\n", 1e3 * a,
               1e3 * b, a / b);
        printf("load, render, composite: new view %.2f ms, stable view %.2f ms, gain "
               "%.2f\n",
               1e3 * c, 1e3 * d, c / d);
    }
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    const int rounds = argc > 2 ? atoi(argv[2]) : 20;
    if (argc < 2 || rounds < 1 || rounds > MOST_ROUNDS) {
        fprintf(stderr, "usage: bench_stable CONFIG [ROUNDS, 1 to %d]\n", MOST_ROUNDS);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    frame_job *job = NULL;
    const frame_job_options options = {0};
    fail_on(frame_job_create(MPI_COMM_WORLD, argv[1], &options, &job));
    if (!job->stack) {
        fprintf(stderr, "bench_stable: %s draws a volume, too: leave it out\n", argv[1]);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    measure(job, rounds);
    frame_job_destroy(&job);
    MPI_Finalize();
    return 0;
}
