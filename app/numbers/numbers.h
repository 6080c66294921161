/* Inside app: the options that commands which print numbers share. */
#ifndef APP_NUMBERS_H
#define APP_NUMBERS_H

#include "app/arguments.h"
#include "io/config/config.h"

#include <mpi.h>

enum {
    NUMBERS_DERIVE = 'd',
    NUMBERS_FIELDS = 'F',
    NUMBERS_JSON = 'j',
    NUMBERS_OUTPUT = 'o',
    NUMBERS_SET = 's',
    NUMBERS_STEPS = 't',
    NUMBERS_OVERRIDES = 100
};

/* What they keep; the first member of a command's arguments. */
typedef struct numbers_arguments {
    app_arguments common;
    const char *file, *steps;
    const char *fields, *output;
    bool is_json;
    int noverrides, nmade;
    const char *overrides[NUMBERS_OVERRIDES + 1]; /* one more for --steps */
    char *made[NUMBERS_OVERRIDES];                /* [nmade]: those of --derive */
} numbers_arguments;

/* Rows for a table of argp. fields: help of --fields. */
#define NUMBERS_OPTIONS(fields)                                                          \
    {"derive",                                                                           \
     NUMBERS_DERIVE,                                                                     \
     "NAME=EXPRESSION",                                                                  \
     0,                                                                                  \
     "Define a field: speed=mag(velocity); may be given again",                          \
     0},                                                                                 \
        {"fields", NUMBERS_FIELDS, "NAMES", 0, fields, 0},                               \
        {"json", NUMBERS_JSON, NULL, 0, "Print JSON, not CSV", 0},                       \
        {"output",                                                                       \
         NUMBERS_OUTPUT,                                                                 \
         "FILE",                                                                         \
         0,                                                                              \
         "Write a file, .csv or .json, or draw a plot, .png, .svg or .pdf, instead of "  \
         "standard output",                                                              \
         0},                                                                             \
        {"set",                                                                          \
         NUMBERS_SET,                                                                    \
         "KEY=VALUE",                                                                    \
         0,                                                                              \
         "Use another value than the config's: data.gamma=1.3",                          \
         0},                                                                             \
    {                                                                                    \
        "steps", NUMBERS_STEPS, "A:B[:C]", 0,                                            \
            "At these steps: from A to B, both included, in strides of C; a number, "    \
            "'first', 'all', or numbers with commas between them. The last one "         \
            "otherwise",                                                                 \
            0                                                                            \
    }

/* And for its table of places. */
#define NUMBERS_AT(member) .offset = offsetof(numbers_arguments, member)
#define NUMBERS_PLACES(name)                                                             \
    {NUMBERS_DERIVE, APP_KEEP_BY_CALL, .take = numbers_derive},                          \
        {NUMBERS_FIELDS, APP_KEEP_TEXT, NUMBERS_AT(fields)},                             \
        {NUMBERS_JSON, APP_KEEP_FLAG, NUMBERS_AT(is_json)},                              \
        {NUMBERS_OUTPUT, APP_KEEP_TEXT, NUMBERS_AT(output)},                             \
        {NUMBERS_SET, APP_KEEP_BY_CALL, .take = numbers_set},                            \
        {NUMBERS_STEPS, APP_KEEP_TEXT, NUMBERS_AT(steps)},                               \
    {                                                                                    \
        ARGP_KEY_ARG, APP_KEEP_ARGUMENT, NUMBERS_AT(file), .names = {                    \
            name " takes one config or data file",                                       \
            name " needs a config or a data file"                                        \
        }                                                                                \
    }

status numbers_derive(void *arguments, const app_place *place, const char *text);
status numbers_set(void *arguments, const app_place *place, const char *text);

/* Work on a config; `arguments` are the command's. Collective. */
typedef status numbers_work(MPI_Comm comm, void *arguments, io_config *config);

/* Loads the config, or makes one for a data file, and works on it, unless `before`, the
 * status of the arguments, is a failure. Frees what the arguments have made. Collective.
 * Errors: that, those of case_load, and those of the work. */
status numbers_run(MPI_Comm comm, numbers_arguments *arguments, status before,
                   numbers_work *work);

#endif
