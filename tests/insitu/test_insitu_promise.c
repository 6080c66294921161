/*
 * Pictures of a running program are those of its files.
 *
 *   test_insitu_promise DATA_FOLDER OUT_FOLDER
 *
 * Data sets are played (player.h) on the ranks of this run and drawn in situ; the same
 * configs draw the files. Floats differ by at most 1e-5, 8-bit pixels by 1 count.
 */
#include "base/parallel/parallel.h"
#include "picture_difference.h"
#include "player.h"
#include "support/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct example {
    const char *name; /* NAME.h5 */
    const char *camera, *layers;
    int most_steps;
} example;

#define STREET_CAMERA "{position: [9, -9, 7], look_at: [3, 0, 2], fov: 60}"

static const example examples[] = {
    {"karman-steps", "{position: [9, -9, 7], look_at: [3, 0, 2], fov: 60}",
     "[{volume: {field: vorticity_magnitude, range: [0, 3], opacity: [[0, 0], [0.05, "
     "0.2], [1, 0.9]], unit_length: 1}}]",
     3},
    {"karman-steps", "{position: [9, -9, 7], look_at: [3, 0, 2], fov: 60}",
     "[{volume: {field: pressure, range: [-1, 1], opacity: [[0, 0.1], [1, 0.3]], "
     "unit_length: 1, shade: {}, opacity_by_gradient: [[0, 0.2], [0.5, 2]]}}, {object: "
     "{j: 0}}, {contour: {field: pressure, k: 2.5, "
     "levels: 6, range: [-1, 1]}}, {isosurface: {field: vorticity_magnitude, value: 1}}, "
     "{outline: {}}]",
     2},
    {"karman-steps", STREET_CAMERA,
     "[{volume: {field: pressure, range: [-1, 1], opacity: [[0, 0.3], [1, 0.5]], "
     "unit_length: 1}}, {contour: {field: pressure, k: 2.5, range: [-1, 1]}}, "
     "{threshold: {field: vorticity_magnitude, above: 0.3}}]",
     2},
    {"iblank-sphere", "{position: [3, -4, 3], look_at: [0, 0, 0], fov: 40}",
     "[{volume: {field: density, range: [0, 2], opacity: [[0, 0.3], [1, 0.3]]}}]", 1},
    {"two-blocks", "{position: [3, -5, 4], look_at: [1, 0.5, 0.5], fov: 40}",
     "[{volume: {field: wave, range: [-1, 1], opacity: [[0, 0.5], [0.5, 0.1], [1, "
     "0.5]]}}]",
     1},
    {"karman-steps", STREET_CAMERA,
     "[{particles: {mode: path, every: 2, trail: 3, radius: 0.1, color_by: age, range: "
     "[0, 3], seeds: [{line: [[-1.5, -1, 1], [-1.5, 1, 3]], count: 9}, {block: cylinder, "
     "points: [[4, 5, 2.5]]}]}}, {outline: {}}]",
     4},
    {"karman-steps", STREET_CAMERA,
     "[{particles: {mode: streak, color_by: pressure, range: [-1, 1], radius: 0.05, "
     "seeds: [{plane: [[-1, -1, 1], [-1, 1, 1], [-1, -1, 3]], count: [5, 4]}]}}, "
     "{volume: "
     "{field: vorticity_magnitude, range: [0, 3], opacity: [[0, 0], [1, 0.3]], "
     "unit_length: 1}}]",
     4},
    {"warped-box", "{position: [4, -5, 4], look_at: [0.5, 0.5, 0.5], fov: 40}",
     "[{volume: {field: cell_blob, range: [0, 1], opacity: [[0, 0.1], [1, 0.6]]}}]", 1},
};
enum { EXAMPLES = sizeof examples / sizeof examples[0] };

typedef struct test {
    const char *data, *out;
    int rank, ranks, failures;
} test;

/* One config for both: files have no use for in_situ, programs none for data.file. */
static void write_config(const test *t, const example *e, const char *stem,
                         const char *partition)
{
    char path[1024];
    snprintf(path, sizeof path, "%s.yaml", stem);
    test_file_write(
        path,
        "data: {file: '%s/%s.h5', steps: [0, %d]}\nimage: {width: 96, height: 72}\n"
        "camera: %s\nlayers: %s\npartition: %s\n"
        "output: {frames: '%s-file-%%04d.png', float: '%s-file-%%04d.h5'}\n"
        "in_situ:\n  run: '%s-run'\n  pictures:\n    - {name: drawn, output: "
        "{frames: '%s-drawn-%%04d.png', float: '%s-drawn-%%04d.h5'}}\n",
        t->data, e->name, e->most_steps - 1, e->camera, e->layers, partition, stem, stem,
        stem, stem, stem);
}

static void expect(test *t, bool works, const char *stem, const char *what)
{
    if (!works) {
        t->failures++;
        printf("rank %d: %s: %s: %s\n", t->rank, stem, what, karman_message());
    }
}

static void draw_in_situ(test *t, const example *e, const char *stem, unsigned seed)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.h5", t->data, e->name);
    player *p = player_open(path, seed);
    karman_session *session = NULL;
    snprintf(path, sizeof path, "%s.yaml", stem);
    expect(t, karman_open(MPI_COMM_WORLD, path, NULL, &session) == KARMAN_DONE, stem,
           "opening");
    player_describe(p, session);
    for (int step = 0; step < e->most_steps; step++) {
        player_play(p, session, step);
        expect(t,
               karman_render(session, player_cycle(p, step), player_time(p, step)) ==
                   KARMAN_DONE,
               stem, "rendering");
        expect(t,
               karman_poll_steering(session, player_cycle(p, step),
                                    player_time(p, step)) == KARMAN_GO_ON,
               stem, "polling");
    }
    expect(t, karman_close(&session) == KARMAN_DONE && !session, stem, "closing");
    player_close(&p);
}

static void compare(test *t, const example *e, const char *stem)
{
    for (int step = 0; step < e->most_steps && t->rank == 0; step++) {
        char drawn[1024], file[1024];
        snprintf(drawn, sizeof drawn, "%s-drawn-%04d.png", stem, step);
        snprintf(file, sizeof file, "%s-file-%04d.png", stem, step);
        t->failures += !same_pngs(drawn, file, 1, 0.02);
        snprintf(drawn, sizeof drawn, "%s-drawn-%04d.h5", stem, step);
        snprintf(file, sizeof file, "%s-file-%04d.h5", stem, step);
        t->failures += !same_floats(drawn, file);
        remove(drawn); /* else a later run might compare these */
    }
}

static void test_example(test *t, int number, const char *partition)
{
    const example *e = &examples[number];
    const karman_options options = {.quiet = true};
    char stem[900], path[1024];
    snprintf(stem, sizeof stem, "%s/%s-%d-%s-%d", t->out, e->name, number, partition,
             t->ranks);
    snprintf(path, sizeof path, "%s.yaml", stem);
    if (t->rank == 0) {
        write_config(t, e, stem, partition);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    expect(t, karman_render_config(MPI_COMM_WORLD, path, &options) == KARMAN_DONE, stem,
           "rendering the file");
    draw_in_situ(t, e, stem, (unsigned)(number + 7 * t->ranks));
    compare(t, e, stem);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (argc != 3) {
        fprintf(stderr, "usage: test_insitu_promise DATA_FOLDER OUT_FOLDER\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    test t = {.data = argv[1],
              .out = argv[2],
              .rank = parallel_rank(MPI_COMM_WORLD),
              .ranks = parallel_size(MPI_COMM_WORLD)};
    for (int n = 0; n < EXAMPLES; n++) {
        test_example(&t, n, "object");
        test_example(&t, n, "screen");
    }
    int all = 0;
    parallel_allreduce(&t.failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (t.rank == 0) {
        printf("%d pictures in situ and of files on %d ranks: %d failures\n",
               2 * EXAMPLES, t.ranks, all);
    }
    MPI_Finalize();
    return all > 0;
}
