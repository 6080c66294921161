/* A solver that draws itself. A blob is carried around a bent duct, and spreads. */
#include <karman.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { NI = 49, NJ = 17, NK = 33, PLANE = NI * NJ, STEPS = 60 };

int main(int argc, char **argv)
{
    int rank, ranks, threads, code = KARMAN_DONE;
    /* FUNNELED because karman starts threads. */
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int first = NK * rank / ranks, n = NK * (rank + 1) / ranks - first;
    const int below = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    const int above = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;

    /* Planes 1 to n belong to this rank. Planes 0 and n + 1 are ghost layers, copies of
     * the neighbours' planes. */
    const size_t size = (size_t)PLANE * (size_t)(n + 2), bytes = size * sizeof(double);
    double *x = malloc(bytes), *y = malloc(bytes), *z = malloc(bytes), *u = malloc(bytes);
    double *next = malloc(bytes), spreading = 0.1;
    bool goes_on = true;
    for (int at = 0; at < (int)size; at++) {
        const int i = at % NI, j = at / NI % NJ, k = first + at / PLANE - 1;
        const double angle = 3.14159265 * i / (NI - 1), radius = 1.0 + 0.06 * j;
        x[at] = radius * cos(angle), y[at] = radius * sin(angle), z[at] = 0.06 * k;
        const int distance = (i - 8) * (i - 8) + (j - 8) * (j - 8) + (k - 16) * (k - 16);
        u[at] = next[at] = exp(-0.05 * distance);
    }

    /* karman's part has the rank's own planes alone. */
    karman_array values = {
        .type = KARMAN_FLOAT64, .ghosts_before = {0, 0, 1}, .ghosts_after = {0, 0, 1}};
    karman_block duct = {.name = "duct",
                         .size = {NI, NJ, NK},
                         .first = {0, 0, first},
                         .count = {NI, NJ, n}};
    duct.x = duct.y = duct.z = values;
    duct.x.data = x, duct.y.data = y, duct.z.data = z;
    karman_session *session;
    karman_open(MPI_COMM_WORLD, argc > 1 ? argv[1] : "insitu.yaml", NULL, &session);
    karman_set_block(session, 0, &duct);
    karman_parameter(session, "solver.spreading", &spreading, 0.0, 0.15, "per step");

    for (int step = 1; goes_on && step <= STEPS; step++) {
        for (size_t at = PLANE; at < size - PLANE; at++) {
            const size_t i = at % NI, j = at / NI % NJ;
            const bool is_inside = i > 0 && i < NI - 1 && j > 0 && j < NJ - 1;
            const double *v = u + at;
            const double around = v[-1] + v[1] + v[-NI] + v[NI] + v[-PLANE] + v[PLANE];
            const double change = spreading * (around - 6 * v[0]) - 0.3 * (v[0] - v[-1]);
            next[at] = v[0] + (is_inside ? change : 0.0);
        }
        double *before = u;
        u = next, next = before;
        MPI_Sendrecv(u + PLANE, PLANE, MPI_DOUBLE, below, 0, u + size - PLANE, PLANE,
                     MPI_DOUBLE, above, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(u + size - 2 * PLANE, PLANE, MPI_DOUBLE, above, 1, u, PLANE,
                     MPI_DOUBLE, below, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

        values.data = u; /* another array after each step */
        karman_set_field(session, 0, "u", KARMAN_VERTEX, &values);
        code = karman_render(session, step, 0.01 * step);
        goes_on = karman_poll_steering(session, step, 0.01 * step) == KARMAN_GO_ON;
    }
    karman_close(&session);
    free(x), free(y), free(z), free(u), free(next);
    MPI_Finalize();
    return code;
}
