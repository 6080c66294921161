/* karman-dataset: writes one of the data sets to a file. */
#include "base/launched.h"
#include "base/parallel/start.h"
#include "dataset.h"
#include "write.h"

#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    const dataset *set;
    const char *output;
    dataset_options options; /* zero for the default */
    bool helped;             /* --help or --usage was printed; nothing else is done */
} arguments;

/* Options without a letter. */
enum { KEY_DOUBLE = 256, KEY_USAGE };

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "the HDF5 file to write; an XDMF file appears beside it",
     0},
    {"size", 's', "NI,NJ,NK", 0, "vertices of the (first) block along i, j and k", 0},
    {"steps", 'n', "COUNT", 0, "number of steps", 0},
    {"double", KEY_DOUBLE, NULL, 0,
     "coordinates and fields as float64 instead of float32", 0},
    {"help", 'h', NULL, 0, "this text", 0},
    {"usage", KEY_USAGE, NULL, 0, "a line about the arguments", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static void describe_sets(FILE *out, const char *title, const dataset *(*at)(int))
{
    fputs(title, out);
    for (int place = 0; at(place); place++) {
        fprintf(out, "  %-15s %s\n", at(place)->name, at(place)->summary);
    }
}

/* Adds the catalogue to the help text. */
static char *describe_catalogue(int key, const char *text, void *input)
{
    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC) {
        return (char *)text;
    }
    char *list = NULL;
    size_t size;
    FILE *out = open_memstream(&list, &size);
    if (!out) {
        return (char *)text;
    }
    describe_sets(out, "Data sets:\n", dataset_at);
    describe_sets(out, "\nHard grids, for tests of renderers:\n", dataset_hard_at);
    fclose(out);
    return list;
}

/* Parses a positive whole number; *end points behind it. */
static bool parse_count(const char *text, char **end, long long *out)
{
    errno = 0;
    *out = strtoll(text, end, 10);
    return errno == 0 && *end != text && *out > 0;
}

static bool parse_size(const char *text, int64_t size[3])
{
    char *end = NULL;
    for (int axis = 0; axis < 3; axis++) {
        long long count;
        if (!parse_count(text, &end, &count) || *end != (axis < 2 ? ',' : '\0')) {
            return false;
        }
        size[axis] = count;
        text = end + 1;
    }
    return true;
}

static bool parse_steps(const char *text, int *steps)
{
    char *end;
    long long count;
    if (!parse_count(text, &end, &count) || *end != '\0' || count > INT_MAX) {
        return false;
    }
    *steps = (int)count;
    return true;
}

/* argp_error prints and, with the flags below, returns. The parser's result reaches
 * main. */
static error_t parse_option(int key, char *value, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case 'o':
        a->output = value;
        return 0;
    case 's':
        if (!parse_size(value, a->options.size)) {
            argp_error(state,
                       "--size is '%s': it must be three positive numbers, NI,NJ,NK",
                       value);
            return EINVAL;
        }
        return 0;
    case 'n':
        if (!parse_steps(value, &a->options.steps)) {
            argp_error(state, "--steps is '%s': it must be a positive number", value);
            return EINVAL;
        }
        return 0;
    case KEY_DOUBLE:
        a->options.double_precision = true;
        return 0;
    case 'h':
        a->helped = true;
        argp_state_help(state, stdout,
                        ARGP_HELP_LONG | ARGP_HELP_SHORT_USAGE | ARGP_HELP_DOC);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_argument(int key, char *value, struct argp_state *state)
{
    arguments *a = state->input;
    if (key == ARGP_KEY_ARG && !a->set) {
        a->set = dataset_find(value);
        if (!a->set) {
            argp_error(state, "there is no data set '%s': --help lists them", value);
            return EINVAL;
        }
        return 0;
    }
    if (key == ARGP_KEY_ARG) {
        argp_error(state, "'%s' is one argument too many", value);
        return EINVAL;
    }
    if (key == ARGP_KEY_END && !a->helped && (!a->set || !a->output)) {
        argp_error(state, a->set ? "--output FILE is missing" : "name a data set");
        return EINVAL;
    }
    return parse_option(key, value, state);
}

static const struct argp parser = {
    .options = options,
    .parser = parse_argument,
    .args_doc = "NAME --output FILE",
    .doc = "Writes a data set: a curvilinear grid with fields that have structure.\v",
    .help_filter = describe_catalogue,
};

/* Fills in the data set's defaults for options that were not given. */
static dataset_options complete_options(const arguments *a)
{
    dataset_options complete = dataset_default_options(a->set);
    if (a->options.size[0] > 0) {
        memcpy(complete.size, a->options.size, sizeof complete.size);
    }
    if (a->options.steps > 0) {
        complete.steps = a->options.steps;
    }
    complete.double_precision |= a->options.double_precision;
    return complete;
}

/* Runs with MPI. */
static int run(const arguments *a)
{
    bool speaks;
    status s = parallel_start(&speaks);
    dataset_options chosen = complete_options(a);
    s = s == STATUS_OK ? dataset_write(MPI_COMM_WORLD, a->set, &chosen, a->output) : s;
    if (s != STATUS_OK && speaks) {
        fprintf(stderr, "karman-dataset: %s\n", base_fail_message());
    }
    parallel_finish();
    return base_status_exit_code(s);
}

/* Help and errors in the arguments need no MPI. */
int main(int argc, char **argv)
{
    arguments a = {0};
    unsigned silent = base_launched_rank() == 0 ? 0 : ARGP_NO_ERRS;
    if (argp_parse(&parser, argc, argv, ARGP_NO_EXIT | ARGP_NO_HELP | silent, NULL, &a)) {
        return base_status_exit_code(STATUS_USAGE);
    }
    if (a.helped) {
        return 0;
    }
    return run(&a);
}
