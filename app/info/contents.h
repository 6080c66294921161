/* The contents of a file of karman's own layout, or of a config's data, for `karman
 * info`. */
#ifndef APP_INFO_CONTENTS_H
#define APP_INFO_CONTENTS_H

#include "io/load/load.h"
#include "ranges.h"

#include <jansson.h>

/* Bytes of a vertex while rendering: three coordinates and the scalar in float32, and
 * flags. */
enum { BYTES_PER_VERTEX = 17 };

/* The range of a field; lo > hi if no value is finite. */
typedef struct field_range {
    double range[2];
    int first, last; /* first and last examined step (index); -1 if none */
} field_range;

/* All printed data. */
typedef struct info {
    io_source *source;
    grid_layout *layout;
    field_range *ranges; /* [fields of the source] */
} info;

/* Finds layout and ranges of an open source. Collective. */
status info_find(MPI_Comm comm, app_info_ranges which, info *in);

/* Whether the blocks of a step are others than those of the step before, or have other
 * sizes. Local. */
bool info_has_other_blocks(const io_source *source, int step);

/* Closes the source and frees the results of info_find. Collective. */
void info_release(info *in);

/* Corners of the grid's bounds in the coordinates of the file. Local. */
box3 info_bounds(const grid_layout *layout);

/* The bytes to render one field. Local. */
int64_t info_memory(const grid_layout *layout);

/* Nodes of 64 GB whose halves hold them: the rest is for pictures and for reading. Local.
 */
int64_t info_nodes(const grid_layout *layout);

/* Local. */
void info_print_text(const info *in, app_info_ranges which);

/* New object; NULL without memory. Local. */
json_t *info_describe(const info *in);

#endif
