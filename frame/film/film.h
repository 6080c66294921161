/*
 * Films: frames that are no steps, with configs of their own. The camera moves, other
 * keys change, and a step may have many frames.
 */
#ifndef FRAME_FILM_FILM_H
#define FRAME_FILM_FILM_H

#include "base/status.h"
#include "io/config/config.h"
#include "io/source.h"

#include <jansson.h>

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
 * is replaced by that of the first picture with the values of the first frame, for which
 * open values can be found; keys that turn or magnify the camera are removed. Local, the
 * same on every rank. Errors: STATUS_USAGE, STATUS_MEMORY.
 */
status frame_film_create(const frame_film_steps *steps, io_config **config,
                         frame_film **film);

/* The number of pictures of a frame, at least 1. */
int frame_film_pictures(const frame_film *film);

/* Makes the config of a picture, whose open values are to be found. Local. Errors:
 * STATUS_USAGE, STATUS_MEMORY. */
status frame_film_picture(const frame_film *film, int picture, io_config **out);

/* Whether the entry of a picture gives a key, and whether those of two pictures give the
 * same for it, or nothing. Local. */
bool frame_film_gives(const frame_film *film, int picture, const char *key);
bool frame_film_gives_same(const frame_film *film, int a, int b, const char *key);

/* Takes the config of a picture, whose open values are found, and checks the frames at
 * which keys have given values. Local. Errors: STATUS_USAGE, STATUS_MEMORY. */
status frame_film_take(frame_film *film, int picture, const io_config *config);

/* The config of all pictures. Borrowed. */
const io_config *frame_film_open(const frame_film *film);

/* Gives the config of all cells values that were found for them, [count] overrides: then
 * it draws them again. The configs of pictures are made before. Local. Errors:
 * STATUS_USAGE, STATUS_MEMORY. */
status frame_film_close(frame_film *film, int count, const char *const *values);

/* The number of all pictures of all frames. Functions below count them from 0: all
 * pictures of a frame follow one another, but of one step all frames of a picture. */
int frame_film_count(const frame_film *film);

/* The frame of a picture, and its place among the pictures of a frame. */
int frame_film_frame(const frame_film *film, int number);
int frame_film_picture_of(const frame_film *film, int number);

/* The place of a picture's step among the steps. */
int frame_film_step(const frame_film *film, int number);

/* The number in names of a picture's files: its frame; without frames of its own, its
 * step. */
int64_t frame_film_number(const frame_film *film, int number);

/* The config of a picture; *out stays NULL if it is that of all. Local. Errors:
 * STATUS_USAGE, STATUS_MEMORY. */
status frame_film_config(const frame_film *film, int number, io_config **out);

/* The config of all frames of its picture, and that of a picture by its place. Borrowed.
 */
const io_config *frame_film_base(const frame_film *film, int number);
const io_config *frame_film_picture_base(const frame_film *film, int picture);

/* A picture that is a part of another one. */
typedef struct frame_film_cell {
    int x, y;                  /* its upper left pixel */
    int all_width, all_height; /* of the whole */
    bool is_first, is_last;    /* of the cells of a frame */
} frame_film_cell;

/* Whether a picture is a cell. Local. */
bool frame_film_find_cell(const frame_film *film, int number, frame_film_cell *cell);

/* The config of all cells of its frame. Local. Errors: STATUS_USAGE, STATUS_MEMORY. */
status frame_film_whole(const frame_film *film, int number, io_config **out);

/* What distinguishes a picture from others: {"picture": name, "camera.azimuth": …}. A new
 * reference; NULL without memory. Local. */
json_t *frame_film_values(const frame_film *film, int number);

void frame_film_destroy(frame_film **film);

#endif
