#include "simulation.h"

#include "composite/rules.h"
#include "io/json/json.h"
#include "machine_file.h"
#include "messages/schedule/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REASON = 512, MOST_PARAMS = 256 };

/* One algorithm, simulated or not. */
typedef struct prediction {
    const composite_algorithm *algorithm;
    char params[MOST_PARAMS];
    char reason[MOST_REASON]; /* why it is not simulated, or "" */
    int segment;              /* pixels; 0: messages are whole */
    simulate_result result;
} prediction;

void simulate_simulation_clear(simulate_simulation *simulation)
{
    composite_nodes_clear(&simulation->nodes);
    simulate_activity_clear(&simulation->activity);
    free(simulation->late);
    free(simulation->around);
    simulation->late = NULL;
    simulation->around = NULL;
    simulation->problem.late = NULL;
}

simulate_case simulate_simulation_case(const simulate_simulation *simulation,
                                       const composite_algorithm *algorithm)
{
    const int segment = simulation->segment == SIMULATE_USUAL_SEGMENT
                            ? composite_rules_segment(algorithm, &simulation->problem)
                            : simulation->segment;
    return (simulate_case){.algorithm = algorithm,
                           .problem = simulation->problem,
                           .params = simulation->params,
                           .nodes =
                               simulation->nodes.size > 0 ? &simulation->nodes : NULL,
                           .segment = segment,
                           .encoding = simulation->encoding,
                           .activity = &simulation->activity,
                           .late = simulation->late};
}

static status predict(simulate_simulator *simulator,
                      const simulate_simulation *simulation,
                      const composite_algorithm *algorithm, prediction *out)
{
    const simulate_case of = simulate_simulation_case(simulation, algorithm);
    *out = (prediction){.algorithm = algorithm, .segment = of.segment};
    const status s = simulate_run(simulator, &of, &simulation->machine, &out->result);
    if (s == STATUS_OK) {
        messages_options_print(algorithm, &of.problem, &of.params, sizeof out->params,
                               out->params);
    }
    return s;
}

/* ---- Text -------------------------------------------------------------------------- */

static void print_time(double seconds)
{
    if (seconds < 1e-3) {
        printf("%.4g us", 1e6 * seconds);
    } else if (seconds < 1) {
        printf("%.5g ms", 1e3 * seconds);
    } else {
        printf("%.5g s", seconds);
    }
}

static void print_problem(const simulate_simulation *simulation)
{
    const composite_problem *problem = &simulation->problem;
    printf("picture   %d x %d pixels, %s; ", simulation->width, simulation->height,
           simulation->activity_name);
    if (problem->gather_bytes > 0) {
        printf("position %d gets %d bytes of each", problem->root, problem->gather_bytes);
    } else {
        printf("pieces stay where they are");
    }
    printf("\nranks     %d", problem->size);
    if (simulation->nodes.size > 0) {
        printf(" on %d nodes", simulation->nodes.most_node + 1);
    }
    if (problem->nodes) {
        printf("; ranks of a node merge first");
    }
    printf("\nmachine   %s\n", simulation->machine.name);
}

static void print_round(const simulate_round *round)
{
    if (round->round == SIMULATE_GATHER_ROUND) {
        printf("  gathering");
    } else {
        printf("  round %-3d", round->round);
    }
    printf("  %9" PRId64 "  %10.3f  ", round->messages, 1e-6 * round->bytes);
    print_time(round->finish);
    printf("\n");
}

/* Rounds beyond so many are not printed. */
enum { MOST_ROUNDS = 64 };

static void print_one(const prediction *p)
{
    const simulate_result *result = &p->result;
    printf("time      ");
    print_time(result->seconds);
    printf("; all pieces are finished after ");
    print_time(result->merged);
    printf("\nbound     ");
    print_time(result->bound);
    printf(": the bytes over the busiest ports alone\n");
    printf("messages  %" PRId64 ", %.3f MB between nodes; over a link at most %.3f MB in "
           "one direction\n",
           result->messages, 1e-6 * result->bytes, 1e-6 * result->most_bytes);
    printf("\n               messages          MB  finished after\n");
    for (int r = 0; r < result->nrounds && r < MOST_ROUNDS; r++) {
        print_round(&result->rounds[r]);
    }
    if (result->nrounds > MOST_ROUNDS) {
        printf("  and %d rounds more\n", result->nrounds - MOST_ROUNDS);
    }
}

static void print_row(const prediction *p)
{
    if (p->reason[0]) {
        printf("%-12s  not simulated: %s\n", p->algorithm->name, p->reason);
        return;
    }
    printf("%-12s  %11.4f  %11.4f  %11.4f  %10" PRId64 "  %11.3f  %s\n",
           p->algorithm->name, 1e3 * p->result.seconds, 1e3 * p->result.merged,
           1e3 * p->result.bound, p->result.messages, 1e-6 * p->result.most_bytes,
           p->params);
}

/* ---- JSON and CSV ------------------------------------------------------------------ */

static json_t *describe_rounds(const simulate_result *result)
{
    json_t *rounds = json_array();
    for (int r = 0; r < result->nrounds; r++) {
        const simulate_round *round = &result->rounds[r];
        json_array_append_new(rounds,
                              json_pack("{s:o, s:I, s:f, s:f}", "round",
                                        round->round == SIMULATE_GATHER_ROUND
                                            ? json_string("gathering")
                                            : json_integer(round->round),
                                        "messages", (json_int_t)round->messages, "bytes",
                                        round->bytes, "finish", round->finish));
    }
    return rounds;
}

static json_t *describe(const prediction *p)
{
    const simulate_result *r = &p->result;
    if (p->reason[0]) {
        return json_pack("{s:s, s:s}", "algorithm", p->algorithm->name, "reason",
                         p->reason);
    }
    return json_pack("{s:s, s:s, s:i, s:f, s:f, s:f, s:I, s:f, s:f, s:o}", "algorithm",
                     p->algorithm->name, "parameters", p->params, "segment", p->segment,
                     "seconds", r->seconds, "merged", r->merged, "bound", r->bound,
                     "messages", (json_int_t)r->messages, "bytes", r->bytes, "most_bytes",
                     r->most_bytes, "rounds", describe_rounds(r));
}

static json_t *describe_problem(const simulate_simulation *simulation)
{
    const composite_problem *problem = &simulation->problem;
    const bool has_nodes = simulation->nodes.size > 0;
    return json_pack(
        "{s:i, s:i, s:b, s:i, s:i, s:o, s:i, s:i, s:o}", "ranks", problem->size, "nodes",
        has_nodes ? simulation->nodes.most_node + 1 : problem->size, "by_nodes",
        problem->nodes != NULL, "width", simulation->width, "height", simulation->height,
        "activity", io_json_text(simulation->activity_name), "gather",
        problem->gather_bytes, "root", problem->root, "machine",
        messages_machine_describe(&simulation->machine));
}

/* Prints a text as a field of CSV (RFC 4180). */
static void print_field(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        printf(*text == '"' ? "\"\"" : "%c", *text);
    }
    putchar('"');
}

static void print_csv(const simulate_simulation *simulation, const prediction *p)
{
    const simulate_result *r = &p->result;
    printf("%s,", p->algorithm->name);
    print_field(p->params);
    printf(",%d,%d,%d,", simulation->problem.size, simulation->width, simulation->height);
    if (p->reason[0]) {
        printf(",,,,,,");
    } else {
        printf("%.9g,%.9g,%.9g,%" PRId64 ",%.9g,%.9g,", r->seconds, r->merged, r->bound,
               r->messages, r->bytes, r->most_bytes);
    }
    print_field(p->reason);
    printf("\n");
}

/* ---- Showing ----------------------------------------------------------------------- */

static void print_head(const simulate_simulation *simulation)
{
    if (simulation->format == SIMULATE_CSV) {
        printf("algorithm,parameters,ranks,width,height,seconds,merged,bound,messages,"
               "bytes,most_bytes,reason\n");
    }
    if (simulation->format != SIMULATE_TEXT) {
        return;
    }
    print_problem(simulation);
    if (!simulation->algorithm) {
        printf("\nalgorithm         time (ms)  merged (ms)   bound (ms)    messages     "
               "MB a link  parameters\n");
    }
}

/* Shows a prediction, whose rounds live until the next one. */
static void show(const simulate_simulation *simulation, const prediction *p,
                 json_t *results)
{
    if (simulation->format == SIMULATE_JSON) {
        json_array_append_new(results, describe(p));
    } else if (simulation->format == SIMULATE_CSV) {
        print_csv(simulation, p);
    } else if (simulation->algorithm) {
        printf("algorithm %s%s%s\n", p->algorithm->name, p->params[0] ? ", " : "",
               p->params);
        print_one(p);
    } else {
        print_row(p);
    }
}

/* Simulates all algorithms. One that cannot be simulated is no failure. */
static status show_all(const simulate_simulation *simulation,
                       simulate_simulator *simulator, json_t *results)
{
    const composite_algorithm *algorithm;
    status s = STATUS_OK;
    for (int n = 0; s == STATUS_OK && (algorithm = composite_algorithm_at(n)); n++) {
        prediction p;
        s = predict(simulator, simulation, algorithm, &p);
        if (s == STATUS_USAGE) {
            snprintf(p.reason, sizeof p.reason, "%s", base_fail_message());
            base_fail_set_message("");
            s = STATUS_OK;
        }
        if (s == STATUS_OK) {
            show(simulation, &p, results);
        }
    }
    return s;
}

static status print_json(const simulate_simulation *simulation, json_t *results)
{
    json_t *object = describe_problem(simulation);
    if (object) {
        json_object_set(object, "results", results);
    }
    return io_json_show(object, "the JSON of a simulation");
}

static status show_with(const simulate_simulation *simulation,
                        simulate_simulator *simulator, json_t *results)
{
    status s = STATUS_OK;
    prediction p;
    if (simulation->algorithm) {
        s = predict(simulator, simulation, simulation->algorithm, &p);
        if (s == STATUS_OK) {
            print_head(simulation);
            show(simulation, &p, results);
        }
    } else {
        print_head(simulation);
        s = show_all(simulation, simulator, results);
    }
    return s == STATUS_OK && simulation->format == SIMULATE_JSON
               ? print_json(simulation, results)
               : s;
}

status simulate_simulation_show(const simulate_simulation *simulation)
{
    simulate_simulator *simulator = NULL;
    json_t *results = json_array();
    status s = results ? simulate_create(&simulator)
                       : base_fail_memory(4096, "the JSON of a simulation");
    s = s == STATUS_OK ? show_with(simulation, simulator, results) : s;
    simulate_destroy(&simulator);
    json_decref(results);
    if (s == STATUS_OK && simulation->timeline) {
        const simulate_case of =
            simulate_simulation_case(simulation, simulation->algorithm);
        s = simulate_timeline_write(simulation->timeline, &of, &simulation->machine);
    }
    return s;
}
