/* Command lines: argp for all ranks. It does not print or exit by itself. */
#ifndef APP_ARGUMENTS_H
#define APP_ARGUMENTS_H

#include "base/status.h"

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ways to keep the text of an option or an argument. */
typedef enum app_keep {
    APP_KEEP_NOTHING,  /* the end of a table */
    APP_KEEP_TEXT,     /* const char *: the text itself */
    APP_KEEP_FLAG,     /* bool: true */
    APP_KEEP_INT,      /* int: a whole number from least to most */
    APP_KEEP_INT64,    /* int64_t: the same; or 0, if the text is the second name */
    APP_KEEP_SECOND,   /* bool: whether it is the second of two names, else the first */
    APP_KEEP_ARGUMENT, /* const char *: an argument without an option. Of several places
                          the first that is free */
    APP_KEEP_BY_CALL   /* as a function does */
} app_keep;

/* Where an option, or an argument, is kept in the arguments of a command. */
typedef struct app_place {
    int key; /* of the option; ARGP_KEY_ARG: an argument */
    app_keep keep;
    size_t offset;
    int64_t least, most;
    const char *names[2]; /* _SECOND: the two names. _ARGUMENT: for the messages if there
                             are too many, "info takes one file", or none, "info needs a
                             file"; NULL: it may be missing */
    status (*take)(void *arguments, const struct app_place *place, const char *text);
} app_place;

/* The first member of the arguments of a command. Its argp has the parser
 * app_arguments_keep. */
typedef struct app_arguments {
    const app_place *places; /* ends with an APP_KEEP_NOTHING */
    status result;           /* the first failure */
} app_arguments;

/* Whether --help, -? or --usage is among the arguments. If so and if `prints`, prints the
 * help. */
bool app_arguments_help(const struct argp *argp, bool prints, int argc, char **argv);

/*
 * Parses the arguments on this rank; argv[0] is the command's name for messages. Every
 * rank parses the same arguments. Local. Errors: STATUS_USAGE, and those of the places.
 */
status app_arguments_read(const struct argp *argp, int argc, char **argv,
                          app_arguments *arguments);

/* The parser for argp. */
error_t app_arguments_keep(int key, char *text, struct argp_state *state);

/* Adds the text of an option --set to the overrides of a config, [most]. Local. Errors:
 * STATUS_USAGE. */
status app_arguments_override(const char *text, int most, int *count,
                              const char **overrides);

#endif
