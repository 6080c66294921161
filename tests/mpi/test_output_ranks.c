/*
 * Files that many ranks write together: data sets have the same bytes as from one rank,
 * timings have the entries of every rank, and a failure is the same on all ranks.
 */
#include "base/parallel/parallel.h"
#include "base/system.h"
#include "datasets/write.h"
#include "io/timings/place.h"
#include "io/timings/timings.h"
#include "support/file.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int failures;
static int rank, ranks;
static char folder[256];

/* Counts a failure, on any rank, and prints it. */
static void expect(bool good, const char *what)
{
    if (!good) {
        printf("rank %d of %d: expected that %s\n", rank, ranks, what);
        failures++;
    }
}

static const char *path_of(const char *name)
{
    static char paths[4][512];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* Rank 0's name of a new folder, on every rank. */
static void make_folder(void)
{
    if (rank == 0) {
        test_temporary_create(folder, sizeof folder);
    }
    parallel_bcast(folder, sizeof folder, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void check_data_sets(void)
{
    const char *alone = path_of("alone.h5"), *together = path_of("together.h5");
    for (int place = 0; dataset_at(place); place++) {
        const dataset *set = dataset_at(place);
        dataset_options options = dataset_default_options(set);
        options.steps = 2;
        expect(dataset_write(MPI_COMM_WORLD, set, &options, together) == STATUS_OK,
               set->name);
        if (rank == 0) {
            expect(dataset_write(MPI_COMM_SELF, set, &options, alone) == STATUS_OK,
                   set->name);
            expect(test_file_same(alone, together), "all ranks write the bytes of one");
        }
    }
    if (rank == 0) {
        unlink(alone);
        unlink(together);
        unlink(path_of("alone.xdmf"));
        unlink(path_of("together.xdmf"));
    }
}

/* Timings are made locally, so that a rank that failed before may skip this. */
static void check_creation(void)
{
    io_timings *timings = NULL;
    if (rank == 0) {
        expect(io_timings_create(MPI_COMM_WORLD, "1", "c", &timings) == STATUS_OK,
               "timings are made by one rank alone");
        io_timings_destroy(&timings);
    }
}

/* All ranks return this status, with the same message about `path`. */
static void expect_failure(status s, status expected, const char *path)
{
    expect(s == expected, "the status is the same on all ranks");
    expect(strstr(base_fail_message(), path) != NULL, "the message names the file");
    base_fail_set_message("");
}

static void check_failures(void)
{
    const char *inside = path_of("file/a.h5");
    dataset_options options = dataset_default_options(&dataset_pole);
    io_timings *timings;
    if (rank == 0) {
        FILE *file = fopen(path_of("file"), "w");
        expect(file && fclose(file) == 0, "a file can be made");
    }
    expect_failure(dataset_write(MPI_COMM_WORLD, &dataset_pole, &options, inside),
                   STATUS_OUTPUT, inside);
    expect(io_timings_create(MPI_COMM_WORLD, "1", "c", &timings) == STATUS_OK,
           "it is made");
    expect_failure(io_timings_write(timings, inside), STATUS_OUTPUT, inside);
    io_timings_destroy(&timings);
    options.size[0] = 1;
    expect_failure(dataset_write(MPI_COMM_WORLD, &dataset_pole, &options, inside),
                   STATUS_USAGE, "pole");
    if (rank == 0) {
        unlink(path_of("file"));
    }
}

static void expect_value(const json_t *object, const char *name, double expected)
{
    double value = json_number_value(json_object_get(object, name));
    if (!(fabs(value - expected) <= 1e-8 * fabs(expected))) {
        printf("%d ranks: expected %s to be %.12g, got %.12g\n", ranks, name, expected,
               value);
        failures++;
    }
}

/* The times and counts of every rank stand in the order of ranks. */
static void check_every_rank(const json_t *frame)
{
    const json_t *every = json_object_get(frame, "ranks");
    const json_t *begin = json_object_get(json_object_get(every, "begin"), "render");
    const json_t *cpu = json_object_get(json_object_get(every, "cpu"), "render");
    const json_t *memory = json_object_get(every, "peak_memory");
    expect((int)json_array_size(cpu) == ranks, "every rank has a time");
    for (size_t r = 0; r < (size_t)ranks; r++) {
        double late = json_number_value(json_array_get(begin, r));
        expect(fabs(late - 50.0 - (double)r) < 1e-6, "stages begin when they did");
        expect(json_number_value(json_array_get(cpu, r)) == 2.0 * (double)r,
               "seconds of processors are kept");
        expect(json_number_value(json_array_get(memory, r)) == 100.0 + (double)r,
               "memory is kept");
    }
}

/* Number `place` of the array `name`. */
static double number_at(const json_t *object, const char *name, size_t place)
{
    return json_number_value(json_array_get(json_object_get(object, name), place));
}

enum { COLUMNS = 5, ROWS = 3 };

/* Rank r has drawn column r mod 5 from row 1 on, at 1.5 µs times r + 1 a tile. */
static io_tile_costs tiles_of_rank(double seconds[COLUMNS * ROWS])
{
    for (int row = 1; row < ROWS; row++) {
        seconds[row * COLUMNS + rank % COLUMNS] = 1.5e-6 * (rank + 1);
    }
    return (io_tile_costs){.size = 16,
                           .columns = COLUMNS,
                           .rows = ROWS,
                           .seconds = seconds,
                           .shared = 1e-6 * rank,
                           .beside = 2e-3 * rank};
}

/* The costs of every rank's tiles, which begin at the first tile of any rank. */
static void check_tiles(const json_t *frame)
{
    const json_t *tiles = json_object_get(frame, "tiles");
    expect_value(tiles, "size", 16);
    expect_value(tiles, "columns", COLUMNS);
    expect_value(tiles, "rows", ROWS);
    for (int r = 0; r < ranks; r++) {
        const size_t at = (size_t)r;
        const json_t *cost = json_array_get(json_object_get(tiles, "cost"), at);
        expect(number_at(tiles, "x0", at) == r % COLUMNS &&
                   number_at(tiles, "x1", at) == r % COLUMNS + 1 &&
                   number_at(tiles, "y0", at) == 1 && number_at(tiles, "y1", at) == ROWS,
               "the rectangle is where the rank's tiles are");
        expect(json_array_size(cost) == 2, "the rank has two tiles");
        for (size_t n = 0; n < 2; n++) {
            expect(json_number_value(json_array_get(cost, n)) == 1500.0 * (r + 1),
                   "tiles cost what they did, in nanoseconds");
        }
        expect(number_at(tiles, "shared", at) == 1e3 * r, "what was shared out is kept");
        expect(number_at(tiles, "beside", at) == 2e6 * r, "what is of no tile is kept");
    }
}

/* A clock that is ahead of rank 0's by ten seconds for each rank. */
static double early_clock(void)
{
    return base_clock() + 10.0 * rank;
}

static void check_clocks(void)
{
    double error;
    double offset = io_place_clock_offset(MPI_COMM_WORLD, 1, early_clock, &error);
    expect(fabs(offset - 10.0 * rank) < 5.0, "clocks are compared");
    expect(io_place_clock_offset(MPI_COMM_WORLD, 0, early_clock, &error) == 0.0,
           "who does not ask gets no answer");
    io_place place = io_place_find(MPI_COMM_WORLD);
    expect(place.nodes == 1 && place.cores >= 1 && place.clock_offset == 0.0,
           "one node has one clock");
}

/* Rank r renders for r + 1 seconds with 2 threads and crosses 1000 cells. */
static void check_timings(void)
{
    const char *path = path_of("timings.json");
    io_frame_times times = {.stages[IO_STAGE_RENDER] = {.begin = 50.0 + rank,
                                                        .wall = rank + 1.0,
                                                        .cpu = 2.0 * rank}};
    io_frame_counts counts = {.crossings = 1000,
                              .bricks_held = 10,
                              .bricks_loaded = rank,
                              .peak_memory = 100 + rank,
                              .threads = 2};
    io_timings *timings;
    expect(io_timings_create(MPI_COMM_WORLD, "1", "c", &timings) == STATUS_OK,
           "it is made");
    expect(io_timings_add(timings, 1, 0.5, "a.png", &times, &counts) == STATUS_OK,
           "it adds");
    double seconds[COLUMNS * ROWS] = {0.0};
    const io_tile_costs tiles = tiles_of_rank(seconds);
    expect(io_timings_add_tiles(timings, &tiles) == STATUS_OK, "it adds tiles");
    expect(io_timings_write(timings, path) == STATUS_OK, "it is written");
    io_timings_destroy(&timings);
    if (rank != 0) {
        return;
    }
    json_t *all = json_load_file(path, 0, NULL);
    json_t *frame = json_array_get(json_object_get(all, "frames"), 0);
    json_t *render = json_object_get(json_object_get(frame, "seconds"), "render");
    double mean = (ranks + 1) / 2.0;
    expect_value(all, "ranks", ranks);
    expect_value(render, "min", 1.0);
    expect_value(render, "mean", mean);
    expect_value(render, "max", ranks);
    expect_value(render, "imbalance", ranks / mean);
    expect_value(frame, "crossings", 1000.0 * ranks);
    expect_value(frame, "crossings_per_second_and_core", 1000.0 / (2.0 * mean));
    expect_value(json_object_get(frame, "peak_memory"), "max", 99.0 + ranks);
    expect_value(frame, "bricks_held", 10.0 * ranks);
    expect_value(frame, "bricks_loaded", (mean - 1.0) * ranks);
    check_every_rank(frame);
    check_tiles(frame);
    json_decref(all);
    unlink(path);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    rank = parallel_rank(MPI_COMM_WORLD);
    ranks = parallel_size(MPI_COMM_WORLD);
    make_folder();
    check_data_sets();
    check_creation();
    check_failures();
    check_timings();
    check_clocks();
    int all_failures = 0;
    parallel_allreduce(&failures, &all_failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        expect(rmdir(folder) == 0, "nothing is left behind");
        all_failures += failures;
    }
    MPI_Finalize();
    return all_failures > 0;
}
