/*
 * Rectangles that move from frame to frame change no picture.
 *
 *   test_screen_moves DATA OUT_FOLDER
 *
 * Renders a series with partition: screen. It pretends that first one side of the
 * picture, then the other, takes all the time. So rectangles move and bricks are read
 * again, and every file must have the bytes of one rank's. Rank 1 has more threads than
 * the others; all ranks still decide together to move.
 */
#include "base/parallel/parallel.h"
#include "frame/distribution/screen.h"
#include "frame/job.h"
#include "frame/job_state.h"
#include "support/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void stop(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, base_fail_message());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Each layer except the particles needs other bricks after a move. */
static void write_config(const char *path, const char *data)
{
    test_file_write(
        path,
        "data: {file: '%s', steps: all}\n"
        "image: {width: 200, height: 150}\n"
        "camera: {position: [0, -28, 13], look_at: [5, 0, 1.5], fov: 40}\n"
        "layers:\n"
        "  - volume: {field: vorticity_magnitude, range: auto, unit_length: 3,\n"
        "             opacity: [[0, 0.02], [0.3, 0.4], [1, 0.9]], shade: {}}\n"
        "  - isosurface: {field: q_criterion, value: 0.2, color_by: pressure, "
        "opacity: 0.5}\n"
        "  - object: {j: 0, color_by: pressure}\n"
        "  - contour: {field: pressure, k: 0.5, levels: 8, opacity: 0.5}\n"
        "  - outline: {}\n"
        "  - particles: {seeds: [{line: [[-1.5, -1, 1], [-1.5, 1, 2]], count: 5}], "
        "mode: streak, radius: 0.1}\n"
        "partition: screen\n"
        "output: {frames: moves_%%04d.png}\n",
        data);
}

static frame_job *open_job(MPI_Comm comm, const char *config, const char *frames,
                           int threads)
{
    char set[1100];
    snprintf(set, sizeof set, "output.frames=%s_%%04d.png", frames);
    const char *overrides[] = {set};
    frame_job_options options = {
        .threads = threads, .noverrides = 1, .overrides = overrides};
    frame_job *job = NULL;
    if (frame_job_create(comm, config, &options, &job) != STATUS_OK) {
        stop("a job");
    }
    return job;
}

/* Makes the last picture look as if one side of it had taken a second for each tile. */
static void pretend(frame_job *job, int frame)
{
    const distribution_screen *screen = job->distribution->own;
    const render_costs *measured = &screen->measured;
    double *move_seconds = job->distribution->loads.move_seconds;
    const pixel_rect rect = job->scene.camera.window;
    memset(measured->tile, 0,
           (size_t)(measured->columns * measured->rows) * sizeof *measured->tile);
    for (int y = rect.y0; y < rect.y1; y += RENDER_SCREEN_TILE) {
        for (int x = rect.x0; x < rect.x1; x += RENDER_SCREEN_TILE) {
            const bool is_left = 2 * x < measured->width;
            const int tile =
                y / RENDER_SCREEN_TILE * measured->columns + x / RENDER_SCREEN_TILE;
            measured->tile[tile] = is_left == (frame / 2 % 2 == 0) ? 1.0 : 0.001;
        }
    }
    job->times.render_seconds = 0.0;
    job->times.load_seconds = 0.0;
    if (frame == 2) { /* Moving pays with one thread, but not with four. */
        job->times.is_settled = true;
        move_seconds[0] = move_seconds[1] = 80.0;
    } else {
        move_seconds[0] = move_seconds[1] = 0.0;
    }
}

static bool is_same_rect(pixel_rect a, pixel_rect b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* Draws all frames; returns the number of changes of this rank's rectangle. */
static int draw(frame_job *job, bool pretends)
{
    int moves = 0;
    for (int frame = 0; frame < frame_job_frame_count(job); frame++) {
        const pixel_rect before = job->scene.camera.window;
        frame_result done;
        if (pretends && frame > 0) {
            pretend(job, frame);
        }
        if (frame_job_render(job, frame, &done) != STATUS_OK) {
            stop("a frame");
        }
        moves += !is_same_rect(before, job->scene.camera.window);
    }
    if (frame_job_finish(job) != STATUS_OK) {
        stop("the pictures");
    }
    return moves;
}

static int count_differences(const char *one, const char *other)
{
    const int differs = !test_file_same(one, other);
    if (differs) {
        printf("%s and %s differ\n", one, other);
    }
    return differs;
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    const int rank = parallel_rank(MPI_COMM_WORLD), ranks = parallel_size(MPI_COMM_WORLD);
    char config[1000], alone[1000], together[1000];
    if (argc != 3) {
        fprintf(stderr, "usage: test_screen_moves DATA OUT_FOLDER\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    snprintf(config, sizeof config, "%s/moves-%d.yaml", argv[2], ranks);
    snprintf(alone, sizeof alone, "%s/moves-%d-alone", argv[2], ranks);
    snprintf(together, sizeof together, "%s/moves-%d", argv[2], ranks);
    if (rank == 0) {
        write_config(config, argv[1]);
        frame_job *job = open_job(MPI_COMM_SELF, config, alone, 1);
        draw(job, false);
        frame_job_destroy(&job);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    frame_job *job = open_job(MPI_COMM_WORLD, config, together, rank == 1 ? 4 : 1);
    const int frames = frame_job_frame_count(job), mine = draw(job, true);
    frame_job_destroy(&job);
    int moves = 0, differences = 0;
    MPI_Allreduce(&mine, &moves, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    for (int frame = 0; rank == 0 && frame < frames; frame++) {
        char one[1100], other[1100];
        snprintf(one, sizeof one, "%s_%04d.png", alone, frame);
        snprintf(other, sizeof other, "%s_%04d.png", together, frame);
        differences += count_differences(one, other);
    }
    if (rank == 0) {
        printf("%d ranks, %d frames: rectangles moved %d times, %d pictures differ\n",
               ranks, frames, moves, differences);
    }
    MPI_Bcast(&differences, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return differences == 0 && moves >= 2 && frames >= 5 ? 0 : 1;
}
