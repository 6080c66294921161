/* All layers as rows: the corners of polygons and the points of lines, in their order. */
#include "layer_part.h"

#include <inttypes.h>

/* The parts of the ranks before this one. */
static int64_t count_before(const extract_layer *of)
{
    int64_t before = 0;
    for (int rank = 0; rank < of->scene->rank; rank++) {
        before += of->sizes[rank].parts;
    }
    return before;
}

status extract_rows_print(const extract_layer *of, bool has_head, FILE *out)
{
    const render_geometry *g = &of->geometry;
    const vec3 origin = of->scene->layout->origin;
    const int64_t before = count_before(of);
    if (has_head && of->scene->rank == 0) {
        fprintf(out, "layer,part,x,y,z,field,value\n");
    }
    int64_t at = 0;
    for (int64_t part = 0; part < g->nparts; part++) {
        for (; at < g->ends[part]; at++) {
            const int64_t n = g->indices[at];
            fprintf(out, "%s,%" PRId64 ",%.9g,%.9g,%.9g,%s,", of->name, before + part,
                    (double)g->points[n][0] + origin.v[0],
                    (double)g->points[n][1] + origin.v[1],
                    (double)g->points[n][2] + origin.v[2], of->values);
            if (g->values) {
                fprintf(out, "%.9g", (double)g->values[g->in_cells ? part : n]);
            }
            fputc('\n', out);
        }
    }
    return ferror(out) ? base_fail_memory(0, "the rows of a layer") : STATUS_OK;
}
