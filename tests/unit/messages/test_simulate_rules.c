/* Rules that hold for the simulation of every schedule on every machine: random cases,
 * and the seed of one that fails. */
#include "messages/model/simulate.h"
#include "support/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
/* cmocka.h needs the headers above. */
#include <cmocka.h>

enum { CASES = 800, MOST_POSITIONS = 36 };

/* A random case, and the memory that it borrows. */
typedef struct trial {
    uint64_t random;
    simulate_simulator *sim;
    simulate_case of;
    simulate_machine machine;
    int node[MOST_POSITIONS];
    double late[MOST_POSITIONS];
    composite_nodes nodes;
    simulate_activity activity;
} trial;

static bool is_drawn(trial *t)
{
    return random_below(&t->random, 2) == 1;
}

static simulate_machine make_machine(trial *t)
{
    uint64_t *random = &t->random;
    return (simulate_machine){
        .between = {.latency = is_drawn(t) ? random_between(random, 0, 1e-4) : 0,
                    .overhead = is_drawn(t) ? random_between(random, 0, 1e-4) : 0,
                    .beta = random_between(random, 1e-10, 1e-7)},
        .within = {.latency = is_drawn(t) ? random_between(random, 0, 1e-5) : 0,
                   .beta = is_drawn(t) ? random_between(random, 0, 1e-9) : 0},
        .ports = 1 + random_below(random, 3),
        .receive_ports = random_below(random, 4),
        .half_duplex = random_below(random, 4) == 0,
        .duplex = is_drawn(t) ? random_between(random, 1, 2) : 0,
        .is_fifo = is_drawn(t),
        .overlaps = is_drawn(t),
        .gamma = random_between(random, 0, 1e-7),
        .delta = is_drawn(t) ? random_between(random, 0, 1e-9) : 0,
        .cores = is_drawn(t) ? 1 + random_below(random, 4) : 0,
        .one_host = is_drawn(t),
        .is_mixed = is_drawn(t)};
}

/* Nodes of some neighbours each. */
static void make_nodes(trial *t, int size)
{
    int node = 0;
    for (int q = 0; q < size; q++) {
        node += q > 0 && random_below(&t->random, 3) == 0;
        t->node[q] = node;
    }
    assert_int_equal(composite_nodes_find(size, t->node, &t->nodes), STATUS_OK);
    t->of.nodes = &t->nodes;
    t->of.problem.nodes = is_drawn(t) ? &t->nodes : NULL;
}

static void begin(trial *t, uint64_t number)
{
    *t = (trial){.random = random_start(30, number)};
    const int size = 1 + random_below(&t->random, MOST_POSITIONS);
    int count = 0;
    while (composite_algorithm_at(count)) {
        count++;
    }
    t->of = (simulate_case){
        .algorithm = composite_algorithm_at(random_below(&t->random, count)),
        .problem = {.size = size,
                    .pixels = 64 * (1 + random_below(&t->random, 500)),
                    .root = random_below(&t->random, size),
                    .gather_bytes = is_drawn(t) ? 3 : 0},
        .segment = is_drawn(t) ? 1 + random_below(&t->random, 4000) : 0};
    t->machine = make_machine(t);
    if (is_drawn(t)) {
        make_nodes(t, size);
    }
    for (int q = 0; q < size; q++) {
        t->late[q] = is_drawn(t) ? random_between(&t->random, 0, 1e-3) : 0;
    }
    t->of.late = is_drawn(t) ? t->late : NULL;
    if (is_drawn(t)) {
        assert_int_equal(simulate_activity_kd(64, (int)(t->of.problem.pixels / 64), size,
                                              &t->activity),
                         STATUS_OK);
        t->of.activity = &t->activity;
    }
    assert_int_equal(simulate_create(&t->sim), STATUS_OK);
}

static void end(trial *t)
{
    simulate_destroy(&t->sim);
    composite_nodes_clear(&t->nodes);
    simulate_activity_clear(&t->activity);
}

static simulate_result run(trial *t, uint64_t number)
{
    simulate_result result;
    if (simulate_run(t->sim, &t->of, &t->machine, &result) != STATUS_OK) {
        fail_msg("case %llu, %s: %s", (unsigned long long)number, t->of.algorithm->name,
                 base_fail_message());
    }
    return result;
}

static void fail_rule(const trial *t, uint64_t number, const char *rule, double expected,
                      double actual)
{
    fail_msg("case %llu (%s, %d positions, %d nodes, segment %d%s%s%s): %s: expected "
             "%.12g, got %.12g",
             (unsigned long long)number, t->of.algorithm->name, t->of.problem.size,
             t->nodes.size > 0 ? t->nodes.most_node + 1 : t->of.problem.size,
             t->of.segment, t->machine.is_fifo ? ", fifo" : "",
             t->machine.half_duplex ? ", half duplex" : "",
             t->machine.overlaps ? ", overlap" : "", rule, expected, actual);
}

static const double CLOSE = 1e-9;

static void no_time_is_below_the_bound_of_the_busiest_ports(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < CASES; n++) {
        trial t;
        begin(&t, n);
        const simulate_result result = run(&t, n);
        if (!(result.seconds >= result.bound * (1 - CLOSE)) ||
            !(result.merged <= result.seconds)) {
            fail_rule(&t, n, "at least the bound", result.bound, result.seconds);
        }
        double last = 0;
        for (int q = 0; q < t.of.problem.size; q++) {
            last = fmax(last, result.ranks[q].finish);
            assert_true(result.ranks[q].finish >= result.ranks[q].begin);
        }
        if (fabs(last - result.seconds) > CLOSE * last) {
            fail_rule(&t, n, "the time of the last rank", last, result.seconds);
        }
        end(&t);
    }
}

static void the_same_case_takes_the_same_time_again(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < CASES / 5; n++) {
        trial t;
        begin(&t, n);
        const double first = run(&t, n).seconds;
        /* Another case in between uses the simulator's memory. */
        trial other;
        begin(&other, n + CASES);
        simulate_result result;
        assert_int_equal(simulate_run(t.sim, &other.of, &other.machine, &result),
                         STATUS_OK);
        const double again = run(&t, n).seconds;
        assert_memory_equal(&first, &again, sizeof first);
        end(&other);
        end(&t);
    }
}

/* Twice as slow in all: everything takes twice as long. */
static void times_scale_with_those_of_the_machine(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < CASES; n++) {
        trial t;
        begin(&t, n);
        t.machine.agree = 1e-4;
        const double once = run(&t, n).seconds;
        const simulate_value *value;
        for (int i = 0; (value = simulate_machine_value(i)); i++) {
            if (value->kind == SIMULATE_SECONDS) {
                *(double *)((char *)&t.machine + value->offset) *= 2;
            }
        }
        for (int q = 0; q < t.of.problem.size; q++) {
            t.late[q] *= 2;
        }
        const double twice = run(&t, n).seconds;
        if (fabs(twice - 2 * once) > CLOSE * once) {
            fail_rule(&t, n, "twice the time", 2 * once, twice);
        }
        end(&t);
    }
}

static void count_merges(const simulate_event *event, void *context)
{
    if (event->kind == SIMULATE_EVENT_BLEND && event->bytes > 0) {
        ++*(int64_t *)context;
    }
}

/* The order in which messages pass the ports does not lose any. */
static void a_mixed_machine_merges_the_same_messages(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < CASES / 3; n++) {
        trial t;
        int64_t merges[2] = {0, 0};
        begin(&t, n);
        t.of.visit = count_merges;
        for (int mixed = 0; mixed < 2; mixed++) {
            t.of.context = &merges[mixed];
            t.machine.is_mixed = mixed;
            run(&t, n);
        }
        if (merges[0] != merges[1]) {
            fail_rule(&t, n, "as many merges", (double)merges[0], (double)merges[1]);
        }
        end(&t);
    }
}

/* Numbers of nodes are names. */
static void nodes_may_have_any_numbers(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < CASES; n++) {
        trial t;
        begin(&t, n);
        if (t.of.nodes && !t.machine.one_host) {
            const double before = run(&t, n).seconds;
            const int most = t.nodes.most_node;
            for (int q = 0; q < t.of.problem.size; q++) {
                t.node[q] = most - t.node[q];
            }
            assert_int_equal(composite_nodes_find(t.of.problem.size, t.node, &t.nodes),
                             STATUS_OK);
            const double after = run(&t, n).seconds;
            if (fabs(after - before) > CLOSE * before) {
                fail_rule(&t, n, "the same time", before, after);
            }
        }
        end(&t);
    }
}

/* Binary swap looks the same from behind. */
static void binary_swap_takes_as_long_from_behind(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < CASES / 5; n++) {
        trial t;
        begin(&t, n);
        const int size = 1 << random_below(&t.random, 6);
        simulate_case swap = {.algorithm = composite_algorithm_find("binary-swap"),
                              .problem = {.size = size, .pixels = 1024}};
        t.of = swap;
        t.of.late = t.late;
        for (int q = 0; q < size; q++) {
            t.late[q] = random_between(&t.random, 0, 1e-4);
        }
        const double before = run(&t, n).seconds;
        for (int q = 0; q < size / 2; q++) {
            const double other = t.late[size - 1 - q];
            t.late[size - 1 - q] = t.late[q];
            t.late[q] = other;
        }
        const double after = run(&t, n).seconds;
        if (fabs(after - before) > CLOSE * before) {
            fail_rule(&t, n, "the same time from behind", before, after);
        }
        end(&t);
    }
}

/* A delay may spread messages better, and by luck save a little. */
static const double LUCK = 0.03;

/* Slower links and a longer latency do not help. One rank a node, and round by round:
 * where ranks or rounds share ports or cores, another order can be luck (R. Graham,
 * "Bounds on multiprocessing timing anomalies", SIAM J. Appl. Math. 17, 1969). */
static void more_of_anything_takes_at_least_as_long(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < CASES; n++) {
        trial t;
        begin(&t, n);
        t.of.nodes = t.of.problem.nodes = NULL;
        t.of.segment = 0;
        t.machine.cores = 0;
        t.machine.ports = t.machine.receive_ports = 1;
        t.machine.half_duplex = t.machine.is_fifo = t.machine.is_mixed = false;
        const double before = run(&t, n).seconds;
        t.machine.between.latency += random_between(&t.random, 0, 1e-4);
        const double latency = run(&t, n).seconds;
        t.machine.between.beta *= 1 + random_between(&t.random, 0, 1);
        const double beta = run(&t, n).seconds;
        if (!(before <= latency * (1 + LUCK))) {
            fail_rule(&t, n, "more with more latency", before, latency);
        }
        if (!(latency <= beta * (1 + LUCK))) {
            fail_rule(&t, n, "more with slower links", latency, beta);
        }
        end(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_time_is_below_the_bound_of_the_busiest_ports),
        cmocka_unit_test(the_same_case_takes_the_same_time_again),
        cmocka_unit_test(times_scale_with_those_of_the_machine),
        cmocka_unit_test(a_mixed_machine_merges_the_same_messages),
        cmocka_unit_test(nodes_may_have_any_numbers),
        cmocka_unit_test(binary_swap_takes_as_long_from_behind),
        cmocka_unit_test(more_of_anything_takes_at_least_as_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
