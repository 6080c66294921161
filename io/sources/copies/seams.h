/*
 * Seams of copies: vertices at ends of blocks that lie on vertices of the next copy, but
 * for a small gap. Both are drawn at one place, bit by bit, so that no ray is lost there.
 */
#ifndef IO_SOURCES_COPIES_SEAMS_H
#define IO_SOURCES_COPIES_SEAMS_H

#include "places.h"

typedef struct copies_seams copies_seams;

/*
 * Finds the seams of the data's grid at a step (index). Two vertices are one if they are
 * at most a thousandth of the shortest edge apart, or the rounding of float32 (5e-7 of
 * the coordinates), which may be up to a quarter of that edge. `places` is borrowed.
 * Collective if the data is read so. Errors are local: STATUS_INPUT, STATUS_MEMORY.
 */
status copies_seams_find(io_source *data, int step, const copies_places *places,
                         copies_seams **out);
void copies_seams_destroy(copies_seams **seams);

/* Says in the log how wide the gaps are, or that copies do not meet. */
void copies_seams_say(const copies_seams *seams, const char *path);

/* Puts the vertices of seams in a box of a copy of a block to their places: coordinate
 * `axis` of them. Local. */
void copies_seams_put(const copies_seams *seams, const copies_place *place,
                      const io_box *box, int axis, double *out);

#endif
