/* karman collectives: shows, proves and times the collectives of MPI. */
#include "arguments.h"
#include "cmd.h"
#include "messages/collective/describe/describe.h"
#include "messages/collective/describe/html.h"
#include "messages/run/run.h"
#include "messages/schedule/options.h"

#include <inttypes.h>
#include <string.h>

enum { DEFAULT_RANKS = 8 };

typedef struct collectives_arguments {
    app_arguments common;
    const char *operation, *algorithm;          /* names, or NULL */
    const char *late, *nodes;                   /* the texts, or NULL */
    const char *html;                           /* a path, or NULL */
    bool runs;                                  /* on the ranks of the job */
    int64_t ranks, count, root, segment, ports; /* APP_NOT_GIVEN, or in their range */
    collectives_problem problem;
} collectives_arguments;

/* ---- the arguments ---------------------------------------------------------------- */

static status set_seconds(void *into, const app_option *option, const char *text)
{
    return collectives_read_seconds(option->name, text, into);
}

#define AT(member) APP_AT(collectives_arguments, member)

static const app_option rows[] = {
    {.help = "The problem:"},
    {"ranks", 0, "P", "Ranks: 1 to 64 (8)", APP_WHOLE, AT(ranks), 1,
     COLLECTIVE_MOST_RANKS},
    {"count", 0, "N", "Elements of a vector (as many as ranks)", APP_WHOLE, AT(count), 0,
     INT64_C(1) << 40},
    {"root", 0, "R", "Root of collectives with one (0)", APP_WHOLE, AT(root), 0,
     COLLECTIVE_MOST_RANKS - 1},
    {"segment", 0, "S",
     "Elements of a message at most, for chains and binary trees (messages are whole)",
     APP_WHOLE, AT(segment), 1, INT64_C(1) << 40},
    {.help = "The machine:"},
    {"alpha", 'a', "TIME", "Time of a message, such as 20us (30us)", APP_BY_CALL,
     AT(problem.machine.alpha), .take = set_seconds},
    {"beta", 'b', "TIME", "Time of an element in a message (68ns)", APP_BY_CALL,
     AT(problem.machine.beta), .take = set_seconds},
    {"gamma", 'g', "TIME", "Time to combine an element (1ns)", APP_BY_CALL,
     AT(problem.machine.gamma), .take = set_seconds},
    {"ports", 0, "N", "Messages that a rank, or a node, sends and receives at once (1)",
     APP_WHOLE, AT(ports), 1, COLLECTIVE_MOST_RANKS},
    {"nodes", 'n', "NxP|P,P,...",
     "Nodes and the ranks of each, like 2x4 or 4,4,3: they share its ports (each rank "
     "has its own node)",
     APP_TEXT, AT(nodes)},
    {"near-alpha", 'x', "TIME", "Time of a message within a node, for its receiver (1us)",
     APP_BY_CALL, AT(problem.machine.near_alpha), .take = set_seconds},
    {"near-beta", 'y', "TIME", "The same for an element of it (1ns)", APP_BY_CALL,
     AT(problem.machine.near_beta), .take = set_seconds},
    {"late", 'l', "RANK:TIME,...",
     "Ranks that begin later than the others, such as 3:100us", APP_TEXT, AT(late)},
    {.help = "Output:"},
    {"check", 'c', NULL, "Prove that each rank ends with the result that MPI promises",
     APP_FLAG, AT(problem.check)},
    {"run", 'r', NULL,
     "Under mpiexec: run the collective on its ranks, check the result, and print times "
     "beside those of MPI's own",
     APP_FLAG, AT(runs)},
    {"format", 'f', "NAME", "'text' (the default) or 'json'", APP_CHOICE,
     AT(problem.json), .words = {"text", "json"}},
    {"html", 'w', "FILE",
     "Write a page that plays the collective, and all others, in a browser", APP_TEXT,
     AT(html)},
    {.keep = APP_ARGUMENT, AT(operation)},
    {.keep = APP_ARGUMENT,
     AT(algorithm),
     .words = {"collectives takes a collective and an algorithm"}},
    {0},
};

const app_line cmd_collectives_line = {
    .options = rows,
    .arguments = "[COLLECTIVE [ITS-ALGORITHM]]",
    .doc = "Shows the collectives of MPI: their algorithms, messages and costs. With a "
           "collective, such as 'broadcast', compares its algorithms; with an algorithm, "
           "too, shows its messages by rounds and its critical "
           "path.\vdocs/user/collectives.md explains the output.\nExit status: 0 done "
           "(with --check: correct), 1 failed at run time or not correct, 2 wrong usage.",
};

/* ---- the problem --------------------------------------------------------------------
 */

static status make_problem(collectives_arguments *arguments)
{
    collectives_problem *problem = &arguments->problem;
    status s = arguments->operation
                   ? collectives_find(arguments->operation, arguments->algorithm, problem)
                   : STATUS_OK;
    s = s == STATUS_OK && arguments->nodes
            ? collectives_read_nodes(arguments->nodes, &arguments->ranks, problem)
            : s;
    if (s != STATUS_OK) {
        return s;
    }
    problem->problem.size = (int)app_given_or(arguments->ranks, DEFAULT_RANKS);
    problem->problem.count = app_given_or(arguments->count, problem->problem.size);
    problem->machine.ports = (int)app_given_or(arguments->ports, 1);
    s = collectives_set(arguments->root, arguments->segment, problem);
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

static status parse(int argc, char **argv, collectives_arguments *arguments)
{
    *arguments = (collectives_arguments){.problem.machine = collective_machine_usual()};
    return app_arguments_read(&cmd_collectives_line, argc, argv, &arguments->common);
}

bool cmd_collectives_runs(int argc, char **argv)
{
    return app_arguments_have(argc, argv, "run", 'r');
}

/* The ranks of the job are those of the collective. */
static status check_run(MPI_Comm comm, collectives_arguments *arguments)
{
    int ranks;
    MPI_Comm_size(comm, &ranks);
    if (!arguments->operation) {
        return base_fail(STATUS_USAGE, "--run runs one collective: name it, such as "
                                       "'karman collectives broadcast --run'");
    }
    if (arguments->html || arguments->problem.check || arguments->late ||
        arguments->nodes || arguments->ranks != APP_NOT_GIVEN) {
        return base_fail(STATUS_USAGE,
                         "--run runs on the ranks that mpiexec starts: leave "
                         "out --ranks, --nodes, --late, --check and --html");
    }
    if (ranks > COLLECTIVE_MOST_RANKS || arguments->count > COLLECTIVES_MOST_RUN) {
        return base_fail(STATUS_USAGE,
                         "--run has at most %d ranks and a --count of %d: there are %d "
                         "ranks",
                         COLLECTIVE_MOST_RANKS, COLLECTIVES_MOST_RUN, ranks);
    }
    arguments->ranks = ranks;
    return STATUS_OK;
}

status cmd_collectives(MPI_Comm comm, int argc, char **argv)
{
    collectives_arguments arguments;
    status s = parse(argc, argv, &arguments);
    s = s == STATUS_OK ? check_run(comm, &arguments) : s;
    s = s == STATUS_OK ? make_problem(&arguments) : s;
    return s == STATUS_OK ? collectives_run_beside(comm, &arguments.problem) : s;
}

status cmd_collectives_alone(int argc, char **argv)
{
    collectives_arguments arguments;
    status s = parse(argc, argv, &arguments);
    s = s == STATUS_OK ? make_problem(&arguments) : s;
    s = s == STATUS_OK ? show(&arguments) : s;
    composite_nodes_clear(&arguments.problem.nodes);
    return s;
}
