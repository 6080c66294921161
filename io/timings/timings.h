/* The timings file: JSON with one record per frame. */
#ifndef IO_TIMINGS_TIMINGS_H
#define IO_TIMINGS_TIMINGS_H

#include "base/events.h"
#include "base/status.h"

#include <mpi.h>
#include <stdint.h>

/* Stages of a frame, in their order. */
typedef enum io_stage {
    IO_STAGE_LOAD,
    IO_STAGE_RENDER,
    IO_STAGE_COMPOSITE,
    IO_STAGE_FINISH,
    IO_STAGE_WRITE,
    IO_STAGES
} io_stage;

/* What one stage of one frame took on one rank, in seconds. */
typedef struct io_stage_time {
    double begin; /* on base_clock of this rank */
    double wall;
    double cpu;    /* of all threads of the process (base_cpu_clock) */
    double waited; /* of cpu: polling for other ranks (parallel_waited) */
} io_stage_time;

/* One frame on one rank. */
typedef struct io_frame_times {
    io_stage_time stages[IO_STAGES];
    double total; /* wall */
} io_frame_times;

/* What one rank counted in one frame. */
typedef struct io_frame_counts {
    int64_t rays, crossings, lost_rays, nan_cells;
    int64_t active_pixels;
    int64_t messages_sent, bytes_sent, bytes_shared;
    int64_t bricks_held, bricks_loaded; /* that a rank may draw; those in memory */
    int64_t cells_held;                 /* in the latter */
    int64_t peak_memory;                /* bytes */
    int64_t active[4]; /* x0, y0, x1, y1 of the half-open rectangle with active pixels */
    int threads;
} io_frame_counts;

/* What the tiles of a picture took of one rank in one frame, in processor seconds. */
typedef struct io_tile_costs {
    int size;              /* pixels along the side of a tile; the first one begins at
                              pixel (0, 0) */
    int columns, rows;     /* tiles that cover the picture, the same on every rank */
    const double *seconds; /* [rows][columns], 0 or more */
    double shared;         /* of their sum: not clocked tile by tile, but shared out */
    double beside;         /* of no tile */
} io_tile_costs;

typedef struct io_timings io_timings;

/*
 * `version` and `config_path` (copied) end up in the head of the file. comm is borrowed.
 * Only rank 0 keeps frames. Local. Errors: STATUS_MEMORY.
 */
status io_timings_create(MPI_Comm comm, const char *version, const char *config_path,
                         io_timings **out);
void io_timings_destroy(io_timings **timings);

/*
 * Adds a frame: every rank's times, with their beginnings on the clock of rank 0, and
 * counts; min, mean, max over ranks of every stage and its imbalance (max / mean),
 * sums of the counts, min, mean, max over ranks of the cells held and of the peak memory.
 * Crossings per second and core are those of all ranks over the sum of their render
 * seconds times threads. `picture` may be NULL; only rank 0's is used. The first call
 * also compares the ranks' clocks (io/timings/place.h). Collective.
 * Errors: STATUS_MEMORY, the same on every rank.
 */
status io_timings_add(io_timings *timings, int64_t step, double time, const char *picture,
                      const io_frame_times *times, const io_frame_counts *counts);

/* Adds to the frame that was added last what its tiles took. Collective. Errors:
 * STATUS_MEMORY, the same on every rank. */
status io_timings_add_tiles(io_timings *timings, const io_tile_costs *costs);

/* Adds to the frame that was added last what ranks did while it was put together.
 * Collective. Errors: STATUS_MEMORY, the same on every rank. */
status io_timings_add_events(io_timings *timings, const base_events *events);

/* Writes the file (temporary name, then rename), with a summary of all frames.
 * Collective. Errors: STATUS_OUTPUT, STATUS_MEMORY, the same on every rank. */
status io_timings_write(io_timings *timings, const char *path);

#endif
