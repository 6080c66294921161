/* Every rank's costs of the tiles of the picture, as JSON. Private to the timings. */
#ifndef IO_TIMINGS_TILES_H
#define IO_TIMINGS_TILES_H

#include "base/status.h"
#include "frame.h"

#include <jansson.h>
#include <mpi.h>

/*
 * Gathers the costs of all ranks on rank 0. There *out is the object `tiles` of
 * docs/user/formats.md, a new reference; NULL on the others. Collective. Errors:
 * STATUS_MEMORY, the same on every rank.
 */
status io_timings_describe_tiles(MPI_Comm comm, const io_tile_costs *mine, json_t **out);

#endif
