#include "describe.h"
#include "messages.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

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
static composite_params all_params(const messages_schedule *schedule)
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
static void print_parameter(const messages_schedule *schedule, int parameter)
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
static void print_name(const messages_schedule *schedule)
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

static void print_problem(const messages_schedule *schedule)
{
    const composite_problem *problem = &schedule->problem;
    print_name(schedule);
    printf("\nsource    %s\n", schedule->algorithm->source);
    printf("image     %" PRId64 " pixels, operator %s, root %d\n", problem->pixels,
           operator_name(problem->op), problem->root);
}

/* Says how many of the messages gather, if the problem asks for the picture. */
static void print_gathering(const composite_problem *problem, int64_t messages,
                            int64_t pixels)
{
    if (problem->gather_bytes > 0) {
        printf("gather    %" PRId64 " of the messages, with %" PRId64
               " finished pixels of %d byte%s\n",
               messages, pixels, problem->gather_bytes,
               problem->gather_bytes == 1 ? "" : "s");
    }
}

static void print_summary(const composite_problem *problem,
                          const composite_schedule_summary *sum)
{
    printf("rounds    %" PRId64 "\n", sum->rounds);
    printf("messages  %" PRId64 "; of one position in one round at most %" PRId64 "\n",
           sum->messages + sum->gather_messages, sum->most_messages);
    printf("pixels    %" PRId64 " sent; one position sends at most %" PRId64
           " and receives at most %" PRId64 "\n",
           sum->pixels, sum->most_sent, sum->most_received);
    print_gathering(problem, sum->gather_messages, sum->gather_pixels);
}

static void print_position_summary(const messages_of_frame *list)
{
    printf("position  %d\n", list->schedule->position);
    printf("rounds    %" PRId64 "\n", messages_rounds(list));
    printf("messages  %" PRId64 " sent, %" PRId64 " received\n",
           messages_count(list, false), messages_count(list, true));
    printf("pixels    %" PRId64 " sent, %" PRId64 " received\n", list->sent,
           list->received);
    print_gathering(&list->schedule->problem, list->count - messages_gathering(list),
                    list->finished);
}

static void print_entry(const messages_of_frame *list, const messages_message *at)
{
    const composite_op *op = &at->op;
    const char *verb = list->schedule->position == APP_ALL_POSITIONS ? ""
                       : at->received                                ? "receives "
                                                                     : "sends    ";
    printf("  %s%d -> %d  pixels [%" PRId64 ", %" PRId64 ")  run [%d, %d)\n", verb,
           op->src, op->dst, op->pix0, op->pix0 + op->npix, op->run0, op->run1);
}

static void print_rounds(const messages_of_frame *list)
{
    for (int64_t i = 0; i < list->count;) {
        int64_t end = messages_round_end(list, i);
        if (messages_message_gathers(&list->entries[i].op)) {
            printf("\ngather: ");
        } else {
            printf("\nround %d: ", list->entries[i].op.round);
        }
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

static json_t *json_problem(const messages_schedule *schedule)
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
    return json_pack("{s:s, s:s, s:i, s:I, s:s, s:i, s:i, s:o, s:o}", "algorithm",
                     schedule->algorithm->name, "source", schedule->algorithm->source,
                     "ranks", problem->size, "pixels", (json_int_t)problem->pixels,
                     "operator", operator_name(problem->op), "root", problem->root,
                     "gather_bytes", problem->gather_bytes, "parameters", values,
                     "chosen", chosen);
}

static json_t *json_summary(const composite_schedule_summary *sum)
{
    return json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "rounds", (json_int_t)sum->rounds,
        "messages", (json_int_t)(sum->messages + sum->gather_messages), "pixels",
        (json_int_t)sum->pixels, "most_pixels_sent", (json_int_t)sum->most_sent,
        "most_pixels_received", (json_int_t)sum->most_received, "most_messages",
        (json_int_t)sum->most_messages, "gather_messages",
        (json_int_t)sum->gather_messages, "gather_pixels",
        (json_int_t)sum->gather_pixels);
}

static json_t *json_position_summary(const messages_of_frame *list)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "rounds",
                     (json_int_t)messages_rounds(list), "messages_sent",
                     (json_int_t)messages_count(list, false), "messages_received",
                     (json_int_t)messages_count(list, true), "pixels_sent",
                     (json_int_t)list->sent, "pixels_received",
                     (json_int_t)list->received, "gather_messages",
                     (json_int_t)(list->count - messages_gathering(list)),
                     "gather_pixels", (json_int_t)list->finished);
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

static status print_json_entries(const messages_of_frame *list, int64_t begin,
                                 int64_t end)
{
    status s = STATUS_OK;
    for (int64_t i = begin; s == STATUS_OK && i < end; i++) {
        s = print_json_entry(&list->entries[i].op, i == end - 1);
    }
    return s;
}

/* Prints the values of `rounds` and `gather`. */
static status print_json_rounds(const messages_of_frame *list)
{
    const int64_t gathering = messages_gathering(list);
    status s = STATUS_OK;
    printf(",\n \"rounds\": [");
    for (int64_t i = 0; s == STATUS_OK && i < gathering;
         i = messages_round_end(list, i)) {
        printf("%s\n  {\"round\": %d, \"messages\": [\n", i > 0 ? "," : "",
               list->entries[i].op.round);
        s = print_json_entries(list, i, messages_round_end(list, i));
        printf("  ]}");
    }
    printf("],\n \"gather\": [%s", gathering < list->count ? "\n" : "");
    s = s == STATUS_OK ? print_json_entries(list, gathering, list->count) : s;
    printf("]}\n");
    return s;
}

/*
 * Prints an object, with the messages of a list (NULL: none) as its last keys. As values
 * of jansson, millions of messages would take gigabytes: so each is made and printed
 * alone. Takes ownership of the object.
 */
static status print_json(json_t *object, const messages_of_frame *list)
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
        s = print_json_rounds(list);
    } else {
        printf("%s\n", text);
    }
    free(text);
    return s;
}

/* ---- output of the commands -------------------------------------------------------- */

static status describe_position(const messages_of_frame *list)
{
    const messages_schedule *schedule = list->schedule;
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
static status describe_nodes(const messages_schedule *schedule, json_t *object)
{
    if (schedule->nodes.size == 0) {
        return STATUS_OK;
    }
    if (!object) {
        return messages_describe_nodes(schedule);
    }
    json_t *nodes = NULL;
    const status s = messages_describe_nodes_json(schedule, &nodes);
    json_object_set_new(object, "teams",
                        schedule->problem.nodes
                            ? json_integer(schedule->problem.nodes->count)
                            : json_null());
    json_object_set_new(object, "nodes", nodes ? nodes : json_array());
    return s;
}

static status describe_all(const messages_of_frame *list,
                           const composite_schedule_summary *sum)
{
    const messages_schedule *schedule = list->schedule;
    if (!schedule->json) {
        print_problem(schedule);
        print_summary(&schedule->problem, sum);
        const status s = describe_nodes(schedule, NULL);
        print_rounds(list);
        return s;
    }
    json_t *object = json_problem(schedule);
    json_object_set_new(object, "totals", json_summary(sum));
    const status s = describe_nodes(schedule, object);
    return s == STATUS_OK ? print_json(object, list) : s;
}

status messages_describe_schedule(const messages_schedule *schedule,
                                  int64_t most_messages)
{
    const bool all = schedule->position == APP_ALL_POSITIONS;
    composite_schedule_summary sum = {0};
    status s = all ? messages_limit(schedule, most_messages, "printed",
                                    "print those of one position with --position", &sum)
                   : composite_schedule_check_params(
                         schedule->algorithm, &schedule->problem, &schedule->params);
    if (s != STATUS_OK) {
        return s;
    }
    messages_of_frame list = {.schedule = schedule, .most = most_messages};
    s = messages_list(&list);
    if (s == STATUS_OK) {
        s = all ? describe_all(&list, &sum) : describe_position(&list);
    }
    messages_clear(&list);
    return s;
}

status messages_describe_proof(const messages_schedule *schedule,
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
    print_count(summary->messages + summary->gather_messages, "message");
    printf(", %" PRId64 " pixels sent; one position sends at most %" PRId64
           ", receives at most %" PRId64 " and has at most ",
           summary->pixels, summary->most_sent, summary->most_received);
    print_count(summary->most_messages, "message");
    printf(" in one round\n");
    print_gathering(&schedule->problem, summary->gather_messages, summary->gather_pixels);
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

status messages_describe_algorithms(bool json)
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
