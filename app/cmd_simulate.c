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

enum { DEFAULT_WIDTH = 1920, DEFAULT_HEIGHT = 1080, DEFAULT_GATHER = 3, NOT_GIVEN = -1 };

/* Options with a whole number. */
enum {
    NUMBER_RANKS,
    NUMBER_GROUP,
    NUMBER_FAN_IN,
    NUMBER_WIDTH,
    NUMBER_HEIGHT,
    NUMBER_ROOT,
    NUMBER_GATHER,
    NUMBER_SEGMENT,
    NUMBERS
};

typedef struct simulate_arguments {
    app_arguments common;
    const char *algorithm;
    int64_t numbers[NUMBERS]; /* NOT_GIVEN, or in their range */
    composite_params params;  /* the factors */
    const char *nodes, *machine, *activity, *late, *timeline, *measure, *compare;
    bool flat;
    simulate_format format;
} simulate_arguments;

/* ---- the arguments ---------------------------------------------------------------- */

enum {
    OPTION_FACTORS = 'k',
    OPTION_FORMAT = 'f',
    OPTION_NODES = 'n',
    OPTION_FLAT = 'a',
    OPTION_MACHINE = 'm',
    OPTION_ACTIVITY = 'p',
    OPTION_LATE = 'l',
    OPTION_TIMELINE = 't',
    OPTION_MEASURE = 'M',
    OPTION_COMPARE = 'C',
    FIRST_NUMBER = 256
};

static const struct argp_option option_table[] = {
    {NULL, 0, NULL, 0, "The problem:", 1},
    {"ranks", FIRST_NUMBER + NUMBER_RANKS, "N", 0,
     "Ranks, each with one image: 1 to 1048576", 1},
    {"nodes", OPTION_NODES, "NxR|R,R,...", 0,
     "N nodes of R ranks, or nodes of so many ranks each, in visibility order. Ranks of "
     "a "
     "node share its ports and cores, and merge first (each rank has its own node)",
     1},
    {"flat", OPTION_FLAT, NULL, 0, "With --nodes: the algorithm runs among all ranks", 1},
    {"width", FIRST_NUMBER + NUMBER_WIDTH, "W", 0, "Width of the picture (1920)", 1},
    {"height", FIRST_NUMBER + NUMBER_HEIGHT, "H", 0, "Height of the picture (1080)", 1},
    {"activity", OPTION_ACTIVITY, "dense|kd|FILE", 0,
     "Active pixels of the images: all (the default), the footprints of a k-d tree, or "
     "those of the last frame in the timings FILE of a run",
     1},
    {"late", OPTION_LATE, "P:MS,...", 0,
     "Positions that begin later than the others, by milliseconds", 1},
    {"gather", FIRST_NUMBER + NUMBER_GATHER, "BYTES", 0,
     "Bytes of a finished pixel on its way to the root, 1 to 16 (3); 'none': pieces stay "
     "where they are",
     1},
    {"root", FIRST_NUMBER + NUMBER_ROOT, "R", 0, "Position that gets the picture (0)", 1},
    {NULL, 0, NULL, 0, "Parameters of the algorithm, chosen unless given:", 2},
    {"factors", OPTION_FACTORS, "K,K,...", 0,
     "Group sizes of the rounds; their product is the number of ranks", 2},
    {"group", FIRST_NUMBER + NUMBER_GROUP, "R", 0, "Size of a locality", 2},
    {"fan-in", FIRST_NUMBER + NUMBER_FAN_IN, "K", 0, "Images that merge at once", 2},
    {"segment", FIRST_NUMBER + NUMBER_SEGMENT, "PIXELS", 0,
     "Most pixels of a message (as the program, 32768 or less); 'none': messages are "
     "whole",
     2},
    {NULL, 0, NULL, 0, "The machine:", 3},
    {"machine", OPTION_MACHINE, "FILE|NAME|KEY=VALUE,...", 0,
     "A machine file, gigabit (the default), infiniband, shared, or values such as "
     "alpha=20us,overhead=1us,beta=8.5ns,gamma=1ns,ports=2,cores=8. "
     "docs/user/simulate.md has all keys",
     3},
    {"measure", OPTION_MEASURE, "FILE", 0,
     "Measure the machine on which these ranks run, and write a machine file. Under "
     "mpiexec, with at least two ranks",
     3},
    {NULL, 0, NULL, 0, "Output:", 4},
    {"timeline", OPTION_TIMELINE, "FILE", 0,
     "Write a trace for Perfetto or chrome://tracing", 4},
    {"compare", OPTION_COMPARE, "FILE", 0,
     "Predict the frames in the timings FILE of a run, and print predicted beside "
     "measured times",
     4},
    {"format", OPTION_FORMAT, "NAME", 0, "'text' (the default), 'json' or 'csv'", 4},
    {0},
};

static status set_format(void *into, const app_place *place, const char *text)
{
    static const char *const names[] = {"text", "json", "csv"};
    (void)place;
    for (int f = 0; f < 3; f++) {
        if (strcmp(text, names[f]) == 0) {
            ((simulate_arguments *)into)->format = (simulate_format)f;
            return STATUS_OK;
        }
    }
    return base_fail(STATUS_USAGE, "--format %.64s: give 'text', 'json' or 'csv'", text);
}

static status set_factors(void *into, const app_place *place, const char *text)
{
    (void)place;
    return messages_options_factors(text, &((simulate_arguments *)into)->params);
}

#define AT(member)    .offset = offsetof(simulate_arguments, member)
#define NUMBER(which) FIRST_NUMBER + (which), APP_KEEP_INT64, AT(numbers[which])

static const app_place places[] = {
    /* By ascending NUMBER_ and with their names. */
    {NUMBER(NUMBER_RANKS), 1, APP_MOST_RANKS, {"--ranks"}},
    {NUMBER(NUMBER_GROUP), 1, APP_MOST_RANKS, {"--group"}},
    {NUMBER(NUMBER_FAN_IN), 2, APP_MOST_RANKS, {"--fan-in"}},
    {NUMBER(NUMBER_WIDTH), 1, APP_MOST_WIDTH, {"--width"}},
    {NUMBER(NUMBER_HEIGHT), 1, APP_MOST_WIDTH, {"--height"}},
    {NUMBER(NUMBER_ROOT), 0, APP_MOST_RANKS - 1, {"--root"}},
    {NUMBER(NUMBER_GATHER), 0, COMPOSITE_PIXEL_BYTES, {"--gather", "none"}},
    {NUMBER(NUMBER_SEGMENT), 1, 1 << 30, {"--segment", "none"}},
    {OPTION_NODES, APP_KEEP_TEXT, AT(nodes)},
    {OPTION_MACHINE, APP_KEEP_TEXT, AT(machine)},
    {OPTION_ACTIVITY, APP_KEEP_TEXT, AT(activity)},
    {OPTION_LATE, APP_KEEP_TEXT, AT(late)},
    {OPTION_TIMELINE, APP_KEEP_TEXT, AT(timeline)},
    {OPTION_MEASURE, APP_KEEP_TEXT, AT(measure)},
    {OPTION_COMPARE, APP_KEEP_TEXT, AT(compare)},
    {OPTION_FACTORS, APP_KEEP_BY_CALL, .take = set_factors},
    {OPTION_FORMAT, APP_KEEP_BY_CALL, .take = set_format},
    {OPTION_FLAT, APP_KEEP_FLAG, AT(flat)},
    {ARGP_KEY_ARG, APP_KEEP_ARGUMENT, AT(algorithm),
     .names = {"simulate takes one algorithm, or 'all'"}},
    {0},
};

const struct argp cmd_simulate_argp = {
    .options = option_table,
    .parser = app_arguments_keep,
    .args_doc = "ALGORITHM --ranks N\nall --ranks N\n--measure FILE\n--compare FILE",
    .doc = "Predicts the time in which an algorithm composites the images of N ranks, by "
           "walking through its messages in virtual time. With 'all', does so for each "
           "algorithm."
           "\vdocs/user/simulate.md explains the model and the output.\n"
           "Exit status: 0 done, 1 failed at run time, 2 wrong usage.",
};

/* ---- the problem --------------------------------------------------------------------
 */

static int64_t given_or(const simulate_arguments *arguments, int which, int64_t otherwise)
{
    const int64_t number = arguments->numbers[which];
    return number == NOT_GIVEN ? otherwise : number;
}

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
    if (arguments->params.nfactors > 0 || arguments->numbers[NUMBER_GROUP] != NOT_GIVEN ||
        arguments->numbers[NUMBER_FAN_IN] != NOT_GIVEN) {
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
    int64_t ranks = arguments->numbers[NUMBER_RANKS];
    if (arguments->flat && !arguments->nodes) {
        return base_fail(STATUS_USAGE, "--flat goes with --nodes: give both");
    }
    status s = arguments->nodes
                   ? messages_options_nodes(arguments->nodes, &ranks, &simulation->nodes)
                   : STATUS_OK;
    if (s == STATUS_OK && ranks == NOT_GIVEN) {
        s = base_fail(STATUS_USAGE,
                      "simulate needs the number of ranks: give --ranks, or --nodes");
    }
    const int64_t root = given_or(arguments, NUMBER_ROOT, 0);
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
    const int64_t width = arguments->numbers[NUMBER_WIDTH];
    const int64_t height = arguments->numbers[NUMBER_HEIGHT];
    if ((width == NOT_GIVEN) != (height == NOT_GIVEN)) {
        return base_fail(STATUS_USAGE, "--width and --height belong together: give both");
    }
    simulation->width = (int)(width == NOT_GIVEN ? DEFAULT_WIDTH : width);
    simulation->height = (int)(height == NOT_GIVEN ? DEFAULT_HEIGHT : height);
    simulation->problem.pixels = (int64_t)simulation->width * simulation->height;
    simulation->problem.gather_bytes =
        (int)given_or(arguments, NUMBER_GATHER, DEFAULT_GATHER);
    simulation->segment =
        (int)given_or(arguments, NUMBER_SEGMENT, SIMULATE_USUAL_SEGMENT);
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
    simulation->params.group = (int)given_or(arguments, NUMBER_GROUP, 0);
    simulation->params.fan_in = (int)given_or(arguments, NUMBER_FAN_IN, 0);
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
    for (int n = 0; n < NUMBERS; n++) {
        if (n != NUMBER_SEGMENT && arguments->numbers[n] != NOT_GIVEN) {
            return base_fail(STATUS_USAGE,
                             "--compare takes the problem from the timings: leave out %s",
                             places[n].names[0]);
        }
    }
    if (arguments->activity || arguments->late || arguments->timeline ||
        arguments->params.nfactors > 0) {
        return base_fail(STATUS_USAGE,
                         "--compare takes the problem from the timings: leave out "
                         "--activity, --late, --timeline and --factors");
    }
    comparison.segment = (int)arguments->numbers[NUMBER_SEGMENT]; /* -1: NOT_GIVEN */
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
    for (int n = 0; n < NUMBERS; n++) {
        arguments->numbers[n] = NOT_GIVEN;
    }
    arguments->common.places = places;
    return app_arguments_read(&cmd_simulate_argp, argc, argv, &arguments->common);
}

bool cmd_simulate_measures(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        /* argp also takes the beginning of a name, and the letter. */
        const size_t length = strcspn(argv[i], "=");
        if ((length > 3 && strncmp(argv[i], "--measure", length) == 0) ||
            strncmp(argv[i], "-M", 2) == 0) {
            return true;
        }
    }
    return false;
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
