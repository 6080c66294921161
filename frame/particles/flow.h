/* Flows: the velocity that particles follow, and a field that colours them, at the
 * vertices of this rank's bricks. */
#ifndef FRAME_PARTICLES_FLOW_H
#define FRAME_PARTICLES_FLOW_H

#include "grid/recipe.h"
#include "io/load/load.h"
#include "trace/velocity.h"

#include <mpi.h>

/* What keeps the flow of the step before. */
typedef enum frame_flow_kind {
    APP_FLOW_STEADY, /* there is only the present flow: streamlines */
    APP_FLOW_PAIRS,  /* two steps stay in memory: files */
    APP_FLOW_LIVE    /* one step stays in memory between two steps: running programs */
} frame_flow_kind;

typedef struct frame_flow frame_flow;

/* The recipes of u, v, w and of the field (NULL: none), at vertices. */
typedef struct frame_flow_recipes {
    grid_recipe *of[TRACE_COMPONENTS];
} frame_flow_recipes;

void frame_flow_recipes_clear(frame_flow_recipes *recipes);

/*
 * Makes a flow on the bricks of a list, all zero. It takes the recipes, also on failure.
 * The layout of the list must live as long. Collective. Errors: those of io_load_bricks,
 * STATUS_MEMORY.
 */
status frame_flow_create(MPI_Comm comm, io_source *source, const io_load_list *list,
                         frame_flow_kind kind, frame_flow_recipes *recipes,
                         frame_flow **out);

/* Local; NULL is fine. */
void frame_flow_destroy(frame_flow **flow);

/* Called for each component that was loaded: its recipe, and the store that holds it.
 * Local. */
typedef void frame_flow_look(void *context, int component, const grid_recipe *recipe,
                             int step, const grid_store *store);

/*
 * Loads a step (index): the present flow becomes the previous one. `look` may be NULL.
 * Collective. Errors: those of io_load_field, STATUS_MEMORY.
 */
status frame_flow_load(frame_flow *flow, io_source *source, int step,
                       frame_flow_look *look, void *context);

/* Gives the memory of the previous step back, if the kind is live: call it when all
 * particles have come to the present step. Local. */
void frame_flow_rest(frame_flow *flow);

const trace_velocity *frame_flow_velocity(const frame_flow *flow);

/* Bytes on this rank: of the velocity with the field, and of the grid around them.
 * Local. */
void frame_flow_bytes(const frame_flow *flow, int64_t *values, int64_t *grid);

#endif
