/* Particles in a file of a state (io/state): swarms that sleep, with the layers that show
 * them. docs/user/formats.md describes the file. All of it is for one rank; local. */
#ifndef FRAME_PARTICLES_SAVED_H
#define FRAME_PARTICLES_SAVED_H

#include "io/state/state.h"
#include "state.h"

/* The step and the grid of a saved state. */
typedef struct saved_about {
    int64_t cycle;
    double time;
    bool same_grid; /* blocks have the names and sizes of the layout */
} saved_about;

/* Writes a collection whose swarms have snapshots with all particles of all ranks.
 * Errors: STATUS_MEMORY. */
status saved_put(const frame_particles *p, io_state *state);

/*
 * Reads swarms into *lives ([*count], malloc'ed; owners, mode and swarm are set). The
 * caller frees them with particles_live_clear, also after a failure. Errors: STATUS_INPUT
 * (numbers that cannot be), STATUS_MEMORY.
 */
status saved_get(const io_state *state, const grid_layout *layout, saved_about *about,
                 int *count, particles_live **lives);

#endif
