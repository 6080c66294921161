/*
 * A small program to steer: x moves by `rate` each step; every step prints "CYCLE X
 * STATE". Ends after so many steps, or when it is stopped.
 *
 *   steer_target RUN_DIR STEPS
 */
#include "base/parallel/parallel.h"
#include "run/steer/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void pause_for(long milliseconds)
{
    nanosleep(&(struct timespec){0, milliseconds * 1000000L}, NULL);
}

static status register_all(steer_run *run)
{
    static const char *const words[] = {"euler", "heun"};
    const steer_parameter rate = {"rate", STEER_REAL, 1,     0.0,    1.0,
                                  0,      NULL,       "1/s", "of x", false};
    const steer_parameter point = {"camera.position", STEER_REAL, 3,    -INFINITY,
                                   INFINITY,          0,          NULL, NULL,
                                   "the eye",         false};
    const steer_parameter method = {"method", STEER_CHOICE, 0,    0.0,  0.0,
                                    2,        words,        NULL, NULL, false};
    const steer_value quarter = {{0.25}, ""}, zero = {{0.0}, ""},
                      euler = {{0.0}, "euler"};
    status s = steer_run_register(run, &rate, &quarter, NULL, NULL);
    s = s == STATUS_OK ? steer_run_register(run, &point, &zero, NULL, NULL) : s;
    s = s == STATUS_OK ? steer_run_register(run, &method, &euler, NULL, NULL) : s;
    return parallel_agree(MPI_COMM_WORLD, s);
}

/* Polls as programs should; false if the program must end. */
static bool poll(steer_run *run, int64_t cycle)
{
    steer_orders orders = steer_run_poll(run, cycle, 0.001 * (double)cycle);
    while (orders.state == STEER_HALTED && !orders.single_step) {
        pause_for(10);
        orders = steer_run_poll(run, cycle, 0.001 * (double)cycle);
    }
    return orders.state != STEER_STOPPED;
}

static void iterate(steer_run *run, int64_t steps)
{
    static const char *const names[] = {"x"};
    double x = 0.0;
    for (int64_t cycle = 0; cycle < steps; cycle++) {
        if (!poll(run, cycle)) {
            return;
        }
        const double *rate = steer_run_value(run, "rate")->numbers;
        const double *point = steer_run_value(run, "camera.position")->numbers;
        x += *rate + 0.001 * point[1];
        steer_run_add_monitors(run, cycle, 0.001 * (double)cycle, 1, names, &x);
        if (parallel_rank(MPI_COMM_WORLD) == 0) {
            printf("%" PRId64 " %.17g\n", cycle, x);
            fflush(stdout);
        }
        pause_for(1);
    }
}

static status steer(const char *folder, int64_t steps)
{
    steer_run *run = NULL;
    status s = steer_run_create(MPI_COMM_WORLD, folder, "steer_target",
                                &(steer_options){0}, &run);
    s = s == STATUS_OK ? register_all(run) : s;
    if (s == STATUS_OK) {
        iterate(run, steps);
    }
    steer_run_destroy(&run);
    return s;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    status s = argc == 3 ? steer(argv[1], strtoll(argv[2], NULL, 10))
                         : base_fail(STATUS_USAGE, "give RUN_DIR STEPS");
    if (s != STATUS_OK && parallel_rank(MPI_COMM_WORLD) == 0) {
        fprintf(stderr, "steer_target: error: %s\n", base_fail_message());
    }
    MPI_Finalize();
    return base_status_exit_code(s);
}
