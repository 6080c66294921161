/* The timings file: JSON with one record per frame. */
#ifndef IO_TIMINGS_H
#define IO_TIMINGS_H

#include "base/status.h"

#include <mpi.h>
#include <stdint.h>

/* Seconds of one frame on one rank, by stage. */
typedef struct io_stage_times {
    double load, render, composite, finish, write, total;
} io_stage_times;

/* What one rank counted in one frame. */
typedef struct io_frame_counts {
    int64_t rays, crossings, lost_rays, nan_cells;
    int64_t active_pixels;
    int64_t messages_sent, bytes_sent;
    int64_t cells_held;
    int64_t peak_memory; /* bytes */
    int threads;
} io_frame_counts;

typedef struct io_timings io_timings;

/* `version` and `command` end up in the head of the file. Collective; only rank 0 keeps
 * anything. Errors: STATUS_MEMORY. */
status io_timings_create(MPI_Comm comm, const char *version, const char *config_path,
                         io_timings **out);
void io_timings_destroy(io_timings **timings);

/*
 * Adds a frame: min, mean, max over ranks of every stage, imbalance (max / mean), sums of the
 * counts, crossings per second and core of the render stage, peak memory per rank. Collective.
 */
status io_timings_add(io_timings *timings, int64_t step, double time, const char *picture,
                      const io_stage_times *times, const io_frame_counts *counts);

/* Writes the file (temporary name, then rename). Collective. Errors: STATUS_OUTPUT, the same on
 * every rank. */
status io_timings_write(io_timings *timings, const char *path);

#endif
