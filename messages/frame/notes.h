/* What is noted of messages, and the messages that result. */
#ifndef MESSAGES_FRAME_NOTES_H
#define MESSAGES_FRAME_NOTES_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    TRAFFIC_MOST_MESSAGES = 5000, /* that a page lists */
    TRAFFIC_MOST_BARS = 4000,     /* of one run; short ones are joined */
    TRAFFIC_MOST_PIECES = 64      /* ranks whose memories a page can show */
};

typedef enum traffic_run { TRAFFIC_MEASURED, TRAFFIC_PLANNED, TRAFFIC_RUNS } traffic_run;

typedef enum traffic_kind {
    TRAFFIC_SEND,    /* a message leaves; bars of a sender */
    TRAFFIC_RECEIVE, /* it comes */
    TRAFFIC_BLEND,   /* it is merged */
    TRAFFIC_WAIT,    /* of bars alone: for others */
    TRAFFIC_OP,      /* of notes alone: the schedule has this message */
    TRAFFIC_KINDS
} traffic_kind;

/* The positions of both ends, and the round: all parts of a message have the same. */
typedef struct traffic_key {
    int round, src, dst;
} traffic_key;

typedef struct traffic_note {
    traffic_key key;
    traffic_run run;
    traffic_kind kind;
    double begin, end; /* s */
    double bytes;      /* of the message or of read pixels; counted once a part */
    bool in_place;     /* pixels are read where they lie */
    int64_t number;    /* in the order of notes */
} traffic_note;

/* A stretch of time that a position spends on something. */
typedef struct traffic_bar {
    int position;
    double begin, end; /* s */
} traffic_bar;

typedef struct traffic_bars {
    traffic_bar *items;
    int64_t count;
} traffic_bars;

/* A message of one run. Times are in s, ascending. */
typedef struct traffic_times {
    double bytes;
    double sent, left, came, combines, done;
    bool is_there; /* else it had no pixels: it takes no time */
    bool in_place;
} traffic_times;

typedef struct traffic_message {
    traffic_key key;
    bool is_planned; /* the schedule has it */
    traffic_times times[TRAFFIC_RUNS];
} traffic_message;

/* All that is known of a frame. Zero is empty. */
typedef struct traffic_notes {
    traffic_note *items;
    int64_t count;
    traffic_bars bars[TRAFFIC_RUNS][TRAFFIC_KINDS];
    bool failed; /* there is no memory */
} traffic_notes;

/* Adds a note, or a bar, and sets `failed` without memory. Local. */
void traffic_note_add(traffic_notes *notes, traffic_note note);
void traffic_bar_add(traffic_bars *bars, traffic_bar bar, bool *failed);

/*
 * Folds the notes of each key into a message, sorted by rounds, senders and receivers.
 * begin [size]: s at which each position begins in each run: there messages that take no
 * time are put if nothing earlier holds them up. *count messages, malloc'ed. Local.
 * Errors: STATUS_MEMORY.
 */
status traffic_notes_fold(traffic_notes *notes, int size,
                          const double *const begin[TRAFFIC_RUNS], traffic_message **out,
                          int64_t *count);

void traffic_notes_clear(traffic_notes *notes);

#endif
