/* karman convert FILE OUT: writes any data as HDF5 of karman's own layout, or for VTK. */
#include "app/convert/convert.h"
#include "arguments.h"
#include "base/parallel/parallel.h"
#include "case.h"
#include "cmd.h"
#include "frame/config_load.h"
#include "frame/entry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_SINGLE = 's',
    OPTION_STEPS = 't',
    OPTION_FIELDS = 'F',
    OPTION_FORCE = 'f',
    OPTION_OUTPUT = 'o'
};

static const struct argp_option option_table[] = {
    {"fields", OPTION_FIELDS, "NAMES", 0,
     "Convert these fields only; names with commas between them", 0},
    {"float32", OPTION_SINGLE, NULL, 0, "Write float64 values as float32", 0},
    {"force", OPTION_FORCE, NULL, 0, "Replace files that exist", 0},
    {"output", OPTION_OUTPUT, "OUT", 0, "The new file, in place of a second argument", 0},
    {"steps", OPTION_STEPS, "A:B[:C]", 0,
     "Convert the steps from A to B, both included, in strides of C; also one number, "
     "'first', 'last', or numbers with commas between them",
     0},
    {0},
};

typedef struct convert_arguments {
    app_arguments common;
    const char *file, *output, *steps, *fields;
    bool is_single, replaces;
} convert_arguments;

static const app_place places[] = {
    {OPTION_SINGLE, APP_KEEP_FLAG, .offset = offsetof(convert_arguments, is_single)},
    {OPTION_STEPS, APP_KEEP_TEXT, .offset = offsetof(convert_arguments, steps)},
    {OPTION_FIELDS, APP_KEEP_TEXT, .offset = offsetof(convert_arguments, fields)},
    {OPTION_FORCE, APP_KEEP_FLAG, .offset = offsetof(convert_arguments, replaces)},
    {OPTION_OUTPUT, APP_KEEP_TEXT, .offset = offsetof(convert_arguments, output)},
    {ARGP_KEY_ARG, APP_KEEP_ARGUMENT, .offset = offsetof(convert_arguments, file)},
    {ARGP_KEY_ARG, APP_KEEP_ARGUMENT, .offset = offsetof(convert_arguments, output),
     .names = {"convert takes a file and the name of a new one",
               "convert needs a data file and the name of a new one"}},
    {0},
};

const struct argp cmd_convert_argp = {
    .options = option_table,
    .parser = app_arguments_keep,
    .args_doc = "FILE OUT.h5|OUT.vtm|OUT.pvd",
    .doc =
        "Writes the data of a file as HDF5 of karman's own layout, on all ranks of "
        "mpiexec, with an XDMF file beside it for ParaView and VisIt. Precision, cells, "
        "blanked points and walls stay as they are. OUT.vtm writes XML files of VTK "
        "instead: "
        "a .vts for each block in the folder OUT, and a .pvd of several steps."
        "\vFILE may be anything that karman reads, or a config (.yaml) with a data "
        "section. Files appear when they are whole; FILE is never written to.\n"
        "Exit status: 0 done, 1 failed at run time, 2 wrong usage or config.",
};

/* ---- Steps ------------------------------------------------------------------------- */

static status fail_steps(const char *text)
{
    return base_fail(STATUS_USAGE,
                     "--steps %s: give A:B or A:B:C with whole numbers, one number, "
                     "'first', 'last', or numbers with commas between them",
                     text);
}

/* Whether [text, text + length) is a whole number or, if `or_word`, an end of the steps.
 */
static bool is_step(const char *text, size_t length, bool or_word)
{
    size_t digits = 0;
    while (digits < length && text[digits] >= '0' && text[digits] <= '9') {
        digits++;
    }
    return (digits == length && length > 0 && length <= 18) ||
           (or_word && ((length == 5 && strncmp(text, "first", 5) == 0) ||
                        (length == 4 && strncmp(text, "last", 4) == 0)));
}

/* Whether the text is of steps with one of `separators` between them. *count: of them. */
static bool are_steps(const char *text, const char *separators, bool or_word, int *count)
{
    for (*count = 1;; ++*count) {
        const size_t length = strcspn(text, separators);
        if (!is_step(text, length, or_word && *count < 3)) {
            return false;
        }
        if (text[length] == '\0') {
            return true;
        }
        text += length + 1;
    }
}

/* Makes the override of data.steps; malloc'ed. */
static status make_override(const char *text, char **out)
{
    int count;
    const bool is_range = are_steps(text, ":", true, &count) && count <= 3;
    const bool is_list = !is_range && are_steps(text, ",", false, &count);
    if (!is_range && !is_list && strcmp(text, "all") != 0) {
        return fail_steps(text);
    }
    const size_t size = 2 * strlen(text) + 32;
    *out = malloc(size);
    if (!*out) {
        return base_fail_memory(size, "the steps");
    }
    const bool is_one = count == 1 || (!is_range && !is_list);
    snprintf(*out, size, "data.steps=%s%s%s",
             is_one     ? ""
             : is_range ? "["
                        : "{list: [",
             text,
             is_one     ? ""
             : is_range ? "]"
                        : "]}");
    for (char *c = *out; *c != '\0' && is_range; c++) {
        *c = *c == ':' ? ',' : *c;
    }
    return STATUS_OK;
}

/* Failures name the option of this command, not the key that it sets. */
static void name_option(const char *steps, const char *override)
{
    char place[256];
    const int length =
        snprintf(place, sizeof place, "--set %s: data.steps: ", override ? override : "");
    const char *message = base_fail_message();
    if (override && length < (int)sizeof place &&
        strncmp(message, place, (size_t)length) == 0) {
        char *rest = strdup(message + length);
        base_fail_set_message("");
        base_fail(STATUS_USAGE, "--steps %s: %s", steps, rest ? rest : "is not possible");
        free(rest);
    }
}

/* ---- The command ------------------------------------------------------------------- */

/* Loads the config, or makes one for a data file. Collective. */
static status load_config(MPI_Comm comm, const convert_arguments *arguments,
                          const char *override, io_config **out)
{
    const char *overrides[] = {override};
    char *text = NULL;
    frame_job_options options = {.noverrides = override ? 1 : 0, .overrides = overrides};
    const char *place = arguments->file;
    status s = STATUS_OK;
    if (app_case_is_data(comm, arguments->file)) {
        s = app_case_make(comm, arguments->file, NULL, true, &text);
        options.text = text;
        place = APP_CASE_PLACE;
    }
    s = s == STATUS_OK ? frame_config_load_for(comm, place, &options, out) : s;
    free(text);
    return s;
}

static status convert(MPI_Comm comm, const convert_arguments *arguments)
{
    char *override = NULL;
    io_config *config = NULL;
    status s = parallel_agree(
        comm, arguments->steps ? make_override(arguments->steps, &override) : STATUS_OK);
    if (s == STATUS_OK) {
        s = load_config(comm, arguments, override, &config);
    }
    if (s == STATUS_OK) {
        const app_convert_request request = {.config = config,
                                             .output = arguments->output,
                                             .fields = arguments->fields,
                                             .is_single = arguments->is_single,
                                             .replaces = arguments->replaces};
        s = app_convert(comm, &request);
    }
    if (s != STATUS_OK) {
        name_option(arguments->steps, override);
    }
    io_config_destroy(&config);
    free(override);
    return s;
}

status cmd_convert(MPI_Comm comm, int argc, char **argv)
{
    convert_arguments arguments = {.common.places = places};
    status s = app_arguments_read(&cmd_convert_argp, argc, argv, &arguments.common);
    if (s != STATUS_OK) {
        return s;
    }
    frame_entry entry;
    frame_entry_begin(&entry);
    s = convert(comm, &arguments);
    frame_entry_end(&entry);
    return s;
}
