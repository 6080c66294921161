/* The timings file: JSON with one record per frame. */
#ifndef IO_TIMINGS_TIMINGS_H
#define IO_TIMINGS_TIMINGS_H

#include "base/events.h"
#include "base/status.h"
#include "frame.h"

#include <jansson.h>
#include <mpi.h>
#include <stdbool.h>

typedef struct io_timings io_timings;

/*
 * Makes empty timings. `version` and `config_path` (copied) go into the head of the file.
 * comm is borrowed. Only rank 0 keeps frames. Local. Errors: STATUS_MEMORY.
 */
status io_timings_create(MPI_Comm comm, const char *version, const char *config_path,
                         io_timings **out);
void io_timings_destroy(io_timings **timings);

/* How a run composites; zero: images are not blended. */
typedef struct io_timings_composite {
    int width, height;           /* of the picture */
    const char *algorithm;       /* NULL: chosen for the ranks and nodes; borrowed */
    const int *factors;          /* [nfactors], borrowed */
    int nfactors, group, fan_in; /* 0: not given */
    bool by_nodes;               /* ranks of a node merge first */
    int segment;                 /* most pixels of a message; 0: not given */
    const char *encoding;        /* of messages: "auto"; borrowed */
    int samples;                 /* of a pixel; 0: adaptive */
    int gather_bytes; /* bytes of a finished pixel that goes to rank 0 as part of
                         compositing; 0: none does */
} io_timings_composite;

/* Writes the way of compositing into the head of the file. Local. Errors: STATUS_MEMORY.
 */
status io_timings_set_composite(io_timings *timings, const io_timings_composite *how);

/*
 * Adds a frame with every rank's times, which begin on the clock of rank 0, and counts.
 * Of every stage it also has min, mean and max over ranks, and the imbalance (max /
 * mean); of the counts the sums; of the cells held and of the peak memory min, mean and
 * max over ranks. Crossings per second and core are those of all ranks over the sum of
 * their render seconds times threads. `picture` may be NULL; only rank 0's is used. The
 * first call also compares the ranks' clocks (io/timings/place.h). Collective. Errors:
 * STATUS_MEMORY, the same on every rank.
 */
status io_timings_add(io_timings *timings, int64_t step, double time, const char *picture,
                      const io_frame_times *times, const io_frame_counts *counts);

/* How the images of a frame were blended. */
typedef struct io_timings_choice {
    const char *algorithm; /* borrowed, as all texts */
    const char *reason;    /* of the choice: "tuned" */
    const char *encoding;  /* of messages: "auto" */
    const int *factors;    /* [nfactors] */
    int nfactors, group, fan_in, segment;
    bool by_nodes;
    int ncuts;           /* 0: all pixels count the same */
    const int64_t *cuts; /* [ncuts]: composite_cuts.before */
    int positions;       /* in visibility order */
    const bool *late;    /* [positions]: the schedule goes around them; NULL: none */
} io_timings_choice;

/* Adds that to the last frame; only rank 0's counts. Collective. Errors: STATUS_MEMORY,
 * the same on every rank. */
status io_timings_add_choice(io_timings *timings, const io_timings_choice *choice);

/* Adds the costs of the tiles to the last frame. Collective. Errors: STATUS_MEMORY, the
 * same on every rank. */
status io_timings_add_tiles(io_timings *timings, const io_tile_costs *costs);

/* Adds the ranks' compositing events to the last frame. Collective. Errors:
 * STATUS_MEMORY, the same on every rank. */
status io_timings_add_events(io_timings *timings, const base_events *events);

/* On rank 0 *out becomes the contents of the file, a new reference. Local. Errors:
 * STATUS_MEMORY. */
status io_timings_describe(const io_timings *timings, json_t **out);

/* Writes the file (temporary name, then rename), with a summary of all frames.
 * Collective. Errors: STATUS_OUTPUT, STATUS_MEMORY, the same on every rank. */
status io_timings_write(io_timings *timings, const char *path);

#endif
