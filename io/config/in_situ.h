/*
 * The key `in_situ` of a config: what a running program draws of itself, and when.
 *
 *     in_situ:
 *       run: DIR                     the run directory; default karman_run
 *       mode: real-time | halt
 *       every: 10                    when, for pictures that do not say it themselves
 *       pictures:
 *         - {name: front, every: 5, camera: {...}, layers: [...]}
 *         - {name: wall, times: [1, 2.5], when: {field: pressure, above: 3}}
 *
 * A picture's config is the whole one without `in_situ`, with the picture's own keys put
 * over it: mappings key by key, lists and numbers as a whole. It goes the way of every
 * config, and fails as every config does, with file and line.
 */
#ifndef IO_CONFIG_IN_SITU_H
#define IO_CONFIG_IN_SITU_H

#include "config.h"

typedef enum io_in_situ_mode {
    IO_IN_SITU_REAL_TIME, /* steps follow each other */
    IO_IN_SITU_HALT       /* the program waits for orders before its first step */
} io_in_situ_mode;

typedef enum io_extreme { IO_LEAST, IO_GREATEST } io_extreme;

/* The key `when`: a field's least or greatest value lies above, or below, a bound; with
 * both bounds: between them. */
typedef struct io_condition {
    char *field;        /* NULL: there is no condition */
    io_extreme extreme; /* where the config does not say: the greatest where it has
                           above, else the least */
    bool has_above, has_below;
    double above, below;
} io_condition;

/* When a picture is drawn: at each time that is due, if the condition holds. */
typedef struct io_trigger {
    int64_t every;   /* cycles that it divides; 0: none */
    double interval; /* of time; 0: none */
    int ntimes;
    double *times; /* [ntimes], ascending */
    io_condition when;
} io_trigger;

typedef struct io_in_situ_picture {
    char *name;         /* letters, digits, '-' and '_' */
    io_trigger trigger; /* every is 1 where nothing says when */
} io_in_situ_picture;

typedef struct io_in_situ {
    char *run; /* absolute, or relative to the working directory */
    io_in_situ_mode mode;
    io_trigger trigger; /* the section's; pictures that do not say when have the same */
    int npictures;
    io_in_situ_picture *pictures; /* [npictures], at least one */
} io_in_situ;

enum { IO_MAX_PICTURES = 64 };

/* The text that pictures and their triggers come from, with its overrides, as for
 * io_config_parse. Borrowed. */
typedef struct io_in_situ_text {
    const char *path, *text;
    size_t size;
    int noverrides;
    const char *const *overrides;
} io_in_situ_text;

/*
 * Reads the section. A config without one has a picture called "frame" at every step.
 * Local. Errors: STATUS_USAGE with place and key, STATUS_MEMORY.
 */
status io_in_situ_parse(const io_in_situ_text *from, io_in_situ **out);
void io_in_situ_destroy(io_in_situ **in_situ);

/*
 * Makes the config of picture `index`, with `changes` ("camera.fov=20"; [nchanges]) put
 * over it. data.file, steps, grid and fields mean nothing; output.frames is
 * RUN/frames/NAME_%06d.png where the config does not say it. Local. Errors: those of
 * io_config_parse.
 */
status io_in_situ_config(const io_in_situ_text *from, int index, int nchanges,
                         const char *const *changes, io_config **out);

#endif
