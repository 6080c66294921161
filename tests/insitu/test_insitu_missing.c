/*
 * Missing values of a running program: each field is told of once in a session, however
 * many pictures and steps show it, with the same count on any number of ranks.
 *
 *   test_insitu_missing FOLDER
 */
#include "library/karman.h"
#include "support/file.h"

#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NI = 20, NJ = 9, NK = 18, PLANE = NI * NJ, STEPS = 4 };

static const char config[] =
    "data: {fill: -999}\n"
    "image: {width: 48, height: 32}\n"
    "camera: {position: [10, -30, 20], look_at: [10, 4, 8], fov: 40}\n"
    "layers:\n"
    "  - volume: {field: u, range: [0, 20], colors: viridis, opacity: [[0, 0.1], [1, "
    "0.5]]}\n"
    "in_situ:\n"
    "  run: missing-run\n"
    "  pictures:\n"
    "    - {name: first}\n"
    "    - {name: second, camera: {position: [0, -30, 20]}}\n";

/* What is told of: steps are 0, which lacks nothing, to 3, which has nothing. */
static const char *const expected[] = {
    "the field 'u' is missing at 171 vertices of block 'box' at step 1:",
    "the field 'u' has no finite value at step 3:"};

/* At step 1 a plane of fills, at step 2 one of NaN as well. */
static double value_at(int step, int i, int k)
{
    const bool lacks = (step >= 1 && i == 16) || (step == 2 && k == 16) || step == 3 ||
                       (step >= 1 && i == 3 && k == 3);
    return !lacks ? (double)i : step == 1 ? -999.0 : (double)NAN;
}

static void draw(const char *path, int rank, int ranks)
{
    const int first = (NK - 1) * rank / ranks;
    const int planes = (NK - 1) * (rank + 1) / ranks - first + 1;
    const size_t size = (size_t)PLANE * (size_t)planes;
    double *values = malloc(4 * size * sizeof *values);
    karman_array array = {.type = KARMAN_FLOAT64};
    karman_block box = {.name = "box",
                        .size = {NI, NJ, NK},
                        .first = {0, 0, first},
                        .count = {NI, NJ, planes},
                        .x = array,
                        .y = array,
                        .z = array};
    box.x.data = values, box.y.data = values + size, box.z.data = values + 2 * size;
    array.data = values + 3 * size;
    for (int n = 0; n < (int)size; n++) {
        values[n] = n % NI;
        values[n + (int)size] = n / NI % NJ;
        values[n + 2 * (int)size] = first + n / PLANE;
    }
    karman_session *session = NULL;
    if (karman_open(MPI_COMM_WORLD, path, NULL, &session) != KARMAN_DONE) {
        fprintf(stderr, "%s\n", karman_message());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    karman_set_block(session, 0, &box);
    for (int step = 0; step < STEPS; step++) {
        for (int n = 0; n < (int)size; n++) {
            values[n + 3 * (int)size] = value_at(step, n % NI, first + n / PLANE);
        }
        karman_set_field(session, 0, "u", KARMAN_VERTEX, &array);
        karman_render(session, step, step);
    }
    karman_close(&session);
    free(values);
}

/* Whether the lines of a file are those that are expected, and no others. */
static bool check_lines(const char *path)
{
    char line[512];
    int count = 0, wrong = 0;
    FILE *stream = fopen(path, "r");
    while (stream && fgets(line, sizeof line, stream)) {
        const bool fits = count < 2 && strstr(line, expected[count]);
        if (!fits) {
            printf("line %d: expected '%s', got %s", count,
                   count < 2 ? expected[count] : "nothing", line);
        }
        wrong += !fits;
        count++;
    }
    if (stream) {
        fclose(stream);
    }
    if (count != 2) {
        printf("expected 2 lines, got %d\n", count);
    }
    return wrong == 0 && count == 2;
}

int main(int argc, char **argv)
{
    int rank, ranks, failed = 0;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char path[512], errors[512];
    snprintf(path, sizeof path, "%s/missing-%d.yaml", argv[1], ranks);
    snprintf(errors, sizeof errors, "%s/missing-%d.txt", argv[1], ranks);
    if (rank == 0) {
        test_file_write(path, "%s", config);
        const int file = open(errors, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        dup2(file, STDERR_FILENO);
        close(file);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    draw(path, rank, ranks);
    if (rank == 0) {
        failed = !check_lines(errors);
    }
    MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed;
}
