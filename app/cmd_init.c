/* karman init FILE: writes a config for a data file, as a start. */
#include "arguments.h"
#include "base/parallel/parallel.h"
#include "cmd.h"
#include "frame/complete.h"
#include "frame/entry.h"
#include "run/case/case.h"
#include "run/case/options.h"

#include <stdlib.h>
#include <string.h>

typedef struct init_arguments {
    app_arguments common;
    const char *file;
    case_options picture;
} init_arguments;

#define AT(member) APP_AT(init_arguments, member)

static const app_option rows[] = {
    CASE_OPTIONS(APP_PICTURE){
        .keep = APP_ARGUMENT,
        AT(file),
        .words = {"init takes one data file", "init needs a data file"}},
    {0},
};

const app_line cmd_init_line = {
    .options = rows,
    .arguments = "FILE",
    .doc = "Prints a config for a data file: field, colours, opacity and view as 'karman "
           "render FILE' chooses them, with the meaning of each key.\v'karman init "
           "wake.h5 > wake.yaml', then 'karman render wake.yaml'. 'karman help config' "
           "prints all keys.\nExit status: 0 done, 1 failed at run time, 2 wrong usage.",
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
    const case_options *picture = &arguments->picture;
    status s = case_make(comm, arguments->file,
                         picture->orbits ? CASE_FRAMES : CASE_STEPS, &text);
    if (s == STATUS_OK) {
        const frame_job_options options = {.text = text,
                                           .field = picture->field,
                                           .noverrides = picture->count,
                                           .overrides =
                                               (const char *const *)picture->overrides};
        s = frame_config_complete(comm, case_place(arguments->file), &options, NULL,
                                  &config);
    }
    if (s == STATUS_OK && parallel_rank(comm) == 0) {
        print(config, arguments->file);
    }
    io_config_destroy(&config);
    free(text);
    return s;
}

/* --output is that of the pictures; the config is printed. */
static status check_output(const init_arguments *arguments)
{
    const char *output = arguments->picture.output;
    const char *dot = output ? strrchr(output, '.') : NULL;
    return dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0)
               ? base_fail(STATUS_USAGE,
                           "-o %s: names the pictures; init prints the config: 'karman "
                           "init %s > %s'",
                           output, arguments->file, output)
               : STATUS_OK;
}

status cmd_init(MPI_Comm comm, int argc, char **argv)
{
    init_arguments arguments = {0};
    status s = app_arguments_read(&cmd_init_line, argc, argv, &arguments.common);
    s = s == STATUS_OK ? check_output(&arguments) : s;
    s = s == STATUS_OK ? case_options_finish(&arguments.picture, NULL) : s;
    if (s == STATUS_OK) {
        frame_entry entry;
        frame_entry_begin(&entry);
        s = init(comm, &arguments);
        frame_entry_end(&entry);
    }
    case_options_blame(&arguments.picture, s);
    case_options_clear(&arguments.picture);
    return s;
}
