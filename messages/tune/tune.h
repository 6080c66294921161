/* karman tune: measures the points, and adds their rules to a tuning file. */
#ifndef MESSAGES_TUNE_TUNE_H
#define MESSAGES_TUNE_TUNE_H

#include "base/status.h"

#include <mpi.h>
#include <stdbool.h>

enum {
    TUNE_MOST_SIDES = 16,
    TUNE_LEAST_SIDE = 16,
    TUNE_MOST_SIDE = 16384,
    TUNE_MOST_BYTES = 1 << 29 /* of a vector */
};

typedef struct tune_request {
    const char *config; /* tunes for its last frame; NULL: for squares of `sides` */
    int sides[TUNE_MOST_SIDES]; /* of collectives: bytes of a vector */
    int nsides;
    double budget;    /* s, for all points together */
    bool exhaustive;  /* all trials, instead of SMGD */
    const char *path; /* of the tuning file */
} tune_request;

/*
 * Tunes. Rank 0 prints a line for each point, and adds its rule to the file at once: what
 * an interruption leaves is whole. Points are measured until the budget is used up.
 * Collective. Errors, the same on all ranks: STATUS_USAGE (a single rank; a config that
 * cannot be tuned for); those of frame_render, frame_tuning_add.
 */
status tune_run(MPI_Comm comm, const tune_request *request);

/*
 * Finds the fastest algorithm and segment of a collective of MPI, or of all of them
 * (NULL), for each size; request->config is not used. Otherwise as tune_run. Collective.
 * Errors, the same on all ranks: STATUS_USAGE (a single rank, too many, no such
 * collective); STATUS_INTERNAL if a result is wrong; those of frame_tuning_add.
 */
status tune_collectives(MPI_Comm comm, const tune_request *request, const char *name);

#endif
