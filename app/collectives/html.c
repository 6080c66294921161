#include "html.h"

#include "app/player/player.h"
#include "base/version.h"
#include "collective/browser/browser.h"

#include <stdio.h>
#include <string.h>

/*
 * The functions below return new values, NULL without memory. json_object_set_new and
 * json_array_append_new take ownership of a value, and fail if it is NULL.
 */

static json_t *finish(json_t *value, int failed)
{
    if (failed) {
        json_decref(value);
        return NULL;
    }
    return value;
}

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
    return finish(late, failed);
}

static json_t *describe_state(const collectives_problem *problem,
                              const collective_algorithm *algorithm)
{
    const collective_problem *own = &problem->problem;
    const collective_machine *machine = &problem->machine;
    return json_pack("{s:s, s:s, s:i, s:I, s:i, s:I, s:f, s:f, s:f, s:i, s:o}", "op",
                     algorithm->operation->name, "alg", algorithm->name, "size",
                     own->size, "count", (json_int_t)own->count, "root", own->root,
                     "segment", (json_int_t)own->segment, "alpha", machine->alpha, "beta",
                     machine->beta, "gamma", machine->gamma, "ports", machine->ports,
                     "late", describe_late(problem));
}

/* ---- A run, for pages that cannot compute -------------------------------------------
 */

typedef const char *text_of(int n, int which);
typedef int flags_of(int n);

/* The names of operations or algorithms. */
static json_t *describe_names(text_of *text, flags_of *flags)
{
    json_t *list = json_array();
    int failed = 0;
    for (int n = 0; text(n, BROWSER_NAME); n++) {
        failed |= json_array_append_new(
            list,
            json_pack("{s:s, s:s, s:s?, s:s?, s:s?, s:i}", "name", text(n, BROWSER_NAME),
                      "summary", text(n, BROWSER_SUMMARY), "source",
                      text(n, BROWSER_SOURCE), "formula", text(n, BROWSER_FORMULA),
                      "order", text(n, BROWSER_ORDER), "flags", flags(n)));
    }
    return finish(list, failed);
}

static json_t *describe_table(browser_core *core, int table)
{
    const double *numbers = browser_numbers(core, table);
    json_t *list = json_array();
    int failed = 0;
    for (int i = 0; i < browser_numbers_count(core, table); i++) {
        const json_int_t whole = (json_int_t)numbers[i];
        failed |= json_array_append_new(list, (double)whole == numbers[i]
                                                  ? json_integer(whole)
                                                  : json_real(numbers[i]));
    }
    return finish(list, failed);
}

static json_t *describe_tables(browser_core *core)
{
    static const char *const names[BROWSER_RANGES] = {
        "ops",    "begin", "messages", "path",  "finish",
        "totals", "cost",  "borders",  "given", "promised"};
    json_t *tables = json_object();
    int failed = 0;
    for (int n = 0; n < BROWSER_RANGES; n++) {
        failed |= json_object_set_new(tables, names[n], describe_table(core, n));
    }
    return finish(tables, failed);
}

static void give_input(const collectives_problem *problem, double *input)
{
    input[BROWSER_SIZE] = problem->problem.size;
    input[BROWSER_COUNT] = (double)problem->problem.count;
    input[BROWSER_ROOT] = problem->problem.root;
    input[BROWSER_SEGMENT] = (double)problem->problem.segment;
    input[BROWSER_ALPHA] = problem->machine.alpha;
    input[BROWSER_BETA] = problem->machine.beta;
    input[BROWSER_GAMMA] = problem->machine.gamma;
    input[BROWSER_PORTS] = problem->machine.ports;
    memcpy(input + BROWSER_LATE, problem->late, sizeof problem->late);
}

static int number_of(const collective_algorithm *algorithm)
{
    int n = 0;
    while (collective_algorithm_at(n) != algorithm) {
        n++;
    }
    return n;
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
    give_input(problem, browser_input(core));
    s = browser_run(core, number_of(algorithm));
    if (s == STATUS_OK) {
        int failed = json_object_set_new(
            data, "operations",
            describe_names(browser_operation_text, browser_operation_flags));
        failed |= json_object_set_new(
            data, "algorithms",
            describe_names(browser_algorithm_text, browser_algorithm_flags));
        failed |=
            json_object_set_new(data, "run",
                                json_pack("{s:o, s:s}", "tables", describe_tables(core),
                                          "sentence", browser_sentence(core)));
        s = failed ? base_fail_memory(4096, "the page of a collective") : STATUS_OK;
    }
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
