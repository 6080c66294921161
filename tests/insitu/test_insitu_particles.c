/*
 * Particles in situ: they move with each step of a program, whether a picture is drawn or
 * not, and go on after changes and restarts.
 *
 *   test_insitu_particles DATA.h5 OUT_FOLDER
 *
 * The data set is played (player.h). Its particles are compared with those that the file
 * gives when its steps are traced one after the other.
 */
#include "app/frame/job.h"
#include "app/frame/particles/plan.h"
#include "app/frame/particles/state.h"
#include "app/insitu/insitu.h"
#include "app/insitu/state.h"
#include "base/parallel/parallel.h"
#include "io/load/load.h"
#include "io/state/state.h"
#include "player.h"
#include "support/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATHS                                                                            \
    "{particles: {mode: path, every: 2, trail: 3, color_by: pressure, range: [-1, 1], "  \
    "seeds: [{line: [[-1.5, -1, 1], [-1.5, 1, 3]], count: 9}, {block: cylinder, "        \
    "points: "                                                                           \
    "[[4, 5, 2.5]]}]}}"
#define STREAKS                                                                          \
    "{particles: {mode: streak, seeds: [{plane: [[-1, -1, 1], [-1, 1, 1], [-1, -1, "     \
    "3]], count: [5, 4]}]}}"
#define MOVED "[{points: [[-1.5, 0.5, 2], [-1.5, -0.5, 2]]}]"

static int failures, rank, ranks;
static const char *data, *folder;

static void expect(bool works, const char *what)
{
    if (!works) {
        failures++;
        printf("rank %d of %d: %s (%s)\n", rank, ranks, what, base_fail_message());
    }
}

/* ---- The particles of the file ----------------------------------------------------- */

/* A layer's particles, traced through the steps of the file. */
typedef struct filed {
    io_source *source;
    grid_layout *layout;
    app_flow *flow;
    app_swarm *swarm;
} filed;

/* Bricks in turn, like cards: other ones than a session's ranks have. */
static void open_filed(const io_particles_config *config, grid_gas gas, filed *f)
{
    const io_data_config file = {
        .file = (char *)(uintptr_t)data, .all_steps = true, .gas = gas};
    app_flow_recipes recipes = {0};
    int failed;
    expect(io_source_open(MPI_COMM_WORLD, &file, &f->source) == STATUS_OK, "the file");
    expect(io_load_layout(MPI_COMM_WORLD, f->source, &f->layout) == STATUS_OK, "layout");
    int64_t *bricks = calloc((size_t)f->layout->nbricks + 1, sizeof *bricks), count = 0;
    for (int64_t n = 0; n < f->layout->nbricks; n++) {
        if (n % ranks == rank && f->layout->bricks[n].cells > 0) {
            bricks[count++] = n;
        }
    }
    for (int c = 0; c < TRACE_COMPONENTS; c++) {
        const char *name =
            c == TRACE_FIELD ? app_plan_field(config) : config->velocity[c];
        if (name) {
            expect(grid_recipe_create(name, io_source_field_count(f->source),
                                      io_source_fields(f->source), gas,
                                      &recipes.of[c]) == STATUS_OK,
                   name);
            grid_recipe_move_to_vertices(recipes.of[c]);
        }
    }
    const io_load_list list = {f->layout, count, bricks, GRID_VERTEX};
    expect(app_flow_create(MPI_COMM_WORLD, f->source, &list, APP_FLOW_PAIRS, &recipes,
                           &f->flow) == STATUS_OK,
           "a flow");
    expect(app_swarm_create(config, (app_swarm_limits){0}, &f->swarm) == STATUS_OK &&
               app_swarm_wake(f->swarm, MPI_COMM_WORLD, f->flow, false, &failed) ==
                   STATUS_OK,
           "a swarm");
    free(bricks);
}

static void step_filed(filed *f, int step)
{
    expect(app_flow_load(f->flow, f->source, step, NULL, NULL) == STATUS_OK &&
               app_swarm_step(f->swarm, io_source_steps(f->source)[step].time) ==
                   STATUS_OK,
           "a step of the file");
}

static void close_filed(filed *f)
{
    app_swarm_destroy(&f->swarm);
    app_flow_destroy(&f->flow);
    grid_layout_destroy(&f->layout);
    io_source_close(&f->source);
}

/* ---- The particles of a session ---------------------------------------------------- */

static karman_session *open_session(const char *name, const char *layers, int every)
{
    char config[4096];
    karman_session *session = NULL;
    const karman_options options = {.resume = true, .threads = 1};
    snprintf(config, sizeof config,
             "image: {width: 48, height: 36}\n"
             "camera: {position: [9, -9, 7], look_at: [3, 0, 2], fov: 60}\n"
             "layers: [%s]\nin_situ: {run: '%s/%s-%d', every: %d}\n",
             layers, folder, name, ranks, every);
    expect(karman_open_text(MPI_COMM_WORLD, config, &options, &session) == KARMAN_DONE,
           "opening");
    return session;
}

static const io_config *config_of(const karman_session *session)
{
    const insitu_picture *picture = &session->pictures[0];
    return picture->config ? picture->config : app_job_config(picture->job);
}

static const io_particles_config *layer_of(const karman_session *session, int layer)
{
    return config_of(session)->layers[layer].particles;
}

static app_swarm *swarm_of(const karman_session *session, int layer)
{
    app_swarm *swarm = NULL;
    expect(app_particles_find(session->particles, layer_of(session, layer),
                              config_of(session)->data.gas, &swarm) == STATUS_OK,
           "the particles of a layer");
    return swarm;
}

static void play(player *p, karman_session *session, int step)
{
    player_play(p, session, step);
    expect(karman_render(session, player_cycle(p, step), player_time(p, step)) ==
               KARMAN_DONE,
           "rendering");
}

/* Whether two swarms have the same lines; `bits`: to the last bit. */
static bool same_lines(app_swarm *a, app_swarm *b, bool bits)
{
    int64_t first;
    bool same = app_swarm_lists(a) == app_swarm_lists(b) &&
                app_swarm_collect(a) == STATUS_OK && app_swarm_collect(b) == STATUS_OK;
    for (int n = 0; same && n < app_swarm_lists(a); n++) {
        const trace_lines *one = app_swarm_lines(a, n, &first);
        const trace_lines *two = app_swarm_lines(b, n, &first);
        same = one->nlines == two->nlines && one->npoints == two->npoints &&
               one->npoints > 0;
        for (int64_t i = 0; same && i < one->npoints; i++) {
            const float *x = &one->points[i].x[0], *y = &two->points[i].x[0];
            for (int c = 0; c < 5; c++) { /* x, y, z, age, value */
                same = same && (bits ? x[c] == y[c] : fabsf(x[c] - y[c]) <= 1e-5f);
            }
        }
        for (int64_t l = 0; same && l < one->nlines; l++) {
            same = one->lines[l].seed == two->lines[l].seed &&
                   one->lines[l].count == two->lines[l].count &&
                   one->lines[l].ended == two->lines[l].ended;
        }
    }
    return same;
}

/* Changes a key of the first picture, as an order does. Collective. */
static status change_picture(karman_session *session, const char *key, const char *value)
{
    char change[4096];
    const char *const changes[] = {change};
    insitu_picture *picture = &session->pictures[0];
    io_config *config = NULL;
    snprintf(change, sizeof change, "%s=%s", key, value);
    status s = insitu_picture_plan(session, picture, 1, changes, &config);
    s = parallel_agree(session->comm, s);
    if (s == STATUS_OK) {
        insitu_picture_take(session, picture, &config);
    }
    io_config_destroy(&config);
    return s;
}

/* ---- Like the file ----------------------------------------------------------------- */

/* `every`: a picture is drawn so often; `changes`: the camera moves meanwhile. */
static void test_like_file(const char *name, const char *layer, int every, bool changes)
{
    player *p = player_open(data, 5);
    karman_session *session = open_session(name, layer, every);
    filed file = {0};
    open_filed(layer_of(session, 0), config_of(session)->data.gas, &file);
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
    const trace_counts live = app_particles_count(session->particles);
    const trace_counts filed_counts = app_swarm_count(file.swarm);
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
    const trace_counts before = app_particles_count(session->particles);
    for (size_t n = 0; n < sizeof bad_seeds / sizeof bad_seeds[0]; n++) {
        expect(change_picture(session, "layers.0.particles.seeds", bad_seeds[n]) ==
                   STATUS_USAGE,
               bad_seeds[n]);
    }
    base_fail_set_message("");
    const trace_counts after = app_particles_count(session->particles);
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
    return app_particles_count(session->particles).moving;
}

static void test_seeds(void)
{
    player *p = player_open(data, 6);
    karman_session *session = open_session("seeds", STREAKS, 1000);
    player_describe(p, session);
    play(p, session, 0);
    const int64_t first = app_particles_count(session->particles).moving;
    expect(first == 20, "a release of 20 seeds");
    expect(set_seeds(session, p, 0, MOVED) == first + 2, "moved seeds, at once");
    test_bad_seeds(session);
    expect(set_seeds(session, p, 0, "[{points: [[99, 99, 99]]}]") == first + 2,
           "seeds outside of the grid");
    expect(set_seeds(session, p, 0, MOVED) == first + 4, "seeds within it again");
    play(p, session, 1);
    const trace_counts on = app_particles_count(session->particles);
    expect(on.moving + on.ended == first + 6, "only the last seeds release");
    set_seeds(session, p, 1, "[]");
    play(p, session, 2);
    const trace_counts cleared = app_particles_count(session->particles);
    expect(cleared.moving + cleared.ended <= first + 6 && cleared.moving > 0,
           "cleared seeds release nothing, and particles go on");
    const int64_t before = cleared.moving;
    expect(set_seeds(session, p, 2, "[{block: cylinder, points: [[4, 5, 2]]}]") ==
               before + 1,
           "seeds at i, j, k");
    expect(karman_close(&session) == KARMAN_DONE, "closing");
    player_close(&p);
}

/* ---- Restarts ---------------------------------------------------------------------- */

static void path_of(const char *name, int64_t cycle, size_t size, char *path)
{
    snprintf(path, size, "%s/%s-%d/particles/%06lld.h5", folder, name, ranks,
             (long long)cycle);
}

/* Plays steps up to `last`, saves there, and closes; returns the number of particles. */
static int64_t save_at(const char *name, const char *layer, int last)
{
    player *p = player_open(data, 7);
    karman_session *session = open_session(name, layer, 1000);
    player_describe(p, session);
    for (int step = 0; step < last; step++) {
        play(p, session, step);
    }
    /* Like a solver that writes its checkpoint before it calls karman_render. */
    player_play(p, session, last);
    expect(karman_save(session, player_cycle(p, last), player_time(p, last)) ==
               KARMAN_DONE,
           "saving");
    const int64_t moving = app_particles_count(session->particles).moving;
    expect(karman_close(&session) == KARMAN_DONE, "closing");
    player_close(&p);
    return moving;
}

/* Goes on at step `last`, with or without drawing that step again. */
static void test_restart(const char *name, const char *layer, bool again)
{
    const int last = 3;
    filed file = {0};
    save_at(name, layer, last);
    player *p = player_open(data, 8); /* other parts on other ranks */
    karman_session *session = open_session(name, layer, 1000);
    open_filed(layer_of(session, 0), config_of(session)->data.gas, &file);
    for (int step = 0; step <= last; step++) {
        step_filed(&file, step);
    }
    player_describe(p, session);
    player_play(p, session, last);
    expect(karman_restore(session, player_cycle(p, last), player_time(p, last)) ==
               KARMAN_DONE,
           "restoring");
    expect(same_lines(swarm_of(session, 0), file.swarm, false), "restored particles");
    for (int step = again ? last : last + 1; step < player_steps(p); step++) {
        play(p, session, step);
        if (step > last) {
            step_filed(&file, step);
        }
        expect(same_lines(swarm_of(session, 0), file.swarm, false),
               "particles after a restart");
    }
    close_filed(&file);
    expect(karman_close(&session) == KARMAN_DONE, "closing");
    player_close(&p);
}

/* ---- Broken and lying files -------------------------------------------------------- */

/* Tries to go on from a file that is wrong: all ranks hear of it, and particles set out
 * anew. */
static void expect_refused(const char *name, int last, const char *what)
{
    player *p = player_open(data, 9);
    karman_session *session = open_session(name, PATHS, 1000);
    player_describe(p, session);
    player_play(p, session, last);
    const int code = karman_restore(session, player_cycle(p, last), player_time(p, last));
    int codes[2] = {code, -code}, most[2];
    parallel_allreduce(codes, most, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    expect(most[0] == -most[1], "all ranks get the same code");
    expect(code == KARMAN_FAILED, what);
    play(p, session, last);
    expect(app_particles_count(session->particles).moving == 10, "ten set out anew");
    expect(karman_close(&session) == KARMAN_DONE, "closing");
    player_close(&p);
}

/* Changes a file on rank 0: cuts it to `size`, or flips a bit at `at`. */
static void damage(const char *path, const char *kept, long size, long at)
{
    if (rank == 0) {
        size_t length = 0;
        unsigned char *text = test_file_read(kept, &length);
        if (at >= 0) {
            text[at % (long)length] ^= 4;
        }
        FILE *file = fopen(path, "wb");
        fwrite(text, 1, size >= 0 && size < (long)length ? (size_t)size : length, file);
        fclose(file);
        free(text);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A file with a right hash, whose numbers cannot be: `number` replaces one of a list. */
static void lie(const char *path, const char *array, int at, double number)
{
    if (rank != 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        return;
    }
    static const char *const wholes[] = {
        "numbers",           "blocks",      "grid/0/size",
        "0/numbers",         "0/0/numbers", "0/0/particle_numbers",
        "0/0/trail_numbers", "0/1/numbers", "0/1/particle_numbers",
        "0/1/trail_numbers"};
    static const int whole_columns[] = {3, 1, 3, 2, 13, 7, 3, 13, 7, 3};
    static const char *const reals[] = {"time",
                                        "0/0/head",
                                        "0/0/seeds",
                                        "0/0/times",
                                        "0/0/particle_values",
                                        "0/0/trail_values",
                                        "0/1/head",
                                        "0/1/seeds",
                                        "0/1/times",
                                        "0/1/particle_values",
                                        "0/1/trail_values"};
    static const int real_columns[] = {1, 4, 3, 1, 14, 6, 4, 3, 1, 14, 6};
    static const char *const texts[] = {"grid/0/name", "0/layers", "0/0/block",
                                        "0/1/block"};
    io_state *from = NULL, *to = NULL;
    io_state_array a;
    expect(io_state_open(path, &from) == STATUS_OK && io_state_create(&to) == STATUS_OK,
           "a state");
    for (int n = 0; n < 10; n++) {
        expect(io_state_get(from, wholes[n], IO_STATE_INT64, whole_columns[n], &a) ==
                   STATUS_OK,
               wholes[n]);
        if (strcmp(wholes[n], array) == 0) {
            ((int64_t *)a.values)[at] = (int64_t)number;
        }
        io_state_put(to, wholes[n], &a);
        free(a.values);
    }
    for (int n = 0; n < 11; n++) {
        expect(io_state_get(from, reals[n], IO_STATE_FLOAT64, real_columns[n], &a) ==
                   STATUS_OK,
               reals[n]);
        if (strcmp(reals[n], array) == 0) {
            ((double *)a.values)[at] = number;
        }
        io_state_put(to, reals[n], &a);
        free(a.values);
    }
    for (int n = 0; n < 4; n++) {
        expect(io_state_get(from, texts[n], IO_STATE_TEXT, 1, &a) == STATUS_OK, texts[n]);
        io_state_put(to, texts[n], &a);
        free(a.values);
    }
    io_state_close(&from);
    expect(io_state_write(&to, path) == STATUS_OK, "writing a state");
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Several ranks try every third case, as each opens a session. */
static size_t stride(void)
{
    return ranks > 1 ? 3 : 1;
}

static void test_broken_files(void)
{
    enum { LAST = 3 };
    char path[1024], kept[1100];
    save_at("broken", PATHS, LAST);
    path_of("broken", LAST, sizeof path, path);
    snprintf(kept, sizeof kept, "%s.kept", path);
    if (rank == 0) {
        rename(path, kept);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    expect_refused("broken", LAST, "a missing file");
    const long cuts[] = {0, 1, 15, 100, 3000};
    for (size_t n = 0; n < 5; n += stride()) {
        damage(path, kept, cuts[n], -1);
        expect_refused("broken", LAST, "a file that is cut off");
    }
    const long flips[] = {0, 97, 1000, 4567};
    for (size_t n = 0; n < 4; n += stride()) {
        damage(path, kept, -1, flips[n]);
        expect_refused("broken", LAST, "a damaged file");
    }
    static const struct {
        const char *array;
        int at;
        double number;
    } lies[] = {
        {"numbers", 0, 77},        {"numbers", 1, 2},         {"numbers", 2, 1e9},
        {"numbers", 2, -1},        {"time", 0, 123},          {"time", 0, NAN},
        {"0/numbers", 1, 1e12},    {"0/numbers", 0, 9},       {"0/0/numbers", 0, -3},
        {"0/0/numbers", 9, 0},     {"0/0/numbers", 9, 5},     {"0/0/numbers", 10, -1},
        {"0/0/numbers", 11, 9e18}, {"0/0/head", 1, INFINITY}, {"0/0/times", 0, NAN}};
    for (size_t n = 0; n < sizeof lies / sizeof lies[0]; n += stride()) {
        damage(path, kept, -1, -1);
        lie(path, lies[n].array, lies[n].at, lies[n].number);
        expect_refused("broken", LAST, lies[n].array);
    }
}

/* Particles that cannot be are left out; the others go on. */
static void test_lying_particles(void)
{
    enum { LAST = 3 };
    static const struct {
        const char *array;
        int at;
        double number;
    } lies[] = {{"0/0/particle_numbers", 3, 1e12}, {"0/0/particle_numbers", 4, -7},
                {"0/0/particle_numbers", 0, -1},   {"0/0/particle_values", 0, NAN},
                {"0/0/particle_values", 1, 1e300}, {"0/0/particle_values", 6, -1},
                {"0/0/trail_numbers", 0, -5},      {"0/0/trail_values", 0, INFINITY},
                {"0/0/trail_values", 3, NAN}};
    char path[1024], kept[1100];
    const int64_t saved = save_at("lying", PATHS, LAST);
    path_of("lying", LAST, sizeof path, path);
    snprintf(kept, sizeof kept, "%s.kept", path);
    if (rank == 0) {
        rename(path, kept);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (size_t n = 0; n < sizeof lies / sizeof lies[0]; n += stride()) {
        damage(path, kept, -1, -1);
        lie(path, lies[n].array, lies[n].at, lies[n].number);
        player *p = player_open(data, 9);
        karman_session *session = open_session("lying", PATHS, 1);
        player_describe(p, session);
        player_play(p, session, LAST);
        expect(karman_restore(session, player_cycle(p, LAST), player_time(p, LAST)) ==
                   KARMAN_DONE,
               lies[n].array);
        const int64_t moving = app_particles_count(session->particles).moving;
        expect(moving == saved || moving == saved - 1, "all or all but one go on");
        play(p, session, LAST);
        play(p, session, LAST + 1);
        expect(karman_close(&session) == KARMAN_DONE, "closing");
        player_close(&p);
    }
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
        d->z[k][j][i] = k + (N - 1) * rank;
        for (int c = 0; c < 3; c++) {
            d->u[c][k][j][i] = velocity[c];
        }
    }
    karman_block block = {.name = "duct",
                          .size = {N, N, (N - 1) * ranks + 1},
                          .first = {0, 0, (N - 1) * rank},
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
    const double velocity[3] = {0.37, 0.11, 0.23 * ranks}, seed[3] = {2.5, 1.25, 0.5};
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
        app_swarm *swarm = swarm_of(session, 0);
        expect(app_swarm_collect(swarm) == STATUS_OK, "its line");
        const trace_lines *lines = app_swarm_lines(swarm, 0, &first);
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
    const trace_counts counts = app_particles_count(session->particles);
    expect(counts.moving == 0 && counts.ended == 1, "it ends at the outflow");
    expect(karman_close(&session) == KARMAN_DONE, "closing");
    if (rank == 0) {
        char path[1024];
        size_t size = 0;
        snprintf(path, sizeof path, "%s/uniform-%d/monitors.jsonl", folder, ranks);
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
    expect(app_particles_count(session->particles).moving == 3, "particles go on");
    expect(karman_render(session, 2, 2.0) == KARMAN_DONE, "the same step again");
    expect(app_particles_count(session->particles).moving == 3, "no step, no release");
    expect(karman_render(session, 1, 1.0) == KARMAN_DONE, "back in time");
    expect(app_particles_count(session->particles).moving == 1, "they set out anew");
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
    expect(app_particles_count(session->particles).moving == 1, "a particle");
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
    data = argv[1];
    folder = argv[2];
    rank = parallel_rank(MPI_COMM_WORLD);
    ranks = parallel_size(MPI_COMM_WORLD);
    test_like_file("unseen", PATHS, 1000, false);
    test_like_file("viewed", PATHS, 1, true);
    test_like_file("streaks", STREAKS ", {outline: {}}", 2, true);
    test_seeds();
    test_restart("paths", PATHS, true);
    test_restart("ahead", PATHS, false);
    test_restart("streaked", STREAKS, true);
    test_broken_files();
    test_lying_particles();
    test_uniform_flow();
    test_new_grid();
    test_failures();
    int all = 0;
    parallel_allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("particles in situ on %d ranks: %d failures\n", ranks, all);
    }
    MPI_Finalize();
    return all > 0;
}
