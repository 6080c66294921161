/* Drawing tiles: finds the entries of a tile's rays in the boundary faces that its pixels
 * may see, then follows the rays. Rays of tiles with few of them are followed together,
 * and rays with kept ways go along these. Private to draw.c. */
#ifndef RENDER_TILE_DRAW_H
#define RENDER_TILE_DRAW_H

#include "tile_part.h"

/* Data with which a thread draws tiles, one after the other or several at a time. */
typedef struct tile_scratch tile_scratch;

/* Returns NULL without memory. Local. */
tile_scratch *render_tile_scratch_create(const volume_job *job);

/* Draws a tile, perhaps together with the next ones. Local; a tile belongs to one
 * thread. */
void render_tile_draw(const volume_job *job, int64_t tile, tile_scratch *scratch);

/* Draws what is left of a thread's tiles; adds to the counters, and grows *active around
 * all tiles with something visible. Returns false if memory has run out. Local; for each
 * thread of a team. */
bool render_tile_finish(const volume_job *job, tile_scratch *scratch,
                        render_counters *counters, pixel_rect *active);

void render_tile_scratch_destroy(tile_scratch *scratch);

#endif
