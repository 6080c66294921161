/* Plans: what a layer of particles asks for, apart from its looks. */
#ifndef FRAME_PARTICLES_PLAN_H
#define FRAME_PARTICLES_PLAN_H

#include "base/status.h"
#include "io/config/config.h"

#include <stdbool.h>
#include <stdint.h>

/* The members of a config that decide about the ways of particles: mode, seeds, velocity,
 * every, trail, direction, length, max_steps, tolerance, and the field of color_by. All
 * else is zero. */
typedef struct frame_plan {
    io_particles_config config;
    grid_terms terms; /* for derived fields */
} frame_plan;

/* Copies the plan of a layer. Local. Errors: STATUS_MEMORY; *out is then empty. */
status frame_plan_copy(const io_particles_config *config, grid_terms terms,
                       frame_plan *out);
void frame_plan_clear(frame_plan *plan);

/* The field that colours the particles, or NULL. Local. */
const char *frame_plan_field(const io_particles_config *config);

/* Whether two layers ask for the same particles. */
bool frame_plan_is_same(const frame_plan *plan, const io_particles_config *config,
                        grid_terms terms);

/* Whether they follow the same velocity and record the same field. */
bool frame_plan_has_flow(const frame_plan *plan, const frame_plan *other);

/* The number of seeds of a list, and of the first `upto` lists. Local. */
int64_t frame_seeds_count(const io_seed_config *seeds);
int64_t frame_plan_seeds(const io_particles_config *config, int upto);

/* Copies a list of seeds. Local. Errors: STATUS_MEMORY; *out is then empty. */
status frame_seeds_copy(const io_seed_config *seeds, io_seed_config *out);
void frame_seeds_clear(io_seed_config *seeds);
bool frame_seeds_are_same(const io_seed_config *a, const io_seed_config *b);

#endif
