/* Command lines: a row an option, alike on all ranks. They do not print or exit by
 * themselves. */
#ifndef APP_ARGUMENTS_H
#define APP_ARGUMENTS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ways to keep the text of an option or an argument. */
typedef enum app_keep {
    APP_HEADING, /* the row is the heading `help` of those below */
    APP_FLAG,    /* bool: true */
    APP_TEXT,    /* const char *: the text itself */
    APP_WHOLE,  /* int or int64_t: a whole number from least to most; or 0, if the text is
                   words[0]. An int64_t is APP_NOT_GIVEN otherwise */
    APP_NUMBER, /* double: a number from least to most. Messages say "give words[0]" */
    APP_CHOICE, /* an enum or a bool: the index of the text in `words` */
    APP_BY_CALL,  /* as `take` does */
    APP_ARGUMENT, /* const char *: an argument without an option. Of several rows the
                     first that is free. words: for the messages if there are too many,
                     "info takes one file", or none, "info needs a file"; NULL: it may be
                     missing */
    APP_ARGUMENTS /* each argument, as `take` does */
} app_keep;

enum { APP_NOT_GIVEN = -1, APP_MOST_THREADS = 4096, APP_MOST_PORT = 65535 };

/* An option or an argument: its description, and the member of a command's arguments
 * that keeps it. A table ends with a row of zeros. Parsing, --help, man pages and
 * completion use the rows. */
typedef struct app_option {
    const char *name;  /* "threads"; NULL: a heading or an argument */
    int letter;        /* 't'; 0: none */
    const char *value; /* name of the value in help, "FILE"; NULL: it takes none */
    const char *help;
    app_keep keep;
    size_t offset, size; /* of the member: APP_AT */
    double least, most;
    const char *words[3];
    status (*take)(void *member, const struct app_option *option, const char *text);
} app_option;

#define APP_AT(type, member)                                                             \
    .offset = offsetof(type, member), .size = sizeof(((type *)NULL)->member)

/* A row for CASE_OPTIONS of run/case/options.h, with the AT of a command that keeps a
 * case_options `picture`. */
#define APP_PICTURE(name, letter, value, help)                                           \
    {name, letter, value, help, APP_BY_CALL, AT(picture), .take = app_take_picture},

/* The command line of a command. arguments: a line for each way to call it, with names in
 * capitals. doc: the text of --help; '\v' stands for the options. */
typedef struct app_line {
    const app_option *options; /* NULL: none */
    const char *arguments, *doc;
} app_line;

/* The first member of the arguments of a command. */
typedef struct app_arguments {
    const app_line *line;
    status result; /* the first failure */
} app_arguments;

/* Prints the help of a command, "karman info"; is_usage: the line of --usage alone. */
void app_arguments_print(const app_line *line, const char *name, bool is_usage);

/* Whether --help, -? or --usage is among the arguments. If so and if `prints`, prints the
 * help. */
bool app_arguments_help(const app_line *line, bool prints, int argc, char **argv);

/*
 * Parses the arguments on this rank; argv[0] is the command's name for messages. Every
 * rank parses the same arguments. Local. Errors: STATUS_USAGE, and those of `take`.
 */
status app_arguments_read(const app_line *line, int argc, char **argv,
                          app_arguments *arguments);

/* Whether an option is among the arguments: by its name, the beginning of that, or its
 * letter. */
bool app_arguments_have(int argc, char **argv, const char *name, char letter);

/* A number, or another if it is APP_NOT_GIVEN. */
static inline int64_t app_given_or(int64_t number, int64_t otherwise)
{
    return number == APP_NOT_GIVEN ? otherwise : number;
}

/* The row behind `last`, or the first one; NULL: there is none. */
const app_option *app_option_next(const app_line *line, const app_option *last);

/* The row of an option; NULL: there is none. */
const app_option *app_option_find(const app_line *line, const char *name);

/* A `take` for options of pictures: `member` is a case_options. */
status app_take_picture(void *member, const app_option *option, const char *text);

/* Adds the text of an option --set to the overrides of a config, [most]. Local. Errors:
 * STATUS_USAGE. */
status app_arguments_override(const char *text, int most, int *count,
                              const char **overrides);

#endif
