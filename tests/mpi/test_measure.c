/* karman simulate --measure: the values that a machine has, whatever they are. Times of
 * messages are above 0 if there is such a link, and 0 if there is none. */
#include "base/parallel/nodes.h"
#include "base/parallel/parallel.h"
#include "messages/simulate/measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void check(bool right, const char *what, double value)
{
    if (!right && parallel_rank(MPI_COMM_WORLD) == 0) {
        fprintf(stderr, "FAILED: %s: %g\n", what, value);
    }
    failures += !right;
}

/* Measures nodes of so many ranks; 0: as they are. */
static simulate_machine measure(int node_size)
{
    json_t *about = NULL;
    simulate_machine machine;
    parallel_test_node_size = node_size;
    const status s = simulate_measure(MPI_COMM_WORLD, &machine, &about);
    parallel_test_node_size = 0;
    if (s != STATUS_OK) {
        fprintf(stderr, "FAILED: cannot measure: %s\n", base_fail_message());
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    check((about != NULL) == (parallel_rank(MPI_COMM_WORLD) == 0), "about", 0);
    json_decref(about);
    return machine;
}

static void one_rank_alone_measures_nothing(void)
{
    json_t *about = NULL;
    simulate_machine machine;
    check(simulate_measure(MPI_COMM_SELF, &machine, &about) == STATUS_USAGE, "one rank",
          0);
}

static void ranks_of_a_node_have_a_latency(void)
{
    const simulate_machine machine = measure(0);
    check(machine.within.latency > 0, "within a node", machine.within.latency);
}

static void nodes_have_links_and_agree(void)
{
    const simulate_machine machine = measure(1);
    check(machine.agree > 0, "a step of an agreement", machine.agree);
    check(machine.is_mixed, "messages of all rounds share ports", machine.is_mixed);
    check(simulate_link_time(&machine.between, 1e6) > 0, "a message", 0);
    check(machine.within.latency == 0, "ranks alone", machine.within.latency);
    check(simulate_machine_check(&machine, "measured") == STATUS_OK, "values", 0);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    one_rank_alone_measures_nothing();
    if (parallel_size(MPI_COMM_WORLD) > 1) {
        ranks_of_a_node_have_a_latency();
        nodes_have_links_and_agree();
    }
    int all = 0;
    parallel_allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all > 0;
}
