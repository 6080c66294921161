/* What shells have in common: each is a file and a line in the table of completion.c. */
#ifndef BASE_USAGE_SHELLS_H
#define BASE_USAGE_SHELLS_H

#include "options.h"
#include "usage.h"

#include <stdio.h>

/* What an argument may be: a set of these, and words. */
enum {
    USAGE_CONFIGS = 1, /* *.yaml */
    USAGE_DATA = 2,    /* *.h5 */
    USAGE_FILES = 4,   /* any */
    USAGE_FOLDERS = 8,
    USAGE_KEYS = 16 /* KEY=VALUE: the words are keys, "camera.fov=" */
};

typedef struct usage_value {
    unsigned kinds;
    char words[16384]; /* with blanks between them */
} usage_value;

/* What an option's argument may be. */
void usage_value_of_option(const struct argp_option *option, const usage_words *words,
                           usage_value *value);

/* What arguments of a command may be that are no options. */
void usage_value_of_arguments(const struct argp *argp, const usage_words *words,
                              usage_value *value);

/* Copies the beginning of a help text: what stands in front of its first colon, bracket,
 * semicolon or full stop. */
void usage_short(const char *text, size_t size, char *beginning);

/* Prints text with `escape` in front of each letter that is among `letters`. */
void usage_escape(const char *text, const char *letters, const char *escape,
                  FILE *stream);

/* The scripts. */
void usage_bash_print(const usage_program *program, const usage_words *words,
                      FILE *stream);
void usage_zsh_print(const usage_program *program, const usage_words *words,
                     FILE *stream);
void usage_fish_print(const usage_program *program, const usage_words *words,
                      FILE *stream);

#endif
