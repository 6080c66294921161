/* Options of commands that draw. Each stands for keys of a config. */
#ifndef CASE_OPTIONS_H
#define CASE_OPTIONS_H

#include "base/status.h"
#include "case.h"
#include "frame/auto/auto.h"

#include <stdbool.h>
#include <stdio.h>

enum { CASE_OPTION_MOST = 256 /* options of one command line */ };

/* Their rows: X(name, letter, value, help). */
#define CASE_OPTIONS(X)                                                                  \
    X("field", 'F', "NAME", "Draw this field, of the file or derived, such as mach")     \
    X("look", 0, "LOOK",                                                                 \
      "Colours of background, texts and lines: paper, screen or dark")                   \
    X("view", 0, "VIEW",                                                                 \
      "See all data from top, bottom, front, back, left, right or iso")                  \
    X("azimuth", 0, "DEGREES", "Turn the eye to the right about the upward direction")   \
    X("elevation", 0, "DEGREES", "Raise the eye")                                        \
    X("zoom", 0, "FACTOR", "Magnify: 2 doubles the size of all")                         \
    X("slice", 0, "AXIS=PLACE",                                                          \
      "Draw the field on a plane across x, y or z, or on an index plane i, j or k: "     \
      "x=2, k=0")                                                                        \
    X("iso", 0, "VALUE",                                                                 \
      "Draw the surface on which the field has this value; FIELD=VALUE names another "   \
      "field")                                                                           \
    X("walls", 0, "FIELD", "Draw the walls, coloured by this field")                     \
    X("streamlines", 0, NULL, "Draw lines along the velocity, from all over the flow")   \
    X("derive", 0, "NAME=EXPRESSION",                                                    \
      "Define a field: speed=mag(velocity); may be given again")                         \
    X("orbit", 0, "FRAMES", "Turn once around the data in so many pictures")             \
    X("minus", 0, "FILE",                                                                \
      "Draw the difference from another file on the same grid, or from a step of the "   \
      "same file, by its number")                                                        \
    X("output", 'o', "OUT.png",                                                          \
      "Path of the pictures; with %04d in it, one for each step. A name in .pdf or "     \
      ".svg gives a figure, one in .mp4 or .apng a film")                                \
    X("set", 's', "KEY=VALUE",                                                           \
      "Override a key of the config: --set image.width=512 "                             \
      "--set 'layers.0.volume.range=[0, 2]'. May be given many times.")

/* What such options of a command line stand for. Zero: none were given. */
typedef struct case_options {
    int count;
    char *overrides[CASE_OPTION_MOST];     /* [count], as for io_config_parse */
    const char *field;                     /* --field; NULL; borrowed */
    const char *output;                    /* --output; NULL; borrowed */
    const char *minus;                     /* --minus; NULL; borrowed */
    char difference[AUTO_DIFFERENCE_SIZE]; /* what `field` is then */
    bool orbits;                           /* --orbit */
    bool has_layers, has_walls; /* an option adds a layer other than walls; walls */
} case_options;

/* Takes an option by its name; `text`: its value. Local. Errors: STATUS_USAGE,
 * STATUS_MEMORY. */
status case_options_take(case_options *picture, const char *name, const char *text);

/* Takes an option as it stands on a command line, without dashes: "slice=x=2",
 * "streamlines", "set=image.width=512". The text is borrowed. Local. Errors:
 * STATUS_USAGE, STATUS_MEMORY. */
status case_options_take_named(case_options *options, const char *option);

/*
 * Completes the overrides when all options are taken. `config`: of which they are
 * overrides; NULL: of a data file. Paths are relative to the working directory. Local.
 * Errors: STATUS_USAGE, STATUS_MEMORY.
 */
status case_options_finish(case_options *picture, const char *config);

/* The pictures of a data file: of its last step, of all steps, if --output has the number
 * of a step or names a film, or frames of the last step. */
case_frames case_options_frames(const case_options *picture);

/* Prints what each option but --set stands for, a line each. Local. */
void case_options_print(const case_options *picture, FILE *stream);

/* Takes the keys that an option stands for out of the message of a failure: the user
 * never wrote them. Local. Returns `s`. */
status case_options_blame(const case_options *picture, status s);

void case_options_clear(case_options *picture);

#endif
