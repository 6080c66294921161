/* Particles that are saved with a checkpoint, and go on after a restart. */
#include "base/parallel/parallel.h"
#include "io/state/state.h"
#include "live_particles.h"
#include "support/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Restarts ---------------------------------------------------------------------- */

static void path_of(const char *name, int64_t cycle, size_t size, char *path)
{
    snprintf(path, size, "%s/%s-%d/particles/%06lld.h5", t.folder, name, t.ranks,
             (long long)cycle);
}

/* Plays steps up to `last`, saves there, and closes; returns the number of particles. */
static int64_t save_at(const char *name, const char *layer, int last)
{
    player *p = player_open(t.data, 7);
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
    const int64_t moving = frame_particles_count(session->particles).moving;
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
    player *p = player_open(t.data, 8); /* other parts on other t.ranks */
    karman_session *session = open_session(name, layer, 1000);
    open_filed(layer_of(session, 0), config_of(session)->data.terms, &file);
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
    player *p = player_open(t.data, 9);
    karman_session *session = open_session(name, PATHS, 1000);
    player_describe(p, session);
    player_play(p, session, last);
    const int code = karman_restore(session, player_cycle(p, last), player_time(p, last));
    int codes[2] = {code, -code}, most[2];
    parallel_allreduce(codes, most, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    expect(most[0] == -most[1], "all ranks get the same code");
    expect(code == KARMAN_FAILED, what);
    play(p, session, last);
    expect(frame_particles_count(session->particles).moving == 10, "ten set out anew");
    expect(karman_close(&session) == KARMAN_DONE, "closing");
    player_close(&p);
}

/* Changes a file on rank 0: cuts it to `size`, or flips a bit at `at`. */
static void damage(const char *path, const char *kept, long size, long at)
{
    if (t.rank == 0) {
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
    if (t.rank != 0) {
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
    static const int real_columns[] = {1, 4, 3, 1, 17, 6, 4, 3, 1, 17, 6};
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
    return t.ranks > 1 ? 3 : 1;
}

static void test_broken_files(void)
{
    enum { LAST = 3 };
    char path[1024], kept[1100];
    save_at("broken", PATHS, LAST);
    path_of("broken", LAST, sizeof path, path);
    snprintf(kept, sizeof kept, "%s.kept", path);
    if (t.rank == 0) {
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
    if (t.rank == 0) {
        rename(path, kept);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (size_t n = 0; n < sizeof lies / sizeof lies[0]; n += stride()) {
        damage(path, kept, -1, -1);
        lie(path, lies[n].array, lies[n].at, lies[n].number);
        player *p = player_open(t.data, 9);
        karman_session *session = open_session("lying", PATHS, 1);
        player_describe(p, session);
        player_play(p, session, LAST);
        expect(karman_restore(session, player_cycle(p, LAST), player_time(p, LAST)) ==
                   KARMAN_DONE,
               lies[n].array);
        const int64_t moving = frame_particles_count(session->particles).moving;
        expect(moving == saved || moving == saved - 1, "all or all but one go on");
        play(p, session, LAST);
        play(p, session, LAST + 1);
        expect(karman_close(&session) == KARMAN_DONE, "closing");
        player_close(&p);
    }
}

void test_saved_particles(void)
{
    test_restart("paths", PATHS, true);
    test_restart("ahead", PATHS, false);
    test_restart("streaked", STREAKS, true);
    test_broken_files();
    test_lying_particles();
}
