/* Integrals by the words of options and configs: places, and quantities over them. */
#ifndef FRAME_INTEGRALS_INTEGRALS_H
#define FRAME_INTEGRALS_INTEGRALS_H

#include "frame/measure/measure.h"
#include "wish.h"

/* The name in tables: "plane x=2". Local. */
void frame_integrals_place_name(const frame_integrals_place *place, char *out,
                                size_t size);

/*
 * Checks a place by the names and sizes of blocks[count]; families and names of
 * conditions stay unchecked. Local. Errors: STATUS_USAGE.
 */
status frame_integrals_place_check(const frame_integrals_place *place, int count,
                                   const grid_block *blocks);

/* Finds a place in a grid; levers begin at `about`. Borrows source and layout.
 * Collective. Errors: STATUS_USAGE, and those of frame_measure_create. */
status frame_integrals_place_find(MPI_Comm comm, io_source *source,
                                  const grid_layout *layout,
                                  const frame_integrals_place *place,
                                  const double about[3], frame_measure **out);

/* Checks that data with the fields its[nfields] have all of a wish at each step alone.
 * Local. Errors: those of frame_integrals_create. */
status frame_integrals_check(const frame_integrals_wish *wish, int nfields,
                             const grid_field *its, const grid_terms *terms);

typedef struct frame_integrals frame_integrals;

/* Makes the fields that are integrated. Borrows the source and the wish. Local. Errors:
 * STATUS_USAGE (a field), STATUS_MEMORY. */
status frame_integrals_create(io_source *source, const grid_terms *terms,
                              const frame_integrals_wish *wish, frame_integrals **out);
void frame_integrals_destroy(frame_integrals **integrals);

/* The first field of the wish, borrowed. Local. */
const grid_recipe *frame_integrals_field(const frame_integrals *integrals);

/* Visits the quantities over a place at a step (index); warns once of each field that
 * lacks values. Collective. Errors: STATUS_INPUT, STATUS_MEMORY. */
status frame_integrals_find(frame_integrals *integrals, frame_measure *measure,
                            const frame_integrals_place *place, int step,
                            frame_integrals_visitor *visit, void *context);

#endif
