/*
 * The key `in_situ` of a config: the pictures that a running program draws, and their
 * times.
 *
 *     in_situ:
 *       run: DIR                     the run directory; default karman_run
 *       mode: real-time | halt
 *       every: 10                    the default trigger of pictures
 *       pictures:
 *         - {name: front, every: 5, camera: {...}, layers: [...]}
 *         - {name: wall, times: [1, 2.5], when: {field: pressure, above: 3}}
 *
 * The config of a picture is the whole config without `in_situ`, overridden by the
 * picture's own keys: mappings key by key, lists and numbers as a whole. It is then
 * checked like any config, and errors name file and line.
 */
#ifndef IO_CONFIG_IN_SITU_H
#define IO_CONFIG_IN_SITU_H

#include "config.h"

typedef enum io_in_situ_mode {
    IO_IN_SITU_REAL_TIME, /* steps run without a pause */
    IO_IN_SITU_HALT       /* the program waits for commands before its first step */
} io_in_situ_mode;

/* Numbers: of a field, those of flows through surfaces, and those of walls. */
typedef enum io_measure {
    IO_LEAST,
    IO_GREATEST,
    IO_LEAST_AT,                      /* x, y, z */
    IO_GREATEST_AT = IO_LEAST_AT + 3, /* x, y, z */
    IO_MEAN = IO_GREATEST_AT + 3,     /* from here on: integrals */
    IO_INTEGRAL,
    IO_VOLUME,
    IO_AREA, /* from here on: of surfaces */
    IO_FLUX,
    IO_MASS_MEAN,
    IO_MASS_FLOW,
    IO_HEAT_FLOW,
    IO_FORCE,
    IO_PRESSURE_FORCE = IO_FORCE + 3,
    IO_VISCOUS_FORCE = IO_PRESSURE_FORCE + 3,
    IO_MOMENT = IO_VISCOUS_FORCE + 3 /* each x, y, z */
} io_measure;

/* A number over a place, in the words of `karman integrate`. */
typedef struct io_measured {
    char *field;     /* NULL: none */
    io_measure what; /* of a condition: by default the greatest if it has `above`, else
                        the least; of a monitor: the mean */
    char *block, *plane, *faces, *wall; /* one of them, or NULL: the whole volume */
    bool walls;                         /* or all walls */
    char *pressure, *viscosity, *temperature, *conductivity; /* NULL: the usual ones */
    double about[3];                                         /* of moments */
} io_measured;

/* The word for a number: "mass_flow". Local. */
const char *io_measure_word(io_measure what);

/* The key `when`: the number is above or below a bound; with both bounds: between them.
 * It has also changed by more than `change` since the last picture. */
typedef struct io_condition {
    bool is_there; /* the key is given */
    io_measured of;
    bool has_above, has_below;
    double above, below, change; /* change 0: any */
} io_condition;

/* The times of a picture: it is drawn at each of them if the condition holds. */
typedef struct io_trigger {
    int64_t every;   /* drawn at cycles that are multiples; 0: none */
    double interval; /* between two pictures, in time; 0: none */
    int ntimes;
    double *times; /* [ntimes], ascending */
    io_condition when;
} io_trigger;

typedef struct io_in_situ_picture {
    char *name;         /* letters, digits, '-' and '_' */
    io_trigger trigger; /* every is 1 if no trigger is given */
} io_in_situ_picture;

/* A number that is noted as the program runs. */
typedef struct io_monitor {
    char *name;
    io_measured of;
} io_monitor;

typedef struct io_in_situ {
    char *run; /* absolute, or relative to the working directory */
    io_in_situ_mode mode;
    bool redraw_on_change; /* a picture that an order changes is drawn at the next step */
    bool group_orders;     /* key orders: the group may give orders, too */
    bool checks;           /* key check: compares the fields that ranks share */
    io_trigger trigger;    /* of the section; the default of pictures */
    int npictures;
    io_in_situ_picture *pictures; /* [npictures], at least one */
    int64_t monitor_every;        /* cycles */
    int nmonitors;
    io_monitor *monitors;      /* [nmonitors] */
    struct io_document *given; /* the section with the times of all pictures; owned */
} io_in_situ;

enum { IO_MAX_PICTURES = 64, IO_MAX_MONITORS = 64 };

/* The text of pictures and triggers, with its overrides, as for io_config_parse.
 * Borrowed. */
typedef struct io_in_situ_text {
    const char *path, *text;
    size_t size;
    int noverrides;
    const char *const *overrides;
} io_in_situ_text;

/*
 * Reads the section. A config without one has a picture named "frame" at every step.
 * Local. Errors: STATUS_USAGE with place and key, STATUS_MEMORY.
 */
status io_in_situ_parse(const io_in_situ_text *from, io_in_situ **out);
void io_in_situ_destroy(io_in_situ **in_situ);

/*
 * Makes the config of picture `index`, overridden by `changes` ("camera.fov=20";
 * [nchanges]). data.file, steps, grid and fields are unused; the default of output.frames
 * is RUN/frames/NAME_%06d.png. Local. Errors: those of io_config_parse.
 */
status io_in_situ_config(const io_in_situ_text *from, int index, int nchanges,
                         const char *const *changes, io_config **out);

/*
 * Changes of a running program's pictures, as by io_config_change. _edit copies the
 * section; _change, _add and _remove change the copy; _build checks it and makes the new
 * section. New pictures are the last ones. Local. Errors: those of io_config_parse.
 */
status io_in_situ_edit(const io_in_situ *in_situ, struct io_document **section);

/* Changes picture `index`: its times, in the section, and its config. *out: NULL if only
 * times change. */
status io_in_situ_change(struct io_document *section, int index, const io_config *config,
                         int count, const char *const *changes, io_config **out);

/* Adds a picture. Its config is the whole one of `from`, changed by a fragment such as
 * "{name: near, every: 5, camera: {fov: 20}}". */
status io_in_situ_add(struct io_document *section, const io_in_situ_text *from,
                      const char *fragment, io_config **out);
status io_in_situ_remove(struct io_document *section, int index);
status io_in_situ_build(struct io_document *section, io_in_situ **out);

#endif
