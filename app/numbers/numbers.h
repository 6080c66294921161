/* Inside app: the options that commands which print numbers share. */
#ifndef APP_NUMBERS_H
#define APP_NUMBERS_H

#include "app/arguments.h"
#include "io/config/config.h"

#include <mpi.h>

enum { NUMBERS_OVERRIDES = 100 };

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

/* Rows of options. */
#define NUMBERS_AT(member) APP_AT(numbers_arguments, member)
#define NUMBERS_DERIVE                                                                   \
    {                                                                                    \
        "derive", 'd', "NAME=EXPRESSION",                                                \
            "Define a field: speed=mag(velocity); may be given again", APP_BY_CALL,      \
            .take = numbers_derive                                                       \
    }
#define NUMBERS_FIELDS(help)                                                             \
    {                                                                                    \
        "fields", 'F', "NAMES", help, APP_TEXT, NUMBERS_AT(fields)                       \
    }
#define NUMBERS_SET                                                                      \
    {                                                                                    \
        "set", 's', "KEY=VALUE", "Use another value than the config's: data.gamma=1.3",  \
            APP_BY_CALL, .take = numbers_set                                             \
    }
#define NUMBERS_STEPS(help)                                                              \
    {                                                                                    \
        "steps", 't', "A:B[:C]", help, APP_TEXT, NUMBERS_AT(steps)                       \
    }
#define NUMBERS_FILE(name)                                                               \
    {                                                                                    \
        .keep = APP_ARGUMENT, NUMBERS_AT(file), .words = {                               \
            name " takes one config or data file",                                       \
            name " needs a config or a data file"                                        \
        }                                                                                \
    }

/* Those of commands that print tables. fields: help of --fields. */
#define NUMBERS_OPTIONS(fields)                                                          \
    NUMBERS_DERIVE, NUMBERS_FIELDS(fields),                                              \
        {"json", 'j', NULL, "Print JSON, not CSV", APP_FLAG, NUMBERS_AT(is_json)},       \
        {"output",                                                                       \
         'o',                                                                            \
         "FILE",                                                                         \
         "Write a file, .csv or .json, or draw a plot, .png, .svg or .pdf, instead of "  \
         "standard output",                                                              \
         APP_TEXT,                                                                       \
         NUMBERS_AT(output)},                                                            \
        NUMBERS_SET,                                                                     \
        NUMBERS_STEPS("At these steps: from A to B, both included, in strides of C; a "  \
                      "number, 'first', 'all', or numbers with commas between them. "    \
                      "The last one otherwise")

status numbers_derive(void *arguments, const app_option *option, const char *text);
status numbers_set(void *arguments, const app_option *option, const char *text);

/* Work on a config; `arguments` are the command's. Collective. */
typedef status numbers_work(MPI_Comm comm, void *arguments, io_config *config);

/* Loads the config, or makes one for a data file, and works on it, unless `before`, the
 * status of the arguments, is a failure. Frees what the arguments have made. Collective.
 * Errors: that, those of case_load, and those of the work. */
status numbers_run(MPI_Comm comm, numbers_arguments *arguments, status before,
                   numbers_work *work);

#endif
