#include "html.h"

#include "base/version.h"
#include "io/json/json.h"
#include "messages/collective/browser/browser.h"
#include "messages/page/page.h"
#include "messages/schedule/options.h"

#include <stdio.h>
#include <string.h>

/*
 * The functions below return new values, NULL without memory. json_object_set_new and
 * json_array_append_new take ownership of a value, and fail if it is NULL.
 */

/* ---- The state --------------------------------------------------------------------- */

/* The algorithm that the page begins with: the binomial tree, where it is one of all. */
static const collective_algorithm *first_of(const collectives_problem *problem)
{
    const collective_algorithm *algorithm, *first = collectives_at(problem, 0);
    for (int n = 0; (algorithm = collectives_at(problem, n)); n++) {
        if (algorithm->operation == first->operation &&
            strcmp(algorithm->name, "binomial") == 0) {
            return algorithm;
        }
    }
    return first;
}

static json_t *describe_late(const collectives_problem *problem)
{
    json_t *late = json_object();
    int failed = 0;
    for (int rank = 0; rank < problem->problem.size; rank++) {
        char key[16];
        snprintf(key, sizeof key, "%d", rank);
        if (problem->late[rank] > 0) {
            failed |= json_object_set_new(late, key, json_real(problem->late[rank]));
        }
    }
    return io_json_finish(late, failed);
}

static json_t *describe_state(const collectives_problem *problem,
                              const collective_algorithm *algorithm)
{
    const collective_problem *own = &problem->problem;
    const collective_machine *machine = &problem->machine;
    char nodes[256];
    messages_options_print_nodes(&problem->nodes, sizeof nodes, nodes);
    return json_pack(
        "{s:s, s:s, s:i, s:I, s:i, s:I, s:f, s:f, s:f, s:f, s:f, s:i, s:s, s:o}", "op",
        algorithm->operation->name, "alg", algorithm->name, "size", own->size, "count",
        (json_int_t)own->count, "root", own->root, "segment", (json_int_t)own->segment,
        "alpha", machine->alpha, "beta", machine->beta, "gamma", machine->gamma,
        "nearAlpha", machine->near_alpha, "nearBeta", machine->near_beta, "ports",
        machine->ports, "nodes", nodes, "late", describe_late(problem));
}

/* ---- A run, for pages that cannot compute -------------------------------------------
 */

static void give_input(const collectives_problem *problem, browser_core *core)
{
    double *input = browser_input(core);
    input[BROWSER_SIZE] = problem->problem.size;
    input[BROWSER_COUNT] = (double)problem->problem.count;
    input[BROWSER_ROOT] = problem->problem.root;
    input[BROWSER_SEGMENT] = (double)problem->problem.segment;
    input[BROWSER_ALPHA] = problem->machine.alpha;
    input[BROWSER_BETA] = problem->machine.beta;
    input[BROWSER_GAMMA] = problem->machine.gamma;
    input[BROWSER_PORTS] = problem->machine.ports;
    memcpy(input + BROWSER_LATE, problem->late, sizeof problem->late);
    input[BROWSER_NEAR_ALPHA] = problem->machine.near_alpha;
    input[BROWSER_NEAR_BETA] = problem->machine.near_beta;
    browser_give_nodes(core, &problem->nodes);
}

/* Adds the names and the run of the algorithm. */
static status add_run(const collectives_problem *problem,
                      const collective_algorithm *algorithm, json_t *data)
{
    browser_core *core;
    status s = browser_create(&core);
    if (s != STATUS_OK) {
        return s;
    }
    give_input(problem, core);
    s = browser_run(core, collective_algorithm_number(algorithm));
    s = s == STATUS_OK ? player_add_run(data, core) : s;
    browser_destroy(&core);
    return s;
}

status collectives_write_html(const collectives_problem *problem, const char *path)
{
    const collective_algorithm *algorithm = first_of(problem);
    json_t *data = json_pack("{s:s++, s:o}", "made", "karman ", base_version(), "",
                             "state", describe_state(problem, algorithm));
    if (!data) {
        return base_fail_memory(4096, "the page of a collective");
    }
    status s = player_has_core() ? STATUS_OK : add_run(problem, algorithm, data);
    s = s == STATUS_OK ? player_write(path, data) : s;
    json_decref(data);
    return s;
}
