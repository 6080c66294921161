/*
 * A solver on a node whose shared memory (/dev/shm) somebody else fills up while it runs:
 * before its first picture.
 *
 *   full_shm RUN_FOLDER
 *
 * /dev/shm has to be a small one, made for this alone.
 */
#include "library/karman.h"

#include <fcntl.h>
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { N = 32 /* vertices along an axis */, STEPS = 2 };

static void stop(const char *what)
{
    fprintf(stderr, "full_shm: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Takes all there is, and returns how much it was. */
static long long fill_up(void)
{
    static char zeros[1 << 16];
    long long bytes = 0;
    int file = open("/dev/shm/filler", O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (file < 0) {
        stop("cannot write to /dev/shm");
    }
    for (size_t size = sizeof zeros; size >= 1; size /= 2) {
        for (ssize_t n = 0; (n = write(file, zeros, size)) > 0;) {
            bytes += n;
        }
    }
    close(file);
    return bytes;
}

/* The planes [first, last] of a cube. */
static void describe(karman_session *session, int first, int last, float *values[4])
{
    const int planes = last - first + 1;
    for (int at = 0; at < N * N * planes; at++) {
        values[0][at] = (float)(at % N) / (N - 1);
        values[1][at] = (float)(at / N % N) / (N - 1);
        values[2][at] = (float)(first + at / (N * N)) / (N - 1);
        values[3][at] = values[0][at];
    }
    const karman_block block = {.name = "cube",
                                .size = {N, N, N},
                                .first = {0, 0, first},
                                .count = {N, N, planes},
                                .x = {.data = values[0], .type = KARMAN_FLOAT32},
                                .y = {.data = values[1], .type = KARMAN_FLOAT32},
                                .z = {.data = values[2], .type = KARMAN_FLOAT32}};
    const karman_array u = {.data = values[3], .type = KARMAN_FLOAT32};
    karman_set_block(session, 0, &block);
    karman_set_field(session, 0, "u", KARMAN_VERTEX, &u);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    omp_get_max_threads(); /* clang's OpenMP begins with a file in /dev/shm */
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int first = (N - 1) * rank / ranks, last = (N - 1) * (rank + 1) / ranks;
    const size_t count = (size_t)N * N * (size_t)(last - first + 1);
    float *values[4];
    for (int v = 0; v < 4; v++) {
        values[v] = calloc(count, sizeof *values[v]);
        if (!values[v]) {
            stop("too little memory");
        }
    }
    char text[2048];
    snprintf(
        text, sizeof text,
        "image: {width: 700, height: 700}\n"
        "camera: {position: [2.4, -2.2, 1.9], look_at: [0.5, 0.5, 0.5], fov: 35}\n"
        "layers: [{volume: {field: u, range: [0, 1], opacity: [[0, 0], [1, 0.5]]}}]\n"
        "in_situ: {run: '%s'}\n",
        argc > 1 ? argv[1] : ".");
    karman_session *session = NULL;
    if (karman_open_text(MPI_COMM_WORLD, text, NULL, &session) != KARMAN_DONE) {
        stop(karman_message());
    }
    describe(session, first, last, values);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%lld bytes of /dev/shm taken\n", fill_up());
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int step = 0; step < STEPS; step++) {
        if (karman_render(session, step, step) != KARMAN_DONE) {
            stop(karman_message());
        }
    }
    karman_close(&session);
    for (int v = 0; v < 4; v++) {
        free(values[v]);
    }
    MPI_Finalize();
    return 0;
}
