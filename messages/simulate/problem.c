#include "problem.h"

#include "composite/late_positions.h"
#include "composite/rules.h"
#include "messages/schedule/options.h"

#include <stdlib.h>
#include <string.h>

/* A frame of a run, and the simulation that is made of it. */
typedef struct reading {
    const simulate_comparison *of;
    const json_t *timings, *frame;
    const simulate_frame *read;
    simulate_simulation *out;
} reading;

static status fail(const reading *r, const char *reason)
{
    return base_fail(STATUS_INPUT, "%s cannot be compared: %s", r->of->path, reason);
}

static int number_of(const json_t *object, const char *key)
{
    const json_int_t value = json_integer_value(json_object_get(object, key));
    return value >= 0 && value <= 1 << 20 ? (int)value : 0;
}

/* ---- Nodes ------------------------------------------------------------------------- */

/* The node of each position: as the frame has it, or evenly, as most launchers place
 * ranks. */
static status place_ranks(const reading *r, int ranks, int nodes)
{
    const json_t *list = json_object_get(json_object_get(r->frame, "ranks"), "node");
    int *node = malloc((size_t)ranks * sizeof *node);
    if (!node) {
        return base_fail_memory((size_t)ranks * sizeof *node, "the nodes of a run");
    }
    for (int q = 0; q < ranks; q++) {
        const json_t *of = json_array_get(list, (size_t)r->read->order[q]);
        const json_int_t number = json_is_integer(of) ? json_integer_value(of) : -1;
        node[q] = number >= 0 && number < nodes ? (int)number
                                                : (int)((int64_t)q * nodes / ranks);
    }
    const status s = composite_nodes_find(ranks, node, &r->out->nodes);
    free(node);
    return s;
}

/* A frame that went around late positions has teams around them, too. */
static status split_teams(const reading *r)
{
    const composite_nodes *nodes = &r->out->nodes;
    int *node = malloc((size_t)nodes->size * sizeof *node);
    if (!node) {
        return base_fail_memory((size_t)nodes->size * sizeof *node, "the nodes of a run");
    }
    for (int q = 0; q < nodes->size; q++) {
        node[q] = nodes->node[nodes->team[q]];
    }
    const status s =
        composite_nodes_find_around(nodes->size, node, r->out->around, &r->out->nodes);
    free(node);
    return s;
}

static status find_nodes(const reading *r, int ranks)
{
    int64_t given = ranks;
    const int nodes = number_of(r->timings, "nodes");
    if (r->of->nodes) {
        return messages_options_nodes(r->of->nodes, &given, &r->out->nodes);
    }
    return nodes > 0 && nodes < ranks ? place_ranks(r, ranks, nodes) : STATUS_OK;
}

/* ---- The algorithm ----------------------------------------------------------------- */

/* The executor's choice where the run has none (composite/run/teams.c). */
static const char *choose_algorithm(const reading *r, bool by_nodes)
{
    enum { MOST_MEASURED = 16 };
    const composite_nodes *nodes = &r->out->nodes;
    const int images = by_nodes && nodes->size > 0 ? nodes->count : r->out->problem.size;
    const bool is_one_node = nodes->size > 0 && nodes->most_node == 0;
    return is_one_node || images <= MOST_MEASURED ? "direct-send" : "radix-k";
}

/* The positions that the schedule of the frame goes around. */
static status find_around(const reading *r, const json_t *how)
{
    const json_t *late = json_object_get(how, "late");
    const int size = r->out->problem.size;
    if (json_array_size(late) == 0) {
        return STATUS_OK;
    }
    r->out->around = calloc((size_t)size, sizeof *r->out->around);
    if (!r->out->around) {
        return base_fail_memory((size_t)size, "the late ranks of a run");
    }
    size_t n;
    const json_t *value;
    json_array_foreach(late, n, value)
    {
        const json_int_t position = json_integer_value(value);
        if (position >= 0 && position < size) {
            r->out->around[position] = true;
        }
    }
    r->out->problem.late = r->out->around;
    return r->out->problem.nodes ? split_teams(r) : STATUS_OK;
}

static status name_algorithm(const reading *r, const char *name, bool by_nodes)
{
    if (strcmp(name, composite_around_late.name) == 0) {
        r->out->algorithm = &composite_around_late;
        return STATUS_OK;
    }
    return messages_options_algorithm(
        strcmp(name, "auto") == 0 ? choose_algorithm(r, by_nodes) : name,
        &r->out->algorithm);
}

static status find_algorithm(const reading *r, const json_t *how)
{
    const char *name = json_string_value(json_object_get(how, "algorithm"));
    const bool by_nodes = json_is_true(json_object_get(how, "by_nodes"));
    const bool has_nodes = r->out->nodes.size > 0;
    const json_t *factors = json_object_get(how, "factors");
    composite_params *params = &r->out->params;
    r->out->problem.nodes = by_nodes && has_nodes ? &r->out->nodes : NULL;
    if (r->of->algorithm) {
        r->out->algorithm = r->of->algorithm;
        return STATUS_OK;
    }
    if (!name) {
        return fail(r, "it names no compositing algorithm: name one before --compare");
    }
    *params = (composite_params){.group = number_of(how, "group"),
                                 .fan_in = number_of(how, "fan_in")};
    for (size_t i = 0; i < json_array_size(factors) && i < COMPOSITE_MAX_FACTORS; i++) {
        params->factors[params->nfactors++] =
            (int)json_integer_value(json_array_get(factors, i));
    }
    const status s = find_around(r, how);
    return s == STATUS_OK ? name_algorithm(r, name, by_nodes) : s;
}

/* The user's, else that of the run, else the usual one. */
static int find_segment(const reading *r, const json_t *how)
{
    enum { MOST = 1 << 30 };
    const json_int_t of_run = json_integer_value(json_object_get(how, "segment"));
    return r->of->segment >= 0 ? r->of->segment
           : of_run > 0 && of_run <= MOST
               ? (int)of_run
               : composite_rules_segment(r->out->algorithm, &r->out->problem);
}

/* That of the run; earlier versions tell none, and have `auto` alone. */
static composite_encoding find_encoding(const json_t *how)
{
    const char *name = json_string_value(json_object_get(how, "encoding"));
    const char *raw = composite_encoding_names[COMPOSITE_ENCODING_RAW];
    return name && strcmp(name, raw) == 0 ? COMPOSITE_ENCODING_RAW
                                          : COMPOSITE_ENCODING_AUTO;
}

/* ---- The problem ------------------------------------------------------------------- */

/* The cuts of the frame; those of its active pixels if it does not tell them. */
static void find_cuts(const reading *r, const json_t *how)
{
    const json_t *cuts = json_object_get(how, "cuts");
    composite_problem *problem = &r->out->problem;
    problem->cuts = (composite_cuts){{0}};
    if (r->of->algorithm || !json_is_array(cuts)) {
        problem->cuts = simulate_activity_cuts(&r->out->activity, problem->size);
        return;
    }
    for (size_t n = 0; n < json_array_size(cuts) && n <= COMPOSITE_BANDS; n++) {
        problem->cuts.before[n] = json_integer_value(json_array_get(cuts, n));
    }
}

/* The position of rank 0, which gets the picture. */
static int find_root(const simulate_frame *read)
{
    int root = 0;
    while (root < read->size - 1 && read->order[root] != 0) {
        root++;
    }
    return root;
}

static status check_head(const reading *r)
{
    return json_is_object(json_object_get(r->timings, "composite"))
               ? STATUS_OK
               : fail(r, "it does not say how images were blended; that of another "
                         "version, or a run with 'partition: screen', does not");
}

static status find_problem(const reading *r)
{
    const json_t *how = json_object_get(r->timings, "composite");
    const json_t *choice = json_object_get(r->frame, "composite");
    const int ranks = number_of(r->timings, "ranks");
    const json_t *samples = json_object_get(how, "samples");
    if (samples && json_integer_value(samples) != 1) {
        return fail(r, "its pixels have several samples, each of which is composited: "
                       "draw it with --set image.samples=1");
    }
    simulate_simulation *out = r->out;
    const json_t *chosen = json_is_object(choice) ? choice : how;
    out->width = number_of(how, "width");
    out->height = number_of(how, "height");
    out->machine = r->of->machine;
    out->problem = (composite_problem){.size = ranks,
                                       .pixels = (int64_t)out->width * out->height,
                                       .op = COMPOSITE_OVER,
                                       .root = find_root(r->read),
                                       .gather_bytes = number_of(how, "gather_bytes")};
    if (ranks < 1 || out->problem.pixels < 1 ||
        out->problem.gather_bytes > COMPOSITE_PIXEL_BYTES) {
        return fail(r, "its ranks, width or height are missing");
    }
    if (r->read->size != ranks) {
        return fail(r, "a frame has other ranks than the run");
    }
    status s = find_nodes(r, ranks);
    s = s == STATUS_OK ? find_algorithm(r, chosen) : s;
    out->segment = find_segment(r, chosen);
    out->encoding = find_encoding(chosen);
    s = s == STATUS_OK ? simulate_frame_fill(r->of->path, r->read, out->width,
                                             out->height, &out->activity)
                       : s;
    if (s == STATUS_OK) {
        find_cuts(r, chosen);
    }
    return s;
}

status simulate_problem_read(const simulate_comparison *of, const json_t *timings,
                             size_t number, simulate_frame *frame,
                             simulate_simulation *out)
{
    const json_t *frames = json_object_get(timings, "frames");
    const reading r = {.of = of,
                       .timings = timings,
                       .frame = json_array_get(frames, number),
                       .read = frame,
                       .out = out};
    status s = check_head(&r);
    s = s == STATUS_OK ? simulate_frame_read(of->path, timings, number, frame) : s;
    if (s != STATUS_OK) {
        return s;
    }
    s = find_problem(&r);
    if (s != STATUS_OK) {
        simulate_frame_clear(frame);
        simulate_simulation_clear(out);
    }
    return s;
}
