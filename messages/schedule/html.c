#include "html.h"

#include "base/version.h"
#include "messages/model/machine.h"
#include "messages/page/page.h"
#include "options.h"

#include <stdio.h>
#include <string.h>

/* ---- The page's data -----------------------------------------------------------------
 */

static json_t *describe_schedule(const messages_schedule *schedule)
{
    char parameters[256];
    messages_options_print(schedule->algorithm, &schedule->problem, &schedule->params,
                           sizeof parameters, parameters);
    return json_pack("{s:s, s:s, s:s, s:s}", "name", schedule->algorithm->name, "summary",
                     schedule->algorithm->summary, "source", schedule->algorithm->source,
                     "parameters", parameters);
}

/* "4,2". */
static void print_factors(const composite_params *params, size_t size, char *text)
{
    size_t used = 0;
    text[0] = '\0';
    for (int n = 0; n < params->nfactors && used < size; n++) {
        used += (size_t)snprintf(text + used, size - used, "%s%d", n > 0 ? "," : "",
                                 params->factors[n]);
    }
}

/* A pixel that is not finished is an element. */
static json_t *describe_state(const messages_schedule *schedule)
{
    const simulate_machine usual = simulate_machine_usual();
    const composite_problem *problem = &schedule->problem;
    char factors[128], nodes[256];
    print_factors(&schedule->params, sizeof factors, factors);
    messages_options_print_nodes(&schedule->nodes, sizeof nodes, nodes);
    return json_pack(
        "{s:s, s:s, s:i, s:I, s:i, s:f, s:f, s:f, s:s, s:i, s:i, s:i, s:s, s:i, s:i}",
        "op", "compositing", "alg", schedule->algorithm->name, "size", problem->size,
        "count", (json_int_t)problem->pixels, "root", problem->root, "alpha",
        usual.between.latency + usual.between.overhead, "beta",
        usual.between.beta * COMPOSITE_PIXEL_BYTES, "gamma", usual.gamma, "factors",
        factors, "group", schedule->params.group, "fanIn", schedule->params.fan_in,
        "gather", problem->gather_bytes, "nodes", nodes, "flat",
        schedule->nodes.size > 0 && !problem->nodes, "nearest",
        problem->op == COMPOSITE_NEAREST);
}

/* ---- A run, for pages that cannot compute -------------------------------------------
 */

static double number_of(const json_t *state, const char *key)
{
    return json_number_value(json_object_get(state, key));
}

static void give_input(const messages_schedule *schedule, const json_t *state,
                       browser_core *core)
{
    double *input = browser_input(core);
    memset(input, 0, BROWSER_INPUTS * sizeof *input);
    input[BROWSER_SIZE] = number_of(state, "size");
    input[BROWSER_COUNT] = number_of(state, "count");
    input[BROWSER_ROOT] = number_of(state, "root");
    input[BROWSER_ALPHA] = number_of(state, "alpha");
    input[BROWSER_BETA] = number_of(state, "beta");
    input[BROWSER_GAMMA] = number_of(state, "gamma");
    input[BROWSER_PORTS] = 1;
    input[BROWSER_NEAREST] = number_of(state, "nearest");
    input[BROWSER_GATHER] = number_of(state, "gather");
    browser_give_nodes(core, &schedule->nodes);
    input[BROWSER_BY_NODES] = number_of(state, "flat") == 0.0;
    input[BROWSER_GROUP] = number_of(state, "group");
    input[BROWSER_FAN_IN] = number_of(state, "fanIn");
    for (int n = 0; n < schedule->params.nfactors && n < BROWSER_MOST_FACTORS; n++) {
        input[BROWSER_FACTORS + n] = schedule->params.factors[n];
    }
}

static status add_run(const messages_schedule *schedule, json_t *data)
{
    browser_core *core;
    status s = browser_create(&core);
    if (s != STATUS_OK) {
        return s;
    }
    give_input(schedule, json_object_get(data, "state"), core);
    s = browser_composite(core, composite_algorithm_number(schedule->algorithm));
    s = s == STATUS_OK ? player_add_run(data, core) : s;
    browser_destroy(&core);
    return s;
}

/* ---- The page ---------------------------------------------------------------------- */

status messages_schedule_check_html(const messages_schedule *schedule)
{
    const composite_problem *problem = &schedule->problem;
    if (problem->size > APP_HTML_MOST_RANKS) {
        return base_fail(
            STATUS_USAGE,
            "a page shows the schedules of at most %d ranks: give fewer than "
            "%d",
            APP_HTML_MOST_RANKS, problem->size);
    }
    if (schedule->params.nfactors > BROWSER_MOST_FACTORS) {
        return base_fail(STATUS_USAGE, "a page shows at most %d --factors",
                         BROWSER_MOST_FACTORS);
    }
    composite_schedule_summary summary;
    const status s = messages_limit(schedule, APP_HTML_MOST_MESSAGES, "shown by a page",
                                    "give fewer --ranks", &summary);
    return s == STATUS_OK ? composite_schedule_check(schedule->algorithm, problem,
                                                     &schedule->params, &summary)
                          : s;
}

status messages_schedule_write_html(const messages_schedule *schedule, const char *path,
                                    json_t *images)
{
    status s = STATUS_OK;
    json_t *data =
        json_pack("{s:s++, s:o, s:o}", "made", "karman ", base_version(), "", "state",
                  describe_state(schedule), "schedule", describe_schedule(schedule));
    if (!data) {
        return base_fail_memory(4096, "the page of a schedule");
    }
    if (images && json_object_set(data, "picture", images)) {
        s = base_fail_memory(4096, "the page of a schedule");
    }
    s = s != STATUS_OK || player_has_core() ? s : add_run(schedule, data);
    s = s == STATUS_OK ? player_write(path, data) : s;
    json_decref(data);
    return s;
}
