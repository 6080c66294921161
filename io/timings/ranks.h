/* Measurements of every rank in a frame, as arrays of JSON. Private to the timings. */
#ifndef IO_TIMINGS_RANKS_H
#define IO_TIMINGS_RANKS_H

#include "frame.h"

#include <jansson.h>

/* The message of a rank to rank 0: plain bytes, since all ranks run the same program. */
typedef struct io_timings_record {
    io_frame_times times; /* start times are on the clock of rank 0 */
    io_frame_counts counts;
} io_timings_record;

/* The name of a stage in the file. */
const char *io_timings_stage_name(io_stage stage);

/*
 * An object of arrays, [ranks] each: start of each stage in seconds after `begin`; wall,
 * cpu and waited seconds of the stages; counts; the rectangle with active pixels. NULL
 * without memory. Local.
 */
json_t *io_timings_describe_ranks(int ranks, const io_timings_record *records,
                                  double begin);

#endif
