/* Measurements and counts of one rank in one frame. */
#ifndef IO_TIMINGS_FRAME_H
#define IO_TIMINGS_FRAME_H

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

/* Time of one stage of one frame on one rank, in seconds. */
typedef struct io_stage_time {
    double begin; /* on base_clock of this rank */
    double wall;
    double cpu;    /* of all threads of the process (base_cpu_clock) */
    double waited; /* the part of cpu spent polling for other ranks (parallel_waited) */
} io_stage_time;

/* One frame on one rank. */
typedef struct io_frame_times {
    io_stage_time stages[IO_STAGES];
    double total; /* wall */
} io_frame_times;

/* Counts of one rank in one frame. */
typedef struct io_frame_counts {
    int64_t rays, crossings, lost_rays, nan_cells;
    int64_t active_pixels;
    int64_t messages_sent, bytes_sent, bytes_shared;
    int64_t bricks_held, bricks_loaded; /* bricks assigned to the rank; those in memory */
    int64_t cells_held;                 /* cells of the bricks in memory */
    int64_t peak_memory;                /* bytes */
    int64_t kept_bytes; /* of rays, for later pictures with the same view */
    int64_t active[4];  /* x0, y0, x1, y1 of the half-open rectangle with active pixels */
    int64_t position;   /* in visibility order, 0 in front; -1: images are not blended */
    int64_t node;       /* number of the rank's node: io_timings_add finds it */
    int threads;
} io_frame_counts;

/* Processor seconds of one rank in one frame for each tile of the picture. */
typedef struct io_tile_costs {
    int size; /* pixels along the side of a tile; the first tile begins at pixel (0, 0) */
    int columns, rows;     /* tiles that cover the picture, the same on every rank */
    const double *seconds; /* [rows][columns], 0 or more */
    double shared; /* the part of their sum that was not measured by tile, but distributed
                      over the tiles */
    double beside; /* time that belongs to no tile */
} io_tile_costs;

#endif
