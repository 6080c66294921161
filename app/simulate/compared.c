#include "compared.h"

#include "app/schedule/options.h"
#include "app/tuning/machine_file.h"
#include "frame.h"
#include "io/json/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A comparison under way. */
typedef struct comparing {
    const simulate_comparison *of;
    json_t *timings;
    simulate_simulation simulation; /* of one frame after the other */
    simulate_simulator *simulator;
    json_t *frames; /* results */
} comparing;

/* Times of a frame: predicted, measured; NaN: unknown. */
typedef struct stage {
    const char *name, *meaning;
    double predicted, measured;
} stage;

enum { STAGES = 4 };

static status fail(const comparing *c, const char *reason)
{
    return base_fail(STATUS_INPUT, "%s cannot be compared: %s", c->of->path, reason);
}

/* ---- The problem of the run -------------------------------------------------------- */

static int number_of(const json_t *object, const char *key)
{
    const json_int_t value = json_integer_value(json_object_get(object, key));
    return value >= 0 && value <= 1 << 20 ? (int)value : 0;
}

/* Over all nodes evenly, as most launchers place ranks. */
static status spread_ranks(comparing *c, int ranks, int nodes)
{
    int *node = malloc((size_t)ranks * sizeof *node);
    if (!node) {
        return base_fail_memory((size_t)ranks * sizeof *node, "the nodes of a run");
    }
    for (int q = 0; q < ranks; q++) {
        node[q] = (int)((int64_t)q * nodes / ranks);
    }
    const status s = composite_nodes_find(ranks, node, &c->simulation.nodes);
    free(node);
    return s;
}

static status find_nodes(comparing *c, int ranks)
{
    int64_t given = ranks;
    const int nodes = number_of(c->timings, "nodes");
    if (c->of->nodes) {
        return app_options_nodes(c->of->nodes, &given, &c->simulation.nodes);
    }
    return nodes > 0 && nodes < ranks ? spread_ranks(c, ranks, nodes) : STATUS_OK;
}

/* The executor's choice where the run has none (composite/run/teams.c). */
static const char *choose_algorithm(const comparing *c, bool by_nodes)
{
    enum { MOST_MEASURED = 16 };
    const composite_nodes *nodes = &c->simulation.nodes;
    const int images =
        by_nodes && nodes->size > 0 ? nodes->count : c->simulation.problem.size;
    const bool is_one_node = nodes->size > 0 && nodes->most_node == 0;
    return is_one_node || images <= MOST_MEASURED ? "direct-send" : "radix-k";
}

static status find_algorithm(comparing *c, const json_t *how)
{
    const char *name = json_string_value(json_object_get(how, "algorithm"));
    const bool by_nodes = json_is_true(json_object_get(how, "by_nodes"));
    const bool has_nodes = c->simulation.nodes.size > 0;
    const json_t *factors = json_object_get(how, "factors");
    composite_params *params = &c->simulation.params;
    c->simulation.problem.nodes = by_nodes && has_nodes ? &c->simulation.nodes : NULL;
    if (c->of->algorithm) {
        c->simulation.algorithm = c->of->algorithm;
        return STATUS_OK;
    }
    if (!name) {
        return fail(c, "it names no compositing algorithm: name one before --compare");
    }
    *params = (composite_params){.group = number_of(how, "group"),
                                 .fan_in = number_of(how, "fan_in")};
    for (size_t i = 0; i < json_array_size(factors) && i < COMPOSITE_MAX_FACTORS; i++) {
        params->factors[params->nfactors++] =
            (int)json_integer_value(json_array_get(factors, i));
    }
    return app_options_algorithm(strcmp(name, "auto") == 0 ? choose_algorithm(c, by_nodes)
                                                           : name,
                                 &c->simulation.algorithm);
}

/* How the last frame was blended, if it tells that; else how the run was asked to. */
static const json_t *find_choice(const comparing *c, const json_t *how)
{
    const json_t *frames = json_object_get(c->timings, "frames");
    const json_t *frame = json_array_get(frames, json_array_size(frames) - 1);
    const json_t *choice = json_object_get(frame, "composite");
    return json_is_object(choice) ? choice : how;
}

/* The user's, else that of the run, else the usual one. */
static int find_segment(const comparing *c, const json_t *how)
{
    enum { USUAL = 32768, MOST = 1 << 30 };
    const json_int_t of_run = json_integer_value(json_object_get(how, "segment"));
    return c->of->segment >= 0            ? c->of->segment
           : of_run > 0 && of_run <= MOST ? (int)of_run
                                          : USUAL;
}

static status find_problem(comparing *c)
{
    const json_t *how = json_object_get(c->timings, "composite");
    const int ranks = number_of(c->timings, "ranks");
    if (!json_is_object(how)) {
        return fail(c, "it does not say how images were blended; that of another "
                       "version, or a run with 'partition: screen', does not");
    }
    const json_t *samples = json_object_get(how, "samples");
    if (samples && json_integer_value(samples) != 1) {
        return fail(c, "its pixels have several samples, each of which is composited: "
                       "draw it with --set image.samples=1");
    }
    simulate_simulation *simulation = &c->simulation;
    simulation->width = number_of(how, "width");
    simulation->height = number_of(how, "height");
    simulation->segment = find_segment(c, find_choice(c, how));
    simulation->machine = c->of->machine;
    simulation->problem =
        (composite_problem){.size = ranks,
                            .pixels = (int64_t)simulation->width * simulation->height,
                            .op = COMPOSITE_OVER,
                            .gather_bytes = number_of(how, "gather_bytes")};
    if (ranks < 1 || simulation->problem.pixels < 1 ||
        simulation->problem.gather_bytes > COMPOSITE_PIXEL_BYTES) {
        return fail(c, "its ranks, width or height are missing");
    }
    const status s = find_nodes(c, ranks);
    return s == STATUS_OK ? find_algorithm(c, find_choice(c, how)) : s;
}

/* ---- Frames ------------------------------------------------------------------------ */

/* The end of the last rank's compositing, from the beginning of the first one's. */
static double find_measured(const simulate_frame *frame)
{
    double end = 0;
    for (int q = 0; q < frame->size; q++) {
        end = fmax(end, frame->begin[q] + frame->wall[q]);
    }
    return end;
}

static double find_lateness(const simulate_frame *frame)
{
    double last = 0;
    for (int q = 0; q < frame->size; q++) {
        last = fmax(last, frame->begin[q]);
    }
    return last;
}

/* Predicted seconds of the rank that blends most, and of the one that waits most. */
static void find_most(const comparing *c, const simulate_result *result, double *blending,
                      double *waiting)
{
    *blending = *waiting = result->ranks ? 0 : NAN;
    for (int q = 0; result->ranks && q < c->simulation.problem.size; q++) {
        const simulate_rank *rank = &result->ranks[q];
        *blending = fmax(*blending, rank->blending);
        *waiting = fmax(*waiting, rank->finish - rank->begin - rank->blending);
    }
}

static void find_stages(const comparing *c, const simulate_frame *frame,
                        const simulate_result *result, stage stages[STAGES])
{
    double blending, waiting;
    const double late = find_lateness(frame);
    find_most(c, result, &blending, &waiting);
    const stage all[STAGES] = {
        {"blend", "of the rank that blends longest", blending, frame->blending},
        {"wait", "of the rank that waits longest", waiting, frame->waiting},
        {"together", "from the last rank's beginning on", result->seconds - late,
         find_measured(frame) - late},
        {"composite", "from the first rank's beginning on", result->seconds,
         find_measured(frame)}};
    memcpy(stages, all, sizeof all);
}

static void print_number(double seconds)
{
    if (isnan(seconds)) {
        printf("  %12s", "-");
    } else {
        printf("  %12.3f", 1e3 * seconds);
    }
}

static void print_text(const comparing *c, size_t number, const stage *stages)
{
    const char *picture = json_string_value(json_object_get(
        json_array_get(json_object_get(c->timings, "frames"), number), "picture"));
    printf("\nframe %zu%s%s\n             predicted     measured  ratio\n", number,
           picture ? ", " : "", picture ? picture : "");
    for (int i = 0; i < STAGES; i++) {
        printf("%-9s", stages[i].name);
        print_number(stages[i].predicted);
        print_number(stages[i].measured);
        if (isfinite(stages[i].predicted) && stages[i].measured > 0) {
            printf("  %5.2f", stages[i].predicted / stages[i].measured);
        } else {
            printf("  %5s", "-");
        }
        printf("  ms, %s\n", stages[i].meaning);
    }
}

static void print_csv(size_t number, const stage *stages)
{
    for (int i = 0; i < STAGES; i++) {
        printf("%zu,%s,", number, stages[i].name);
        printf(isnan(stages[i].predicted) ? "," : "%.9g,", stages[i].predicted);
        printf(isnan(stages[i].measured) ? "\n" : "%.9g\n", stages[i].measured);
    }
}

static void describe(comparing *c, const stage *stages)
{
    json_t *frame = json_object();
    for (int i = 0; i < STAGES; i++) {
        json_object_set_new(frame, stages[i].name,
                            json_pack("{s:o, s:o}", "predicted",
                                      io_json_number(stages[i].predicted), "measured",
                                      io_json_number(stages[i].measured)));
    }
    json_array_append_new(c->frames, frame);
}

static void show(comparing *c, size_t number, const stage *stages)
{
    switch (c->of->format) {
    case SIMULATE_TEXT:
        print_text(c, number, stages);
        break;
    case SIMULATE_CSV:
        print_csv(number, stages);
        break;
    default:
        describe(c, stages);
    }
}

static status predict(comparing *c, const simulate_frame *frame, simulate_result *result)
{
    simulate_simulation *simulation = &c->simulation;
    simulate_activity_clear(&simulation->activity);
    status s = frame->size == simulation->problem.size
                   ? simulate_frame_fill(c->of->path, frame, simulation->width,
                                         simulation->height, &simulation->activity)
                   : fail(c, "a frame has other ranks than the run");
    if (s != STATUS_OK) {
        return s;
    }
    simulation->problem.cuts = simulate_activity_cuts(&simulation->activity, frame->size);
    simulate_case of = simulate_simulation_case(simulation, simulation->algorithm);
    of.late = frame->begin;
    return simulate_run(c->simulator, &of, &simulation->machine, result);
}

static status compare_frame(comparing *c, size_t number)
{
    simulate_frame frame = {0};
    simulate_result result;
    stage stages[STAGES];
    status s = simulate_frame_read(c->of->path, c->timings, number, &frame);
    s = s == STATUS_OK ? predict(c, &frame, &result) : s;
    if (s == STATUS_OK) {
        find_stages(c, &frame, &result, stages);
        show(c, number, stages);
    }
    simulate_frame_clear(&frame);
    return s;
}

/* ---- Showing ----------------------------------------------------------------------- */

static void print_head(const comparing *c)
{
    const simulate_simulation *simulation = &c->simulation;
    if (c->of->format == SIMULATE_CSV) {
        printf("frame,stage,predicted,measured\n");
    } else if (c->of->format == SIMULATE_TEXT) {
        char params[256];
        app_options_print(simulation->algorithm, &simulation->problem,
                          &simulation->params, sizeof params, params);
        printf("run       %s, %d ranks, %d x %d pixels\nalgorithm %s%s%s%s\nmachine   "
               "%s\n",
               c->of->path, simulation->problem.size, simulation->width,
               simulation->height, simulation->algorithm->name, params[0] ? ", " : "",
               params, simulation->problem.nodes ? "; ranks of a node merge first" : "",
               simulation->machine.name);
    }
}

static status print_json(comparing *c)
{
    json_t *object = json_pack(
        "{s:o, s:i, s:s, s:O, s:o}", "timings", io_json_text(c->of->path), "ranks",
        c->simulation.problem.size, "algorithm", c->simulation.algorithm->name, "frames",
        c->frames, "machine", app_machine_describe(&c->simulation.machine));
    size_t size;
    char *text = object ? io_json_print(object, &size) : NULL;
    json_decref(object);
    if (!text) {
        return base_fail_memory(4096, "the JSON of a comparison");
    }
    printf("%s\n", text);
    free(text);
    return STATUS_OK;
}

static status compare_all(comparing *c)
{
    status s = find_problem(c);
    s = s == STATUS_OK ? simulate_create(&c->simulator) : s;
    if (s != STATUS_OK) {
        return s;
    }
    print_head(c);
    const size_t frames = json_array_size(json_object_get(c->timings, "frames"));
    for (size_t n = 0; n < frames && s == STATUS_OK; n++) {
        s = compare_frame(c, n);
    }
    return s == STATUS_OK && c->of->format == SIMULATE_JSON ? print_json(c) : s;
}

status simulate_comparison_show(const simulate_comparison *comparison)
{
    comparing c = {.of = comparison, .frames = json_array()};
    status s = c.frames ? simulate_frame_load(comparison->path, &c.timings)
                        : base_fail_memory(4096, "the JSON of a comparison");
    s = s == STATUS_OK ? compare_all(&c) : s;
    simulate_destroy(&c.simulator);
    simulate_simulation_clear(&c.simulation);
    json_decref(c.timings);
    json_decref(c.frames);
    return s;
}
