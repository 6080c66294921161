/*
 * The cost of moving boxes is known after the first move.
 *
 *   test_box_balancer DATA OUT_FOLDER
 *
 * Renders a series with boxes by cost. It pretends that one rank takes much longer than
 * the others, so that boxes move once, and that loads take certain times. The balancer
 * must count the load after the move as one of a move, and the next one as a load of
 * fields only, however often it looks at the boxes.
 */
#include "base/parallel/parallel.h"
#include "frame/distribution/box.h"
#include "frame/job.h"
#include "frame/job_state.h"
#include "support/file.h"

#include <stdio.h>
#include <stdlib.h>

static const double first_load = 9.0, moving_load = 5.0, field_load = 1.0; /* seconds */

static void stop(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, base_fail_message());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void write_config(const char *path, const char *data)
{
    test_file_write(path,
                    "data: {file: '%s', steps: all}\n"
                    "image: {width: 120, height: 90}\n"
                    "camera: {position: [0, -28, 13], look_at: [5, 0, 1.5], fov: 40}\n"
                    "layers:\n"
                    "  - contour: {field: pressure, k: 0.5, levels: 8}\n"
                    "partition: {kind: object, balance: cost}\n"
                    "output: {frames: loads_%%04d.png}\n",
                    data);
}

/* Makes the last picture and its load look as if they had taken so long. */
static void pretend(frame_job *job, double draw_seconds, double load_seconds)
{
    distribution_box *box = job->distribution->own;
    job->times.draw_seconds = draw_seconds;
    job->times.load_seconds = load_seconds;
    box->least_seconds = draw_seconds;
    box->wanted = 1; /* settled pictures, before boxes are looked at */
}

static void draw(frame_job *job, int frame)
{
    frame_result done;
    if (frame_job_render(job, frame, &done) != STATUS_OK) {
        stop("a frame");
    }
}

static bool expect(const char *what, double expected, double actual)
{
    if (expected != actual) {
        fprintf(stderr, "%s: expected %g, actual %g\n", what, expected, actual);
    }
    return expected == actual;
}

static bool loads_are_noted(frame_job *job)
{
    const distribution_box *box = job->distribution->own;
    const distribution_loads *loads = &job->distribution->loads;
    const double seconds = job->scene.rank == 0 ? 1000.0 : 1.0;
    draw(job, 0);
    pretend(job, seconds, first_load);
    draw(job, 1);
    bool right =
        expect("moves", 1, box->moves) &&
        expect("the first load", first_load, loads->move_seconds[0]) &&
        expect("whether bricks were exchanged", 1, job->scene.part.is_exchanging);
    pretend(job, 1.0, moving_load);
    draw(job, 2);
    right = right && expect("the load of a move", moving_load, loads->move_seconds[1]);
    pretend(job, 1.0, field_load);
    draw(job, 3);
    return right && expect("a load of fields", field_load, loads->field_seconds) &&
           expect("moves at last", 1, box->moves) &&
           expect("the load of a move at last", moving_load, loads->move_seconds[1]);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    const int rank = parallel_rank(MPI_COMM_WORLD), ranks = parallel_size(MPI_COMM_WORLD);
    char config[1000], set[1100];
    if (argc != 3) {
        fprintf(stderr, "usage: test_box_balancer DATA OUT_FOLDER\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    snprintf(config, sizeof config, "%s/loads-%d.yaml", argv[2], ranks);
    snprintf(set, sizeof set, "output.frames=%s/loads-%d_%%04d.png", argv[2], ranks);
    if (rank == 0) {
        write_config(config, argv[1]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const char *overrides[] = {set};
    frame_job_options options = {.threads = 1, .noverrides = 1, .overrides = overrides};
    frame_job *job = NULL;
    if (frame_job_create(MPI_COMM_WORLD, config, &options, &job) != STATUS_OK) {
        stop("a job");
    }
    const int mine = loads_are_noted(job);
    int all;
    if (frame_job_finish(job) != STATUS_OK) {
        stop("the pictures");
    }
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    frame_job_destroy(&job);
    MPI_Finalize();
    return all ? 0 : 1;
}
