/* Options of commands that draw. Each stands for keys of a config. */
#ifndef APP_PICTURE_OPTIONS_H
#define APP_PICTURE_OPTIONS_H

#include "base/status.h"

#include <stdbool.h>
#include <stdio.h>

enum {
    APP_PICTURE_SET = 's',
    APP_PICTURE_FIELD = 'F',
    APP_PICTURE_OUTPUT = 'o',
    APP_PICTURE_LOOK = 0x100, /* no letters from here on */
    APP_PICTURE_VIEW,
    APP_PICTURE_AZIMUTH,
    APP_PICTURE_ELEVATION,
    APP_PICTURE_ZOOM,
    APP_PICTURE_SLICE,
    APP_PICTURE_ISO,
    APP_PICTURE_WALLS,
    APP_PICTURE_STREAMLINES,
    APP_PICTURE_DERIVE,
    APP_PICTURE_MOST = 256 /* options of one command line */
};

/* Their rows in a table of argp: X(key, name, argument, help). */
#define APP_PICTURE_OPTIONS(X)                                                           \
    X(APP_PICTURE_FIELD, "field", "NAME",                                                \
      "Draw this field, of the file or derived, such as mach")                           \
    X(APP_PICTURE_LOOK, "look", "LOOK",                                                  \
      "Colours of background, texts and lines: paper, screen or dark")                   \
    X(APP_PICTURE_VIEW, "view", "VIEW",                                                  \
      "See all data from top, bottom, front, back, left, right or iso")                  \
    X(APP_PICTURE_AZIMUTH, "azimuth", "DEGREES",                                         \
      "Turn the eye to the right about the upward direction")                            \
    X(APP_PICTURE_ELEVATION, "elevation", "DEGREES", "Raise the eye")                    \
    X(APP_PICTURE_ZOOM, "zoom", "FACTOR", "Magnify: 2 doubles the size of all")          \
    X(APP_PICTURE_SLICE, "slice", "AXIS=PLACE",                                          \
      "Draw the field on a plane across x, y or z, or on an index plane i, j or k: "     \
      "x=2, k=0")                                                                        \
    X(APP_PICTURE_ISO, "iso", "VALUE",                                                   \
      "Draw the surface on which the field has this value; FIELD=VALUE names another "   \
      "field")                                                                           \
    X(APP_PICTURE_WALLS, "walls", "FIELD", "Draw the walls, coloured by this field")     \
    X(APP_PICTURE_STREAMLINES, "streamlines", NULL,                                      \
      "Draw lines along the velocity, from all over the flow")                           \
    X(APP_PICTURE_DERIVE, "derive", "NAME=EXPRESSION",                                   \
      "Define a field: speed=mag(velocity); may be given again")                         \
    X(APP_PICTURE_OUTPUT, "output", "OUT.png",                                           \
      "Path of the pictures; with %04d in it, one for each step. A name in .pdf or "     \
      ".svg gives a figure")                                                             \
    X(APP_PICTURE_SET, "set", "KEY=VALUE",                                               \
      "Override a key of the config: --set image.width=512 "                             \
      "--set 'layers.0.volume.range=[0, 2]'. May be given many times.")

#define APP_PICTURE_OPTION(key, name, argument, help)                                    \
    {(name), (key), (argument), 0, (help), 0},

/* What such options of a command line stand for. Zero: none were given. */
typedef struct app_picture {
    int count;
    char *overrides[APP_PICTURE_MOST]; /* [count], as for io_config_parse */
    const char *field;                 /* --field; NULL; borrowed */
    const char *output;                /* --output; NULL; borrowed */
    bool has_layers, has_walls; /* an option adds a layer other than walls; walls */
} app_picture;

/* Takes an option; `text`: its argument. Local. Errors: STATUS_USAGE, STATUS_MEMORY. */
status app_picture_take(app_picture *picture, int key, const char *text);

/*
 * Completes the overrides when all options are taken. `config`: of which they are
 * overrides; NULL: of a data file. Paths are relative to the working directory. Local.
 * Errors: STATUS_USAGE, STATUS_MEMORY.
 */
status app_picture_finish(app_picture *picture, const char *config);

/* Whether --output has the number of a step, so that each gets a picture. */
bool app_picture_is_numbered(const app_picture *picture);

/* Prints what each option but --set stands for, a line each. Local. */
void app_picture_print(const app_picture *picture, FILE *stream);

/* Takes the keys that an option stands for out of the message of a failure: the user
 * never wrote them. Local. Returns `s`. */
status app_picture_blame(const app_picture *picture, status s);

void app_picture_clear(app_picture *picture);

#endif
