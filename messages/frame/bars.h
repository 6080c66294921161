/* Bars and numbers in the form in which a page has them. Private to the traffic. */
#ifndef MESSAGES_FRAME_BARS_H
#define MESSAGES_FRAME_BARS_H

#include "notes.h"

#include <jansson.h>

/* The largest time of a page: 16 bits. */
enum { TRAFFIC_TICKS = 65535 };

/* A time in ticks of so many s, within 0 to TRAFFIC_TICKS. Local. */
int traffic_tick(double seconds, double tick);

/* Numbers of 2 or 4 bytes, the lowest byte first, as base64: a new reference, NULL
 * without memory. Larger values become the largest one. Local. */
json_t *traffic_pack(int64_t count, const double *values, int bytes);

/*
 * The bars of each position, [size] counts and pairs of ticks, packed: {"counts",
 * "ticks"}. Those of a position with gaps below `gap` are joined. Sorts them. *count is
 * their number. A new reference, NULL without memory. Local.
 */
json_t *traffic_bars_describe(traffic_bars *bars, int size, double tick, double gap,
                              int64_t *count);

#endif
