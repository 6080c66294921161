/* Contour and grid lines with a width in pixels: distances in the picture.
 *
 * Contour lines: the change of a sample's weights from pixel to pixel gives the distance,
 * in pixels, at which the scalar reaches a level. Grid lines: the distance from a pixel
 * to the edges of its quadrilateral in the plane of the picture, after Baerentzen,
 * Nielsen, Gjoel, Larsen and Christensen 2006, Single-pass wireframe rendering (SIGGRAPH
 * sketches). */
#include "mesh.h"

#include <stdlib.h>

/* ---- Rays and halves --------------------------------------------------------------- */

render_ray surface_sample_ray(const surface_view *view, const surface_sample *sample)
{
    const int width = view->seen.camera.width;
    return render_camera_ray(&view->seen.camera, sample->pixel % width,
                             sample->pixel / width);
}

void surface_half_corners(const surface_mesh *mesh, int32_t half, vec3 corner[3])
{
    const surface_quad *quad = &mesh->quads[half / 2];
    const int at[3] = {0, 2, half % 2 ? 3 : 1};
    for (int n = 0; n < 3; n++) {
        corner[n] = surface_vertex_point(&mesh->vertices[quad->corner[at[n]]]);
    }
}

/* Grid units from the middle of a pixel to the next, along right or up; with perspective
 * at distance 1. */
static double pixel_size(const render_camera *camera)
{
    return 2.0 * camera->scale / camera->height;
}

/* ---- Slopes ------------------------------------------------------------------------ */

/* A half as an infinite plane, with its weights p and q as linear functions. */
typedef struct half_plane {
    int32_t half;
    vec3 corner;            /* a point of it */
    vec3 normal, weight[2]; /* the weights' gradients */
    double right, up;       /* normal . right and . up of the camera */
    double weight_right[2], weight_up[2];
} half_plane;

static half_plane find_plane(const surface_mesh *mesh, const render_camera *camera,
                             int32_t half)
{
    vec3 corner[3];
    surface_half_corners(mesh, half, corner);
    const vec3 p = corner[0], q = corner[1], r = corner[2];
    half_plane plane = {.half = half, .corner = p};
    plane.normal = vec3_cross(vec3_sub(q, p), vec3_sub(r, p));
    plane.right = vec3_dot(plane.normal, camera->right);
    plane.up = vec3_dot(plane.normal, camera->up);
    const double per_square = 1.0 / vec3_dot(plane.normal, plane.normal);
    const vec3 across[2] = {vec3_sub(r, q), vec3_sub(p, r)};
    for (int n = 0; n < 2; n++) {
        plane.weight[n] = vec3_scale(vec3_cross(plane.normal, across[n]), per_square);
        plane.weight_right[n] = vec3_dot(plane.weight[n], camera->right);
        plane.weight_up[n] = vec3_dot(plane.weight[n], camera->up);
    }
    return plane;
}

/* Finds the change of the weights from a pixel to the next. The hit with the plane moves
 * by size * (right - d (n . right) / (n . d)). Here d is the ray's direction, and `size`
 * is that of a pixel at this depth. */
static void find_slope(const half_plane *plane, const surface_view *view,
                       const surface_sample *sample, float slope[4])
{
    const render_camera *camera = &view->seen.camera;
    const render_ray ray = surface_sample_ray(view, sample);
    const vec3 direction = ray.direction;
    const double along = vec3_dot(plane->normal, direction);
    double size = pixel_size(camera);
    if (!camera->orthographic) {
        double distance =
            vec3_dot(plane->normal, vec3_sub(plane->corner, ray.origin)) / along;
        size *= distance * vec3_dot(direction, camera->forward);
    }
    for (int n = 0; n < 2; n++) {
        const double turned = vec3_dot(plane->weight[n], direction) / along;
        const double x = size * (plane->weight_right[n] - turned * plane->right);
        const double y = -size * (plane->weight_up[n] - turned * plane->up);
        /* A half seen edge-on has no slopes, and shows no lines. */
        slope[n] = isfinite(x) && isfinite(y) ? (float)x : 0.0f;
        slope[2 + n] = isfinite(x) && isfinite(y) ? (float)y : 0.0f;
    }
}

status surface_view_find_slopes(const surface_mesh *mesh, int threads, surface_view *view)
{
    const size_t bytes = ((size_t)surface_view_count(view) + 1) * sizeof *view->slope;
    if (view->slope) {
        return STATUS_OK;
    }
    view->slope = malloc(bytes);
    if (!view->slope) {
        return base_fail_memory(bytes, "the contour lines of a surface");
    }
#pragma omp parallel for num_threads(threads) schedule(dynamic, 8)
    for (int64_t tile = 0; tile < surface_view_tiles(view); tile++) {
        half_plane plane = {.half = -1};
        for (int64_t n = view->first[tile]; n < view->first[tile + 1]; n++) {
            const surface_sample *sample = &view->samples[n];
            if (sample->half != plane.half) {
                plane = find_plane(mesh, &view->seen.camera, sample->half);
            }
            find_slope(&plane, view, sample, view->slope[n]);
        }
    }
    return STATUS_OK;
}

/* ---- Wires ------------------------------------------------------------------------- */

/* A grid line in the picture, in pixels. */
typedef struct screen_line {
    double from[2], along[2];
    double per_square; /* 1 / |along|^2, or 0 */
} screen_line;

/* The cut of a cell has up to 18 edges. */
enum { MOST_LINES = 18 };

/* The grid lines around one quadrilateral, or around the whole cut that it belongs to. */
typedef struct screen_quad {
    int32_t number;
    int count;
    screen_line lines[MOST_LINES];
    double width; /* its smallest one across a line, in pixels */
} screen_quad;

/* Coordinates along right, up and forward from the eye. */
static vec3 to_view(const render_camera *camera, const surface_vertex *vertex)
{
    vec3 from_eye = vec3_sub(surface_vertex_point(vertex), camera->eye);
    return vec3_make(vec3_dot(from_eye, camera->right), vec3_dot(from_eye, camera->up),
                     vec3_dot(from_eye, camera->forward));
}

static void project(const render_camera *camera, vec3 view, double at[2])
{
    const double per_unit =
        1.0 / (pixel_size(camera) * (camera->orthographic ? 1.0 : view.v[2]));
    at[0] = camera->middle[0] + view.v[0] * per_unit;
    at[1] = camera->middle[1] - view.v[1] * per_unit;
}

/* Moves the end a to depth `near` if it is nearer; false if b is nearer, too. */
static bool cut_near(double near, vec3 *a, vec3 b)
{
    if (b.v[2] < near) {
        return false;
    }
    if (a->v[2] < near) {
        double share = (b.v[2] - near) / (b.v[2] - a->v[2]);
        *a = vec3_add(b, vec3_scale(vec3_sub(*a, b), share));
        a->v[2] = near;
    }
    return true;
}

static bool find_line(const render_camera *camera, const surface_vertex *from,
                      const surface_vertex *to, screen_line *line)
{
    vec3 a = to_view(camera, from), b = to_view(camera, to);
    if (!camera->orthographic) {
        /* So near that a line in front of it either passes the pixel or is out of
         * sight. */
        const double near = 1e-6 * fmax(fabs(a.v[2]), fabs(b.v[2]));
        const bool a_is_nearer = a.v[2] < b.v[2];
        if (!(near > 0.0) ||
            !cut_near(near, a_is_nearer ? &a : &b, a_is_nearer ? b : a)) {
            return false;
        }
    }
    double end[2];
    project(camera, a, line->from);
    project(camera, b, end);
    line->along[0] = end[0] - line->from[0];
    line->along[1] = end[1] - line->from[1];
    const double square =
        line->along[0] * line->along[0] + line->along[1] * line->along[1];
    line->per_square = square > 0.0 ? 1.0 / square : 0.0;
    return true;
}

static void add_lines(const surface_mesh *mesh, const render_camera *camera,
                      const surface_quad *quad, screen_quad *out)
{
    for (int n = 0; n < 4 && out->count < MOST_LINES; n++) {
        if ((quad->lines >> n & 1) &&
            find_line(camera, &mesh->vertices[quad->corner[n]],
                      &mesh->vertices[quad->corner[(n + 1) % 4]],
                      &out->lines[out->count])) {
            out->count++;
        }
    }
}

/* Distance of a place from the whole of a line. */
static double distance_from(const screen_line *line, const double at[2])
{
    const double x = at[0] - line->from[0], y = at[1] - line->from[1];
    return fabs(x * line->along[1] - y * line->along[0]) * sqrt(line->per_square);
}

/* The distance to the next line of the grid, about: the width of the polygon. */
static double find_width(const screen_quad *quad)
{
    double width = INFINITY;
    for (int n = 0; n < quad->count; n++) {
        double farthest = 0.0;
        for (int m = 0; m < quad->count; m++) {
            farthest =
                fmax(farthest, distance_from(&quad->lines[n], quad->lines[m].from));
        }
        width = quad->lines[n].per_square > 0.0 ? fmin(width, farthest) : width;
    }
    return width;
}

static bool is_same_cell(const surface_quad *a, const surface_quad *b)
{
    return a->block == b->block && a->part == b->part && a->index == b->index;
}

/* Finds the grid lines of a quadrilateral. The quadrilaterals of one cut cell are
 * consecutive. */
static void find_lines(const surface_mesh *mesh, const render_camera *camera,
                       int32_t number, screen_quad *out)
{
    const surface_quad *quads = mesh->quads;
    out->number = number;
    out->count = 0;
    int64_t first = number, last = number;
    if (quads[number].kind & SURFACE_OF_CUT) {
        while (first > 0 && is_same_cell(&quads[first - 1], &quads[number])) {
            first--;
        }
        while (last + 1 < mesh->nquads &&
               is_same_cell(&quads[last + 1], &quads[number])) {
            last++;
        }
    }
    for (int64_t n = first; n <= last; n++) {
        add_lines(mesh, camera, &quads[n], out);
    }
    out->width = find_width(out);
}

static float nearest_line(const screen_quad *quad, const double at[2])
{
    double least = INFINITY;
    for (int n = 0; n < quad->count; n++) {
        const screen_line *line = &quad->lines[n];
        const double x = at[0] - line->from[0], y = at[1] - line->from[1];
        double share = (x * line->along[0] + y * line->along[1]) * line->per_square;
        share = fmin(fmax(share, 0.0), 1.0);
        const double dx = x - share * line->along[0], dy = y - share * line->along[1];
        least = fmin(least, dx * dx + dy * dy);
    }
    return (float)sqrt(least);
}

/* The part of a pixel that lines cover at this distance from its middle. Those less than
 * 2.5 pixels apart fade into the even tone of their mean, at most a half, which those
 * within 1.5 pixels have: pixels would show a moire of them. */
static float fading_coverage(float width, float distance, float apart)
{
    const float one = surface_line_coverage(width, distance);
    if (!(apart < 2.5f)) {
        return one;
    }
    const float mean = width < 0.5f * apart ? width / apart : 0.5f;
    return apart > 1.5f ? mean + (apart - 1.5f) * (one - mean) : mean;
}

/* ---- Every n-th line --------------------------------------------------------------- */

/* Lines of the grid that are drawn are at least so many pixels apart, with
 * SURFACE_EVERY_AUTO. */
static const double least_apart = 7.0;

/* Two opposite sides of a face: lines `number` and number + 1 of its block. */
typedef struct screen_pair {
    screen_line lines[2];
    int64_t number, last; /* last: the last one of the block */
    double apart;         /* in pixels */
} screen_pair;

/* The distance of a place from a line; infinite if the line is a point. */
static double distance_to(const screen_line *line, const double at[2])
{
    return line->per_square > 0.0 ? distance_from(line, at) : INFINITY;
}

static double find_apart(const screen_line lines[2])
{
    double apart = 0.0;
    for (int n = 0; n < 2; n++) {
        const screen_line *other = &lines[1 - n];
        const double end[2] = {other->from[0] + other->along[0],
                               other->from[1] + other->along[1]};
        if (lines[n].per_square > 0.0) {
            apart = fmax(apart, distance_from(&lines[n], other->from));
            apart = fmax(apart, distance_from(&lines[n], end));
        }
    }
    return apart;
}

/*
 * The sides of a face of axis a, with b and c the axes that follow:
 *
 *     3 -- 2 -- 2      sides 3 and 1 are lines of pairs[0], at constant b
 *     3         1      sides 0 and 2 are lines of pairs[1], at constant c
 *     0 -- 0 -- 1
 */
static void find_pairs(const render_surface *surface, int32_t number,
                       const render_camera *camera, screen_pair pairs[2])
{
    static const int sides[2][2] = {{3, 1}, {0, 2}};
    const surface_mesh *mesh = &surface->mesh;
    const surface_quad *quad = &mesh->quads[number];
    const int64_t *n = surface->store->layout->blocks[quad->block].n;
    const int64_t at[3] = {quad->index % n[0], quad->index / n[0] % n[1],
                           quad->index / n[0] / n[1]};
    const int axis = quad->part < 3 ? quad->part : surface->plane_axes[quad->part - 3];
    for (int p = 0; p < 2; p++) {
        const int across = (axis + 1 + p) % 3;
        pairs[p] = (screen_pair){.number = at[across], .last = n[across] - 1};
        for (int m = 0; m < 2; m++) {
            const int side = (sides[p][m] - quad->turn + 4) % 4;
            find_line(camera, &mesh->vertices[quad->corner[side]],
                      &mesh->vertices[quad->corner[(side + 1) % 4]], &pairs[p].lines[m]);
        }
        pairs[p].apart = find_apart(pairs[p].lines);
    }
}

/* The distance of a place to the next line whose number divides by `every`. The lines
 * beyond the face go on as those of the face do. */
static double nearest_of(const screen_pair *pair, int64_t every, const double to[2])
{
    const int64_t below = pair->number % every;
    return fmin(to[0] + (double)below * pair->apart,
                to[1] + (double)(every - 1 - below) * pair->apart);
}

/* The least power of two whose lines are far enough apart, and how much of every second
 * one of half that distance still shows: 0 to 1. */
static int64_t choose_every(double apart, float *between)
{
    const double steps = fmin(log2(least_apart / apart), 40.0);
    const double above = ceil(steps);
    *between = steps > 0.0 ? (float)(above - steps) : 0.0f;
    return steps > 0.0 ? (int64_t)1 << (int)above : 1;
}

static float pair_coverage(const screen_pair *pair, const surface_look *look,
                           const double at[2])
{
    const double to[2] = {distance_to(&pair->lines[0], at),
                          distance_to(&pair->lines[1], at)};
    const double to_last = to[1] + (double)(pair->last - 1 - pair->number) * pair->apart;
    const float width = look->wire_width;
    float between = 0.0f;
    const int64_t every = look->wire_every == SURFACE_EVERY_AUTO
                              ? choose_every(pair->apart, &between)
                              : look->wire_every;
    const float apart = (float)(pair->apart * (double)every);
    const double nearest = fmin(nearest_of(pair, every, to), to_last);
    const float finer =
        between > 0.0f
            ? surface_line_coverage(width, (float)nearest_of(pair, every / 2, to))
            : 0.0f;
    return fmaxf(fading_coverage(width, (float)nearest, apart), between * finer);
}

/* ---- All samples ------------------------------------------------------------------- */

/* Lines of one quadrilateral: all of them, or pairs of which every n-th is drawn. */
typedef struct wire_quad {
    screen_quad all;
    screen_pair pairs[2];
    bool has_pairs;
} wire_quad;

static void open_quad(const render_surface *surface, const surface_look *look,
                      int32_t number, wire_quad *out)
{
    const render_camera *camera = &surface->view.seen.camera;
    const surface_quad *quad = &surface->mesh.quads[number];
    const bool has_all = look->wire_every == 0 || look->wire_every == 1;
    out->has_pairs = !has_all && !(quad->kind & SURFACE_OF_CUT);
    if (out->has_pairs) {
        out->all.number = number;
        find_pairs(surface, number, camera, out->pairs);
    } else {
        find_lines(&surface->mesh, camera, number, &out->all);
    }
}

static float wire_coverage(const wire_quad *quad, const surface_look *look,
                           const double at[2])
{
    if (quad->has_pairs) {
        return fmaxf(pair_coverage(&quad->pairs[0], look, at),
                     pair_coverage(&quad->pairs[1], look, at));
    }
    return fading_coverage(look->wire_width, nearest_line(&quad->all, at),
                           (float)quad->all.width);
}

static void cover_tile(render_surface *surface, const surface_look *look, int64_t tile)
{
    surface_view *view = &surface->view;
    const int width = view->seen.camera.width;
    wire_quad quad = {.all = {.number = -1}};
    for (int64_t n = view->first[tile]; n < view->first[tile + 1]; n++) {
        const surface_sample *sample = &view->samples[n];
        if (sample->half / 2 != quad.all.number) {
            open_quad(surface, look, sample->half / 2, &quad);
        }
        const int column = sample->pixel % width, row = sample->pixel / width;
        view->wire[n] =
            wire_coverage(&quad, look, (const double[]){column + 0.5, row + 0.5});
    }
}

status surface_wires_find(render_surface *surface, const surface_look *look, int threads)
{
    surface_view *view = &surface->view;
    const size_t bytes = ((size_t)surface_view_count(view) + 1) * sizeof *view->wire;
    if (view->wire && view->wire_width == look->wire_width &&
        view->wire_every == look->wire_every) {
        return STATUS_OK;
    }
    view->wire = view->wire ? view->wire : malloc(bytes);
    if (!view->wire) {
        return base_fail_memory(bytes, "the grid lines of a surface");
    }
    view->wire_width = look->wire_width;
    view->wire_every = look->wire_every;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 8)
    for (int64_t tile = 0; tile < surface_view_tiles(view); tile++) {
        cover_tile(surface, look, tile);
    }
    return STATUS_OK;
}
