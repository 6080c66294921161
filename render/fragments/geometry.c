#include "geometry.h"

#include <stdlib.h>

status render_geometry_reserve(render_geometry *out, bool has_values)
{
    const size_t points = (size_t)out->npoints + 1, parts = (size_t)out->nparts + 1,
                 indices = (size_t)out->nindices + 1;
    out->points = malloc(points * sizeof *out->points);
    out->indices = malloc(indices * sizeof *out->indices);
    out->ends = malloc(parts * sizeof *out->ends);
    out->values = has_values
                      ? malloc((out->in_cells ? parts : points) * sizeof *out->values)
                      : NULL;
    out->limited = malloc(points * (size_t)out->nlimited * sizeof *out->limited + 1);
    out->origins = NULL;
    if (out->points && out->indices && out->ends && (out->values || !has_values) &&
        out->limited) {
        return STATUS_OK;
    }
    render_geometry_clear(out);
    return base_fail_memory(points * 16 + indices * 8, "the geometry of a layer");
}

void render_geometry_clear(render_geometry *geometry)
{
    free(geometry->points);
    free(geometry->values);
    free(geometry->limited);
    free(geometry->origins);
    free(geometry->indices);
    free(geometry->ends);
    *geometry = (render_geometry){.npoints = 0};
}
