/* karman schedule ALGORITHM: shows the messages of a compositing algorithm. */
#include "arguments.h"
#include "base/parallel/parallel.h"
#include "cmd.h"
#include "messages/frame/page.h"
#include "messages/images/images.h"
#include "messages/schedule/describe.h"
#include "messages/schedule/given.h"
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

enum { DEFAULT_WIDTH = 1920, DEFAULT_HEIGHT = 1080 };

typedef struct schedule_arguments {
    app_arguments common;
    const char *algorithm;
    int64_t ranks, group, fan_in, width, height, pixels, root, position,
        gather;              /* APP_NOT_GIVEN, or in their range */
    composite_params params; /* the factors; the other parameters are among the numbers */
    bool nearest;            /* the operator; else over */
    const char *nodes;       /* the text, or NULL */
    const char *html, *picture; /* paths, or NULL */
    bool flat;
    bool check, list, json;
} schedule_arguments;

/* ---- the arguments ---------------------------------------------------------------- */

static status set_factors(void *into, const app_option *option, const char *text)
{
    (void)option;
    return messages_options_factors(text, into);
}

#define AT(member) APP_AT(schedule_arguments, member)

static const app_option rows[] = {
    {.help = "The problem:"},
    {"ranks", 0, "N", "Ranks, each with one image: 1 to 1048576", APP_WHOLE, AT(ranks), 1,
     APP_MOST_RANKS},
    {"width", 0, "W", "Width of the image (1920)", APP_WHOLE, AT(width), 1,
     APP_MOST_WIDTH},
    {"height", 0, "H", "Height of the image (1080)", APP_WHOLE, AT(height), 1,
     APP_MOST_WIDTH},
    {"pixels", 0, "N", "Pixels of the image, instead of width and height", APP_WHOLE,
     AT(pixels), 1, (int64_t)APP_MOST_WIDTH *APP_MOST_WIDTH},
    {"operator", 'o', "NAME",
     "'over' (the default): images merge in their order; 'nearest': by depth", APP_CHOICE,
     AT(nearest), .words = {"over", "nearest"}},
    {"root", 0, "R", "Position that gets the picture (0)", APP_WHOLE, AT(root), 0,
     APP_MOST_RANKS - 1},
    {"nodes", 'n', "NxR|R,R,...",
     "Ranks share memory: N nodes of R ranks, or nodes of so many ranks each, in "
     "visibility order. Ranks of a node merge first, then the algorithm runs among nodes",
     APP_TEXT, AT(nodes)},
    {"flat", 'a', NULL, "With --nodes: the algorithm runs among all ranks", APP_FLAG,
     AT(flat)},
    {"gather", 0, "BYTES",
     "Bytes of a finished pixel on its way to the root, 1 to 16 (3 with --nodes); 0: "
     "finished pixels stay where they are",
     APP_WHOLE, AT(gather), 0, COMPOSITE_PIXEL_BYTES},
    {.help = "Parameters of the algorithm, chosen unless given:"},
    {"factors", 'k', "K,K,...",
     "Group sizes of the rounds; their product is the number of ranks", APP_BY_CALL,
     AT(params), .take = set_factors},
    {"group", 0, "R", "Size of a locality", APP_WHOLE, AT(group), 1, APP_MOST_RANKS},
    {"fan-in", 0, "K", "Images that merge at once", APP_WHOLE, AT(fan_in), 2,
     APP_MOST_RANKS},
    {.help = "Output:"},
    {"check", 'c', NULL,
     "Prove that the schedule is correct, or that of a file that --format json wrote",
     APP_FLAG, AT(check)},
    {"position", 0, "P",
     "Print the messages of one position in visibility order: 0 is in front", APP_WHOLE,
     AT(position), 0, APP_MOST_RANKS - 1},
    {"format", 'f', "NAME", "'text' (the default) or 'json'", APP_CHOICE, AT(json),
     .words = {"text", "json"}},
    {"html", 'w', "FILE", "Write a page that plays the schedule in a browser", APP_TEXT,
     AT(html)},
    {"picture", 'p', "CONFIG",
     "With --html: the page composites the last step of a config, of which each rank "
     "draws a part",
     APP_TEXT, AT(picture)},
    {"list", 'l', NULL, "Print the algorithms with their parameters", APP_FLAG, AT(list)},
    {.keep = APP_ARGUMENT, AT(algorithm), .words = {"schedule takes one algorithm"}},
    {0},
};

const app_line cmd_schedule_line = {
    .options = rows,
    .arguments = "ALGORITHM --ranks N\nALGORITHM --nodes NxR\n--check FILE.json\n--list",
    .doc = "Shows the messages by which an algorithm composites the images of N ranks: "
           "sender, receiver, pixels and round. With --check, proves that they give the "
           "correct picture.\vdocs/user/schedules.md explains the output.\nExit status: "
           "0 done (with --check: correct), 1 failed at run time or not correct, 2 wrong "
           "usage.",
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
    const int64_t pixels = arguments->pixels;
    const int64_t width = arguments->width;
    const int64_t height = arguments->height;
    const bool sized = width != APP_NOT_GIVEN || height != APP_NOT_GIVEN;
    if (pixels != APP_NOT_GIVEN && sized) {
        return base_fail(STATUS_USAGE,
                         "give --pixels, or --width and --height, but not both");
    }
    if (sized && (width == APP_NOT_GIVEN || height == APP_NOT_GIVEN)) {
        return base_fail(STATUS_USAGE, "--width and --height belong together: give both");
    }
    problem->pixels = pixels != APP_NOT_GIVEN ? pixels
                      : sized                 ? width * height
                                              : (int64_t)DEFAULT_WIDTH * DEFAULT_HEIGHT;
    return STATUS_OK;
}

/* Sets a position: the given one, or `otherwise`. */
static status set_position(const char *option, int64_t given, int64_t ranks,
                           int otherwise, int *position)
{
    if (given >= ranks) {
        return base_fail(STATUS_USAGE,
                         "--%s %" PRId64 ": with --ranks %" PRId64
                         " positions go from 0 to %" PRId64,
                         option, given, ranks, ranks - 1);
    }
    *position = (int)app_given_or(given, otherwise);
    return STATUS_OK;
}

/* Finds the nodes, and from them the number of ranks unless --ranks says it. */
static status set_nodes(schedule_arguments *arguments, messages_schedule *schedule)
{
    const status s =
        messages_options_nodes(arguments->nodes, &arguments->ranks, &schedule->nodes);
    if (s == STATUS_OK) {
        schedule->problem.nodes = arguments->flat ? NULL : &schedule->nodes;
    }
    return s;
}

/* The bytes of a finished pixel that travels to the root. */
static int find_gather(const schedule_arguments *arguments)
{
    const int64_t given = arguments->gather;
    return given != APP_NOT_GIVEN ? (int)given : arguments->nodes ? 3 : 0;
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
    if (arguments->ranks == APP_NOT_GIVEN) {
        return base_fail(STATUS_USAGE,
                         "schedule needs the number of ranks: give --ranks, or --nodes");
    }
    composite_problem *problem = &schedule->problem;
    problem->size = (int)arguments->ranks;
    problem->op = arguments->nearest ? COMPOSITE_NEAREST : COMPOSITE_OVER;
    problem->gather_bytes = find_gather(arguments);
    schedule->params = arguments->params;
    schedule->params.group = (int)app_given_or(arguments->group, 0);
    schedule->params.fan_in = (int)app_given_or(arguments->fan_in, 0);
    schedule->json = arguments->json;
    s = set_pixels(arguments, problem);
    s = s == STATUS_OK
            ? set_position("root", arguments->root, problem->size, 0, &problem->root)
            : s;
    s = s == STATUS_OK ? set_position("position", arguments->position, problem->size,
                                      APP_ALL_POSITIONS, &schedule->position)
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

/* Proves the schedule of a file, which has its problem with it. */
static status prove_file(const schedule_arguments *a)
{
    const int64_t numbers[] = {a->ranks,  a->group, a->fan_in, a->width,   a->height,
                               a->pixels, a->root,  a->gather, a->position};
    bool given = a->nodes || a->flat || a->nearest || a->params.nfactors > 0;
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
        given = given || numbers[n] != APP_NOT_GIVEN;
    }
    if (given) {
        return base_fail(STATUS_USAGE,
                         "%s has its ranks, pixels and messages: leave out all options "
                         "but --check and --format",
                         a->algorithm);
    }
    messages_schedule schedule = {.json = a->json};
    composite_schedule_summary summary;
    const status s = messages_given_prove(a->algorithm, &schedule, &summary);
    return s == STATUS_OK ? messages_describe_proof(&schedule, &summary) : s;
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
    if (arguments->html &&
        (arguments->check || arguments->json || arguments->position != APP_NOT_GIVEN)) {
        return base_fail(STATUS_USAGE,
                         "--html writes a page of all positions, which it proves: leave "
                         "out --check, --format and --position");
    }
    if (arguments->picture && !arguments->html) {
        return base_fail(STATUS_USAGE, "--picture goes with --html: give both");
    }
    if (arguments->check && arguments->algorithm && strchr(arguments->algorithm, '.')) {
        return prove_file(arguments);
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
    schedule_arguments arguments = {0};
    const status s =
        app_arguments_read(&cmd_schedule_line, argc, argv, &arguments.common);
    return s == STATUS_OK ? run(&arguments) : s;
}

bool cmd_schedule_draws(int argc, char **argv)
{
    return app_arguments_have(argc, argv, "picture", 'p');
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
