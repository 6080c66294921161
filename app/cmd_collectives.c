/* karman collectives: shows, proves and times the collectives of MPI. */
#include "arguments.h"
#include "cmd.h"
#include "messages/collective/describe/describe.h"
#include "messages/collective/describe/html.h"
#include "messages/schedule/options.h"

#include <inttypes.h>
#include <string.h>

enum { DEFAULT_RANKS = 8, NOT_GIVEN = -1 };

/* Options with a whole number. */
enum { NUMBER_RANKS, NUMBER_COUNT, NUMBER_ROOT, NUMBER_SEGMENT, NUMBER_PORTS, NUMBERS };

typedef struct collectives_arguments {
    app_arguments common;
    const char *operation, *algorithm; /* names, or NULL */
    const char *late, *nodes;          /* the texts, or NULL */
    const char *html;                  /* a path, or NULL */
    int64_t numbers[NUMBERS];          /* NOT_GIVEN, or in their range */
    collectives_problem problem;
} collectives_arguments;

/* ---- the arguments ---------------------------------------------------------------- */

/* Keys of options. Numbers have the key FIRST_NUMBER plus their index. */
enum {
    OPTION_ALPHA = 'a',
    OPTION_BETA = 'b',
    OPTION_GAMMA = 'g',
    OPTION_LATE = 'l',
    OPTION_NODES = 'n',
    OPTION_NEAR_ALPHA = 'x',
    OPTION_NEAR_BETA = 'y',
    OPTION_CHECK = 'c',
    OPTION_FORMAT = 'f',
    OPTION_HTML = 'w',
    FIRST_NUMBER = 256
};

static const struct argp_option option_table[] = {
    {NULL, 0, NULL, 0, "The problem:", 1},
    {"ranks", FIRST_NUMBER + NUMBER_RANKS, "P", 0, "Ranks: 1 to 64 (8)", 1},
    {"count", FIRST_NUMBER + NUMBER_COUNT, "N", 0,
     "Elements of a vector (as many as ranks)", 1},
    {"root", FIRST_NUMBER + NUMBER_ROOT, "R", 0, "Root of collectives with one (0)", 1},
    {"segment", FIRST_NUMBER + NUMBER_SEGMENT, "S", 0,
     "Elements of a message at most, for chains and binary trees (messages are whole)",
     1},
    {NULL, 0, NULL, 0, "The machine:", 2},
    {"alpha", OPTION_ALPHA, "TIME", 0, "Time of a message, such as 20us (30us)", 2},
    {"beta", OPTION_BETA, "TIME", 0, "Time of an element in a message (68ns)", 2},
    {"gamma", OPTION_GAMMA, "TIME", 0, "Time to combine an element (1ns)", 2},
    {"ports", FIRST_NUMBER + NUMBER_PORTS, "N", 0,
     "Messages that a rank, or a node, sends and receives at once (1)", 2},
    {"nodes", OPTION_NODES, "NxP|P,P,...", 0,
     "Nodes and the ranks of each, like 2x4 or 4,4,3: they share its ports (each rank "
     "has its own node)",
     2},
    {"near-alpha", OPTION_NEAR_ALPHA, "TIME", 0,
     "Time of a message within a node, for its receiver (1us)", 2},
    {"near-beta", OPTION_NEAR_BETA, "TIME", 0, "The same for an element of it (1ns)", 2},
    {"late", OPTION_LATE, "RANK:TIME,...", 0,
     "Ranks that begin later than the others, such as 3:100us", 2},
    {NULL, 0, NULL, 0, "Output:", 3},
    {"check", OPTION_CHECK, NULL, 0,
     "Prove that each rank ends with the result that MPI promises", 3},
    {"format", OPTION_FORMAT, "NAME", 0, "'text' (the default) or 'json'", 3},
    {"html", OPTION_HTML, "FILE", 0,
     "Write a page that plays the collective, and all others, in a browser", 3},
    {0},
};

static status set_seconds(void *into, const app_place *place, const char *text)
{
    return collectives_read_seconds(place->names[0], text,
                                    (double *)(void *)((char *)into + place->offset));
}

#define AT(member)    .offset = offsetof(collectives_arguments, member)
#define NUMBER(which) FIRST_NUMBER + (which), APP_KEEP_INT64, AT(numbers[which])
#define SECONDS(key, option, member)                                                     \
    key, APP_KEEP_BY_CALL, AT(problem.machine.member), .names = {option},                \
                                                       .take = set_seconds

static const app_place places[] = {
    {NUMBER(NUMBER_RANKS), 1, COLLECTIVE_MOST_RANKS},
    {NUMBER(NUMBER_COUNT), 0, INT64_C(1) << 40},
    {NUMBER(NUMBER_ROOT), 0, COLLECTIVE_MOST_RANKS - 1},
    {NUMBER(NUMBER_SEGMENT), 1, INT64_C(1) << 40},
    {NUMBER(NUMBER_PORTS), 1, COLLECTIVE_MOST_RANKS},
    {SECONDS(OPTION_ALPHA, "--alpha", alpha)},
    {SECONDS(OPTION_BETA, "--beta", beta)},
    {SECONDS(OPTION_GAMMA, "--gamma", gamma)},
    {SECONDS(OPTION_NEAR_ALPHA, "--near-alpha", near_alpha)},
    {SECONDS(OPTION_NEAR_BETA, "--near-beta", near_beta)},
    {OPTION_LATE, APP_KEEP_TEXT, AT(late)},
    {OPTION_NODES, APP_KEEP_TEXT, AT(nodes)},
    {OPTION_CHECK, APP_KEEP_FLAG, AT(problem.check)},
    {OPTION_FORMAT, APP_KEEP_SECOND, AT(problem.json), .names = {"text", "json"}},
    {OPTION_HTML, APP_KEEP_TEXT, AT(html)},
    {ARGP_KEY_ARG, APP_KEEP_ARGUMENT, AT(operation)},
    {ARGP_KEY_ARG, APP_KEEP_ARGUMENT, AT(algorithm),
     .names = {"collectives takes a collective and an algorithm"}},
    {0},
};

const struct argp cmd_collectives_argp = {
    .options = option_table,
    .parser = app_arguments_keep,
    .args_doc = "[COLLECTIVE [ITS-ALGORITHM]]",
    .doc =
        "Shows the collectives of MPI: their algorithms, messages and costs. With "
        "a collective, such as 'broadcast', compares its algorithms; with an algorithm, "
        "too, shows its messages by rounds and its critical path."
        "\vdocs/user/collectives.md explains the output.\n"
        "Exit status: 0 done (with --check: correct), 1 failed at run time or not "
        "correct, 2 wrong usage.",
};

/* ---- the problem --------------------------------------------------------------------
 */

static int64_t given_or(const collectives_arguments *arguments, int which,
                        int64_t otherwise)
{
    const int64_t number = arguments->numbers[which];
    return number == NOT_GIVEN ? otherwise : number;
}

static status make_problem(collectives_arguments *arguments)
{
    collectives_problem *problem = &arguments->problem;
    status s = arguments->operation
                   ? collectives_find(arguments->operation, arguments->algorithm, problem)
                   : STATUS_OK;
    s = s == STATUS_OK && arguments->nodes
            ? collectives_read_nodes(arguments->nodes, &arguments->numbers[NUMBER_RANKS],
                                     problem)
            : s;
    if (s != STATUS_OK) {
        return s;
    }
    problem->problem.size = (int)given_or(arguments, NUMBER_RANKS, DEFAULT_RANKS);
    problem->problem.count = given_or(arguments, NUMBER_COUNT, problem->problem.size);
    problem->machine.ports = (int)given_or(arguments, NUMBER_PORTS, 1);
    s = collectives_set(arguments->numbers[NUMBER_ROOT],
                        arguments->numbers[NUMBER_SEGMENT], problem);
    return s == STATUS_OK && arguments->late
               ? collectives_read_late(arguments->late, problem)
               : s;
}

/* Writes the page, or prints what is asked for. */
static status show(const collectives_arguments *arguments)
{
    const collectives_problem *problem = &arguments->problem;
    if (arguments->html && (problem->check || problem->json)) {
        return base_fail(
            STATUS_USAGE,
            "--html writes a page, which proves by itself: leave out --check "
            "and --format");
    }
    if (arguments->html) {
        return collectives_write_html(problem, arguments->html);
    }
    return problem->check ? collectives_prove(problem) : collectives_describe(problem);
}

status cmd_collectives(int argc, char **argv)
{
    collectives_arguments arguments = {.common.places = places,
                                       .problem.machine = collective_machine_usual()};
    for (int n = 0; n < NUMBERS; n++) {
        arguments.numbers[n] = NOT_GIVEN;
    }
    status s = app_arguments_read(&cmd_collectives_argp, argc, argv, &arguments.common);
    s = s == STATUS_OK ? make_problem(&arguments) : s;
    s = s == STATUS_OK ? show(&arguments) : s;
    composite_nodes_clear(&arguments.problem.nodes);
    return s;
}

char *cmd_collectives_words(bool algorithms)
{
    char *list = NULL;
    size_t size;
    FILE *stream = open_memstream(&list, &size);
    if (!stream) {
        return NULL;
    }
    for (int n = 0; !algorithms && collective_operation_at(n); n++) {
        fprintf(stream, "%s%s", n > 0 ? " " : "", collective_operation_at(n)->name);
    }
    for (int n = 0; algorithms && collective_algorithm_at(n); n++) {
        const char *name = collective_algorithm_at(n)->name;
        int first = 0;
        while (strcmp(collective_algorithm_at(first)->name, name) != 0) {
            first++;
        }
        if (first == n) {
            fprintf(stream, "%s%s", n > 0 ? " " : "", name);
        }
    }
    return fclose(stream) == 0 ? list : NULL;
}
