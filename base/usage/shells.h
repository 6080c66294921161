/* Common parts of the completion scripts. Each shell is one file and one line in the
 * table of completion.c. */
#ifndef BASE_USAGE_SHELLS_H
#define BASE_USAGE_SHELLS_H

#include "options.h"
#include "usage.h"

#include <stdio.h>

/* The kinds of an argument: a set of these, and words. */
enum {
    USAGE_CONFIGS = 1, /* *.yaml */
    USAGE_DATA = 2,    /* *.h5 */
    USAGE_FILES = 4,   /* any */
    USAGE_FOLDERS = 8,
    USAGE_KEYS = 16 /* KEY=VALUE: the words are keys, "camera.fov=" */
};

typedef struct usage_value {
    unsigned kinds;
    char words[16384]; /* separated by blanks */
} usage_value;

/* Finds the possible values of an option's argument. */
void usage_value_of_option(const struct argp_option *option, const usage_words *words,
                           usage_value *value);

/* Finds the possible values of a command's arguments that are not options. */
void usage_value_of_arguments(const struct argp *argp, const usage_words *words,
                              usage_value *value);

/* Copies the beginning of a help text: the part before its first colon, bracket,
 * semicolon or full stop. */
void usage_short(const char *text, size_t size, char *beginning);

/* Prints text with `escape` before each letter that is in `letters`. */
void usage_escape(const char *text, const char *letters, const char *escape,
                  FILE *stream);

/* Print the scripts. */
void usage_bash_print(const usage_program *program, const usage_words *words,
                      FILE *stream);
void usage_zsh_print(const usage_program *program, const usage_words *words,
                     FILE *stream);
void usage_fish_print(const usage_program *program, const usage_words *words,
                      FILE *stream);

#endif
