/*
 * Particles in situ: they move with each step of a program, whether a picture is drawn or
 * not, and go on after changes and restarts.
 *
 *   test_insitu_particles DATA.h5 OUT_FOLDER
 *
 * The data set is played (player.h). Its particles are compared with those that the file
 * gives when its steps are traced one after the other.
 */
#include "base/parallel/parallel.h"
#include "live_particles.h"
#include "support/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOVED "[{points: [[-1.5, 0.5, 2], [-1.5, -0.5, 2]]}]"

/* ---- Like the file ----------------------------------------------------------------- */

/* `every`: a picture is drawn so often; `changes`: the camera moves meanwhile. */
static void test_like_file(const char *name, const char *layer, int every, bool changes)
{
    player *p = player_open(t.data, 5);
    karman_session *session = open_session(name, layer, every);
    filed file = {0};
    open_filed(layer_of(session, 0), config_of(session)->data.terms, &file);
    player_describe(p, session);
    for (int step = 0; step < player_steps(p); step++) {
        play(p, session, step);
        step_filed(&file, step);
        expect(same_lines(swarm_of(session, 0), file.swarm, false), name);
        if (changes) {
            expect(change_picture(session, "camera.fov", step % 2 ? "40" : "50") ==
                       STATUS_OK,
                   "another view");
        }
    }
    const trace_counts live = frame_particles_count(session->particles);
    const trace_counts filed_counts = frame_swarm_count(file.swarm);
    expect(live.moving == filed_counts.moving && live.ended == filed_counts.ended &&
               live.moving > 0,
           "numbers of particles");
    close_filed(&file);
    expect(karman_close(&session) == KARMAN_DONE, "closing");
    player_close(&p);
}

/* ---- Seeds ------------------------------------------------------------------------- */

static const char *const bad_seeds[] = {
    "[{points: [[1, 2]]}]",
    "[{line: [[0, 0, 0]], count: 3}]",
    "[{box: 5}]",
    "{}",
    "[{points: [[.nan, 0, 0]]}]",
    "[{line: [[0, 0, 0], [1, 1, 1]], count: 100000000}]",
    "[{line: [[0, 0, 0], [1, 1, 1]]}]",
    "[{points: [[0, 0, 0]], line: [[0, 0, 0], [1, 0, 0]], count: 2}]",
    "[{points: [[0, 0, 0]], colour: red}]",
    "[[[[[[[[[[",
    "text",
};

/* Orders that are refused change nothing. */
static void test_bad_seeds(karman_session *session)
{
    const trace_counts before = frame_particles_count(session->particles);
    for (size_t n = 0; n < sizeof bad_seeds / sizeof bad_seeds[0]; n++) {
        expect(change_picture(session, "layers.0.particles.seeds", bad_seeds[n]) ==
                   STATUS_USAGE,
               bad_seeds[n]);
    }
    base_fail_set_message("");
    const trace_counts after = frame_particles_count(session->particles);
    expect(before.moving == after.moving, "refused orders leave particles alone");
}

static int64_t set_seeds(karman_session *session, player *p, int step, const char *seeds)
{
    expect(change_picture(session, "layers.0.particles.seeds", seeds) == STATUS_OK,
           seeds);
    /* As in halt: the step in the arrays is drawn again. */
    expect(insitu_steer_redraw(session, player_cycle(p, step), player_time(p, step)) ==
               STATUS_OK,
           "drawing again");
    return frame_particles_count(session->particles).moving;
}

static void test_seeds(void)
{
    player *p = player_open(t.data, 6);
    karman_session *session = open_session("seeds", STREAKS, 1000);
    player_describe(p, session);
    play(p, session, 0);
    const int64_t first = frame_particles_count(session->particles).moving;
    expect(first == 20, "a release of 20 seeds");
    expect(set_seeds(session, p, 0, MOVED) == first + 2, "moved seeds, at once");
    test_bad_seeds(session);
    expect(set_seeds(session, p, 0, "[{points: [[99, 99, 99]]}]") == first + 2,
           "seeds outside of the grid");
    expect(set_seeds(session, p, 0, MOVED) == first + 4, "seeds within it again");
    play(p, session, 1);
    const trace_counts on = frame_particles_count(session->particles);
    expect(on.moving + on.ended == first + 6, "only the last seeds release");
    set_seeds(session, p, 1, "[]");
    play(p, session, 2);
    const trace_counts cleared = frame_particles_count(session->particles);
    expect(cleared.moving + cleared.ended <= first + 6 && cleared.moving > 0,
           "cleared seeds release nothing, and particles go on");
    const int64_t before = cleared.moving;
    expect(set_seeds(session, p, 2, "[{block: cylinder, points: [[4, 5, 2]]}]") ==
               before + 1,
           "seeds at i, j, k");
    expect(karman_close(&session) == KARMAN_DONE, "closing");
    player_close(&p);
}

/* ---- Uniform flow ------------------------------------------------------------------ */

enum { N = 9 };

typedef struct duct {
    double x[N][N][N], y[N][N][N], z[N][N][N], u[3][N][N][N];
} duct;

/* A box of N by N by (N - 1) ranks + 1 vertices, each rank's part along k. */
static void describe_duct(karman_session *session, duct *d, const double velocity[3])
{
    static const char *const names[] = {"velocity_x", "velocity_y", "velocity_z"};
    const karman_array packed = {.type = KARMAN_FLOAT64};
    for (int at = 0; at < N * N * N; at++) {
        const int i = at % N, j = at / N % N, k = at / (N * N);
        d->x[k][j][i] = i + 0.1 * j;
        d->y[k][j][i] = j;
        d->z[k][j][i] = k + (N - 1) * t.rank;
        for (int c = 0; c < 3; c++) {
            d->u[c][k][j][i] = velocity[c];
        }
    }
    karman_block block = {.name = "duct",
                          .size = {N, N, (N - 1) * t.ranks + 1},
                          .first = {0, 0, (N - 1) * t.rank},
                          .count = {N, N, N},
                          .x = packed,
                          .y = packed,
                          .z = packed};
    block.x.data = d->x;
    block.y.data = d->y;
    block.z.data = d->z;
    expect(karman_set_block(session, 0, &block) == KARMAN_DONE, "a block");
    for (int c = 0; c < 3; c++) {
        karman_array values = packed;
        values.data = d->u[c];
        expect(karman_set_field(session, 0, names[c], KARMAN_VERTEX, &values) ==
                   KARMAN_DONE,
               "a field");
    }
}

static void test_uniform_flow(void)
{
    const double velocity[3] = {0.37, 0.11, 0.23 * t.ranks}, seed[3] = {2.5, 1.25, 0.5};
    duct *d = calloc(1, sizeof *d);
    karman_session *session =
        open_session("uniform",
                     "{particles: {mode: path, trail: 0, seeds: [{points: [[2.5, 1.25, "
                     "0.5]]}]}}",
                     1000);
    describe_duct(session, d, velocity);
    double time = 0.0;
    int64_t first;
    for (int step = 0; step < 12; step++) {
        expect(karman_render(session, step, time) == KARMAN_DONE, "a step");
        frame_swarm *swarm = swarm_of(session, 0);
        expect(frame_swarm_collect(swarm) == STATUS_OK, "its line");
        const trace_lines *lines = frame_swarm_lines(swarm, 0, &first);
        expect(lines && lines->npoints == 1, "one particle");
        for (int c = 0; lines && lines->npoints == 1 && c < 3; c++) {
            const double x =
                (double)lines->points[0].x[c] + session->particles->layout->origin.v[c];
            expect(fabs(x - seed[c] - velocity[c] * time) <= 1e-5, "a position");
        }
        time += 0.5 + 0.1 * (step % 3);
    }
    /* It leaves the duct, and is counted. */
    for (int step = 12; step < 40; step++, time += 1.0) {
        karman_render(session, step, time);
    }
    const trace_counts counts = frame_particles_count(session->particles);
    expect(counts.moving == 0 && counts.ended == 1, "it ends at the outflow");
    expect(karman_close(&session) == KARMAN_DONE, "closing");
    if (t.rank == 0) {
        char path[1024];
        size_t size = 0;
        snprintf(path, sizeof path, "%s/uniform-%d/monitors.jsonl", t.folder, t.ranks);
        char *text = (char *)test_file_read(path, &size);
        expect(strstr(text, "\"particles\"") && strstr(text, "\"particles_ended\""),
               "monitors count particles");
        free(text);
    }
    free(d);
}

/* The grid is described anew, and the time goes back: particles go on, or set out
 * anew. */
static void test_new_grid(void)
{
    const double velocity[3] = {0.25, 0.0, 0.0};
    duct *d = calloc(1, sizeof *d);
    karman_session *session = open_session(
        "grid", "{particles: {mode: streak, seeds: [{points: [[1.5, 1.25, 0.5]]}]}}",
        1000);
    describe_duct(session, d, velocity);
    karman_render(session, 0, 0.0);
    karman_render(session, 1, 1.0);
    describe_duct(session, d, velocity);
    expect(karman_render(session, 2, 2.0) == KARMAN_DONE, "another grid");
    expect(frame_particles_count(session->particles).moving == 3, "particles go on");
    expect(karman_render(session, 2, 2.0) == KARMAN_DONE, "the same step again");
    expect(frame_particles_count(session->particles).moving == 3, "no step, no release");
    expect(karman_render(session, 1, 1.0) == KARMAN_DONE, "back in time");
    expect(frame_particles_count(session->particles).moving == 1, "they set out anew");
    expect(karman_close(&session) == KARMAN_DONE, "closing");
    free(d);
}

/* Fields that nobody has, and times that are none: other pictures are drawn. */
static void test_failures(void)
{
    const double velocity[3] = {0.25, 0.0, 0.0};
    duct *d = calloc(1, sizeof *d);
    karman_session *session =
        open_session("failures",
                     "{particles: {mode: path, velocity: [a, b, c], seeds: [{points: "
                     "[[1.5, 1.25, 0.5]]}]}}",
                     1);
    describe_duct(session, d, velocity);
    for (int step = 0; step < 3; step++) {
        expect(karman_render(session, step, step) == KARMAN_FAILED, "no such fields");
    }
    expect(karman_close(&session) == KARMAN_DONE, "closing");
    session = open_session("failures",
                           "{outline: {}}, {particles: {mode: path, seeds: [{points: "
                           "[[1.5, 1.25, 0.5]]}]}}",
                           1000);
    describe_duct(session, d, velocity);
    expect(karman_render(session, 1, NAN) == KARMAN_FAILED, "a time that is none");
    expect(karman_render(session, 2, 1.0) == KARMAN_DONE, "a time");
    expect(frame_particles_count(session->particles).moving == 1, "a particle");
    expect(karman_save(session, 2, 1.0) == KARMAN_DONE, "saving");
    expect(karman_close(&session) == KARMAN_DONE, "closing");
    expect(karman_save(session, 2, 1.0) == KARMAN_OFF &&
               karman_restore(session, 2, 1.0) == KARMAN_OFF,
           "without a session");
    free(d);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (argc != 3) {
        fprintf(stderr, "usage: test_insitu_particles DATA.h5 OUT_FOLDER\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    t.data = argv[1];
    t.folder = argv[2];
    t.rank = parallel_rank(MPI_COMM_WORLD);
    t.ranks = parallel_size(MPI_COMM_WORLD);
    test_like_file("unseen", PATHS, 1000, false);
    test_like_file("viewed", PATHS, 1, true);
    test_like_file("streaks", STREAKS ", {outline: {}}", 2, true);
    test_seeds();
    test_saved_particles();
    test_uniform_flow();
    test_new_grid();
    test_failures();
    int all = 0;
    parallel_allreduce(&t.failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (t.rank == 0) {
        printf("particles in situ on %d ranks: %d failures\n", t.ranks, all);
    }
    MPI_Finalize();
    return all > 0;
}
