/* karman schedule ALGORITHM: shows the messages of a compositing algorithm. */
#include "arguments.h"
#include "base/parallel/parallel.h"
#include "cmd.h"
#include "messages/frame/page.h"
#include "messages/images/images.h"
#include "messages/schedule/describe.h"
#include "messages/schedule/html.h"
#include "messages/schedule/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/*
 * Checking so many messages takes half a minute. Printing so many makes a file of 600 MB.
 */
static const int64_t most_checked = 20000000;
static const int64_t most_printed = 5000000;

enum { DEFAULT_WIDTH = 1920, DEFAULT_HEIGHT = 1080, NOT_GIVEN = -1 };

/* Options with a whole number. */
enum {
    NUMBER_RANKS,
    NUMBER_GROUP,
    NUMBER_FAN_IN,
    NUMBER_WIDTH,
    NUMBER_HEIGHT,
    NUMBER_PIXELS,
    NUMBER_ROOT,
    NUMBER_POSITION,
    NUMBER_GATHER,
    NUMBERS
};

typedef struct schedule_arguments {
    app_arguments common;
    const char *algorithm;
    int64_t numbers[NUMBERS]; /* NOT_GIVEN, or in their range */
    composite_params params; /* the factors; the other parameters are among the numbers */
    bool nearest;            /* the operator; else over */
    const char *nodes;       /* the text, or NULL */
    const char *html, *picture; /* paths, or NULL */
    bool flat;
    bool check, list, json;
} schedule_arguments;

/* ---- the arguments ---------------------------------------------------------------- */

/* Keys of options. Numbers have the key FIRST_NUMBER plus their index. */
enum {
    OPTION_FACTORS = 'k',
    OPTION_OPERATOR = 'o',
    OPTION_CHECK = 'c',
    OPTION_FORMAT = 'f',
    OPTION_LIST = 'l',
    OPTION_NODES = 'n',
    OPTION_FLAT = 'a',
    OPTION_HTML = 'w',
    OPTION_PICTURE = 'p',
    FIRST_NUMBER = 256
};

static const struct argp_option option_table[] = {
    {NULL, 0, NULL, 0, "The problem:", 1},
    {"ranks", FIRST_NUMBER + NUMBER_RANKS, "N", 0,
     "Ranks, each with one image: 1 to 1048576", 1},
    {"width", FIRST_NUMBER + NUMBER_WIDTH, "W", 0, "Width of the image (1920)", 1},
    {"height", FIRST_NUMBER + NUMBER_HEIGHT, "H", 0, "Height of the image (1080)", 1},
    {"pixels", FIRST_NUMBER + NUMBER_PIXELS, "N", 0,
     "Pixels of the image, instead of width and height", 1},
    {"operator", OPTION_OPERATOR, "NAME", 0,
     "'over' (the default): images merge in their order; 'nearest': by depth", 1},
    {"root", FIRST_NUMBER + NUMBER_ROOT, "R", 0, "Position that gets the picture (0)", 1},
    {"nodes", OPTION_NODES, "NxR|R,R,...", 0,
     "Ranks share memory: N nodes of R ranks, or nodes of so many ranks each, in "
     "visibility order. Ranks of a node merge first, then the algorithm runs among nodes",
     1},
    {"flat", OPTION_FLAT, NULL, 0, "With --nodes: the algorithm runs among all ranks", 1},
    {"gather", FIRST_NUMBER + NUMBER_GATHER, "BYTES", 0,
     "Bytes of a finished pixel on its way to the root, 1 to 16 (3 with --nodes); "
     "0: finished pixels stay where they are",
     1},
    {NULL, 0, NULL, 0, "Parameters of the algorithm, chosen unless given:", 2},
    {"factors", OPTION_FACTORS, "K,K,...", 0,
     "Group sizes of the rounds; their product is the number of ranks", 2},
    {"group", FIRST_NUMBER + NUMBER_GROUP, "R", 0, "Size of a locality", 2},
    {"fan-in", FIRST_NUMBER + NUMBER_FAN_IN, "K", 0, "Images that merge at once", 2},
    {NULL, 0, NULL, 0, "Output:", 3},
    {"check", OPTION_CHECK, NULL, 0, "Prove that the schedule is correct", 3},
    {"position", FIRST_NUMBER + NUMBER_POSITION, "P", 0,
     "Print the messages of one position in visibility order: 0 is in front", 3},
    {"format", OPTION_FORMAT, "NAME", 0, "'text' (the default) or 'json'", 3},
    {"html", OPTION_HTML, "FILE", 0, "Write a page that plays the schedule in a browser",
     3},
    {"picture", OPTION_PICTURE, "CONFIG", 0,
     "With --html: the page composites the last step of a config, of which each rank "
     "draws "
     "a part",
     3},
    {"list", OPTION_LIST, NULL, 0, "Print the algorithms with their parameters", 3},
    {0},
};

static status set_factors(void *into, const app_place *place, const char *text)
{
    (void)place;
    return messages_options_factors(text, &((schedule_arguments *)into)->params);
}

#define AT(member)    .offset = offsetof(schedule_arguments, member)
#define NUMBER(which) FIRST_NUMBER + (which), APP_KEEP_INT64, AT(numbers[which])

static const app_place places[] = {
    {NUMBER(NUMBER_RANKS), 1, APP_MOST_RANKS},
    {NUMBER(NUMBER_GROUP), 1, APP_MOST_RANKS},
    {NUMBER(NUMBER_FAN_IN), 2, APP_MOST_RANKS},
    {NUMBER(NUMBER_WIDTH), 1, APP_MOST_WIDTH},
    {NUMBER(NUMBER_HEIGHT), 1, APP_MOST_WIDTH},
    {NUMBER(NUMBER_PIXELS), 1, (int64_t)APP_MOST_WIDTH *APP_MOST_WIDTH},
    {NUMBER(NUMBER_ROOT), 0, APP_MOST_RANKS - 1},
    {NUMBER(NUMBER_POSITION), 0, APP_MOST_RANKS - 1},
    {NUMBER(NUMBER_GATHER), 0, COMPOSITE_PIXEL_BYTES},
    {OPTION_FACTORS, APP_KEEP_BY_CALL, .take = set_factors},
    {OPTION_OPERATOR, APP_KEEP_SECOND, AT(nearest), .names = {"over", "nearest"}},
    {OPTION_FORMAT, APP_KEEP_SECOND, AT(json), .names = {"text", "json"}},
    {OPTION_CHECK, APP_KEEP_FLAG, AT(check)},
    {OPTION_LIST, APP_KEEP_FLAG, AT(list)},
    {OPTION_NODES, APP_KEEP_TEXT, AT(nodes)},
    {OPTION_HTML, APP_KEEP_TEXT, AT(html)},
    {OPTION_PICTURE, APP_KEEP_TEXT, AT(picture)},
    {OPTION_FLAT, APP_KEEP_FLAG, AT(flat)},
    {ARGP_KEY_ARG, APP_KEEP_ARGUMENT, AT(algorithm),
     .names = {"schedule takes one algorithm"}},
    {0},
};

const struct argp cmd_schedule_argp = {
    .options = option_table,
    .parser = app_arguments_keep,
    .args_doc = "ALGORITHM --ranks N\nALGORITHM --nodes NxR\n--list",
    .doc = "Shows the messages by which an algorithm composites the images of N ranks: "
           "sender, receiver, pixels and round. With --check, proves that they give the "
           "correct picture."
           "\vdocs/user/schedules.md explains the output.\n"
           "Exit status: 0 done (with --check: correct), 1 failed at run time or not "
           "correct, 2 wrong usage.",
};

/* ---- the schedule ------------------------------------------------------------------ */

static status find_algorithm(const schedule_arguments *arguments,
                             messages_schedule *schedule)
{
    if (!arguments->algorithm) {
        return base_fail(STATUS_USAGE,
                         "schedule needs an algorithm: see 'karman schedule --list'");
    }
    return messages_options_algorithm(arguments->algorithm, &schedule->algorithm);
}

static status set_pixels(const schedule_arguments *arguments, composite_problem *problem)
{
    const int64_t pixels = arguments->numbers[NUMBER_PIXELS];
    const int64_t width = arguments->numbers[NUMBER_WIDTH];
    const int64_t height = arguments->numbers[NUMBER_HEIGHT];
    const bool sized = width != NOT_GIVEN || height != NOT_GIVEN;
    if (pixels != NOT_GIVEN && sized) {
        return base_fail(STATUS_USAGE,
                         "give --pixels, or --width and --height, but not both");
    }
    if (sized && (width == NOT_GIVEN || height == NOT_GIVEN)) {
        return base_fail(STATUS_USAGE, "--width and --height belong together: give both");
    }
    problem->pixels = pixels != NOT_GIVEN ? pixels
                      : sized             ? width * height
                                          : (int64_t)DEFAULT_WIDTH * DEFAULT_HEIGHT;
    return STATUS_OK;
}

/* Sets a given position, or `otherwise`. */
static status set_position(const schedule_arguments *arguments, int which, int otherwise,
                           int *position)
{
    const int64_t given = arguments->numbers[which];
    const int64_t ranks = arguments->numbers[NUMBER_RANKS];
    if (given >= ranks) {
        return base_fail(
            STATUS_USAGE,
            "--%s %" PRId64 ": with --ranks %" PRId64 " positions go from 0 to %" PRId64,
            which == NUMBER_ROOT ? "root" : "position", given, ranks, ranks - 1);
    }
    *position = given == NOT_GIVEN ? otherwise : (int)given;
    return STATUS_OK;
}

/* A parameter's number; 0 lets the algorithm choose. */
static int given_or_zero(const schedule_arguments *arguments, int which)
{
    int64_t number = arguments->numbers[which];
    return number == NOT_GIVEN ? 0 : (int)number;
}

/* Finds the nodes, and from them the number of ranks unless --ranks says it. */
static status set_nodes(schedule_arguments *arguments, messages_schedule *schedule)
{
    const status s = messages_options_nodes(
        arguments->nodes, &arguments->numbers[NUMBER_RANKS], &schedule->nodes);
    if (s == STATUS_OK) {
        schedule->problem.nodes = arguments->flat ? NULL : &schedule->nodes;
    }
    return s;
}

/* The bytes of a finished pixel that travels to the root. */
static int find_gather(const schedule_arguments *arguments)
{
    const int64_t given = arguments->numbers[NUMBER_GATHER];
    return given != NOT_GIVEN ? (int)given : arguments->nodes ? 3 : 0;
}

static status make_schedule(schedule_arguments *arguments, messages_schedule *schedule)
{
    status s = find_algorithm(arguments, schedule);
    if (s != STATUS_OK) {
        return s;
    }
    if (!arguments->nodes && arguments->flat) {
        return base_fail(STATUS_USAGE, "--flat goes with --nodes: give both");
    }
    s = arguments->nodes ? set_nodes(arguments, schedule) : s;
    if (s != STATUS_OK) {
        return s;
    }
    if (arguments->numbers[NUMBER_RANKS] == NOT_GIVEN) {
        return base_fail(STATUS_USAGE,
                         "schedule needs the number of ranks: give --ranks, or --nodes");
    }
    composite_problem *problem = &schedule->problem;
    problem->size = (int)arguments->numbers[NUMBER_RANKS];
    problem->op = arguments->nearest ? COMPOSITE_NEAREST : COMPOSITE_OVER;
    problem->gather_bytes = find_gather(arguments);
    schedule->params = arguments->params;
    schedule->params.group = given_or_zero(arguments, NUMBER_GROUP);
    schedule->params.fan_in = given_or_zero(arguments, NUMBER_FAN_IN);
    schedule->json = arguments->json;
    s = set_pixels(arguments, problem);
    s = s == STATUS_OK ? set_position(arguments, NUMBER_ROOT, 0, &problem->root) : s;
    s = s == STATUS_OK ? set_position(arguments, NUMBER_POSITION, APP_ALL_POSITIONS,
                                      &schedule->position)
                       : s;
    if (s == STATUS_OK && arguments->check && schedule->position != APP_ALL_POSITIONS) {
        s = base_fail(STATUS_USAGE,
                      "--check proves all positions together: leave out --position");
    }
    return s;
}

static status prove(const messages_schedule *schedule)
{
    composite_schedule_summary summary;
    status s = messages_limit(
        schedule, most_checked, "checked",
        "give fewer --ranks, or look at one position with --position", &summary);
    if (s == STATUS_OK) {
        s = composite_schedule_check(schedule->algorithm, &schedule->problem,
                                     &schedule->params, &summary);
    }
    return s == STATUS_OK ? messages_describe_proof(schedule, &summary) : s;
}

/* Writes the page of many ranks, which has no memories. */
static status write_large_html(const schedule_arguments *arguments,
                               const messages_schedule *schedule)
{
    composite_schedule_summary summary;
    const simulate_case of = {.algorithm = schedule->algorithm,
                              .problem = schedule->problem,
                              .params = schedule->params,
                              .nodes =
                                  schedule->nodes.size > 0 ? &schedule->nodes : NULL};
    if (arguments->picture) {
        return base_fail(STATUS_USAGE,
                         "--picture shows the images of at most %d ranks: leave it out, "
                         "or give fewer than %d",
                         APP_HTML_MOST_RANKS, schedule->problem.size);
    }
    status s = messages_limit(schedule, most_checked, "shown by a page",
                              "give fewer --ranks", &summary);
    s = s == STATUS_OK ? composite_schedule_check(schedule->algorithm, &schedule->problem,
                                                  &schedule->params, &summary)
                       : s;
    return s == STATUS_OK ? traffic_write_case(arguments->html, &of) : s;
}

/* Writes the page, with the images of all positions if they are asked for. */
static status write_html(const schedule_arguments *arguments,
                         const messages_schedule *schedule)
{
    json_t *images = NULL;
    if (schedule->problem.size > APP_HTML_MOST_RANKS) {
        return write_large_html(arguments, schedule);
    }
    const char *picture = arguments->picture;
    status s = messages_schedule_check_html(schedule);
    if (s == STATUS_OK && picture) {
        s = pieces_draw(picture, schedule->problem.size, &images);
    }
    s = s == STATUS_OK ? messages_schedule_write_html(schedule, arguments->html, images)
                       : s;
    json_decref(images);
    return s;
}

/* Does the requested work on one rank. */
static status run(schedule_arguments *arguments)
{
    if (arguments->list) {
        return arguments->algorithm
                   ? base_fail(STATUS_USAGE,
                               "--list shows all algorithms: leave out '%s', or --list",
                               arguments->algorithm)
                   : messages_describe_algorithms(arguments->json);
    }
    if (arguments->html && (arguments->check || arguments->json ||
                            arguments->numbers[NUMBER_POSITION] != NOT_GIVEN)) {
        return base_fail(STATUS_USAGE,
                         "--html writes a page of all positions, which it proves: leave "
                         "out --check, --format and --position");
    }
    if (arguments->picture && !arguments->html) {
        return base_fail(STATUS_USAGE, "--picture goes with --html: give both");
    }
    messages_schedule schedule = {0};
    status s = make_schedule(arguments, &schedule);
    if (s == STATUS_OK) {
        s = arguments->html    ? write_html(arguments, &schedule)
            : arguments->check ? prove(&schedule)
                               : messages_describe_schedule(&schedule, most_printed);
    }
    composite_nodes_clear(&schedule.nodes);
    return s;
}

static status parse_and_run(int argc, char **argv)
{
    schedule_arguments arguments = {.common.places = places};
    for (int n = 0; n < NUMBERS; n++) {
        arguments.numbers[n] = NOT_GIVEN;
    }
    const status s =
        app_arguments_read(&cmd_schedule_argp, argc, argv, &arguments.common);
    return s == STATUS_OK ? run(&arguments) : s;
}

bool cmd_schedule_draws(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        /* argp also takes the beginning of a name, and the letter. */
        const size_t length = strcspn(argv[i], "=");
        if ((length > 3 && strncmp(argv[i], "--picture", length) == 0) ||
            strncmp(argv[i], "-p", 2) == 0) {
            return true;
        }
    }
    return false;
}

status cmd_schedule(MPI_Comm comm, int argc, char **argv)
{
    return parallel_agree(comm, parallel_rank(comm) == 0 ? parse_and_run(argc, argv)
                                                         : STATUS_OK);
}

status cmd_schedule_alone(int argc, char **argv)
{
    return parse_and_run(argc, argv);
}
