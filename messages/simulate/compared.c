#include "compared.h"

#include "io/json/json.h"
#include "machine_file.h"
#include "messages/schedule/options.h"

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

static status compare_frame(comparing *c, size_t number)
{
    simulate_frame frame = {0};
    simulate_result result;
    stage stages[STAGES];
    simulate_simulation_clear(&c->simulation);
    c->simulation = (simulate_simulation){0};
    status s = simulate_problem_read(c->of, c->timings, number, &frame, &c->simulation);
    if (s != STATUS_OK) {
        return s;
    }
    simulate_case of = simulate_simulation_case(&c->simulation, c->simulation.algorithm);
    of.late = frame.begin;
    of.has_begun = true;
    s = simulate_run(c->simulator, &of, &c->simulation.machine, &result);
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
        messages_options_print(simulation->algorithm, &simulation->problem,
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
        c->frames, "machine", messages_machine_describe(&c->simulation.machine));
    return io_json_show(object, "the JSON of a comparison");
}

static status compare_all(comparing *c)
{
    const size_t frames = json_array_size(json_object_get(c->timings, "frames"));
    simulate_frame frame = {0};
    status s =
        simulate_problem_read(c->of, c->timings, frames - 1, &frame, &c->simulation);
    s = s == STATUS_OK ? simulate_create(&c->simulator) : s;
    if (s != STATUS_OK) {
        simulate_frame_clear(&frame);
        return s;
    }
    print_head(c);
    simulate_frame_clear(&frame);
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
