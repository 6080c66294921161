#include "html.h"

#include "app/player/player.h"
#include "base/version.h"
#include "composite/simulate/machine.h"
#include "options.h"

#include <string.h>

/* An op of a position, as browser.h numbers them: a reduction of elements. */
enum { KIND_REDUCE = 2 };

/* ---- Ops --------------------------------------------------------------------------- */

/* Where the ops of all positions go: into a JSON list of numbers. */
typedef struct op_list {
    json_t *numbers;
    int64_t count; /* of ops */
    int failed;
} op_list;

static int add_op(const composite_op *op, void *context)
{
    op_list *list = context;
    const int64_t values[BROWSER_OP_NUMBERS] = {op->round, op->src, op->dst,  KIND_REDUCE,
                                                0,         0,       op->pix0, op->npix};
    for (int i = 0; i < BROWSER_OP_NUMBERS; i++) {
        list->failed |= json_array_append_new(list->numbers, json_integer(values[i]));
    }
    list->count++;
    return list->failed;
}

/* The streams of all positions, and where each begins. */
static int add_streams(const app_schedule *schedule, json_t *to)
{
    op_list list = {.numbers = json_array()};
    json_t *begin = json_array();
    for (int position = 0; position < schedule->problem.size && !list.failed;
         position++) {
        list.failed |= json_array_append_new(begin, json_integer(list.count));
        composite_schedule_generate(schedule->algorithm, &schedule->problem,
                                    &schedule->params, position, add_op, &list);
    }
    list.failed |= json_array_append_new(begin, json_integer(list.count));
    list.failed |= json_object_set_new(to, "begin", begin);
    return list.failed | json_object_set_new(to, "ops", list.numbers);
}

/* ---- The page's data -----------------------------------------------------------------
 */

static json_t *describe_schedule(const app_schedule *schedule)
{
    char parameters[256];
    app_options_print(schedule->algorithm, &schedule->problem, &schedule->params,
                      sizeof parameters, parameters);
    json_t *object =
        json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", schedule->algorithm->name,
                  "summary", schedule->algorithm->summary, "source",
                  schedule->algorithm->source, "parameters", parameters, "operator",
                  schedule->problem.op == COMPOSITE_NEAREST ? "nearest" : "over");
    if (object && add_streams(schedule, object)) {
        json_decref(object);
        return NULL;
    }
    return object;
}

/* A pixel that is not finished is an element. */
static json_t *describe_state(const app_schedule *schedule)
{
    const simulate_machine usual = simulate_machine_usual();
    return json_pack("{s:s, s:s, s:i, s:I, s:i, s:f, s:f, s:f}", "op", "compositing",
                     "alg", schedule->algorithm->name, "size", schedule->problem.size,
                     "count", (json_int_t)schedule->problem.pixels, "root",
                     schedule->problem.root, "alpha",
                     usual.between.latency + usual.between.overhead, "beta",
                     usual.between.beta * COMPOSITE_PIXEL_BYTES, "gamma", usual.gamma);
}

/* ---- A run, for pages that cannot compute -------------------------------------------
 */

static void copy_numbers(const json_t *list, double *to)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        to[i] = (double)json_integer_value(json_array_get(list, i));
    }
}

static void give_input(const json_t *state, double *input)
{
    memset(input, 0, BROWSER_INPUTS * sizeof *input);
    input[BROWSER_SIZE] = json_number_value(json_object_get(state, "size"));
    input[BROWSER_COUNT] = json_number_value(json_object_get(state, "count"));
    input[BROWSER_ALPHA] = json_number_value(json_object_get(state, "alpha"));
    input[BROWSER_BETA] = json_number_value(json_object_get(state, "beta"));
    input[BROWSER_GAMMA] = json_number_value(json_object_get(state, "gamma"));
    input[BROWSER_PORTS] = 1;
}

static status add_run(json_t *data)
{
    const json_t *schedule = json_object_get(data, "schedule");
    const json_t *ops = json_object_get(schedule, "ops");
    browser_core *core;
    status s = browser_create(&core);
    if (s != STATUS_OK) {
        return s;
    }
    give_input(json_object_get(data, "state"), browser_input(core));
    double *to = browser_change(core, (int)json_array_size(ops) / BROWSER_OP_NUMBERS);
    if (to) {
        copy_numbers(ops, to);
        copy_numbers(json_object_get(schedule, "begin"),
                     browser_numbers(core, BROWSER_BEGIN));
    }
    s = to ? browser_run_ops(core) : base_fail_memory(4096, "the page of a schedule");
    s = s == STATUS_OK ? player_add_run(data, core) : s;
    browser_destroy(&core);
    return s;
}

/* ---- The page ---------------------------------------------------------------------- */

status app_schedule_check_html(const app_schedule *schedule)
{
    const composite_problem *problem = &schedule->problem;
    if (problem->size > APP_HTML_MOST_RANKS) {
        return base_fail(
            STATUS_USAGE,
            "a page shows the schedules of at most %d ranks: give fewer than "
            "%d",
            APP_HTML_MOST_RANKS, problem->size);
    }
    composite_schedule_summary summary;
    const status s =
        app_messages_limit(schedule, APP_HTML_MOST_MESSAGES, "shown by a page",
                           "give fewer --ranks", &summary);
    return s == STATUS_OK ? composite_schedule_check(schedule->algorithm, problem,
                                                     &schedule->params, &summary)
                          : s;
}

status app_schedule_write_html(const app_schedule *schedule, const char *path,
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
    s = s != STATUS_OK || player_has_core() ? s : add_run(data);
    s = s == STATUS_OK ? player_write(path, data) : s;
    json_decref(data);
    return s;
}
