#include "messages.h"

#include "composite/finished.h"
#include "describe.h"
#include "io/json/json.h"
#include "measured.h"
#include "messages/schedule/options.h"
#include "planned.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A schedule with more messages is neither simulated nor listed for a page. */
enum { MOST_PLANNED = 1 << 20 };

/* A frame, or a case, on its way to a page. */
typedef struct gathering {
    int size;
    simulate_frame frame;           /* of frames alone */
    simulate_simulation simulation; /* of frames with a schedule alone */
    simulate_case of;               /* .algorithm NULL: there is no schedule */
    const simulate_machine *machine;
    traffic_measured measured;
    traffic_notes notes;
    messages_schedule schedule;
    messages_of_frame list;
    traffic_side sides[TRAFFIC_RUNS];
} gathering;

static void clear(gathering *g)
{
    for (int run = 0; run < TRAFFIC_RUNS; run++) {
        free(g->sides[run].begin);
        free(g->sides[run].finish);
    }
    messages_clear(&g->list);
    traffic_notes_clear(&g->notes);
    traffic_measured_clear(&g->measured);
    simulate_simulation_clear(&g->simulation);
    simulate_frame_clear(&g->frame);
}

static status make_room(gathering *g)
{
    const size_t count = (size_t)g->size;
    bool fits = true;
    for (int run = 0; run < TRAFFIC_RUNS; run++) {
        g->sides[run].begin = calloc(count, sizeof *g->sides[run].begin);
        g->sides[run].finish = calloc(count, sizeof *g->sides[run].finish);
        fits = fits && g->sides[run].begin && g->sides[run].finish;
    }
    return fits ? STATUS_OK
                : base_fail_memory(count * sizeof(double), "the messages of a page");
}

/* ---- The schedule ------------------------------------------------------------------ */

/* Lists the messages of the schedule, and notes them. */
static status list_schedule(gathering *g)
{
    g->schedule = (messages_schedule){.algorithm = g->of.algorithm,
                                      .problem = g->of.problem,
                                      .params = g->of.params,
                                      .position = APP_ALL_POSITIONS};
    g->list = (messages_of_frame){.schedule = &g->schedule, .most = INT64_MAX};
    const status s = messages_list(&g->list);
    for (int64_t i = 0; s == STATUS_OK && i < g->list.count; i++) {
        const composite_op *op = &g->list.entries[i].op;
        for (int run = 0; run < TRAFFIC_RUNS; run++) {
            traffic_note_add(&g->notes,
                             (traffic_note){.key = {op->round, op->src, op->dst},
                                            .run = (traffic_run)run,
                                            .kind = TRAFFIC_OP});
        }
    }
    return s;
}

/* Whether the schedule is small enough for a page. */
static bool is_small(const simulate_case *of)
{
    bool more;
    return of->algorithm &&
           composite_schedule_estimate(of->algorithm, &of->problem, &of->params, &more) <=
               MOST_PLANNED;
}

static status plan(gathering *g)
{
    traffic_side *side = &g->sides[TRAFFIC_PLANNED];
    status s = list_schedule(g);
    s = s == STATUS_OK
            ? traffic_plan(&g->of, g->machine, &g->notes, side->finish, &side->seconds)
            : s;
    side->is_there = s == STATUS_OK;
    return s;
}

/* ---- The page ---------------------------------------------------------------------- */

/* Folds all notes into *out, a new reference. */
static status describe(gathering *g, json_t **out)
{
    traffic_message *messages = NULL;
    traffic_page page = {.size = g->size,
                         .notes = &g->notes,
                         .schedule = g->of.algorithm ? &g->list : NULL,
                         .has_pieces = g->size <= TRAFFIC_MOST_PIECES};
    const double *const begin[TRAFFIC_RUNS] = {g->sides[0].begin, g->sides[1].begin};
    const status s =
        traffic_notes_fold(&g->notes, g->size, begin, &messages, &page.count);
    if (s != STATUS_OK) {
        return s;
    }
    page.messages = messages;
    memcpy(page.sides, g->sides, sizeof page.sides);
    *out = traffic_describe(&page);
    free(messages);
    return *out ? STATUS_OK : base_fail_memory(4096, "the messages of a page");
}

/* Adds the facts of the schedule, if there is one: its algorithm, the planned machine. */
static int add_schedule(const gathering *g, json_t *to)
{
    const composite_algorithm *algorithm = g->of.algorithm;
    char parameters[256] = "";
    if (!algorithm) {
        return json_object_set_new(to, "pixels", json_integer(0));
    }
    messages_options_print(algorithm, &g->of.problem, &g->of.params, sizeof parameters,
                           parameters);
    json_t *facts = json_pack("{s:s, s:s, s:s, s:s, s:s, s:b, s:I}", "algorithm",
                              algorithm->name, "summary", algorithm->summary, "source",
                              algorithm->source, "parameters", parameters, "machine",
                              g->machine->name, "by_nodes", g->of.problem.nodes != NULL,
                              "pixels", (json_int_t)g->of.problem.pixels);
    const int failed = !facts || json_object_update(to, facts);
    json_decref(facts);
    return failed;
}

status traffic_describe_case(const simulate_case *of, const simulate_machine *machine,
                             json_t **out)
{
    gathering g = {.size = of->problem.size, .of = *of, .machine = machine};
    json_t *all = NULL;
    status s =
        is_small(of)
            ? make_room(&g)
            : base_fail(STATUS_USAGE,
                        "a page cannot show the schedule of %s for %d ranks, which "
                        "has more than a million messages: give fewer --ranks",
                        of->algorithm->name, of->problem.size);
    s = s == STATUS_OK ? plan(&g) : s;
    s = s == STATUS_OK ? describe(&g, &all) : s;
    if (s == STATUS_OK && add_schedule(&g, all)) {
        json_decref(all);
        s = base_fail_memory(4096, "the messages of a page");
    }
    clear(&g);
    if (s == STATUS_OK) {
        *out = all;
    }
    return s;
}

/* ---- A frame ----------------------------------------------------------------------- */

static double time_of(const json_t *frame, const char *what, int rank)
{
    const json_t *stages = json_object_get(json_object_get(frame, "ranks"), what);
    return json_number_value(
        json_array_get(json_object_get(stages, "composite"), (size_t)rank));
}

/* Finds when each rank composited, and its messages. */
static status measure(gathering *g, const json_t *frame)
{
    traffic_side *side = &g->sides[TRAFFIC_MEASURED];
    traffic_measured *of = &g->measured;
    of->size = g->size;
    of->order = g->frame.order;
    of->begin = side->begin;
    of->finish = side->finish;
    of->segments =
        g->of.algorithm ? (g->of.problem.pixels + g->of.segment - 1) / g->of.segment : 0;
    for (int q = 0; q < g->size; q++) {
        of->begin[q] = time_of(frame, "begin", g->frame.order[q]);
        of->finish[q] = of->begin[q] + time_of(frame, "wall", g->frame.order[q]);
    }
    status s = traffic_measured_read(of, json_object_get(frame, "events"));
    if (s != STATUS_OK) {
        return s;
    }
    traffic_measure_span(of);
    for (int q = 0; q < g->size; q++) {
        side->seconds = fmax(side->seconds, of->finish[q]);
        g->sides[TRAFFIC_PLANNED].begin[q] = of->begin[q];
    }
    side->is_there = true;
    return traffic_measure(of, &g->notes);
}

/* Reads the frame, and makes the case of its schedule, if there is one. */
static status read_frame(gathering *g, const simulate_comparison *of,
                         const json_t *timings, size_t number)
{
    if (!json_is_object(json_object_get(timings, "composite"))) {
        const status s = simulate_frame_read(of->path, timings, number, &g->frame);
        g->size = g->frame.size;
        return s;
    }
    const status s =
        simulate_problem_read(of, timings, number, &g->frame, &g->simulation);
    if (s != STATUS_OK) {
        return s;
    }
    g->size = g->frame.size;
    const composite_nodes *nodes = &g->simulation.nodes;
    if (nodes->size > 0 && nodes->most_node == 0) {
        g->simulation.problem.gather_bytes = 0; /* as composite/run/call.c */
    }
    g->of = simulate_simulation_case(&g->simulation, g->simulation.algorithm);
    g->machine = &g->simulation.machine;
    return STATUS_OK;
}

/* Values of a stage, in the order of rows. */
static json_t *order_values(const gathering *g, const json_t *list)
{
    json_t *all = json_array();
    int failed = 0;
    for (int q = 0; q < g->size; q += traffic_row_step(g->size)) {
        const double value =
            json_number_value(json_array_get(list, (size_t)g->frame.order[q]));
        failed |= json_array_append_new(all, io_json_number(value));
    }
    return io_json_finish(all, failed);
}

/* Begin and duration of each stage, s since the frame began, in the order of rows. */
static json_t *describe_stages(const gathering *g, const json_t *frame)
{
    const json_t *ranks = json_object_get(frame, "ranks");
    const json_t *wall = json_object_get(ranks, "wall");
    json_t *all = json_object(), *begins = json_object_get(ranks, "begin"), *begin;
    int failed = 0;
    const char *name;
    json_object_foreach(begins, name, begin)
    {
        failed |= json_object_set_new(
            all, name,
            json_pack("{s:o, s:o}", "begin", order_values(g, begin), "wall",
                      order_values(g, json_object_get(wall, name))));
    }
    return io_json_finish(all, failed);
}

/* The rank, or the node, of each position; none if there are very many. */
static json_t *describe_positions(const gathering *g, const json_t *frame, bool nodes)
{
    enum { MOST = 4096 };
    const json_t *list = json_object_get(json_object_get(frame, "ranks"), "node");
    json_t *all = json_array();
    int failed = 0;
    for (int q = 0; q < g->size && g->size <= MOST; q++) {
        const int rank = g->frame.order[q];
        const json_t *node = json_array_get(list, (size_t)rank);
        failed |= json_array_append_new(
            all, json_integer(nodes ? json_integer_value(node) : rank));
    }
    return io_json_finish(all, failed);
}

/* Adds the facts of a frame: its step, its ranks, its clocks. */
static int add_facts(const gathering *g, const json_t *timings, const json_t *frame,
                     json_t *to)
{
    json_t *facts = json_pack(
        "{s:O?, s:O?, s:O?, s:O?, s:O?, s:b, s:f, s:o, s:o, s:o}", "step",
        json_object_get(frame, "step"), "date", json_object_get(frame, "time"), "config",
        json_object_get(timings, "config"), "nodes", json_object_get(timings, "nodes"),
        "clock_error", json_object_get(timings, "clock_error"), "is_cut_off",
        g->measured.is_cut_off, "origin", g->measured.origin, "stages",
        describe_stages(g, frame), "order", describe_positions(g, frame, false), "node",
        describe_positions(g, frame, true));
    const int failed = !facts || json_object_update(to, facts) || add_schedule(g, to);
    json_decref(facts);
    return failed;
}

status traffic_describe_frame(const simulate_comparison *of, const json_t *timings,
                              size_t number, json_t **out)
{
    gathering g = {0};
    const json_t *frame = json_array_get(json_object_get(timings, "frames"), number);
    json_t *all = NULL;
    status s = read_frame(&g, of, timings, number);
    s = s == STATUS_OK ? make_room(&g) : s;
    s = s == STATUS_OK ? measure(&g, frame) : s;
    if (s == STATUS_OK && is_small(&g.of)) {
        g.of.late = g.sides[TRAFFIC_MEASURED].begin;
        s = plan(&g);
    }
    s = s == STATUS_OK ? describe(&g, &all) : s;
    if (s == STATUS_OK && add_facts(&g, timings, frame, all)) {
        json_decref(all);
        s = base_fail_memory(4096, "the messages of a page");
    }
    clear(&g);
    if (s == STATUS_OK) {
        *out = all;
    }
    return s;
}
