/* The command line of a program, for its man pages and for completion. The tables of argp
 * describe all options and arguments. */
#ifndef BASE_USAGE_USAGE_H
#define BASE_USAGE_USAGE_H

#include <argp.h>

typedef struct usage_command {
    const char *name, *summary;
    const struct argp *argp;
} usage_command;

/* The possible values of an argument called `name`, such as "ALGORITHM": words separated
 * by blanks. */
typedef struct usage_words {
    const char *name, *words;
} usage_words;

typedef struct usage_program {
    const char *name, *summary;
    const struct argp *argp; /* of the program as a whole */
    int ncommands;           /* 0: no commands */
    const usage_command *commands;
    const char *see_also; /* pages, as "karman-config(5) karman-solver(1)" */
} usage_program;

#endif
