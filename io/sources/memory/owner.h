/*
 * The owners of values that several parts have.
 *
 * Programs exchange ghosts, and some of their ghosts are stale: those behind edges, say.
 * So the value of a vertex is that of the part in which it lies furthest inside. Along an
 * axis, with ghosts g around parts that share vertices s:
 *
 *     lower part   o o o o s s g          its end: the last ghost
 *     upper part         g s s o o o o    its begin: the first ghost
 *
 * The upper part owns vertices that are as far from its begin as from the lower part's
 * end, or further. So a part that ends with its neighbour's first plane, as with one
 * layer of ghosts that it counts as its own, owns it not.
 */
#ifndef IO_SOURCES_MEMORY_OWNER_H
#define IO_SOURCES_MEMORY_OWNER_H

#include "state.h"

/*
 * Finds what a part owns among all parts of all ranks ([count]). Parts own no value
 * together, but parts that are equal, or one inside another: there the first one counts.
 * `behind` becomes 0 along axes without a gap between the part and the next. Values of
 * odd arrangements may have no owner: any part that has them counts. Local.
 */
void memory_find_own(const memory_extent *all, int count, memory_extent *part);

#endif
