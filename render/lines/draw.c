#include "trails.h"

#include "render/kernel/walk.h"
#include "render/light/light.h"
#include "render/light/shadow.h"
#include "trails_bin.h"

#include <math.h>

enum { TILE = FRAGMENTS_TILE, TILE_PIXELS = TILE * TILE };

/* The best hit of a pixel with a line so far. */
typedef struct trail_hit {
    double cover; /* share of the pixel that the line covers; 0: no hit */
    double t;     /* distance from the ray's origin */
    double share; /* place on the segment, 0 at a, 1 at b */
    vec3 normal;  /* unit vector; for lines with a width their direction, or zero */
    const trail_segment *segment;
} trail_hit;

/* Data for one picture. */
typedef struct drawing {
    const render_trails *trails;
    const render_camera *camera;
    trail_bins bins;
} drawing;

/* Data for one tile. */
typedef struct tile_work {
    const drawing *d;
    pixel_rect rect;
    const walk_row *rows;        /* the rays of its rows with drawn pixels */
    trail_hit hits[TILE_PIXELS]; /* with the current line */
    pixel_rect touched;          /* the pixels that may have one */
    fragment_list *list;
} tile_work;

/* ---- Shapes ------------------------------------------------------------------------ */

/* The stretch of a ray inside a body; empty if t0 > t1. */
typedef struct stretch {
    double t0, t1;
} stretch;

static const stretch no_stretch = {INFINITY, -INFINITY};

/* Solves a t^2 + 2 b t + c <= 0. */
static stretch solve(double a, double b, double c)
{
    const double root = b * b - a * c;
    if (!(a > 0.0) || !(root >= 0.0)) {
        return no_stretch;
    }
    return (stretch){(-b - sqrt(root)) / a, (-b + sqrt(root)) / a};
}

static stretch cross_sphere(const render_ray *ray, vec3 center, double radius)
{
    const vec3 from = vec3_sub(ray->origin, center);
    return solve(1.0, vec3_dot(from, ray->direction),
                 vec3_dot(from, from) - radius * radius);
}

/* The cylinder around a to a + along, cut off at its ends. */
static stretch cross_cylinder(const render_ray *ray, vec3 a, vec3 along, double radius)
{
    const vec3 from = vec3_sub(ray->origin, a);
    const double square = vec3_dot(along, along);
    const double speed = vec3_dot(ray->direction, along), start = vec3_dot(from, along);
    /* Components across the axis, all times `square`. */
    stretch s = solve(square - speed * speed,
                      square * vec3_dot(from, ray->direction) - start * speed,
                      square * (vec3_dot(from, from) - radius * radius) - start * start);
    if (speed == 0.0) {
        return start >= 0.0 && start <= square ? s : no_stretch;
    }
    const double t0 = -start / speed, t1 = (square - start) / speed;
    return (stretch){fmax(s.t0, fmin(t0, t1)), fmin(s.t1, fmax(t0, t1))};
}

static void join(stretch *all, stretch s)
{
    if (s.t0 <= s.t1) {
        all->t0 = fmin(all->t0, s.t0);
        all->t1 = fmax(all->t1, s.t1);
    }
}

static double clamp_unit(double x)
{
    return fmin(fmax(x, 0.0), 1.0);
}

/* Hits a segment with round ends. It is convex, so a ray has one stretch in it. */
static bool hit_tube(const render_trails *trails, const render_ray *ray,
                     const trail_segment *segment, trail_hit *hit)
{
    const vec3 a = trail_point(trails, segment->a), b = trail_point(trails, segment->b);
    const vec3 along = vec3_sub(b, a);
    /* An origin close to the segment keeps digits that squares of distances lose. */
    const double near = vec3_dot(vec3_sub(a, ray->origin), ray->direction);
    const render_ray close = {vec3_add(ray->origin, vec3_scale(ray->direction, near)),
                              ray->direction};
    stretch s = cross_sphere(&close, a, trails->radius);
    if (segment->a != segment->b) {
        join(&s, cross_sphere(&close, b, trails->radius));
        join(&s, cross_cylinder(&close, a, along, trails->radius));
    }
    const double t = near + s.t0 > 0.0 ? s.t0 : s.t1;
    if (!(s.t0 <= s.t1) || !(near + t > 0.0)) {
        return false;
    }
    const vec3 point = vec3_add(close.origin, vec3_scale(close.direction, t));
    const vec3 from_a = vec3_sub(point, a);
    const double square = vec3_dot(along, along);
    const double share =
        square > 0.0 ? clamp_unit(vec3_dot(from_a, along) / square) : 0.0;
    *hit =
        (trail_hit){1.0, near + t, share,
                    vec3_normalize(vec3_sub(from_a, vec3_scale(along, share))), segment};
    return true;
}

/* Where a ray meets the surface of a cone: entry and exit, and whether each is on the
 * base.
 */
typedef struct cone_hits {
    stretch at;
    bool on_base[2];
} cone_hits;

static void take_hit(double t, bool on_base, cone_hits *hits)
{
    if (t < hits->at.t0) {
        hits->at.t0 = t;
        hits->on_base[0] = on_base;
    }
    if (t > hits->at.t1) {
        hits->at.t1 = t;
        hits->on_base[1] = on_base;
    }
}

/* The cone with its tip at `tip`, along the unit vector `axis` from base to tip. With q
 * from the tip, its side is q q = k (q axis)^2 for q axis in [-height, 0]. */
static cone_hits cross_cone(const render_ray *ray, vec3 tip, vec3 axis, double height,
                            double radius)
{
    const vec3 q = vec3_sub(ray->origin, tip);
    const double k = 1.0 + (radius / height) * (radius / height);
    const double along = vec3_dot(q, axis), speed = vec3_dot(ray->direction, axis);
    const double a = 1.0 - k * speed * speed;
    const double b = vec3_dot(q, ray->direction) - k * along * speed;
    const double c = vec3_dot(q, q) - k * along * along;
    const double root = b * b - a * c;
    cone_hits hits = {.at = no_stretch};
    for (int n = 0; n < 2 && root >= 0.0 && a != 0.0; n++) {
        const double t = (-b + (n == 0 ? -sqrt(root) : sqrt(root))) / a;
        const double place = along + t * speed;
        if (place <= 0.0 && place >= -height) {
            take_hit(t, false, &hits);
        }
    }
    const double t = speed != 0.0 ? (-height - along) / speed : NAN;
    const vec3 at = vec3_add(q, vec3_scale(ray->direction, t));
    if (vec3_dot(at, at) - height * height <= radius * radius) {
        take_hit(t, true, &hits);
    }
    return hits;
}

/* Hits a cone from a segment's first point to its second. */
static bool hit_cone(const render_trails *trails, const render_ray *ray,
                     const trail_segment *segment, trail_hit *hit)
{
    const vec3 a = trail_point(trails, segment->a), b = trail_point(trails, segment->b);
    const double height = vec3_length(vec3_sub(b, a));
    if (!(height > 0.0)) {
        return false;
    }
    const vec3 axis = vec3_scale(vec3_sub(b, a), 1.0 / height);
    const double near = vec3_dot(vec3_sub(a, ray->origin), ray->direction);
    const render_ray close = {vec3_add(ray->origin, vec3_scale(ray->direction, near)),
                              ray->direction};
    const cone_hits hits = cross_cone(&close, b, axis, height, trails->radius);
    const int end = near + hits.at.t0 > 0.0 ? 0 : 1;
    const double t = end == 0 ? hits.at.t0 : hits.at.t1;
    if (!(hits.at.t0 <= hits.at.t1) || !(near + t > 0.0)) {
        return false;
    }
    const vec3 q = vec3_sub(vec3_add(close.origin, vec3_scale(close.direction, t)), b);
    const double slope = trails->radius / height, along = vec3_dot(q, axis);
    const vec3 side = vec3_sub(q, vec3_scale(axis, (1.0 + slope * slope) * along));
    *hit = (trail_hit){1.0, near + t, clamp_unit(1.0 + along / height),
                       hits.on_base[end] ? axis : vec3_normalize(side), segment};
    return true;
}

/* A segment with a width on the screen. */
typedef struct seen_line {
    const trail_segment *segment;
    bool is_seen;          /* some of it lies in front of the viewer */
    vec3 a, along;         /* its first point, and the way to the second */
    double from, to;       /* the shares of the way that lie in front */
    trail_projection p, q; /* of the ends of this part */
} seen_line;

static seen_line see_line(const drawing *d, const trail_segment *segment)
{
    seen_line line = {.segment = segment, .a = trail_point(d->trails, segment->a)};
    line.along = vec3_sub(trail_point(d->trails, segment->b), line.a);
    line.is_seen =
        trail_clip(d->camera, line.a, vec3_add(line.a, line.along), &line.from, &line.to);
    if (line.is_seen) {
        line.p =
            trail_project(d->camera, vec3_add(line.a, vec3_scale(line.along, line.from)));
        line.q =
            trail_project(d->camera, vec3_add(line.a, vec3_scale(line.along, line.to)));
    }
    return line;
}

/* Hits a line at its point nearest to the pixel's centre. */
static bool hit_line(const drawing *d, const render_ray *ray, int column, int row,
                     const seen_line *line, trail_hit *hit)
{
    const trail_projection p = line->p, q = line->q;
    const double from = line->from, to = line->to;
    const double x = column + 0.5 - p.x, y = row + 0.5 - p.y;
    const double dx = q.x - p.x, dy = q.y - p.y, square = dx * dx + dy * dy;
    const double u = square > 0.0 ? clamp_unit((x * dx + y * dy) / square) : 0.0;
    const double aside = x - u * dx, above = y - u * dy;
    const double distance = sqrt(aside * aside + above * above);
    const double cover =
        fmin(fmin(1.0, d->trails->width), 0.5 * d->trails->width + 0.5 - distance);
    if (!(cover > 0.0)) {
        return false;
    }
    /* Depth interpolates as 1 / depth across the screen. */
    const double weight_p = d->camera->orthographic ? 1.0 : q.depth;
    const double weight_q = d->camera->orthographic ? 1.0 : p.depth;
    const double part = u * weight_q / ((1.0 - u) * weight_p + u * weight_q);
    const double share = from + part * (to - from);
    const vec3 point = vec3_add(line->a, vec3_scale(line->along, share));
    const double t = vec3_dot(vec3_sub(point, ray->origin), ray->direction);
    *hit = (trail_hit){cover, t, share, vec3_normalize(line->along), line->segment};
    return t > 0.0;
}

/* ---- Light ------------------------------------------------------------------------- */

/* Cosine between a surface with this normal and a direction. For a line, `normal` is the
 * tangent, and the normal that faces the direction best counts. */
static double facing(const drawing *d, vec3 normal, vec3 direction)
{
    const double along = fmin(fabs(vec3_dot(normal, direction)), 1.0);
    return d->trails->kind == RENDER_TRAILS_LINES ? sqrt(1.0 - along * along) : along;
}

/* D and S of render/light/shade.h, for a surface. */
static void find_light(const drawing *d, const render_ray *ray, const trail_hit *hit,
                       double diffuse[3], double specular[3])
{
    const render_shade *shade = d->trails->shade;
    const vec3 to_viewer = vec3_scale(ray->direction, -1.0);
    const vec3 point = vec3_add(ray->origin, vec3_scale(ray->direction, hit->t));
    const render_shadows *shadows = shade->shadows;
    const double sky =
        shadows && shadows->occlusion > 0.0f
            ? render_shadow_of_sky(shadows, point,
                                   d->trails->kind == RENDER_TRAILS_LINES ? to_viewer
                                                                          : hit->normal,
                                   to_viewer)
            : 1.0;
    for (int c = 0; c < 3; c++) {
        diffuse[c] = (double)shade->ambient * sky;
        specular[c] = 0.0;
    }
    for (int n = 0; n < shade->nlights; n++) {
        const render_light *light = &shade->lights[n];
        const vec3 to_light = render_light_direction(light, point, to_viewer);
        const vec3 middle = vec3_normalize(vec3_add(to_light, to_viewer));
        const double visible =
            !shadows ? 1.0
            : light->kind == RENDER_LIGHT_HEAD
                ? sky
                : render_shadow_of_light(
                      shadows, n, point,
                      d->trails->kind == RENDER_TRAILS_LINES ? to_light : hit->normal);
        const double lit = visible * facing(d, hit->normal, to_light);
        const double gleam = visible * render_light_power(facing(d, hit->normal, middle),
                                                          shade->shininess);
        for (int c = 0; c < 3; c++) {
            diffuse[c] += (double)shade->diffuse * lit * (double)light->color[c];
            specular[c] += (double)shade->specular * gleam * (double)light->color[c];
        }
    }
}

static double mix(const float *values, const trail_hit *hit)
{
    const double a = (double)values[hit->segment->a];
    /* At the point itself its neighbour does not count, even if it is NaN. */
    return hit->share > 0.0 ? a + hit->share * ((double)values[hit->segment->b] - a) : a;
}

static void emit(tile_work *work, int column, int row, const trail_hit *hit)
{
    const drawing *d = work->d;
    const render_trails *trails = d->trails;
    const walk_row *rays = &work->rows[row - work->rect.y0];
    const render_ray ray = walk_row_camera_ray(rays, column - work->rect.x0);
    float color[3] = {trails->color[0], trails->color[1], trails->color[2]};
    double diffuse[3] = {1.0, 1.0, 1.0}, specular[3] = {0.0, 0.0, 0.0};
    if (trails->colors && trails->values) {
        render_colors_look_up(trails->colors, (float)mix(trails->values, hit), color);
    }
    if (trails->shade) {
        find_light(d, &ray, hit, diffuse, specular);
    }
    const double fade = trails->fade ? clamp_unit(mix(trails->fade, hit)) : 1.0;
    const double alpha = (double)trails->opacity * hit->cover * fade;
    float rgba[4] = {0.0f, 0.0f, 0.0f, (float)alpha};
    for (int c = 0; c < 3; c++) {
        rgba[c] = (float)(alpha * ((double)color[c] * diffuse[c] + specular[c]));
    }
    if (alpha > 0.0) {
        render_fragments_push(work->list, row * d->camera->width + column,
                              (float)(hit->t - rays->start[column - work->rect.x0]),
                              rgba);
    }
}

/* ---- Tiles ------------------------------------------------------------------------- */

static bool is_better(const trail_hit *a, const trail_hit *b)
{
    return a->cover > b->cover || (a->cover == b->cover && a->t < b->t);
}

/* Tests the pixels of the tile against a segment. */
static void draw_segment(tile_work *work, const trail_segment *segment)
{
    const drawing *d = work->d;
    const pixel_rect r = work->rect;
    const pixel_rect f =
        trail_footprint(d->trails, d->camera, trail_point(d->trails, segment->a),
                        trail_point(d->trails, segment->b));
    const int x0 = f.x0 > r.x0 ? f.x0 : r.x0, x1 = f.x1 < r.x1 ? f.x1 : r.x1;
    const int y0 = f.y0 > r.y0 ? f.y0 : r.y0, y1 = f.y1 < r.y1 ? f.y1 : r.y1;
    const bool is_line = d->trails->kind == RENDER_TRAILS_LINES;
    const seen_line line = is_line ? see_line(d, segment) : (seen_line){0};
    if (is_line && !line.is_seen) {
        return;
    }
    pixel_rect_grow(&work->touched, (pixel_rect){x0, y0, x1, y1});
    for (int y = y0; y < y1; y++) {
        for (int x = x0; x < x1; x++) {
            if (!render_camera_draws(d->camera, x, y)) {
                continue;
            }
            const render_ray ray = walk_row_camera_ray(&work->rows[y - r.y0], x - r.x0);
            trail_hit hit, *best = &work->hits[x - r.x0 + TILE * (y - r.y0)];
            const bool is_hit = is_line ? hit_line(d, &ray, x, y, &line, &hit)
                                : d->trails->kind == RENDER_TRAILS_CONES
                                    ? hit_cone(d->trails, &ray, segment, &hit)
                                    : hit_tube(d->trails, &ray, segment, &hit);
            if (is_hit && is_better(&hit, best)) {
                *best = hit;
            }
        }
    }
}

/* Emits the hits of a line, and clears them for the next line. */
static void flush(tile_work *work)
{
    const pixel_rect rect = work->touched;
    for (int y = rect.y0; y < rect.y1; y++) {
        for (int x = rect.x0; x < rect.x1; x++) {
            trail_hit *hit = &work->hits[x - work->rect.x0 + TILE * (y - work->rect.y0)];
            if (hit->cover > 0.0) {
                emit(work, x, y, hit);
                *hit = (trail_hit){0};
            }
        }
    }
    work->touched = (pixel_rect){0, 0, 0, 0};
}

/* Casts the rays of a tile's rows with drawn pixels. */
static void cast_rows(const render_camera *camera, pixel_rect rect, walk_row rows[TILE])
{
    const walk_kernel *kernel = render_walk_fastest();
    const render_clip_view view = {camera, box3_everything(), NULL};
    for (int y = rect.y0; y < rect.y1; y++) {
        walk_cast_row(kernel, &view, rect, y, &rows[y - rect.y0]);
    }
}

static void draw_tile(const void *context, int64_t tile, pixel_rect rect,
                      fragment_list *list)
{
    const drawing *d = context;
    const trail_bins *bins = &d->bins;
    if (bins->first[tile] == bins->first[tile + 1] ||
        render_camera_count_drawn(d->camera, rect) == 0) {
        return;
    }
    walk_row rows[TILE];
    cast_rows(d->camera, rect, rows);
    tile_work work = {.d = d, .rect = rect, .rows = rows, .list = list};
    for (int64_t n = bins->first[tile]; n < bins->first[tile + 1]; n++) {
        const trail_segment *segment = &bins->segments[bins->items[n]];
        draw_segment(&work, segment);
        const bool is_last = n + 1 == bins->first[tile + 1];
        if (is_last || bins->segments[bins->items[n + 1]].line != segment->line) {
            flush(&work);
        }
    }
}

status render_trails_draw(const render_trails *trails, const render_camera *camera,
                          int threads, render_fragments *out)
{
    drawing d = {.trails = trails, .camera = camera};
    status s = trail_bins_make(trails, camera, &d.bins);
    if (s == STATUS_OK) {
        s = render_fragments_create(camera->width, camera->height, threads, draw_tile, &d,
                                    out);
        trail_bins_clear(&d.bins);
    }
    if (s == STATUS_OK) {
        out->are_lines = trails->kind == RENDER_TRAILS_LINES;
    }
    return s;
}
