/* Messages as JSON for a page. Private to the traffic. */
#ifndef MESSAGES_FRAME_DESCRIBE_H
#define MESSAGES_FRAME_DESCRIBE_H

#include "messages/schedule/messages.h"
#include "notes.h"

#include <jansson.h>

/* One of the runs. */
typedef struct traffic_side {
    bool is_there;
    double *begin, *finish; /* [size]: s */
    double seconds;         /* at which all is done */
} traffic_side;

/* All that a page has. Pointers are borrowed. */
typedef struct traffic_page {
    int size;
    traffic_notes *notes;
    const traffic_message *messages; /* [count] */
    int64_t count;
    const messages_of_frame *schedule; /* of the rounds and the gathering; NULL: none */
    traffic_side sides[TRAFFIC_RUNS];
    bool has_pieces; /* the page may show memories */
} traffic_page;

/* The positions that have a row: every n-th one, so that rows are at most 512. Local. */
int traffic_row_step(int size);

/*
 * The tables of a page: "tick" (s), "rows" (every n-th position has one), "last" (the
 * round of the gathering), "table" or "matrix", "pieces", and the runs "measured" and
 * "planned". A new reference, NULL without memory. Local.
 */
json_t *traffic_describe(const traffic_page *page);

#endif
