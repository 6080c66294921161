/* Messages as the ranks of a frame have noted them. */
#ifndef MESSAGES_FRAME_MEASURED_H
#define MESSAGES_FRAME_MEASURED_H

#include "notes.h"

#include <jansson.h>

typedef enum traffic_event_kind {
    EVENT_WAIT,
    EVENT_SEND,
    EVENT_BLEND,
    EVENT_RECEIVE,
    EVENT_SHARE,
    EVENT_READ,
    EVENT_KINDS
} traffic_event_kind;

/* An event of a rank (docs/user/formats.md). */
typedef struct traffic_event {
    traffic_event_kind kind;
    int peer; /* a rank, or -1 */
    int thread;
    int64_t message;
    double begin, wall, bytes; /* begin: s since the frame began */
} traffic_event;

typedef struct traffic_events {
    traffic_event *items;
    size_t count;
} traffic_events;

/* A frame of a run. */
typedef struct traffic_measured {
    traffic_events *events; /* [size], by ranks */
    int size;
    const int *order; /* [size]: the rank at each position */
    int64_t segments; /* of the picture, for the numbers of messages; 0: there is no
                         schedule */
    double origin;    /* s since the frame began: time 0 of the page */
    double *begin;    /* [size]: s at which each position began, from the origin on */
    double *finish;   /* [size]: and was done */
    bool is_cut_off;  /* a rank had more events than it could note */
} traffic_measured;

/* Reads the events of a frame, a list with `size` ranks; NULL: there are none. The caller
 * clears them. Local. Errors: STATUS_MEMORY. */
status traffic_measured_read(traffic_measured *of, const json_t *events);
void traffic_measured_clear(traffic_measured *of);

/* Sets origin, begin and finish by events: a rank begins with its first one, and is done
 * with its last one. Ranks without events keep theirs, which are since the frame began.
 * Local. */
void traffic_measure_span(traffic_measured *of);

/* Adds the frame's messages and bars. Local. Errors: STATUS_MEMORY. */
status traffic_measure(const traffic_measured *of, traffic_notes *notes);

#endif
