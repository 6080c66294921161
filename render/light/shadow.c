#include "shadow.h"

#include <math.h>

/* ---- Places ------------------------------------------------------------------------ */

bool render_shadow_place(const shadow_view *view, vec3 point, double place[2],
                         double *depth)
{
    const vec3 from = vec3_sub(point, view->eye);
    *depth = vec3_dot(from, view->forward);
    const double per = view->is_perspective ? 1.0 / *depth : 1.0;
    place[0] = 0.5 + view->scale[0] * vec3_dot(from, view->right) * per;
    place[1] = 0.5 + view->scale[1] * vec3_dot(from, view->down) * per;
    return !view->is_perspective || *depth > 0.0;
}

static double project(const float to[4], vec3 point)
{
    double sum = (double)to[3];
    for (int n = 0; n < 3; n++) {
        sum += (double)to[n] * point.v[n];
    }
    return sum;
}

double render_shadow_through(const shadow_grid *grid, vec3 point)
{
    if (!grid->values) {
        return 1.0;
    }
    int64_t lowest = 0, stride = 1;
    double share[3];
    const double per =
        grid->is_perspective ? 1.0 / fmax(project(grid->divisor, point), 1e-30) : 1.0;
    for (int n = 0; n < 3; n++) {
        const double most = grid->n[n] - 1;
        const double along = project(grid->to[n], point) * (n < 2 ? per : 1.0);
        const double within = fmin(fmax(along, 0.0), most);
        const double lower = fmin(floor(within), most - 1.0);
        share[n] = within - lower;
        lowest += (int64_t)lower * stride;
        stride *= grid->n[n];
    }
    double sum = 0.0;
    for (int corner = 0; corner < 8; corner++) {
        const int64_t row = (int64_t)grid->n[0] * (corner >> 1 & 1) +
                            (int64_t)grid->n[0] * grid->n[1] * (corner >> 2);
        double weight = 1.0;
        for (int n = 0; n < 3; n++) {
            weight *= corner >> n & 1 ? share[n] : 1.0 - share[n];
        }
        sum += weight * (double)grid->values[lowest + row + (corner & 1)];
    }
    return sum;
}

/* ---- Filtering --------------------------------------------------------------------- */

/* Radii of filters, in texels: of lights, of the sky's maps, whose single shadows should
 * not show, and the widest. */
static const double SHARP = 1.8, SMOOTH = 2.7, WIDEST = 12.0;

/* A point of a surface in a map. */
typedef struct shadow_point {
    double x, y; /* in texels */
    double depth;
    double slope[2]; /* change of the surface's depth from texel to texel */
    double bias;     /* depths nearer than this are those of the surface itself */
    double reach;    /* occluders farther away count nothing; INFINITY: all do */
} shadow_point;

/* How much a hit in front of a receiver occludes. */
static inline double occlusion(const shadow_point *p, const shadow_hit *hit, double depth)
{
    const double gap = depth - p->bias - (double)hit->depth;
    if (!(gap > 0.0)) {
        return 0.0;
    }
    const double near = gap < p->bias ? gap / p->bias : 1.0, part = gap / p->reach;
    return part < 1.0 ? (double)hit->alpha * near * (1.0 - part * part) : 0.0;
}

/* Sums over the texels around a point, weighted by their distance. */
typedef struct shadow_sums {
    double weight, passing; /* of light */
    double blocked, gap;    /* of occlusion, and that times the depth from occluders */
} shadow_sums;

static inline void add_texel(const shadow_map *map, const shadow_point *p, double weight,
                             double depth, const shadow_hit *hits, shadow_sums *sums)
{
    double passing = 1.0;
    /* Hits further on are farther away, too. */
    for (int n = 0; n < map->nhits && (double)hits[n].depth < depth - p->bias; n++) {
        const double part = occlusion(p, &hits[n], depth);
        passing *= 1.0 - part;
        sums->blocked += weight * part;
        sums->gap += weight * part * (depth - (double)hits[n].depth);
    }
    sums->weight += weight;
    sums->passing += weight * passing;
}

static int clamp_index(double x, int count)
{
    return x < 0.0 ? 0 : x > count - 1 ? count - 1 : (int)x;
}

/* Sums over a disc; weights fall to 0 at its rim. */
static shadow_sums filter(const shadow_map *map, const shadow_point *p, double radius)
{
    shadow_sums sums = {0};
    const int x0 = clamp_index(ceil(p->x - 0.5 - radius), map->width);
    const int x1 = clamp_index(floor(p->x - 0.5 + radius), map->width);
    const int y0 = clamp_index(ceil(p->y - 0.5 - radius), map->height);
    const int y1 = clamp_index(floor(p->y - 0.5 + radius), map->height);
    const double per = 1.0 / (radius * radius);
    for (int y = y0; y <= y1; y++) {
        const double down = y + 0.5 - p->y;
        for (int x = x0; x <= x1; x++) {
            const double across = x + 0.5 - p->x;
            const double weight = 1.0 - per * (across * across + down * down);
            if (weight > 0.0) {
                const double depth = p->depth + p->slope[0] * across + p->slope[1] * down;
                add_texel(map, p, weight * weight, depth,
                          map->hits + ((int64_t)y * map->width + x) * map->nhits, &sums);
            }
        }
    }
    return sums;
}

/* Finds a point of a surface in a map; false where the map shows nothing. The depths of
 * the plane across `normal` are those of the receiver at the texels around. */
static bool find_point(const shadow_map *map, vec3 point, vec3 normal, double reach,
                       shadow_point *out)
{
    const shadow_view *view = &map->view;
    double place[2];
    if (!map->hits || !render_shadow_place(view, point, place, &out->depth) ||
        !(place[0] >= 0.0 && place[0] <= 1.0 && place[1] >= 0.0 && place[1] <= 1.0)) {
        return false;
    }
    const double steepest = 8.0;
    const double size = map->texel * (view->is_perspective ? out->depth : 1.0);
    const vec3 along = view->is_perspective
                           ? vec3_scale(vec3_sub(point, view->eye), 1.0 / out->depth)
                           : view->forward;
    const double facing = fabs(vec3_dot(normal, along));
    const double sign = vec3_dot(normal, along) < 0.0 ? -1.0 : 1.0;
    const double across[2] = {vec3_dot(normal, view->right),
                              vec3_dot(normal, view->down)};
    double steep = 0.0;
    for (int n = 0; n < 2; n++) {
        const double slope = -sign * across[n] / fmax(facing, 1e-3);
        out->slope[n] = size * fmin(fmax(slope, -steepest), steepest);
        steep += fabs(out->slope[n]);
    }
    out->x = place[0] * map->width;
    out->y = place[1] * map->height;
    out->bias = 0.7 * size + 0.4 * steep;
    out->reach = reach;
    return true;
}

/* The part of a light that comes past surfaces to a point. */
static double past_surfaces(const shadow_map *map, const shadow_point *p, double sharpest)
{
    double radius = sharpest;
    if (map->softness > 0.0) {
        const double size = map->texel * (map->view.is_perspective ? p->depth : 1.0);
        const double per = 0.5 * map->softness / size;
        const shadow_sums near =
            filter(map, p, fmin(SHARP + per * fabs(p->depth), WIDEST));
        if (!(near.blocked > 0.0)) {
            return 1.0;
        }
        radius = fmin(SHARP + per * near.gap / near.blocked, WIDEST);
    }
    const shadow_sums sums = filter(map, p, radius);
    return sums.weight > 0.0 ? sums.passing / sums.weight : 1.0;
}

/* ---- Light ------------------------------------------------------------------------- */

double render_shadow_of_light(const render_shadows *shadows, int n, vec3 point,
                              vec3 normal)
{
    const shadow_map *map = &shadows->lights[n];
    shadow_point p;
    double light = render_shadow_through(&map->through, point);
    if (find_point(map, point, normal, INFINITY, &p)) {
        light *= past_surfaces(map, &p, SHARP);
    }
    return 1.0 - (double)shadows->strength * (1.0 - light);
}

double render_shadow_of_sky(const render_shadows *shadows, vec3 point, vec3 normal,
                            vec3 to_viewer)
{
    const double side = vec3_dot(normal, to_viewer) < 0.0 ? -1.0 : 1.0;
    double weight = 0.0, light = 0.0;
    for (int n = 0; n < shadows->nsky; n++) {
        const shadow_map *map = &shadows->sky[n];
        const double facing = -side * vec3_dot(normal, map->view.forward);
        shadow_point p;
        if (!(facing > 0.0)) {
            continue;
        }
        weight += facing;
        light += facing * (find_point(map, point, normal, shadows->reach, &p)
                               ? past_surfaces(map, &p, SMOOTH)
                               : 1.0);
    }
    light = weight > 0.0 ? light / weight : 1.0;
    light *= render_shadow_through(&shadows->sky_through, point);
    return 1.0 - (double)shadows->occlusion * (1.0 - light);
}

/* ---- Making maps ------------------------------------------------------------------- */

void render_shadow_add(int nhits, shadow_hit *hits, shadow_hit hit)
{
    for (int n = 0; n < nhits; n++) {
        if (hit.depth == hits[n].depth && hit.alpha == hits[n].alpha) {
            return;
        }
        const bool is_first = hit.depth < hits[n].depth ||
                              (hit.depth == hits[n].depth && hit.alpha > hits[n].alpha);
        if (is_first) {
            const shadow_hit behind = hits[n];
            hits[n] = hit;
            hit = behind;
        }
    }
}

double render_shadow_at(const shadow_map *map, vec3 point, double reach)
{
    double place[2];
    shadow_point p = {.reach = reach};
    if (!map->hits || !render_shadow_place(&map->view, point, place, &p.depth)) {
        return 1.0;
    }
    p.x = place[0] * map->width;
    p.y = place[1] * map->height;
    p.bias = map->texel * (map->view.is_perspective ? p.depth : 1.0);
    const shadow_sums sums = filter(map, &p, SHARP);
    return sums.weight > 0.0 ? sums.passing / sums.weight : 1.0;
}

/* The part of the light that comes past the hits of a texel to a depth, smoothed over the
 * distance of planes. */
static double past_hits(const shadow_map *map, const shadow_hit *hits, double depth)
{
    double passing = 1.0;
    for (int n = 0; n < map->nhits && hits[n].depth < INFINITY; n++) {
        const double gap = (depth - (double)hits[n].depth) / map->planes[1];
        passing *= 1.0 - (double)hits[n].alpha * fmin(fmax(gap, 0.0), 1.0);
    }
    return passing;
}

void render_shadow_join(const shadow_map *map, int row)
{
    enum { PARTS = 4 }; /* texels along a side of a grid's cell that are looked at */
    const shadow_grid *all = &map->all;
    const int64_t plane = (int64_t)all->n[0] * all->n[1];
    for (int column = 0; column < all->n[0]; column++) {
        const shadow_hit *hits[PARTS * PARTS];
        for (int part = 0; part < PARTS * PARTS; part++) {
            const int across = part % PARTS, down = part / PARTS;
            const double x = (column + (across + 0.5) / PARTS) / all->n[0];
            const double y = (row + (down + 0.5) / PARTS) / all->n[1];
            const int64_t texel =
                (int64_t)clamp_index(y * map->height, map->height) * map->width +
                clamp_index(x * map->width, map->width);
            hits[part] = map->hits + texel * map->nhits;
        }
        for (int n = 0; n < all->n[2]; n++) {
            const int64_t at = plane * n + (int64_t)all->n[0] * row + column;
            double sum = 0.0;
            for (int part = 0; part < PARTS * PARTS; part++) {
                sum += past_hits(map, hits[part], map->planes[0] + n * map->planes[1]);
            }
            const float through = map->through.values ? map->through.values[at] : 1.0f;
            all->values[at] = through * (float)(sum / (PARTS * PARTS));
        }
    }
}
