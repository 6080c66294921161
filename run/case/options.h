/* Options of commands that draw. Each stands for keys of a config. */
#ifndef CASE_OPTIONS_H
#define CASE_OPTIONS_H

#include "base/status.h"
#include "case.h"

#include <stdbool.h>
#include <stdio.h>

enum {
    CASE_OPTION_SET = 's',
    CASE_OPTION_FIELD = 'F',
    CASE_OPTION_OUTPUT = 'o',
    CASE_OPTION_LOOK = 0x100, /* no letters from here on */
    CASE_OPTION_VIEW,
    CASE_OPTION_AZIMUTH,
    CASE_OPTION_ELEVATION,
    CASE_OPTION_ZOOM,
    CASE_OPTION_SLICE,
    CASE_OPTION_ISO,
    CASE_OPTION_WALLS,
    CASE_OPTION_STREAMLINES,
    CASE_OPTION_DERIVE,
    CASE_OPTION_ORBIT,
    CASE_OPTION_MOST = 256 /* options of one command line */
};

/* Their rows in a table of argp: X(key, name, argument, help). */
#define CASE_OPTIONS(X)                                                                  \
    X(CASE_OPTION_FIELD, "field", "NAME",                                                \
      "Draw this field, of the file or derived, such as mach")                           \
    X(CASE_OPTION_LOOK, "look", "LOOK",                                                  \
      "Colours of background, texts and lines: paper, screen or dark")                   \
    X(CASE_OPTION_VIEW, "view", "VIEW",                                                  \
      "See all data from top, bottom, front, back, left, right or iso")                  \
    X(CASE_OPTION_AZIMUTH, "azimuth", "DEGREES",                                         \
      "Turn the eye to the right about the upward direction")                            \
    X(CASE_OPTION_ELEVATION, "elevation", "DEGREES", "Raise the eye")                    \
    X(CASE_OPTION_ZOOM, "zoom", "FACTOR", "Magnify: 2 doubles the size of all")          \
    X(CASE_OPTION_SLICE, "slice", "AXIS=PLACE",                                          \
      "Draw the field on a plane across x, y or z, or on an index plane i, j or k: "     \
      "x=2, k=0")                                                                        \
    X(CASE_OPTION_ISO, "iso", "VALUE",                                                   \
      "Draw the surface on which the field has this value; FIELD=VALUE names another "   \
      "field")                                                                           \
    X(CASE_OPTION_WALLS, "walls", "FIELD", "Draw the walls, coloured by this field")     \
    X(CASE_OPTION_STREAMLINES, "streamlines", NULL,                                      \
      "Draw lines along the velocity, from all over the flow")                           \
    X(CASE_OPTION_DERIVE, "derive", "NAME=EXPRESSION",                                   \
      "Define a field: speed=mag(velocity); may be given again")                         \
    X(CASE_OPTION_ORBIT, "orbit", "FRAMES",                                              \
      "Turn once around the data in so many pictures")                                   \
    X(CASE_OPTION_OUTPUT, "output", "OUT.png",                                           \
      "Path of the pictures; with %04d in it, one for each step. A name in .pdf or "     \
      ".svg gives a figure, one in .mp4 or .apng a film")                                \
    X(CASE_OPTION_SET, "set", "KEY=VALUE",                                               \
      "Override a key of the config: --set image.width=512 "                             \
      "--set 'layers.0.volume.range=[0, 2]'. May be given many times.")

#define CASE_OPTION(key, name, argument, help) {(name), (key), (argument), 0, (help), 0},

/* What such options of a command line stand for. Zero: none were given. */
typedef struct case_options {
    int count;
    char *overrides[CASE_OPTION_MOST]; /* [count], as for io_config_parse */
    const char *field;                 /* --field; NULL; borrowed */
    const char *output;                /* --output; NULL; borrowed */
    bool orbits;                       /* --orbit */
    bool has_layers, has_walls; /* an option adds a layer other than walls; walls */
} case_options;

/* Takes an option; `text`: its argument. Local. Errors: STATUS_USAGE, STATUS_MEMORY. */
status case_options_take(case_options *picture, int key, const char *text);

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
