/* Inside frame/probe: the bricks that points need. */
#ifndef FRAME_PROBE_BRICKS_H
#define FRAME_PROBE_BRICKS_H

#include "grid/boxes/boxes.h"
#include "io/load/load.h"

/* Marks of all bricks of a layout. */
typedef struct probe_bricks {
    const grid_layout *layout;
    uint8_t *wanted;   /* [layout->nbricks] */
    grid_boxes *boxes; /* of all bricks, slightly widened: coordinates are rounded */
} probe_bricks;

/* Makes marks of no bricks. Local. Errors: STATUS_MEMORY; clear them then, too. */
status probe_bricks_make(const grid_layout *layout, probe_bricks *out);
void probe_bricks_clear(probe_bricks *bricks);

/* Loads the wanted bricks. Collective. Errors: those of io_load_bricks, STATUS_MEMORY. */
status probe_load(MPI_Comm comm, io_source *source, const probe_bricks *bricks,
                  grid_location location, grid_store **out);

#endif
