/* karman check CONFIG: finds the faults of a config that a running program draws from. */
#include "arguments.h"
#include "base/parallel/parallel.h"
#include "cmd.h"
#include "frame/entry.h"
#include "grid/recipe.h"
#include "io/source.h"
#include "io/sources/listing/listing.h"
#include "library/insitu.h"
#include "run/case/case.h"
#include "run/case/options.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DECLARED = 4096 /* fields, and blocks */ };

typedef struct check_arguments {
    app_arguments common;
    const char *config;
    case_options picture;
    insitu_plan plan;
    grid_field *fields; /* [MOST_DECLARED], as blocks */
    grid_block *blocks;
} check_arguments;

/* ---- Declarations ------------------------------------------------------------------ */

/* Copies a name of `length` bytes; false if it is empty or too long. */
static bool take_name(const char *text, size_t length, char name[GRID_NAME_SIZE])
{
    const bool fits = length > 0 && length < GRID_NAME_SIZE;
    snprintf(name, GRID_NAME_SIZE, "%.*s", fits ? (int)length : 0, text);
    return fits;
}

static status add_field(check_arguments *arguments, const char *text)
{
    static const char ending[] = ":element";
    const size_t length = strlen(text), tail = sizeof ending - 1;
    const bool in_cells = length > tail && strcmp(text + length - tail, ending) == 0;
    grid_field field = {.location = in_cells ? GRID_CELL : GRID_VERTEX};
    if (!take_name(text, in_cells ? length - tail : length, field.name)) {
        return base_fail(STATUS_USAGE,
                         "--fields %s: give names of 1 to %d bytes, such as "
                         "velocity_x,pressure:element",
                         text, GRID_NAME_SIZE - 1);
    }
    arguments->fields[arguments->plan.nfields++] = field;
    return STATUS_OK;
}

static status add_block(check_arguments *arguments, const char *text)
{
    grid_block block = {.priority = 0};
    const char *sizes = strrchr(text, '=');
    int64_t *n = block.n;
    int end = 0;
    const bool is_read = sizes &&
                         sscanf(sizes + 1, "%9" SCNd64 "x%9" SCNd64 "x%9" SCNd64 "%n",
                                &n[0], &n[1], &n[2], &end) == 3 &&
                         sizes[1 + end] == '\0';
    if (!is_read || n[0] < 2 || n[1] < 2 || n[2] < 2 ||
        !take_name(text, (size_t)(sizes - text), block.name)) {
        return base_fail(STATUS_USAGE,
                         "--grid %s: give BLOCK=NIxNJxNK with 2 vertices or more along "
                         "each axis, such as wing=129x65x33",
                         text);
    }
    arguments->blocks[arguments->plan.nblocks++] = block;
    return STATUS_OK;
}

/* Adds what commas separate. */
static status add_each(check_arguments *arguments, const char *text,
                       status add(check_arguments *, const char *), const int *count)
{
    char *copy = strdup(text), *next = NULL;
    status s = copy ? STATUS_OK : base_fail_memory(strlen(text), "an option");
    for (char *one = copy; s == STATUS_OK && one; one = next) {
        char *comma = strchr(one, ',');
        next = comma ? comma + 1 : NULL;
        one[strcspn(one, ",")] = '\0';
        s = *count < MOST_DECLARED
                ? add(arguments, one)
                : base_fail(STATUS_USAGE, "more than %d fields or blocks are given",
                            (int)MOST_DECLARED);
    }
    free(copy);
    return s;
}

/* ---- Arguments --------------------------------------------------------------------- */

static status add_fields(void *into, const app_option *option, const char *text)
{
    (void)option;
    return add_each(into, text, add_field, &((check_arguments *)into)->plan.nfields);
}

static status add_blocks(void *into, const app_option *option, const char *text)
{
    (void)option;
    return add_each(into, text, add_block, &((check_arguments *)into)->plan.nblocks);
}

#define AT(member) APP_AT(check_arguments, member)

static const app_option rows[] = {
    {"fields", 'f', "NAME,...",
     "Fields that the program will describe, such as velocity_x,pressure:element; those "
     "in elements end in ':element'. May be given many times.",
     APP_BY_CALL, .take = add_fields},
    {"grid", 'g', "BLOCK=NIxNJxNK,...",
     "Blocks with their vertices, such as wing=129x65x33,tail=65x33x33. May be given "
     "many times.",
     APP_BY_CALL, .take = add_blocks},
    {"ranks", 'n', "N", "Ranks of the job (default: those of mpiexec)", APP_WHOLE,
     AT(plan.ranks), 1, INT_MAX},
    CASE_OPTIONS(APP_PICTURE){
        .keep = APP_ARGUMENT,
        AT(config),
        .words = {"check takes one config", "check needs a config"}},
    {0},
};

const app_line cmd_check_line = {
    .options = rows,
    .arguments = "CONFIG",
    .doc =
        "Finds, before the job, the faults that a program would find that draws itself "
        "(karman_open): in the config, and in its fields and blocks as far as they are "
        "given. Draws nothing, and makes no run directory.\vIt knows neither coordinates "
        "nor values: cameras, seeds, planes and ranges are not compared with the "
        "grid.\nkarman check pictures.yaml --fields "
        "velocity_x,velocity_y,velocity_z,pressure --grid wing=129x65x33\nExit status: 0 "
        "no fault was found, 1 it failed at run time, 2 wrong usage or config.",
};

/* ---- The command ------------------------------------------------------------------- */

static void report(const check_arguments *arguments, int pictures)
{
    const insitu_plan *plan = &arguments->plan;
    printf("%s: %d picture%s, no fault found\n", arguments->config, pictures,
           pictures == 1 ? "" : "s");
    printf("not checked:%s%s coordinates, values, files\n",
           plan->nfields == 0 ? " fields (--fields)," : "",
           plan->nblocks == 0 ? " blocks (--grid)," : "");
}

/* Whether --field names a field that the program describes, or that can be derived. */
static status check_field(const check_arguments *arguments)
{
    const char *field = arguments->picture.field;
    const grid_terms terms = {.gamma = 1.4, .gas_constant = 1.0};
    grid_recipe *recipe = NULL;
    char message[2048];
    if (!field || arguments->plan.nfields == 0) {
        return STATUS_OK;
    }
    const status s = grid_recipe_create(field, arguments->plan.nfields, arguments->fields,
                                        terms, &recipe);
    grid_recipe_destroy(&recipe);
    if (s != STATUS_OK) {
        snprintf(message, sizeof message, "--field %s: %s", field, base_fail_message());
        base_fail_set_message(message);
    }
    return s;
}

static status check(MPI_Comm comm, check_arguments *arguments)
{
    const karman_options options = {
        .noverrides = arguments->picture.count,
        .overrides = (const char *const *)arguments->picture.overrides};
    int pictures = 0;
    frame_entry entry;
    arguments->plan.fields = arguments->fields;
    arguments->plan.blocks = arguments->blocks;
    frame_entry_begin(&entry);
    status s = parallel_agree(comm, check_field(arguments));
    s = s != STATUS_OK ? s
                       : insitu_check(comm, arguments->config, &options, &arguments->plan,
                                      &pictures);
    frame_entry_end(&entry);
    if (s == STATUS_OK && parallel_rank(comm) == 0) {
        report(arguments, pictures);
    }
    return s;
}

/* Opens a data file, to find its fault. */
static status open_data(MPI_Comm comm, const char *path)
{
    const io_data_config config = {.file = (char *)path};
    io_source *source = NULL;
    const status s = io_source_open(comm, &config, &source);
    io_source_close(&source);
    return s;
}

/* Makes a config for a file of another layout, as the other commands do. */
static status guess_data(MPI_Comm comm, const char *path)
{
    char *text = NULL;
    const status s = case_make(comm, path, CASE_LAST, &text);
    free(text);
    return s;
}

/* Refuses a data file: with its own fault, if it has one. */
static status refuse_data(MPI_Comm comm, const char *path)
{
    io_listing *listing = NULL;
    status s = parallel_rank(comm) == 0 ? io_source_list(path, &listing) : STATUS_OK;
    int is_listed = listing != NULL;
    io_listing_destroy(&listing);
    s = parallel_agree(comm, s);
    parallel_bcast(&is_listed, 1, MPI_INT, 0, comm);
    if (s == STATUS_OK) {
        s = is_listed ? guess_data(comm, path) : open_data(comm, path);
    }
    return s != STATUS_OK
               ? s
               : base_fail(STATUS_USAGE,
                           "'%s' is a data file, and check takes the config of a running "
                           "program: 'karman info %s' shows what is in the file",
                           path, path);
}

status cmd_check(MPI_Comm comm, int argc, char **argv)
{
    check_arguments arguments = {
        .fields = malloc(MOST_DECLARED * sizeof *arguments.fields),
        .blocks = malloc(MOST_DECLARED * sizeof *arguments.blocks)};
    status s =
        arguments.fields && arguments.blocks
            ? app_arguments_read(&cmd_check_line, argc, argv, &arguments.common)
            : base_fail_memory(MOST_DECLARED * sizeof *arguments.blocks, "options");
    s = s == STATUS_OK ? case_options_finish(&arguments.picture, arguments.config) : s;
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        s = case_is_data(comm, arguments.config) ? refuse_data(comm, arguments.config)
                                                 : check(comm, &arguments);
    }
    case_options_blame(&arguments.picture, s);
    case_options_clear(&arguments.picture);
    free(arguments.fields);
    free(arguments.blocks);
    return s;
}
