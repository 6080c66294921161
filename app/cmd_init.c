/* karman init FILE: writes a config for a data file, as a start. */
#include "arguments.h"
#include "base/parallel/parallel.h"
#include "case.h"
#include "cmd.h"
#include "frame/complete.h"
#include "frame/entry.h"

#include <stdlib.h>

enum { OPTION_FIELD = 'F' };

static const struct argp_option option_table[] = {
    {"field", OPTION_FIELD, "NAME", 0,
     "Draw this field, of the file or derived, such as mach", 0},
    {0},
};

typedef struct init_arguments {
    app_arguments common;
    const char *file;
    const char *field;
} init_arguments;

static const app_place places[] = {
    {OPTION_FIELD, APP_KEEP_TEXT, .offset = offsetof(init_arguments, field)},
    {ARGP_KEY_ARG, APP_KEEP_ARGUMENT, .offset = offsetof(init_arguments, file),
     .names = {"init takes one data file", "init needs a data file"}},
    {0},
};

const struct argp cmd_init_argp = {
    .options = option_table,
    .parser = app_arguments_keep,
    .args_doc = "FILE",
    .doc = "Prints a config for a data file: field, colours, opacity and view as 'karman "
           "render FILE' chooses them, with the meaning of each key."
           "\v'karman init wake.h5 > wake.yaml', then 'karman render wake.yaml'. "
           "'karman help config' prints all keys.\n"
           "Exit status: 0 done, 1 failed at run time, 2 wrong usage.",
};

static void print(const io_config *config, const char *file)
{
    printf("# A config of karman for %s.\n"
           "# A value that was found from the data may be auto again. All keys: karman "
           "help config\n\n",
           file);
    io_config_print(config, true, stdout);
}

static status init(MPI_Comm comm, const init_arguments *arguments)
{
    char *text = NULL;
    io_config *config = NULL;
    status s = app_case_make(comm, arguments->file, NULL, true, &text);
    if (s == STATUS_OK) {
        const frame_job_options options = {.text = text, .field = arguments->field};
        s = frame_config_complete(comm, APP_CASE_PLACE, &options, NULL, &config);
    }
    if (s == STATUS_OK && parallel_rank(comm) == 0) {
        print(config, arguments->file);
    }
    io_config_destroy(&config);
    free(text);
    return s;
}

status cmd_init(MPI_Comm comm, int argc, char **argv)
{
    init_arguments arguments = {.common.places = places};
    status s = app_arguments_read(&cmd_init_argp, argc, argv, &arguments.common);
    if (s != STATUS_OK) {
        return s;
    }
    frame_entry entry;
    frame_entry_begin(&entry);
    s = init(comm, &arguments);
    frame_entry_end(&entry);
    return s;
}
