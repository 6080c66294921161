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
    const bool *closed;   /* [from->nparts]: parts that are left out; NULL: none */
    int64_t *moved;       /* [from->npoints]: the point in `to`, or -1 */
    int64_t most;         /* points that `to` has room for */
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

/* Values of points that thresholds limit, before and after the cut. The room of the
 * latter is for `most` points. */
static const float *limited_of(const cutting *c, int n, int64_t point)
{
    return &c->from->limited[n * c->from->npoints + point];
}

static float *limited_at(const cutting *c, int n, int64_t point)
{
    return &c->to.limited[n * c->most + point];
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
        for (int n = 0; n < c->to.nlimited; n++) {
            *limited_at(c, n, c->to.npoints) = *limited_of(c, n, point);
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
    for (int n = 0; n < c->to.nlimited; n++) {
        *limited_at(c, n, c->to.npoints) =
            blend(*limited_of(c, n, in), *limited_of(c, n, out), share);
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

/* Moves the limited values together: there are fewer points than there is room for. */
static void close_ranks(cutting *c)
{
    for (int n = 1; n < c->to.nlimited; n++) {
        memmove(&c->to.limited[n * c->to.npoints], limited_at(c, n, 0),
                (size_t)c->to.npoints * sizeof *c->to.limited);
    }
}

/* Takes what `inside` leaves of parts that are not closed; frees it. */
static status cut_by(double *inside, const bool *closed, render_geometry *geometry)
{
    cutting c = {.from = geometry,
                 .inside = inside,
                 .closed = closed,
                 .most = geometry->npoints + geometry->nindices,
                 .moved = malloc(((size_t)geometry->npoints + 1) * sizeof *c.moved),
                 .to = {.are_lines = geometry->are_lines,
                        .in_cells = geometry->in_cells,
                        .npoints = geometry->npoints + geometry->nindices,
                        .nlimited = geometry->nlimited,
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
            if (!closed || !closed[part]) {
                cut_part(&c, part, part > 0 ? geometry->ends[part - 1] : 0,
                         geometry->ends[part]);
            }
        }
        close_ranks(&c);
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
        s = cut_by(inside, NULL, geometry);
    }
    for (int k = 0; k < cuts->nspheres && s == STATUS_OK; k++) {
        const render_sphere *sphere = &cuts->spheres[k];
        double *inside = make_room(geometry);
        for (int64_t n = 0; n < geometry->npoints && inside; n++) {
            inside[n] = sphere->radius - distance_of(geometry->points[n], sphere->center);
        }
        s = cut_by(inside, NULL, geometry);
    }
    return s;
}

status extract_cut_closed(const bool *closed, render_geometry *geometry)
{
    return cut_by(calloc((size_t)geometry->npoints + 1, sizeof(double)), closed,
                  geometry);
}

status extract_cut_limited(int number, const float limits[2], render_geometry *geometry)
{
    status s = STATUS_OK;
    for (int side = 0; side < 2 && s == STATUS_OK; side++) {
        if (isinf(limits[side])) {
            continue;
        }
        const float *values = &geometry->limited[number * geometry->npoints];
        double *inside = make_room(geometry);
        for (int64_t n = 0; n < geometry->npoints && inside; n++) {
            const double above = (double)values[n] - (double)limits[side];
            inside[n] = isnan(above) ? -(double)INFINITY : side == 0 ? above : -above;
        }
        s = cut_by(inside, NULL, geometry);
    }
    return s;
}
