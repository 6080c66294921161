/*
 * The particles of a running program: of all its layers of the modes path and streak.
 * They live longer than the jobs of pictures, and move with each step of the program,
 * whether a picture is drawn or not. Layers that ask for the same particles share them.
 *
 * Streamlines need no memory of earlier steps: they belong to the layers themselves.
 */
#ifndef FRAME_PARTICLES_PARTICLES_H
#define FRAME_PARTICLES_PARTICLES_H

#include "io/config/config.h"
#include "io/source.h"
#include "swarm.h"

#include <mpi.h>

typedef struct frame_particles frame_particles;

/* Makes an empty collection; comm is borrowed. Local. Errors: STATUS_MEMORY. */
status frame_particles_create(MPI_Comm comm, frame_particles **out);

/* Local; NULL is fine. */
void frame_particles_destroy(frame_particles **particles);

/*
 * Tells what the layers of a picture ask for from the next step on, instead of what they
 * asked for before. Particles under way go on if seeds, fields or options change; a layer
 * that is gone loses them. Takes no particles from the config but copies. `picture`: its
 * name. Local, the same on every rank. Errors: STATUS_MEMORY; the next step then fails on
 * all ranks, and forgets what all layers have asked for.
 */
status frame_particles_ask(frame_particles *particles, const char *picture,
                           const io_config *config);

/* Whether any layer asks for particles. Local, the same on every rank. */
bool frame_particles_are_asked(const frame_particles *particles);

/* The values that mean "missing", of the config that asked last. Borrowed. Local. */
const io_data_config *frame_particles_data(const frame_particles *particles);

/* Whether a layer's particles belong to a collection. */
bool frame_particles_belong(const io_particles_config *config);

/* Tells that the grid has changed, or that the source is about to be closed: the next
 * step finds the particles' places anew. Local. */
void frame_particles_leave_grid(frame_particles *particles);

/* Tells that the next step comes from another source, of which the layout is known. The
 * particles keep their places, and the field of the last step, if grid and fields are the
 * same. Local, the same on every rank. */
void frame_particles_meet(frame_particles *particles, const io_source *source,
                          const grid_layout *layout);

/* The time of the last step; false if there was none. Local. */
bool frame_particles_now(const frame_particles *particles, double *time);

/*
 * Moves all particles to a step (index) of the source. The first step only releases; a
 * step at the time of the one before just takes up new seeds. If the time goes back, all
 * particles set out anew. If the particles of a layer fail, the others still move; those
 * that have failed set out anew after 1, 2, 4, … further steps, at most 1024. Collective.
 * Errors: the first layer's, or STATUS_INPUT (a time that is not finite).
 */
status frame_particles_step(frame_particles *particles, io_source *source, int step);

/*
 * Writes the particles after the last step, of all ranks, to a file (io/state); does
 * nothing without particles. The same particles give the same bytes on any number of
 * ranks. Collective. Errors: STATUS_OUTPUT, STATUS_MEMORY; an earlier file stays.
 */
status frame_particles_save(frame_particles *particles, const char *path);

/*
 * Goes on with the particles of a file, in place of a first step: the source has the step
 * (index) at which they were saved. Layers are found by picture and place in the list of
 * layers; those that the file lacks set out anew. After a failure all set out anew.
 * Collective. Errors: STATUS_INPUT (no such file, a damaged one, numbers that cannot be,
 * another step), those of frame_particles_step.
 */
status frame_particles_restore(frame_particles *particles, io_source *source, int step,
                               const char *path);

/* The swarm of a layer after the last step; borrowed. Local. Errors: those of the layer's
 * particles in frame_particles_step. */
status frame_particles_find(const frame_particles *particles,
                            const io_particles_config *config, grid_terms terms,
                            frame_swarm **out);

/* Sums over all layers. Local, the same on every rank. */
trace_counts frame_particles_count(const frame_particles *particles);

/* Bytes of the flows on this rank, with the grid around them. Local. */
int64_t frame_particles_bytes(const frame_particles *particles);

/* A message that the user should read, once; NULL: none. Borrowed until the next step.
 * Local, the same on every rank. */
const char *frame_particles_note(frame_particles *particles);

#endif
