/*
 * Films: frames that are no steps, with configs of their own. The camera moves, other
 * keys change, and a step may have many frames.
 */
#ifndef FRAME_FILM_FILM_H
#define FRAME_FILM_FILM_H

#include "base/status.h"
#include "io/config/config.h"
#include "io/source.h"

typedef struct frame_film frame_film;

/* The steps of a film's data. */
typedef struct frame_film_steps {
    int count;
    const io_step *const *all; /* [count]; borrowed */
    bool is_open; /* others are in other files: then a frame is its step, by number */
} frame_film_steps;

/* Whether a config is that of a film. Local. */
bool frame_film_is_given(const io_config *config);

/*
 * Makes a film. *film stays NULL if each step has one frame of the same config. *config
 * is replaced by one with the values of the first frame, for which open values can be
 * found; keys that turn or magnify the camera are removed. Local, the same on every rank.
 * Errors: STATUS_USAGE, STATUS_MEMORY.
 */
status frame_film_create(const frame_film_steps *steps, io_config **config,
                         frame_film **film);

/* Takes the config of a job, whose open values are found, and checks the frames at which
 * keys have given values. Local. Errors: STATUS_USAGE, STATUS_MEMORY. */
status frame_film_take(frame_film *film, const io_config *config);

int frame_film_count(const frame_film *film);

/* The place of a frame's step among the steps. */
int frame_film_step(const frame_film *film, int frame);

/* The number of a frame in names of files. */
int64_t frame_film_number(const frame_film *film, int frame);

/* The config of a frame; *out stays NULL if it is that of all frames. Local. Errors:
 * STATUS_USAGE, STATUS_MEMORY. */
status frame_film_config(const frame_film *film, int frame, io_config **out);

void frame_film_destroy(frame_film **film);

#endif
