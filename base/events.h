/* What a rank does while a picture is put together, moment by moment: for timelines. */
#ifndef BASE_EVENTS_H
#define BASE_EVENTS_H

#include <stdint.h>

typedef enum base_event_kind {
    BASE_EVENT_WAIT,    /* for a rank, or for several (peer -1) */
    BASE_EVENT_SEND,    /* a message for the peer is made and handed over */
    BASE_EVENT_BLEND,   /* pixels are merged, or put where they belong */
    BASE_EVENT_RECEIVE, /* a moment: a message of the peer is there. The n-th of these is
                           the n-th that the peer has sent to here */
    BASE_EVENT_SHARE, /* a moment: others of the node may read what was done before it */
    BASE_EVENT_READ,  /* a moment: what the peer has in its memory is read from now on */
    BASE_EVENT_KINDS
} base_event_kind;

typedef struct base_event {
    base_event_kind kind;
    int peer;          /* a rank; -1: none, or several */
    int thread;        /* of this rank, 0 for the first */
    double begin, end; /* on base_clock */
    int64_t bytes;     /* of pixels or of the message; 0 where it is about neither */
} base_event;

enum { BASE_MOST_EVENTS = 2048 };

/* Those of one picture. Begins with count 0. */
typedef struct base_events {
    _Atomic int count; /* above BASE_MOST_EVENTS the last ones are lost */
    base_event items[BASE_MOST_EVENTS];
} base_events;

/* Adds an event; where events is NULL, does nothing. Any thread may call it. Local. */
void base_events_add(base_events *events, base_event event);

/* base_clock, or 0 where nobody wants to know: events is NULL. Local. */
double base_events_now(const base_events *events);

/* The number of events that are there. Local. */
int base_events_count(const base_events *events);

#endif
