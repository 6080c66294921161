#include "describe.h"

#include "base/array.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

/* A message, and its index among all listed ones. */
typedef struct entry {
    composite_op op;
    bool received; /* received by the position whose messages are listed */
    int64_t number;
} entry;

typedef struct listing {
    const app_schedule *schedule;
    int position;   /* position whose stream is read */
    entry *entries; /* [count]; finally sorted by round, then sent or received, then
                       number */
    int64_t count, capacity, most;
    int64_t sent, received; /* pixels */
    status result;
} listing;

/* ---- listing the messages --------------------------------------------------------- */

static status append(listing *list, const composite_op *op, bool received)
{
    entry *entries = base_array_reserve(list->entries, &list->capacity, list->count + 1,
                                        sizeof *entries);
    if (!entries) {
        return base_fail_memory((size_t)list->count * sizeof *entries,
                                "the messages of a schedule");
    }
    list->entries = entries;
    list->entries[list->count] = (entry){*op, received, list->count};
    list->count++;
    return STATUS_OK;
}

static int list_op(const composite_op *op, void *context)
{
    listing *list = context;
    bool received = op->src != list->position;
    if (received && list->schedule->position == APP_ALL_POSITIONS) {
        return 0; /* listed with its sender */
    }
    if (list->count == list->most) {
        list->result =
            base_fail(STATUS_USAGE,
                      "position %d has more messages than the limit of %" PRId64
                      " for printing: give fewer --ranks",
                      list->position, list->most);
        return 1;
    }
    int64_t *pixels = received ? &list->received : &list->sent;
    *pixels = *pixels > INT64_MAX - op->npix ? INT64_MAX : *pixels + op->npix;
    list->result = append(list, op, received);
    return list->result != STATUS_OK;
}

static int compare_entries(const void *left, const void *right)
{
    const entry *a = left;
    const entry *b = right;
    if (a->op.round != b->op.round) {
        return a->op.round < b->op.round ? -1 : 1;
    }
    if (a->received != b->received) {
        return b->received ? -1 : 1;
    }
    return (a->number > b->number) - (a->number < b->number);
}

static status list_messages(listing *list)
{
    const app_schedule *schedule = list->schedule;
    const bool all = schedule->position == APP_ALL_POSITIONS;
    const int end = all ? schedule->problem.size : schedule->position + 1;
    list->position = all ? 0 : schedule->position;
    for (; list->position < end && list->result == STATUS_OK; list->position++) {
        composite_schedule_generate(schedule->algorithm, &schedule->problem,
                                    &schedule->params, list->position, list_op, list);
    }
    if (list->count > 0) {
        qsort(list->entries, (size_t)list->count, sizeof *list->entries, compare_entries);
    }
    return list->result;
}

/* Index after the entries of the round that begins at index `begin`. */
static int64_t round_end(const listing *list, int64_t begin)
{
    int64_t end = begin;
    while (end < list->count &&
           list->entries[end].op.round == list->entries[begin].op.round) {
        end++;
    }
    return end;
}

/* Counts received or sent entries. */
static int64_t count_entries(const listing *list, bool received)
{
    int64_t count = 0;
    for (int64_t i = 0; i < list->count; i++) {
        count += list->entries[i].received == received;
    }
    return count;
}

static int64_t count_rounds(const listing *list)
{
    int64_t rounds = 0;
    for (int64_t i = 0; i < list->count; i = round_end(list, i)) {
        rounds++;
    }
    return rounds;
}

/* ---- parameters ------------------------------------------------------------------- */

/* All parameters, with values that suit a problem of four positions. */
static const struct {
    const char *key, *option;
    composite_params probe;
} parameters[] = {{"factors", "--factors", {.nfactors = 1, .factors = {4}}},
                  {"group", "--group", {.group = 2}},
                  {"fan_in", "--fan-in", {.fan_in = 2}}};

enum { FACTORS, GROUP, FAN_IN, PARAMETERS };

/* Whether an algorithm has a parameter: it refuses parameters that it does not have. */
static bool has_parameter(const composite_algorithm *algorithm, int parameter)
{
    const composite_problem problem = {.size = 4, .pixels = 4, .op = COMPOSITE_OVER};
    bool has =
        algorithm->check_params(&problem, &parameters[parameter].probe) == STATUS_OK;
    base_fail_set_message("");
    return has;
}

/* Whether the user gave the parameter; otherwise the algorithm chooses. */
static bool is_given(const composite_params *params, int parameter)
{
    return parameter == FACTORS ? params->nfactors > 0
           : parameter == GROUP ? params->group > 0
                                : params->fan_in > 0;
}

/* Those that are given, and those that the algorithm chooses. */
static composite_params all_params(const app_schedule *schedule)
{
    return composite_schedule_params(schedule->algorithm, &schedule->problem,
                                     &schedule->params);
}

/* " 4 x 3", or " none" for a single position. */
static void print_factors(const composite_params *params)
{
    for (int i = 0; i < params->nfactors; i++) {
        printf("%s%d", i > 0 ? " x " : " ", params->factors[i]);
    }
    if (params->nfactors == 0) {
        printf(" none");
    }
}

/* ", factors 4 x 3 (chosen)" */
static void print_parameter(const app_schedule *schedule, int parameter)
{
    const composite_params params = all_params(schedule);
    printf(", %s", parameters[parameter].key);
    if (parameter == FACTORS) {
        print_factors(&params);
    } else {
        printf(" %d", parameter == GROUP ? params.group : params.fan_in);
    }
    if (!is_given(&schedule->params, parameter)) {
        printf(" (chosen)");
    }
}

/* "radix-k, 12 ranks, factors 4 x 3" */
static void print_name(const app_schedule *schedule)
{
    int size = schedule->problem.size;
    printf("%s, %d rank%s", schedule->algorithm->name, size, size == 1 ? "" : "s");
    if (schedule->nodes.size > 0) {
        const int nodes = schedule->nodes.most_node + 1;
        printf(" on %d node%s", nodes, nodes == 1 ? "" : "s");
    }
    for (int p = 0; p < PARAMETERS; p++) {
        if (has_parameter(schedule->algorithm, p)) {
            print_parameter(schedule, p);
        }
    }
}

static json_t *json_parameter(const composite_params *params, int parameter)
{
    if (parameter != FACTORS) {
        return json_integer(parameter == GROUP ? params->group : params->fan_in);
    }
    json_t *factors = json_array();
    for (int i = 0; i < params->nfactors; i++) {
        json_array_append_new(factors, json_integer(params->factors[i]));
    }
    return factors;
}

static const char *operator_name(composite_operator op)
{
    return op == COMPOSITE_OVER ? "over" : "nearest";
}

/* ---- text ------------------------------------------------------------------------- */

static void print_count(int64_t count, const char *what)
{
    printf("%" PRId64 " %s%s", count, what, count == 1 ? "" : "s");
}

static void print_problem(const app_schedule *schedule)
{
    const composite_problem *problem = &schedule->problem;
    print_name(schedule);
    printf("\nsource    %s\n", schedule->algorithm->source);
    printf("image     %" PRId64 " pixels, operator %s, root %d\n", problem->pixels,
           operator_name(problem->op), problem->root);
}

static void print_summary(const composite_schedule_summary *sum)
{
    printf("rounds    %" PRId64 "\n", sum->rounds);
    printf("messages  %" PRId64 "; of one position in one round at most %" PRId64 "\n",
           sum->messages, sum->most_messages);
    printf("pixels    %" PRId64 " sent; one position sends at most %" PRId64
           " and receives at most %" PRId64 "\n",
           sum->pixels, sum->most_sent, sum->most_received);
}

static void print_position_summary(const listing *list)
{
    printf("position  %d\n", list->schedule->position);
    printf("rounds    %" PRId64 "\n", count_rounds(list));
    printf("messages  %" PRId64 " sent, %" PRId64 " received\n",
           count_entries(list, false), count_entries(list, true));
    printf("pixels    %" PRId64 " sent, %" PRId64 " received\n", list->sent,
           list->received);
}

static void print_entry(const listing *list, const entry *at)
{
    const composite_op *op = &at->op;
    const char *verb = list->schedule->position == APP_ALL_POSITIONS ? ""
                       : at->received                                ? "receives "
                                                                     : "sends    ";
    printf("  %s%d -> %d  pixels [%" PRId64 ", %" PRId64 ")  run [%d, %d)\n", verb,
           op->src, op->dst, op->pix0, op->pix0 + op->npix, op->run0, op->run1);
}

static void print_rounds(const listing *list)
{
    for (int64_t i = 0; i < list->count;) {
        int64_t end = round_end(list, i);
        printf("\nround %d: ", list->entries[i].op.round);
        print_count(end - i, "message");
        printf("\n");
        for (; i < end; i++) {
            print_entry(list, &list->entries[i]);
        }
    }
}

/* ---- JSON ------------------------------------------------------------------------- */

static status fail_memory(void)
{
    return base_fail(STATUS_MEMORY, "there is no memory for the JSON of a schedule");
}

static json_t *json_problem(const app_schedule *schedule)
{
    const composite_problem *problem = &schedule->problem;
    const composite_params params = all_params(schedule);
    json_t *values = json_object(), *chosen = json_array();
    for (int p = 0; p < PARAMETERS; p++) {
        if (has_parameter(schedule->algorithm, p)) {
            json_object_set_new(values, parameters[p].key, json_parameter(&params, p));
            if (!is_given(&schedule->params, p)) {
                json_array_append_new(chosen, json_string(parameters[p].key));
            }
        }
    }
    return json_pack("{s:s, s:s, s:i, s:I, s:s, s:i, s:o, s:o}", "algorithm",
                     schedule->algorithm->name, "source", schedule->algorithm->source,
                     "ranks", problem->size, "pixels", (json_int_t)problem->pixels,
                     "operator", operator_name(problem->op), "root", problem->root,
                     "parameters", values, "chosen", chosen);
}

static json_t *json_summary(const composite_schedule_summary *sum)
{
    return json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:I}", "rounds", (json_int_t)sum->rounds, "messages",
        (json_int_t)sum->messages, "pixels", (json_int_t)sum->pixels, "most_pixels_sent",
        (json_int_t)sum->most_sent, "most_pixels_received",
        (json_int_t)sum->most_received, "most_messages", (json_int_t)sum->most_messages);
}

static json_t *json_position_summary(const listing *list)
{
    return json_pack(
        "{s:I, s:I, s:I, s:I, s:I}", "rounds", (json_int_t)count_rounds(list),
        "messages_sent", (json_int_t)count_entries(list, false), "messages_received",
        (json_int_t)count_entries(list, true), "pixels_sent", (json_int_t)list->sent,
        "pixels_received", (json_int_t)list->received);
}

static status print_json_entry(const composite_op *op, bool last)
{
    json_t *message =
        json_pack("{s:i, s:i, s:[I, I], s:[i, i]}", "src", op->src, "dst", op->dst,
                  "pixels", (json_int_t)op->pix0, (json_int_t)(op->pix0 + op->npix),
                  "run", op->run0, op->run1);
    printf("    ");
    const bool done = message && (json_dumpf(message, stdout, 0) == 0 || ferror(stdout));
    json_decref(message);
    printf("%s\n", last ? "" : ",");
    return done ? STATUS_OK : fail_memory();
}

static status print_json_rounds(const listing *list)
{
    status s = STATUS_OK;
    for (int64_t i = 0; s == STATUS_OK && i < list->count;) {
        int64_t end = round_end(list, i);
        printf("%s\n  {\"round\": %d, \"messages\": [\n", i > 0 ? "," : "",
               list->entries[i].op.round);
        for (; s == STATUS_OK && i < end; i++) {
            s = print_json_entry(&list->entries[i].op, i == end - 1);
        }
        printf("  ]}");
    }
    return s;
}

/*
 * Prints an object, with the rounds of a list (NULL: none) as its last key. As values of
 * jansson, millions of messages would take gigabytes: so each is made and printed alone.
 * Takes ownership of the object.
 */
static status print_json(json_t *object, const listing *list)
{
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    if (!text) {
        return fail_memory();
    }
    status s = STATUS_OK;
    if (list) {
        /* Everything except the brace that closes the object. */
        for (const char *c = text; c[1] != '\0'; c++) {
            putchar(*c);
        }
        printf(",\n \"rounds\": [");
        s = print_json_rounds(list);
        printf("]}\n");
    } else {
        printf("%s\n", text);
    }
    free(text);
    return s;
}

/* ---- output of the commands -------------------------------------------------------- */

static status describe_position(const listing *list)
{
    const app_schedule *schedule = list->schedule;
    if (!schedule->json) {
        print_problem(schedule);
        print_position_summary(list);
        print_rounds(list);
        return STATUS_OK;
    }
    json_t *object = json_problem(schedule);
    json_object_set_new(object, "position", json_integer(schedule->position));
    json_object_set_new(object, "totals", json_position_summary(list));
    return print_json(object, list);
}

/* Prints the nodes if there are some, or adds them to an object of JSON. */
static status describe_nodes(const app_schedule *schedule, json_t *object)
{
    if (schedule->nodes.size == 0) {
        return STATUS_OK;
    }
    if (!object) {
        return app_describe_nodes(schedule);
    }
    json_t *nodes = NULL;
    const status s = app_describe_nodes_json(schedule, &nodes);
    json_object_set_new(object, "teams",
                        schedule->problem.nodes
                            ? json_integer(schedule->problem.nodes->count)
                            : json_null());
    json_object_set_new(object, "nodes", nodes ? nodes : json_array());
    return s;
}

static status describe_all(const listing *list, const composite_schedule_summary *sum)
{
    const app_schedule *schedule = list->schedule;
    if (!schedule->json) {
        print_problem(schedule);
        print_summary(sum);
        const status s = describe_nodes(schedule, NULL);
        print_rounds(list);
        return s;
    }
    json_t *object = json_problem(schedule);
    json_object_set_new(object, "totals", json_summary(sum));
    const status s = describe_nodes(schedule, object);
    return s == STATUS_OK ? print_json(object, list) : s;
}

status app_describe_schedule(const app_schedule *schedule, int64_t most_messages)
{
    const bool all = schedule->position == APP_ALL_POSITIONS;
    composite_schedule_summary sum = {0};
    status s =
        all ? app_describe_limit(schedule, most_messages, "printed",
                                 "print those of one position with --position", &sum)
            : composite_schedule_check_params(schedule->algorithm, &schedule->problem,
                                              &schedule->params);
    if (s != STATUS_OK) {
        return s;
    }
    listing list = {.schedule = schedule, .most = most_messages};
    s = list_messages(&list);
    if (s == STATUS_OK) {
        s = all ? describe_all(&list, &sum) : describe_position(&list);
    }
    free(list.entries);
    return s;
}

status app_describe_proof(const app_schedule *schedule,
                          const composite_schedule_summary *summary)
{
    if (schedule->json) {
        json_t *object = json_problem(schedule);
        json_object_set_new(object, "right", json_true());
        json_object_set_new(object, "totals", json_summary(summary));
        const status s = describe_nodes(schedule, object);
        return s == STATUS_OK ? print_json(object, NULL) : s;
    }
    print_name(schedule);
    printf(": right: ");
    print_count(summary->rounds, "round");
    printf(", ");
    print_count(summary->messages, "message");
    printf(", %" PRId64 " pixels sent; one position sends at most %" PRId64
           ", receives at most %" PRId64 " and has at most ",
           summary->pixels, summary->most_sent, summary->most_received);
    print_count(summary->most_messages, "message");
    printf(" in one round\n");
    return describe_nodes(schedule, NULL);
}

/* ---- the algorithms --------------------------------------------------------------- */

static void print_algorithm(const composite_algorithm *algorithm)
{
    printf("%s\n  %s\n  source: %s\n  parameters:", algorithm->name, algorithm->summary,
           algorithm->source);
    int found = 0;
    for (int p = 0; p < PARAMETERS; p++) {
        if (has_parameter(algorithm, p)) {
            printf("%s %s", found++ > 0 ? "," : "", parameters[p].option);
        }
    }
    printf("%s\n", found > 0 ? "" : " none");
}

static json_t *json_algorithm(const composite_algorithm *algorithm)
{
    json_t *keys = json_array();
    for (int p = 0; p < PARAMETERS; p++) {
        if (has_parameter(algorithm, p)) {
            json_array_append_new(keys, json_string(parameters[p].key));
        }
    }
    return json_pack("{s:s, s:s, s:s, s:o}", "name", algorithm->name, "summary",
                     algorithm->summary, "source", algorithm->source, "parameters", keys);
}

status app_describe_algorithms(bool json)
{
    json_t *list = json ? json_array() : NULL;
    const composite_algorithm *algorithm;
    for (int n = 0; (algorithm = composite_algorithm_at(n)); n++) {
        if (json) {
            json_array_append_new(list, json_algorithm(algorithm));
        } else {
            print_algorithm(algorithm);
        }
    }
    return json ? print_json(list, NULL) : STATUS_OK;
}

/* ---- too much --------------------------------------------------------------------- */

/* Writes "about 17 billion", or "more than 17 billion". */
static void print_amount(char *text, size_t size, int64_t messages, bool more)
{
    const char *about = more ? "more than" : "about";
    if (messages < 1000000000) {
        snprintf(text, size, "%s %.0f million", about, (double)messages / 1e6);
    } else {
        snprintf(text, size, "%s %.0f billion", about, (double)messages / 1e9);
    }
}

status app_describe_limit(const app_schedule *schedule, int64_t most, const char *done,
                          const char *advice, composite_schedule_summary *summary)
{
    const composite_algorithm *algorithm = schedule->algorithm;
    const composite_problem *problem = &schedule->problem;
    const composite_params *params = &schedule->params;
    status s = composite_schedule_check_params(algorithm, problem, params);
    if (s != STATUS_OK) {
        return s;
    }
    bool more;
    int64_t messages = composite_schedule_estimate(algorithm, problem, params, &more);
    if (messages <= most) {
        s = composite_schedule_summarize(algorithm, problem, params, most, summary);
        if (s != STATUS_OK || summary->messages <= most) {
            return s;
        }
        messages = most;
        more = true;
    }
    char text[64];
    print_amount(text, sizeof text, messages, more);
    return base_fail(STATUS_USAGE,
                     "the schedule of %s for %d ranks has %s messages, and at most %.0f "
                     "million are %s: %s",
                     algorithm->name, problem->size, text, (double)most / 1e6, done,
                     advice);
}
