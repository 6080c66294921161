/* The simulator: published formulas, cases that can be counted by hand, and rules that
 * hold for every schedule and machine. */
#include "messages/model/engine.h"
#include "messages/model/simulate.h"
#include "support/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* cmocka.h needs the headers above. */
#include <cmocka.h>

/* Seconds of latency, of a pixel over a port, and of a blended pixel. No overlap; any
 * number of messages arrive at once: the model of Radix-k, section 2.2. */
static simulate_machine plain_machine(double alpha, double beta, double gamma)
{
    return (simulate_machine){
        .between = {.latency = alpha, .beta = beta / COMPOSITE_PIXEL_BYTES},
        .ports = 1,
        .gamma = gamma};
}

static simulate_case make_case(const char *algorithm, int size, int64_t pixels)
{
    simulate_case of = {.algorithm = composite_algorithm_find(algorithm),
                        .problem = {.size = size, .pixels = pixels}};
    assert_non_null(of.algorithm);
    return of;
}

static simulate_result run(simulate_simulator *sim, const simulate_case *of,
                           const simulate_machine *machine)
{
    simulate_result result;
    if (simulate_run(sim, of, machine, &result) != STATUS_OK) {
        fail_msg("%s: %s", of->algorithm->name, base_fail_message());
    }
    return result;
}

/* The result of a call with a simulator of its own. */
static double seconds_of(const simulate_case *of, const simulate_machine *machine)
{
    simulate_simulator *sim;
    assert_int_equal(simulate_create(&sim), STATUS_OK);
    const double seconds = run(sim, of, machine).seconds;
    simulate_destroy(&sim);
    return seconds;
}

static void expect(double actual, double expected, double tolerance, const char *what)
{
    if (!(fabs(actual - expected) <= tolerance * fabs(expected) + 1e-15)) {
        fail_msg("%s: expected %.12g s, got %.12g s", what, expected, actual);
    }
}

/* ---- Published formulas ------------------------------------------------------------ */

static composite_params factors_of(int count, const int *factors)
{
    composite_params params = {.nfactors = count};
    for (int i = 0; i < count; i++) {
        params.factors[i] = factors[i];
    }
    return params;
}

/* Radix-k, section 3.2: r alpha + n (beta + gamma) (p - 1) / p, for every vector k.
 * Binary swap and direct-send are the vectors [2, 2, ...] and [p]. */
static void radix_k_costs_what_its_paper_says(void **state)
{
    (void)state;
    static const struct {
        int count, factors[8];
    } vectors[] = {{1, {2}},       {1, {256}},     {2, {16, 16}},
                   {3, {8, 8, 4}}, {3, {4, 8, 8}}, {8, {2, 2, 2, 2, 2, 2, 2, 2}},
                   {2, {3, 5}},    {3, {5, 3, 2}}, {2, {4, 3}}};
    const double alpha = 5e-6, beta = 4e-8, gamma = 5e-8, pixels = 2 * 256 * 900;
    const simulate_machine machine = plain_machine(alpha, beta, gamma);
    for (size_t v = 0; v < sizeof vectors / sizeof vectors[0]; v++) {
        int size = 1;
        for (int i = 0; i < vectors[v].count; i++) {
            size *= vectors[v].factors[i];
        }
        simulate_case of = make_case("radix-k", size, (int64_t)pixels);
        of.params = factors_of(vectors[v].count, vectors[v].factors);
        const double formula =
            vectors[v].count * alpha + pixels * (beta + gamma) * (size - 1) / size;
        expect(seconds_of(&of, &machine), formula, 1e-12, "radix-k");
    }
}

/* Radix-k, table 1: the bounds of reduce-scatter, which binary swap reaches, and
 * direct-send but for its latency of one step. */
static void swap_and_direct_send_reach_the_bounds_of_table_1(void **state)
{
    (void)state;
    const double alpha = 5e-6, beta = 4e-8, gamma = 5e-8, pixels = 1 << 20;
    const simulate_machine machine = plain_machine(alpha, beta, gamma);
    for (int rounds = 1; rounds <= 8; rounds++) {
        const int size = 1 << rounds;
        const double work = pixels * (beta + gamma) * (size - 1) / size;
        simulate_case of = make_case("binary-swap", size, (int64_t)pixels);
        expect(seconds_of(&of, &machine), rounds * alpha + work, 1e-12, "binary swap");
        of.algorithm = composite_algorithm_find("direct-send");
        expect(seconds_of(&of, &machine), alpha + work, 1e-12, "direct-send");
        /* Reduce: the latency of a binary tree. */
        const simulate_machine latency = plain_machine(alpha, 0, 0);
        of.algorithm = composite_algorithm_find("tree");
        expect(seconds_of(&of, &latency), rounds * alpha, 1e-12, "tree");
    }
}

/* No algorithm stays below the bounds of reduce-scatter, those of bandwidth and work. */
static void no_algorithm_stays_below_the_bounds_of_table_1(void **state)
{
    (void)state;
    const double beta = 4e-8, gamma = 5e-8, pixels = 1 << 16;
    const simulate_machine machine = plain_machine(0, beta, gamma);
    const composite_algorithm *algorithm;
    for (int n = 0; (algorithm = composite_algorithm_at(n)); n++) {
        for (int size = 2; size <= 40; size++) {
            const simulate_case of = make_case(algorithm->name, size, (int64_t)pixels);
            const double least = gamma * pixels * (size - 1) / size;
            const double seconds = seconds_of(&of, &machine);
            if (!(seconds >= least * (1 - 1e-9))) {
                fail_msg("%s, %d ranks: %g s is below the bound %g s", algorithm->name,
                         size, seconds, least);
            }
        }
    }
}

/* NaS/RVS, section 6.2: an exchange is a receive, then a send; c and r are the seconds to
 * send and to blend an image. */
static void nas_rvs_figure_6_6_comes_out(void **state)
{
    (void)state;
    const double c = 0.1215, r = 0.4450, pixels = 512 * 512;
    simulate_machine machine = plain_machine(0, c / pixels, r / pixels);
    machine.half_duplex = true;
    for (int p = 2; p <= 64; p *= 2) {
        simulate_case of = make_case("serial", p, (int64_t)pixels);
        expect(seconds_of(&of, &machine), (p - 1) * (c + r), 1e-12, "simple");
        of.algorithm = composite_algorithm_find("tree");
        expect(seconds_of(&of, &machine), log2(p) * (c + r), 1e-12, "tree");
        of.algorithm = composite_algorithm_find("binary-swap");
        of.problem.gather_bytes = COMPOSITE_PIXEL_BYTES;
        expect(seconds_of(&of, &machine), (1 - 1.0 / p) * (3 * c + r), 1e-12,
               "binary swap");
    }
}

/* TOD-tree, section 3.2: (2 r + (k - 1) log_k(p / r) - 1) messages of n / r, and
 * (r + (k - 1) log_k(p / r) - 1) merges, with a latency that no message overlaps. */
static void tod_tree_costs_what_its_paper_says(void **state)
{
    (void)state;
    const double alpha = 20e-6, beta = 2e-9, gamma = 8e-12, pixels = 1 << 22;
    simulate_machine machine = plain_machine(0, beta, gamma);
    machine.between.overhead = alpha;
    machine.receive_ports = 1;
    simulate_case of = make_case("tod-tree", 64, (int64_t)pixels);
    of.params = (composite_params){.group = 16, .fan_in = 4};
    of.problem.gather_bytes = COMPOSITE_PIXEL_BYTES;
    const double r = 16, tree = 3;
    const double message = alpha + pixels / r * beta;
    /* The root has its own region, so that it gathers r - 1. */
    const double formula =
        (2 * r + tree - 2) * message + (r + tree - 1) * pixels / r * gamma;
    expect(seconds_of(&of, &machine), formula, 1e-9, "tod-tree");
}

/* ---- By hand ----------------------------------------------------------------------- */

/* Two ranks of 1000 pixels: half of them cross in 5 + 500 x 1 = 505 us, and are merged in
 * 1000 us; then 500 finished pixels of 4 bytes follow in 5 + 125 us. */
static void two_ranks_take_what_a_hand_counts(void **state)
{
    (void)state;
    const simulate_machine machine = plain_machine(5e-6, 1e-6, 2e-6);
    simulate_case of = make_case("binary-swap", 2, 1000);
    simulate_simulator *sim;
    assert_int_equal(simulate_create(&sim), STATUS_OK);
    simulate_result result = run(sim, &of, &machine);
    expect(result.seconds, 1505e-6, 1e-12, "two ranks");
    assert_int_equal(result.messages, 2);
    of.problem.gather_bytes = 4;
    result = run(sim, &of, &machine);
    expect(result.seconds, 1635e-6, 1e-12, "with the gathering");
    expect(result.merged, 1505e-6, 1e-12, "merging");
    assert_int_equal(result.messages, 3);
    expect(result.bytes, 2 * 8000 + 2000, 1e-12, "bytes");
    simulate_destroy(&sim);
}

/* Segments of 100 pixels: five parts of 100 us follow each other; each is merged in 50 us
 * while the next one comes, so that only the last merge shows. */
static void segments_overlap_messages_and_merges(void **state)
{
    (void)state;
    simulate_machine machine = plain_machine(0, 1e-6, 0.5e-6);
    machine.overlaps = true;
    simulate_case of = make_case("binary-swap", 2, 1000);
    expect(seconds_of(&of, &machine), 750e-6, 1e-12, "whole messages");
    of.segment = 100;
    expect(seconds_of(&of, &machine), 550e-6, 1e-12, "segments");
    machine.overlaps = false;
    expect(seconds_of(&of, &machine), 750e-6, 1e-12, "segments without overlap");
}

/* Four images of 100 pixels at one root: its port takes 100 us for each; two ports take
 * two at a time, and half duplex changes nothing, as it sends none. */
static void ports_of_the_receiver_take_turns(void **state)
{
    (void)state;
    simulate_machine machine = plain_machine(0, 1e-6, 0);
    const simulate_case of = make_case("serial", 5, 100);
    expect(seconds_of(&of, &machine), 100e-6, 1e-12, "any number at once");
    for (int fifo = 0; fifo < 2; fifo++) {
        machine.is_fifo = fifo;
        machine.receive_ports = 1;
        expect(seconds_of(&of, &machine), 400e-6, 1e-12, "one port");
        machine.receive_ports = 2;
        expect(seconds_of(&of, &machine), 200e-6, 1e-12, "two ports");
    }
    machine.receive_ports = 1;
    machine.half_duplex = true;
    expect(seconds_of(&of, &machine), 400e-6, 1e-12, "half duplex");
}

/* Halves of 1000 pixels cross: 500 us, or 750 us if both ways slow each other down. The
 * gathering of 500 pixels, a quarter of their bytes, goes one way. A tree has no crossing
 * messages. */
static void ports_are_slower_both_ways(void **state)
{
    (void)state;
    simulate_machine machine = plain_machine(0, 1e-6, 0);
    machine.receive_ports = 1;
    machine.duplex = 1.5;
    simulate_case of = make_case("binary-swap", 2, 1000);
    expect(seconds_of(&of, &machine), 750e-6, 1e-12, "binary swap");
    of.problem.gather_bytes = 4;
    expect(seconds_of(&of, &machine), 875e-6, 1e-12, "with the gathering");
    of.algorithm = composite_algorithm_find("tree");
    expect(seconds_of(&of, &machine), 1000e-6, 1e-12, "tree");
}

/* Two nodes of two ranks: with binary swap among all, round 0 stays on the nodes, and in
 * round 1 each rank sends a quarter of 1000 pixels through the node's only port. */
/*
 * Direct-send to rank 0, which merges nothing: each of the three others receives one
 * picture and sends two thirds of one. While its receivers are busy, its port has a third
 * left for finished pixels. So the gathering ends soon after the merging, when rank 0's
 * port has carried one picture. One message after the other has no such gaps.
 */
static void senders_wait_for_slow_receivers(void **state)
{
    (void)state;
    simulate_machine machine = {.between = {.beta = 1e-9},
                                .ports = 1,
                                .receive_ports = 1,
                                .overlaps = true,
                                .gamma = 1e-15};
    simulate_case of = make_case("direct-send", 4, (int64_t)1 << 22);
    of.problem.gather_bytes = 16;
    of.problem.root = 1;
    of.segment = 1 << 15;
    const double picture = 16e-9 * (double)of.problem.pixels;
    simulate_simulator *sim;
    assert_int_equal(simulate_create(&sim), STATUS_OK);
    const simulate_result result = run(sim, &of, &machine);
    expect(result.merged, picture, 0.01, "merging");
    expect(result.seconds, picture, 0.05, "all of it");
    simulate_destroy(&sim);
    machine.is_fifo = true;
    assert_true(seconds_of(&of, &machine) > 1.5 * picture);
}

/* Each port carries 3/4 of a picture without a pause, whether round 0 goes first or all
 * wait in one queue, in which round 0 came first. */
static void rounds_share_ports_on_a_mixed_machine(void **state)
{
    (void)state;
    simulate_machine machine = {.between = {.beta = 1e-9},
                                .ports = 1,
                                .receive_ports = 1,
                                .overlaps = true,
                                .gamma = 1e-15};
    simulate_case of = make_case("binary-swap", 4, (int64_t)1 << 22);
    of.segment = 1 << 14;
    const double picture = 16e-9 * (double)of.problem.pixels;
    expect(seconds_of(&of, &machine), 0.75 * picture, 0.01, "round by round");
    machine.is_mixed = true;
    expect(seconds_of(&of, &machine), 0.75 * picture, 0.01, "in one queue");
    of.algorithm = composite_algorithm_find("direct-send");
    expect(seconds_of(&of, &machine), 0.75 * picture, 0.01, "direct-send");
    machine.duplex = 1.5;
    expect(seconds_of(&of, &machine), 1.125 * picture, 0.01, "both ways");
    of.algorithm = composite_algorithm_find("tree");
    expect(seconds_of(&of, &machine), 2 * picture, 0.01, "tree");
    machine.between.latency = 2 * picture;
    machine.duplex = 1;
    expect(seconds_of(&of, &machine), 5 * picture, 0.01, "tree with latency");
    machine.burst = 0.4 * picture; /* each of both messages is faster by that */
    expect(seconds_of(&of, &machine), (5 - 0.9 * 0.8) * picture, 0.15, "with bursts");
}

/* Eight ranks on two cores exchange pieces: each receives 7/8 of a picture. Receivers
 * take turns, and bytes are taken as they come, so cores add little to the time of the
 * links. */
static void cores_work_while_pieces_are_under_way(void **state)
{
    (void)state;
    simulate_machine machine = plain_machine(0, 16 * 8.4e-9, 0);
    machine.receive_ports = 1;
    machine.is_mixed = machine.one_host = machine.overlaps = true;
    machine.cores = 2;
    machine.delta = 0.55e-9;
    simulate_case of = make_case("direct-send", 8, (int64_t)1 << 18);
    of.segment = 1 << 15;
    const double links = 8.4e-9 * 16 * 7 / 8 * (double)of.problem.pixels;
    expect(seconds_of(&of, &machine), 1.08 * links, 0.03, "pieces");
}

static void ranks_of_a_node_share_its_port(void **state)
{
    (void)state;
    const int node[] = {0, 0, 1, 1};
    composite_nodes nodes = {0};
    assert_int_equal(composite_nodes_find(4, node, &nodes), STATUS_OK);
    simulate_machine machine = plain_machine(0, 1e-6, 0);
    machine.receive_ports = 1;
    simulate_case of = make_case("binary-swap", 4, 1000);
    expect(seconds_of(&of, &machine), 750e-6, 1e-12, "four nodes");
    of.nodes = &nodes;
    expect(seconds_of(&of, &machine), 500e-6, 1e-12, "two nodes");
    machine.ports = machine.receive_ports = 2;
    expect(seconds_of(&of, &machine), 250e-6, 1e-12, "two ports");
    machine.within.latency = 1e-6;
    expect(seconds_of(&of, &machine), 251e-6, 1e-12, "latency within a node");
    composite_nodes_clear(&nodes);
}

/* Four ranks that merge 750 pixels each on two cores need twice the time. */
static void ranks_of_a_host_share_its_cores(void **state)
{
    (void)state;
    simulate_machine machine = plain_machine(0, 0, 1e-6);
    const simulate_case of = make_case("direct-send", 4, 1000);
    expect(seconds_of(&of, &machine), 750e-6, 1e-12, "a core for each");
    machine.cores = 2;
    expect(seconds_of(&of, &machine), 750e-6, 1e-12, "each rank on its node");
    machine.one_host = true;
    expect(seconds_of(&of, &machine), 1500e-6, 1e-12, "two cores for all");
}

/* A late rank delays those that merge its pixels, and all that depend on them. */
/* A chain is a pipeline: its ports stay busy although all ranks share two cores, which
 * prepare and merge short pieces of many rounds in turn. */
static void rounds_of_a_pipeline_share_cores(void **state)
{
    (void)state;
    simulate_machine machine = simulate_machine_usual();
    machine.delta = 1e-9;
    machine.cores = 2;
    machine.one_host = true;
    simulate_case of = make_case("chain", 8, 1 << 20);
    of.segment = 32768;
    of.problem.root = 4;
    of.problem.gather_bytes = COMPOSITE_PIXEL_BYTES;
    simulate_simulator *sim;
    assert_int_equal(simulate_create(&sim), STATUS_OK);
    const simulate_result result = run(sim, &of, &machine);
    assert_true(result.seconds >= result.bound);
    assert_true(result.seconds < 1.25 * result.bound);
    simulate_destroy(&sim);
}

static void late_ranks_delay_those_that_wait_for_them(void **state)
{
    (void)state;
    const simulate_machine machine = plain_machine(0, 1e-6, 0);
    double late[4] = {0, 0, 0, 10e-3};
    simulate_case of = make_case("binary-swap", 4, 1000);
    of.late = late;
    simulate_simulator *sim;
    assert_int_equal(simulate_create(&sim), STATUS_OK);
    simulate_result result = run(sim, &of, &machine);
    expect(result.seconds, 10.75e-3, 1e-12, "one late rank");
    /* Position 0 swaps with 1 in time, then waits for 2, whose partner 3 is late. */
    expect(result.rounds[0].finish, 10.5e-3, 1e-12, "round 0");
    expect(result.ranks[0].finish, 10.75e-3, 1e-12, "position 0");
    late[3] = 0;
    expect(run(sim, &of, &machine).seconds, 0.75e-3, 1e-12, "nobody is late");
    simulate_destroy(&sim);
}

/* Points of measured times, and the slope beyond them. */
static void times_of_messages_are_linear_between_points(void **state)
{
    (void)state;
    const simulate_link link = {
        .beta = 2, .npoints = 3, .points = {{0, 1}, {10, 3}, {20, 13}}};
    expect(simulate_link_time(&link, 0), 1, 1e-12, "0 bytes");
    expect(simulate_link_time(&link, 5), 2, 1e-12, "5 bytes");
    expect(simulate_link_time(&link, 15), 8, 1e-12, "15 bytes");
    expect(simulate_link_time(&link, 30), 33, 1e-12, "30 bytes");
}

/* ---- Active pixels ----------------------------------------------------------------- */

/* Three images with rectangles in different rows: a message has the pixels of its run. */
static void only_active_pixels_travel(void **state)
{
    (void)state;
    simulate_activity activity;
    assert_int_equal(simulate_activity_create(128, 128, 3, &activity), STATUS_OK);
    simulate_activity_rectangle(&activity, 0, (pixel_rect){0, 0, 64, 64}, 64 * 64);
    simulate_activity_rectangle(&activity, 1, (pixel_rect){64, 0, 128, 64}, 64 * 64);
    simulate_activity_rectangle(&activity, 2, (pixel_rect){0, 64, 128, 128}, 64 * 64);
    simulate_activity_finish(&activity);
    double rows;
    const composite_range all = {0, 128 * 128}, upper = {0, 128 * 32};
    expect(simulate_activity_count(&activity, 0, 1, all, &rows), 4096, 1e-3, "image 0");
    expect(rows, 64, 1e-9, "its rows");
    expect(simulate_activity_count(&activity, 0, 1, upper, &rows), 2048, 1e-3, "upper");
    expect(simulate_activity_count(&activity, 0, 2, upper, &rows), 4096, 1e-3, "both");
    expect(simulate_activity_count(&activity, 2, 3, all, &rows), 4096, 1e-3, "half full");
    expect(simulate_activity_count(&activity, 2, 3, upper, &rows), 0, 1e-3, "none");
    expect(simulate_activity_count(&activity, 0, 3, all, &rows), 12288, 1e-3, "all");
    simulate_activity_clear(&activity);
    expect(simulate_activity_count(&activity, 0, 3, upper, &rows), 4096, 0, "dense");
}

/* Each image of a k-d tree shows less with more ranks; together they show the cube. */
static void footprints_of_a_kd_tree_cover_the_cube(void **state)
{
    (void)state;
    double whole = 0;
    for (int size = 1; size <= 64; size *= 4) {
        simulate_activity activity;
        assert_int_equal(simulate_activity_kd(512, 512, size, &activity), STATUS_OK);
        double rows, most = 0;
        const composite_range all = {0, 512 * 512};
        for (int q = 0; q < size; q++) {
            most = fmax(most, simulate_activity_count(&activity, q, q + 1, all, &rows));
        }
        const double together = simulate_activity_count(&activity, 0, size, all, &rows);
        whole = size == 1 ? together : whole;
        assert_true(together > 0.9 * whole && together < 1.15 * whole);
        assert_true(most <= whole * 1.01 / (size > 1 ? 1.4 : 1));
        simulate_activity_clear(&activity);
    }
    assert_true(whole > 0.25 * 512 * 512 && whole < 0.75 * 512 * 512);
}

/* ---- Direct-send among many -------------------------------------------------------- */

/* The stream of some receivers gives the time of the whole schedule. */
static void samples_of_direct_send_stand_for_all(void **state)
{
    (void)state;
    simulate_simulator *sim;
    assert_int_equal(simulate_create(&sim), STATUS_OK);
    for (int kind = 0; kind < 16; kind++) {
        simulate_machine machine = plain_machine(5e-6, 1e-7, 5e-8);
        machine.is_fifo = kind & 1;
        machine.overlaps = kind & 2;
        machine.receive_ports = kind & 4 ? 1 : 0;
        machine.half_duplex = (kind & 4) && (kind & 8);
        machine.between.overhead = 1e-6;
        machine.duplex = kind & 2 ? 1.25 : 0;
        for (int size = 2; size <= 30; size += 7) {
            simulate_case of = make_case("direct-send", size, (int64_t)size * 1000);
            const simulate_result whole = run(sim, &of, &machine);
            simulate_result sampled;
            sim->of = &of;
            sim->machine = &machine;
            assert_int_equal(simulate_direct_run(sim, &sampled), STATUS_OK);
            expect(sampled.seconds, whole.seconds, 1e-9, "direct-send by samples");
            expect(sampled.bytes, whole.bytes, 1e-9, "bytes");
            expect(sampled.bound, whole.bound, 1e-9, "bound");
            assert_int_equal(sampled.messages, whole.messages);
        }
    }
    simulate_destroy(&sim);
}

static void very_many_ranks_are_no_problem(void **state)
{
    (void)state;
    const simulate_machine machine = plain_machine(5e-6, 1e-7, 5e-8);
    const simulate_case of = make_case("direct-send", 131072, (int64_t)131072 * 16);
    const double formula = 5e-6 + 131072.0 * 16 * (1e-7 + 5e-8) * (1 - 1.0 / 131072);
    expect(seconds_of(&of, &machine), formula, 1e-9, "131,072 ranks");
}

/* ---- Bad input --------------------------------------------------------------------- */

static void texts_of_machines_are_understood_or_refused(void **state)
{
    (void)state;
    simulate_machine machine = simulate_machine_usual();
    assert_int_equal(simulate_machine_parse("alpha=20us,beta=8.5ns,gamma=1.5e-9,ports=2,"
                                            "overlap=0,fifo=1",
                                            &machine),
                     STATUS_OK);
    expect(machine.between.latency, 20e-6, 1e-12, "alpha");
    expect(machine.between.beta, 8.5e-9, 1e-12, "beta");
    expect(machine.gamma, 1.5e-9, 1e-12, "gamma");
    assert_int_equal(machine.ports, 2);
    assert_true(!machine.overlaps && machine.is_fifo);
    assert_int_equal(simulate_machine_parse("rate=100MB", &machine), STATUS_OK);
    expect(machine.between.beta, 1e-8, 1e-12, "rate");
    static const char *const wrong[] = {
        "",           "alpha",      "alpha=",     "alpha=20mm", "alpha=-1us",
        "alpha=inf",  "infinity",   "shared,",    "alpha=nan",  "beta=1ns,",
        "ports=0",    "ports=two",  "ports=1.5",  "overlap=2",  "speed=3",
        "rate=0",     "rate=1Gbit", ",alpha=1us", "alpha =1us", "gamma=1ns 2ns",
        "alpha=1e300"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const simulate_machine before = machine;
        if (simulate_machine_parse(wrong[i], &machine) != STATUS_USAGE) {
            fail_msg("'%s' is no machine, but was taken for one", wrong[i]);
        }
        assert_memory_equal(&before, &machine, sizeof machine);
    }
}

/* Without an overhead a message keeps a port for half of its latency, or as usual. */
static void no_message_is_free_unless_somebody_says_so(void **state)
{
    static const struct {
        const char *text;
        double latency, overhead;
    } cases[] = {
        {"ports=2", 26e-6, 4e-6},          {"alpha=2us,rate=10GB", 2e-6, 1e-6},
        {"alpha=30us", 30e-6, 4e-6},       {"alpha=0", 0, 0},
        {"alpha=2us,overhead=0", 2e-6, 0}, {"overhead=5us,alpha=1us", 1e-6, 5e-6},
        {"infiniband", 700e-9, 200e-9},    {"infiniband,alpha=2us,ports=2", 2e-6, 200e-9},
        {"shared", 200e-9, 100e-9},        {"gigabit", 26e-6, 4e-6}};
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        simulate_machine machine = simulate_machine_usual();
        assert_int_equal(simulate_machine_parse(cases[n].text, &machine), STATUS_OK);
        expect(machine.between.latency, cases[n].latency, 1e-12, cases[n].text);
        expect(machine.between.overhead, cases[n].overhead, 1e-12, cases[n].text);
    }
    assert_true(simulate_machine_is_named("shared"));
    assert_true(simulate_machine_is_named("infiniband,ports=2"));
    assert_false(simulate_machine_is_named("shared.json"));
    assert_false(simulate_machine_is_named("alpha=1us,infiniband"));
}

static void points_of_a_link_that_stalled_are_found(void **state)
{
    (void)state;
    const double byte = 8.4e-9; /* of a link of 1 Gbit/s */
    simulate_point points[] = {{0, 3e-6},
                               {4096, 4096 * 9 * byte}, /* short: has other costs */
                               {65536, 65536 * 1.1 * byte},
                               {262144, 262144 * byte},
                               {4194304, 4194304 * byte}};
    enum { COUNT = sizeof points / sizeof points[0] };
    assert_int_equal(simulate_points_find_stalled(COUNT, points), -1);
    points[3].seconds *= 4.5;
    points[4].seconds *= 1.5;
    assert_int_equal(simulate_points_find_stalled(COUNT, points), 3);
    points[3].seconds /= 4.5;
    assert_int_equal(simulate_points_find_stalled(COUNT, points), 4);
    points[4].seconds /= 1.5;
    assert_int_equal(simulate_points_find_stalled(COUNT, points), -1);
    assert_int_equal(simulate_points_find_stalled(2, points), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(radix_k_costs_what_its_paper_says),
        cmocka_unit_test(swap_and_direct_send_reach_the_bounds_of_table_1),
        cmocka_unit_test(no_algorithm_stays_below_the_bounds_of_table_1),
        cmocka_unit_test(nas_rvs_figure_6_6_comes_out),
        cmocka_unit_test(tod_tree_costs_what_its_paper_says),
        cmocka_unit_test(two_ranks_take_what_a_hand_counts),
        cmocka_unit_test(segments_overlap_messages_and_merges),
        cmocka_unit_test(ports_of_the_receiver_take_turns),
        cmocka_unit_test(ports_are_slower_both_ways),
        cmocka_unit_test(senders_wait_for_slow_receivers),
        cmocka_unit_test(rounds_share_ports_on_a_mixed_machine),
        cmocka_unit_test(cores_work_while_pieces_are_under_way),
        cmocka_unit_test(ranks_of_a_node_share_its_port),
        cmocka_unit_test(ranks_of_a_host_share_its_cores),
        cmocka_unit_test(rounds_of_a_pipeline_share_cores),
        cmocka_unit_test(late_ranks_delay_those_that_wait_for_them),
        cmocka_unit_test(times_of_messages_are_linear_between_points),
        cmocka_unit_test(only_active_pixels_travel),
        cmocka_unit_test(footprints_of_a_kd_tree_cover_the_cube),
        cmocka_unit_test(samples_of_direct_send_stand_for_all),
        cmocka_unit_test(very_many_ranks_are_no_problem),
        cmocka_unit_test(texts_of_machines_are_understood_or_refused),
        cmocka_unit_test(no_message_is_free_unless_somebody_says_so),
        cmocka_unit_test(points_of_a_link_that_stalled_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
