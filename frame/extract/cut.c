/* Polygons lose their corners outside of one plane or sphere after the other (Sutherland
 * and Hodgman 1974), lines their points there; each part of a line that stays is a line.
 *
 *     a ──── b ─ · c      c is outside: the cut · of b and c takes its place */
#include "cut.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One cut. */
typedef struct cutting {
    const render_geometry *from;
    const double *inside; /* [from->npoints]: 0 or more: inside */
    int64_t *moved;       /* [from->npoints]: the point in `to`, or -1 */
    render_geometry to;
} cutting;

static double distance_of(const float point[3], vec3 center)
{
    return vec3_length(vec3_make((double)point[0] - center.v[0],
                                 (double)point[1] - center.v[1],
                                 (double)point[2] - center.v[2]));
}

static bool is_inside(const cutting *c, int64_t point)
{
    return c->inside[point] >= 0.0;
}

static void add_index(cutting *c, int64_t point)
{
    c->to.indices[c->to.nindices++] = point;
}

/* Adds a point that stays. */
static void keep(cutting *c, int64_t point)
{
    if (c->moved[point] < 0) {
        c->moved[point] = c->to.npoints;
        memcpy(c->to.points[c->to.npoints], c->from->points[point], sizeof(float[3]));
        if (c->to.values && !c->to.in_cells) {
            c->to.values[c->to.npoints] = c->from->values[point];
        }
        c->to.npoints++;
    }
    add_index(c, c->moved[point]);
}

static float blend(float a, float b, double share)
{
    return (float)((double)a + share * ((double)b - (double)a));
}

/* Adds the cut of an edge, always reckoned from its inner end. */
static void cut_edge(cutting *c, int64_t a, int64_t b)
{
    const int64_t in = is_inside(c, a) ? a : b, out = in == a ? b : a;
    const double share = c->inside[in] / (c->inside[in] - c->inside[out]);
    for (int axis = 0; axis < 3; axis++) {
        c->to.points[c->to.npoints][axis] =
            blend(c->from->points[in][axis], c->from->points[out][axis], share);
    }
    if (c->to.values && !c->to.in_cells) {
        c->to.values[c->to.npoints] =
            blend(c->from->values[in], c->from->values[out], share);
    }
    add_index(c, c->to.npoints++);
}

/* Ends a part that has begun at index `first`; with too few points there is none. */
static void end_part(cutting *c, int64_t part, int64_t first)
{
    const int64_t least = c->to.are_lines ? 2 : 3;
    if (c->to.nindices - first < least) {
        c->to.nindices = first;
        return;
    }
    if (c->to.values && c->to.in_cells) {
        c->to.values[c->to.nparts] = c->from->values[part];
    }
    c->to.ends[c->to.nparts++] = c->to.nindices;
}

static void cut_part(cutting *c, int64_t part, int64_t begin, int64_t end)
{
    const int64_t *index = c->from->indices;
    int64_t first = c->to.nindices;
    for (int64_t n = begin; n < end; n++) {
        const int64_t next = n + 1 < end ? n + 1 : begin;
        const bool stays = is_inside(c, index[n]);
        if (stays) {
            keep(c, index[n]);
        }
        if (c->to.are_lines && next == begin) {
            break;
        }
        if (stays != is_inside(c, index[next])) {
            cut_edge(c, index[n], index[next]);
            if (c->to.are_lines && stays) {
                end_part(c, part, first);
                first = c->to.nindices;
            }
        }
    }
    end_part(c, part, first);
}

/* Takes what `inside` leaves; frees it. */
static status cut_by(double *inside, render_geometry *geometry)
{
    cutting c = {.from = geometry,
                 .inside = inside,
                 .moved = malloc(((size_t)geometry->npoints + 1) * sizeof *c.moved),
                 .to = {.are_lines = geometry->are_lines,
                        .in_cells = geometry->in_cells,
                        .npoints = geometry->npoints + geometry->nindices,
                        .nindices = 2 * geometry->nindices,
                        .nparts = geometry->nparts + geometry->nindices}};
    status s = c.moved && inside
                   ? render_geometry_reserve(&c.to, geometry->values != NULL)
                   : base_fail_memory((size_t)geometry->npoints * 8, "a cut");
    if (s == STATUS_OK) {
        c.to.npoints = c.to.nindices = c.to.nparts = 0;
        for (int64_t n = 0; n < geometry->npoints; n++) {
            c.moved[n] = -1;
        }
        for (int64_t part = 0; part < geometry->nparts; part++) {
            cut_part(&c, part, part > 0 ? geometry->ends[part - 1] : 0,
                     geometry->ends[part]);
        }
    }
    render_geometry_clear(geometry);
    *geometry = c.to;
    free(c.moved);
    free(inside);
    return s;
}

static double *make_room(const render_geometry *geometry)
{
    return malloc(((size_t)geometry->npoints + 1) * sizeof(double));
}

status extract_cut(const render_cuts *cuts, render_geometry *geometry)
{
    status s = STATUS_OK;
    for (int k = 0; k < cuts->count && s == STATUS_OK; k++) {
        const render_cut *plane = &cuts->planes[k];
        double *inside = make_room(geometry);
        for (int64_t n = 0; n < geometry->npoints && inside; n++) {
            const float *p = geometry->points[n];
            const vec3 at = vec3_make((double)p[0], (double)p[1], (double)p[2]);
            inside[n] = vec3_dot(plane->normal, at) - plane->offset;
        }
        s = cut_by(inside, geometry);
    }
    for (int k = 0; k < cuts->nspheres && s == STATUS_OK; k++) {
        const render_sphere *sphere = &cuts->spheres[k];
        double *inside = make_room(geometry);
        for (int64_t n = 0; n < geometry->npoints && inside; n++) {
            inside[n] = sphere->radius - distance_of(geometry->points[n], sphere->center);
        }
        s = cut_by(inside, geometry);
    }
    return s;
}
