/* The faces of boundary conditions, as ranges of a surface. */
#ifndef FRAME_SCENE_CONDITIONS_H
#define FRAME_SCENE_CONDITIONS_H

#include "grid/layout.h"
#include "io/source.h"
#include "render/surface/surface.h"

/* Conditions that are looked for. */
typedef struct frame_conditions_wish {
    const char *family; /* NULL: of any */
    const char *bc;     /* name or type; NULL: any */
    const char *either; /* a family, or a name or type; NULL: any */
    bool walls;         /* only walls */
    int block;          /* of this block and its copies; -1: of all */
} frame_conditions_wish;

/*
 * Finds the faces of the conditions that meet the wish. *out is freed, and becomes
 * [*count], the caller's. Local, the same on all ranks. Errors: STATUS_USAGE: there are
 * no such conditions; STATUS_MEMORY.
 */
status frame_conditions_find(const io_source *source, const grid_layout *layout,
                             const frame_conditions_wish *wish, int *count,
                             surface_range **out);

#endif
