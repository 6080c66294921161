/* A log of a rank's work while an image is composited, event by event, for timelines. */
#ifndef BASE_EVENTS_H
#define BASE_EVENTS_H

#include <stdint.h>

typedef enum base_event_kind {
    BASE_EVENT_WAIT,    /* for a rank, or for several (peer -1) */
    BASE_EVENT_SEND,    /* a message for the peer is prepared and handed over */
    BASE_EVENT_BLEND,   /* pixels are merged, or copied to their place */
    BASE_EVENT_RECEIVE, /* an instant: a message of the peer has arrived. Of those with
                           the same number `message` the n-th is the n-th that it sent */
    BASE_EVENT_SHARE,   /* an instant: other ranks of the node may read all data written
                           before */
    BASE_EVENT_READ, /* an instant: from now on this rank reads the memory of the peer, so
                        many bytes at most */
    BASE_EVENT_KINDS
} base_event_kind;

typedef struct base_event {
    base_event_kind kind;
    int peer;    /* a rank; -1: none, or several */
    int thread;  /* of this rank, 0 for the first */
    int message; /* of a send or receive: a number that both ends know. In a schedule 1 +
                    round × segments + segment, with the gathering before the first
                    round, and a read or blend has it, too. Else 0 */
    double begin, end; /* on base_clock */
    int64_t bytes;     /* of pixels or of the message; 0 if the event has neither */
} base_event;

enum { BASE_MOST_EVENTS = 2048 };

/* The events of one image. Begins with count 0. */
typedef struct base_events {
    _Atomic int count; /* above BASE_MOST_EVENTS the last events are lost */
    base_event items[BASE_MOST_EVENTS];
} base_events;

/* Adds an event; does nothing if `events` is NULL. Any thread may call it. Local. */
void base_events_add(base_events *events, base_event event);

/* base_clock, or 0 if `events` is NULL. Local. */
double base_events_now(const base_events *events);

/* The number of recorded events. Local. */
int base_events_count(const base_events *events);

#endif
