/* karman simulate ALGORITHM: predicts the time of a compositing algorithm on a machine.
 */
#include "arguments.h"
#include "base/parallel/parallel.h"
#include "cmd.h"
#include "composite/rules.h"
#include "messages/schedule/options.h"
#include "messages/simulate/compared.h"
#include "messages/simulate/frame.h"
#include "messages/simulate/machine_file.h"
#include "messages/simulate/measure.h"
#include "messages/simulate/simulation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_WIDTH = 1920, DEFAULT_HEIGHT = 1080, DEFAULT_GATHER = 3 };

typedef struct simulate_arguments {
    app_arguments common;
    const char *algorithm;
    int64_t ranks, group, fan_in, width, height, root, gather,
        segment;             /* APP_NOT_GIVEN, or in their range */
    composite_params params; /* the factors */
    const char *nodes, *machine, *activity, *late, *timeline, *measure, *compare;
    bool flat;
    simulate_format format;
} simulate_arguments;

/* ---- the arguments ---------------------------------------------------------------- */

static status set_factors(void *into, const app_option *option, const char *text)
{
    (void)option;
    return messages_options_factors(text, into);
}

#define AT(member) APP_AT(simulate_arguments, member)

static const app_option rows[] = {
    {.help = "The problem:"},
    {"ranks", 0, "N", "Ranks, each with one image: 1 to 1048576", APP_WHOLE, AT(ranks), 1,
     APP_MOST_RANKS},
    {"nodes", 'n', "NxR|R,R,...",
     "N nodes of R ranks, or nodes of so many ranks each, in visibility order. Ranks of "
     "a node share its ports and cores, and merge first (each rank has its own node)",
     APP_TEXT, AT(nodes)},
    {"flat", 'a', NULL, "With --nodes: the algorithm runs among all ranks", APP_FLAG,
     AT(flat)},
    {"width", 0, "W", "Width of the picture (1920)", APP_WHOLE, AT(width), 1,
     APP_MOST_WIDTH},
    {"height", 0, "H", "Height of the picture (1080)", APP_WHOLE, AT(height), 1,
     APP_MOST_WIDTH},
    {"activity", 'p', "dense|kd|FILE",
     "Active pixels of the images: all (the default), the footprints of a k-d tree, or "
     "those of the last frame in the timings FILE of a run",
     APP_TEXT, AT(activity)},
    {"late", 'l', "P:MS,...",
     "Positions that begin later than the others, by milliseconds", APP_TEXT, AT(late)},
    {"gather", 0, "BYTES",
     "Bytes of a finished pixel on its way to the root, 1 to 16 (3); 'none': pieces stay "
     "where they are",
     APP_WHOLE, AT(gather), 0, COMPOSITE_PIXEL_BYTES, .words = {"none"}},
    {"root", 0, "R", "Position that gets the picture (0)", APP_WHOLE, AT(root), 0,
     APP_MOST_RANKS - 1},
    {.help = "Parameters of the algorithm, chosen unless given:"},
    {"factors", 'k', "K,K,...",
     "Group sizes of the rounds; their product is the number of ranks", APP_BY_CALL,
     AT(params), .take = set_factors},
    {"group", 0, "R", "Size of a locality", APP_WHOLE, AT(group), 1, APP_MOST_RANKS},
    {"fan-in", 0, "K", "Images that merge at once", APP_WHOLE, AT(fan_in), 2,
     APP_MOST_RANKS},
    {"segment", 0, "PIXELS",
     "Most pixels of a message (as the program, 32768 or less); 'none': messages are "
     "whole",
     APP_WHOLE, AT(segment), 1, 1 << 30, .words = {"none"}},
    {.help = "The machine:"},
    {"machine", 'm', "FILE|NAME|KEY=VALUE,...",
     "A machine file, gigabit (the default), infiniband, shared, or values such as "
     "alpha=20us,overhead=1us,beta=8.5ns,gamma=1ns,ports=2,cores=8. "
     "docs/user/simulate.md has all keys",
     APP_TEXT, AT(machine)},
    {"measure", 'M', "FILE",
     "Measure the machine on which these ranks run, and write a machine file. Under "
     "mpiexec, with at least two ranks",
     APP_TEXT, AT(measure)},
    {.help = "Output:"},
    {"timeline", 't', "FILE", "Write a trace for Perfetto or chrome://tracing", APP_TEXT,
     AT(timeline)},
    {"compare", 'C', "FILE",
     "Predict the frames in the timings FILE of a run, and print predicted beside "
     "measured times",
     APP_TEXT, AT(compare)},
    {"format", 'f', "NAME", "'text' (the default), 'json' or 'csv'", APP_CHOICE,
     AT(format), .words = {"text", "json", "csv"}},
    {.keep = APP_ARGUMENT,
     AT(algorithm),
     .words = {"simulate takes one algorithm, or 'all'"}},
    {0},
};

const app_line cmd_simulate_line = {
    .options = rows,
    .arguments = "ALGORITHM --ranks N\nall --ranks N\n--measure FILE\n--compare FILE",
    .doc = "Predicts the time in which an algorithm composites the images of N ranks, by "
           "walking through its messages in virtual time. With 'all', does so for each "
           "algorithm.\vdocs/user/simulate.md explains the model and the output.\nExit "
           "status: 0 done, 1 failed at run time, 2 wrong usage.",
};

/* ---- the problem --------------------------------------------------------------------
 */

static status find_algorithm(const simulate_arguments *arguments,
                             simulate_simulation *simulation)
{
    const bool all = arguments->algorithm && strcmp(arguments->algorithm, "all") == 0;
    if (!arguments->algorithm) {
        return base_fail(STATUS_USAGE,
                         "simulate needs an algorithm, or 'all': see 'karman schedule "
                         "--list'");
    }
    if (!all) {
        return messages_options_algorithm(arguments->algorithm, &simulation->algorithm);
    }
    if (arguments->params.nfactors > 0 || arguments->group != APP_NOT_GIVEN ||
        arguments->fan_in != APP_NOT_GIVEN) {
        return base_fail(STATUS_USAGE, "--factors, --group and --fan-in go with one "
                                       "algorithm: leave them out with 'all'");
    }
    return arguments->timeline
               ? base_fail(STATUS_USAGE, "--timeline goes with one algorithm: name it "
                                         "instead of 'all'")
               : STATUS_OK;
}

static status find_ranks(const simulate_arguments *arguments,
                         simulate_simulation *simulation)
{
    int64_t ranks = arguments->ranks;
    if (arguments->flat && !arguments->nodes) {
        return base_fail(STATUS_USAGE, "--flat goes with --nodes: give both");
    }
    status s = arguments->nodes
                   ? messages_options_nodes(arguments->nodes, &ranks, &simulation->nodes)
                   : STATUS_OK;
    if (s == STATUS_OK && ranks == APP_NOT_GIVEN) {
        s = base_fail(STATUS_USAGE,
                      "simulate needs the number of ranks: give --ranks, or --nodes");
    }
    const int64_t root = app_given_or(arguments->root, 0);
    if (s == STATUS_OK && root >= ranks) {
        s = base_fail(STATUS_USAGE,
                      "--root %" PRId64 ": %" PRId64 " ranks have the positions 0 to "
                      "%" PRId64,
                      root, ranks, ranks - 1);
    }
    if (s == STATUS_OK) {
        simulation->problem.size = (int)ranks;
        simulation->problem.root = (int)root;
        simulation->problem.nodes =
            arguments->nodes && !arguments->flat ? &simulation->nodes : NULL;
    }
    return s;
}

static status find_picture(const simulate_arguments *arguments,
                           simulate_simulation *simulation)
{
    const int64_t width = arguments->width;
    const int64_t height = arguments->height;
    if ((width == APP_NOT_GIVEN) != (height == APP_NOT_GIVEN)) {
        return base_fail(STATUS_USAGE, "--width and --height belong together: give both");
    }
    simulation->width = (int)(width == APP_NOT_GIVEN ? DEFAULT_WIDTH : width);
    simulation->height = (int)(height == APP_NOT_GIVEN ? DEFAULT_HEIGHT : height);
    simulation->problem.pixels = (int64_t)simulation->width * simulation->height;
    simulation->problem.gather_bytes =
        (int)app_given_or(arguments->gather, DEFAULT_GATHER);
    simulation->segment = (int)app_given_or(arguments->segment, SIMULATE_USUAL_SEGMENT);
    return STATUS_OK;
}

/* The active pixels, and how the executor would cut the picture for them. */
static status find_activity(const simulate_arguments *arguments,
                            simulate_simulation *simulation)
{
    const char *name = arguments->activity ? arguments->activity : "dense";
    const int size = simulation->problem.size;
    status s = STATUS_OK;
    simulation->activity_name = name;
    if (strcmp(name, "kd") == 0) {
        s = simulate_activity_kd(simulation->width, simulation->height, size,
                                 &simulation->activity);
    } else if (strcmp(name, "dense") != 0) {
        s = simulate_frame_activity(name, simulation->width, simulation->height, size,
                                    &simulation->activity);
    }
    simulation->problem.cuts = simulate_activity_cuts(&simulation->activity, size);
    return s;
}

static status fail_late(const char *text, int size)
{
    return base_fail(STATUS_USAGE,
                     "--late %.64s: give positions from 0 to %d with milliseconds, like "
                     "3:20 or 0:5,7:12.5",
                     text, size - 1);
}

/* Reads "3:20,7:12.5": milliseconds of positions. */
static status find_late(const char *text, simulate_simulation *simulation)
{
    const int size = simulation->problem.size;
    simulation->late = calloc((size_t)size, sizeof *simulation->late);
    if (!simulation->late) {
        return base_fail_memory((size_t)size * sizeof *simulation->late, "late ranks");
    }
    for (const char *at = text;;) {
        char *end, *after;
        int64_t position;
        if (!messages_options_number(at, &end, &position) || position >= size ||
            *end != ':') {
            return fail_late(text, size);
        }
        const double ms = strtod(end + 1, &after);
        if (after == end + 1 || !(ms >= 0 && ms <= 1e9) ||
            (*after != '\0' && *after != ',')) {
            return fail_late(text, size);
        }
        simulation->late[position] = 1e-3 * ms;
        if (*after == '\0') {
            return STATUS_OK;
        }
        at = after + 1;
    }
}

static status find_machine(const simulate_arguments *arguments, simulate_machine *machine)
{
    *machine = simulate_machine_usual();
    return arguments->machine ? messages_machine_choose(arguments->machine, machine)
                              : STATUS_OK;
}

static status make_simulation(const simulate_arguments *arguments,
                              simulate_simulation *simulation)
{
    status s = find_algorithm(arguments, simulation);
    s = s == STATUS_OK ? find_ranks(arguments, simulation) : s;
    s = s == STATUS_OK ? find_picture(arguments, simulation) : s;
    s = s == STATUS_OK ? find_activity(arguments, simulation) : s;
    s = s == STATUS_OK ? find_machine(arguments, &simulation->machine) : s;
    s = s == STATUS_OK && arguments->late ? find_late(arguments->late, simulation) : s;
    simulation->params = arguments->params;
    simulation->params.group = (int)app_given_or(arguments->group, 0);
    simulation->params.fan_in = (int)app_given_or(arguments->fan_in, 0);
    simulation->timeline = arguments->timeline;
    simulation->format = arguments->format;
    return s;
}

/* ---- the command --------------------------------------------------------------------
 */

/* Frames say themselves what was composited. */
static status compare(const simulate_arguments *arguments)
{
    simulate_comparison comparison = {.path = arguments->compare,
                                      .format = arguments->format};
    for (const app_option *o = rows; o->keep != APP_ARGUMENT; o++) {
        if (o->keep == APP_WHOLE && strcmp(o->name, "segment") != 0 &&
            *(const int64_t *)((const char *)arguments + o->offset) != APP_NOT_GIVEN) {
            return base_fail(
                STATUS_USAGE,
                "--compare takes the problem from the timings: leave out --%s", o->name);
        }
    }
    if (arguments->activity || arguments->late || arguments->timeline ||
        arguments->params.nfactors > 0) {
        return base_fail(STATUS_USAGE,
                         "--compare takes the problem from the timings: leave out "
                         "--activity, --late, --timeline and --factors");
    }
    comparison.segment = (int)arguments->segment; /* -1: APP_NOT_GIVEN */
    comparison.nodes = arguments->nodes;
    status s = find_machine(arguments, &comparison.machine);
    if (s == STATUS_OK && arguments->algorithm) {
        s = messages_options_algorithm(arguments->algorithm, &comparison.algorithm);
    }
    return s == STATUS_OK ? simulate_comparison_show(&comparison) : s;
}

static status simulate(const simulate_arguments *arguments)
{
    simulate_simulation simulation = {.problem = {.op = COMPOSITE_OVER}};
    status s = make_simulation(arguments, &simulation);
    s = s == STATUS_OK ? simulate_simulation_show(&simulation) : s;
    simulate_simulation_clear(&simulation);
    return s;
}

static status parse(int argc, char **argv, simulate_arguments *arguments)
{
    *arguments = (simulate_arguments){.format = SIMULATE_TEXT};
    return app_arguments_read(&cmd_simulate_line, argc, argv, &arguments->common);
}

bool cmd_simulate_measures(int argc, char **argv)
{
    return app_arguments_have(argc, argv, "measure", 'M');
}

status cmd_simulate(MPI_Comm comm, int argc, char **argv)
{
    simulate_arguments arguments;
    const status s = parse(argc, argv, &arguments);
    if (s != STATUS_OK) {
        return s;
    }
    if (arguments.algorithm || arguments.compare) {
        return base_fail(STATUS_USAGE, "--measure measures the machine alone: leave out "
                                       "the algorithm and --compare");
    }
    return simulate_measure_file(comm, arguments.measure);
}

status cmd_simulate_alone(int argc, char **argv)
{
    simulate_arguments arguments;
    const status s = parse(argc, argv, &arguments);
    if (s != STATUS_OK) {
        return s;
    }
    return arguments.compare ? compare(&arguments) : simulate(&arguments);
}
