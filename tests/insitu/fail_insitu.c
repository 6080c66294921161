/*
 * A program whose pictures run short of memory: it goes on, and all its ranks hear the
 * same.
 *
 *   fail_insitu RUN_FOLDER
 *
 * Linked with tests/mpi/fail_allocation.c, which lets one allocation fail. The program's
 * own memory is no part of that.
 */
#include "library/karman.h"

#include <stdio.h>
#include <string.h>

enum { N = 6, PLANE = N * N };

static double x[PLANE * N], y[PLANE * N], z[PLANE * N], u[PLANE * N], one[PLANE * N];

/* Ends with 1 where ranks were told different things. */
static int differs(int code)
{
    int least, most;
    MPI_Allreduce(&code, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&code, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return least != most;
}

static void fill(int first)
{
    for (int at = 0; at < PLANE * N; at++) {
        x[at] = at % N;
        y[at] = at / N % N;
        z[at] = first + at / PLANE;
        u[at] = x[at] + y[at] * z[at];
        one[at] = 1.0;
    }
}

static void describe(karman_session *session, int first, int size)
{
    const karman_array array = {.type = KARMAN_FLOAT64};
    karman_block block = {.name = "b",
                          .size = {N, N, size},
                          .first = {0, 0, first},
                          .count = {N, N, N},
                          .x = array,
                          .y = array,
                          .z = array};
    karman_array field = array;
    block.x.data = x;
    block.y.data = y;
    block.z.data = z;
    field.data = u;
    karman_set_block(session, 0, &block); /* karman_render tells all of a failure */
    karman_set_field(session, 0, "u", KARMAN_VERTEX, &field);
    field.data = one;
    karman_set_field(session, 0, "one", KARMAN_VERTEX, &field);
}

int main(int argc, char **argv)
{
    int rank, ranks, wrong = 0, failures = 0;
    char config[1024];
    karman_session *session = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    snprintf(config, sizeof config,
             "image: {width: 16, height: 12}\n"
             "camera: {position: [20, -12, 9], look_at: [2, 2, 4]}\n"
             "layers:\n  - volume: {field: u, opacity: [[0, 0.5], [1, 0.9]]}\n"
             "  - isosurface: {field: u, value: 7}\n"
             "  - particles: {mode: path, every: 1, velocity: [one, one, one], "
             "seeds: [{points: [[1, 1, 1]]}]}\n"
             "in_situ: {run: '%s', when: {field: u, above: 0}}\n",
             argc > 1 ? argv[1] : "run");
    fill((N - 1) * rank);
    wrong |= differs(karman_open_text(MPI_COMM_WORLD, config, NULL, &session));
    wrong |= differs(session == NULL);
    failures += session == NULL;
    describe(session, (N - 1) * rank, (N - 1) * ranks + 1);
    for (int step = 0; step < 3; step++) {
        int code = karman_render(session, step, 0.1 * step);
        wrong |= differs(code);
        failures += code != KARMAN_DONE;
        wrong |= differs(karman_poll_steering(session, step, 0.1 * step));
    }
    const int saved = karman_save(session, 2, 0.2);
    const int restored = karman_restore(session, 2, 0.2);
    wrong |= differs(saved) | differs(restored);
    failures += saved != KARMAN_DONE || restored != KARMAN_DONE;
    wrong |= differs(karman_close(&session));
    if (rank == 0) {
        printf(wrong ? "ranks were told different things\n" : "failures %d\n", failures);
    }
    MPI_Finalize();
    return wrong;
}
