/* A key over the places of a film: frames or times. */
#ifndef FRAME_FILM_TRACK_H
#define FRAME_FILM_TRACK_H

#include <jansson.h>
#include <stdbool.h>

enum { FILM_KEY = 160 };

typedef struct film_track {
    char key[FILM_KEY]; /* "camera.position" */
    int count;
    double *at;      /* [count], ascending */
    bool *rests;     /* [count], of a smooth one: it stands still there */
    json_t **values; /* [count]; of a smooth one: a number, or three */
    bool is_smooth;  /* else linear between two values */
    bool is_whole;   /* values are whole numbers */
} film_track;

/*
 * The value at a place; before the first and behind the last value, that one. Numbers,
 * also those in lists, are interpolated; other values last until the next one.
 *
 * Smooth tracks are cubic Hermite curves with the velocities of Catmull and Rom (1974)
 * for unequal intervals, which is zero where the track rests. As in Fritsch and Carlson
 * (1980) no velocity is above three times that of the intervals beside it, so the curve
 * does not swing past a value because its neighbour is far away. A new reference; NULL
 * without memory. Local.
 */
json_t *film_track_value(const film_track *track, double at);

void film_track_clear(film_track *track);

#endif
