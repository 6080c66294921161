#include "trails_bin.h"

#include <math.h>
#include <stdlib.h>

/* ---- Footprints -------------------------------------------------------------------- */

trail_projection trail_project(const render_camera *camera, vec3 point)
{
    const vec3 from_eye = vec3_sub(point, camera->eye);
    const double depth = vec3_dot(from_eye, camera->forward);
    const double per_unit =
        camera->height / (2.0 * camera->scale) / (camera->orthographic ? 1.0 : depth);
    return (trail_projection){
        camera->middle[0] + vec3_dot(from_eye, camera->right) * per_unit,
        camera->middle[1] - vec3_dot(from_eye, camera->up) * per_unit, depth};
}

bool trail_clip(const render_camera *camera, vec3 a, vec3 b, double *from, double *to)
{
    const double share = 1e-6; /* of the distance: far too little to see */
    const double near = share * (vec3_length(vec3_sub(a, camera->eye)) +
                                 vec3_length(vec3_sub(b, camera->eye)));
    const double depth_a = render_camera_depth(camera, a) - near;
    const double depth_b = render_camera_depth(camera, b) - near;
    *from = 0.0;
    *to = 1.0;
    if (depth_a < 0.0 && depth_b < 0.0) {
        return false;
    }
    if (depth_a < 0.0) {
        *from = depth_a / (depth_a - depth_b);
    } else if (depth_b < 0.0) {
        *to = depth_a / (depth_a - depth_b);
    }
    return true;
}

static int clamp_pixel(double x, int least, int most)
{
    return x <= least ? least : x >= most ? most : (int)x;
}

static vec3 between(vec3 a, vec3 b, double share)
{
    return vec3_add(a, vec3_scale(vec3_sub(b, a), share));
}

static pixel_rect line_footprint(const render_trails *trails, const render_camera *camera,
                                 vec3 a, vec3 b)
{
    double from, to;
    if (!trail_clip(camera, a, b, &from, &to)) {
        return (pixel_rect){0, 0, 0, 0};
    }
    const trail_projection p = trail_project(camera, between(a, b, from));
    const trail_projection q = trail_project(camera, between(a, b, to));
    const double reach = 0.5 * trails->width + 2.0;
    const pixel_rect all = camera->window;
    return (pixel_rect){
        clamp_pixel(floor(fmin(p.x, q.x) - reach), all.x0, all.x1),
        clamp_pixel(floor(fmin(p.y, q.y) - reach), all.y0, all.y1),
        clamp_pixel(ceil(fmax(p.x, q.x) + reach), all.x0, all.x1),
        clamp_pixel(ceil(fmax(p.y, q.y) + reach), all.y0, all.y1),
    };
}

pixel_rect trail_footprint(const render_trails *trails, const render_camera *camera,
                           vec3 a, vec3 b)
{
    if (trails->kind == RENDER_TRAILS_LINES) {
        return line_footprint(trails, camera, a, b);
    }
    box3 box = box3_union((box3){a, a}, (box3){b, b});
    const double reach = 1.000001 * trails->radius;
    for (int axis = 0; axis < 3; axis++) {
        box.lo.v[axis] -= reach;
        box.hi.v[axis] += reach;
    }
    return render_camera_footprint(camera, box);
}

/* ---- Segments ---------------------------------------------------------------------- */

static bool is_point(const render_trails *trails, int64_t point)
{
    const float *p = trails->points[point];
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

static void add_segment(trail_bins *bins, int64_t line, int64_t a, int64_t b)
{
    bins->segments[bins->nsegments++] = (trail_segment){line, a, b};
}

/* Lists a trail's segments, which all belong to one line, or its points, each of which is
 * a line of its own. Returns the number of the next line. */
static int64_t list_trail(const render_trails *trails, const render_trail *trail,
                          int64_t line, trail_bins *bins)
{
    const bool apart = trails->kind == RENDER_TRAILS_SPHERES || trail->count == 1;
    for (int64_t n = 0; n < trail->count; n++) {
        const int64_t point = trail->first + n;
        if (!is_point(trails, point)) {
            continue;
        }
        if (apart) {
            add_segment(bins, line++, point, point);
        } else if (n + 1 < trail->count && is_point(trails, point + 1)) {
            add_segment(bins, line, point, point + 1);
        }
    }
    return line + 1;
}

static status list_segments(const render_trails *trails, trail_bins *bins)
{
    size_t count = 1;
    for (int64_t n = 0; n < trails->ntrails; n++) {
        count += (size_t)trails->trails[n].count;
    }
    bins->segments = malloc(count * sizeof *bins->segments);
    if (!bins->segments) {
        return base_fail_memory(count * sizeof *bins->segments, "the segments of lines");
    }
    int64_t line = 0;
    for (int64_t n = 0; n < trails->ntrails; n++) {
        line = list_trail(trails, &trails->trails[n], line, bins);
    }
    return STATUS_OK;
}

/* ---- Tiles ------------------------------------------------------------------------- */

/* One pass over all segments. It counts the segments that each tile sees; with `items`,
 * it also stores them. */
typedef struct bin_pass {
    const render_trails *trails;
    const render_camera *camera;
    int64_t columns;
    int64_t *count; /* [tiles]: number of the tile's items, or index of its next one */
    int64_t *last;  /* [tiles]: the last segment that was noted */
    int64_t *items; /* NULL: count only */
} bin_pass;

static void note(bin_pass *pass, int64_t tile, int64_t segment)
{
    if (pass->last[tile] == segment) {
        return;
    }
    pass->last[tile] = segment;
    if (pass->items) {
        pass->items[pass->count[tile]] = segment;
    }
    pass->count[tile]++;
}

/* Notes a piece of a segment. A piece that spans many tiles is halved, since the
 * rectangle around a long slanting piece contains far more tiles than it touches. */
static void note_piece(bin_pass *pass, int64_t segment, vec3 a, vec3 b, int halvings)
{
    const pixel_rect rect = trail_footprint(pass->trails, pass->camera, a, b);
    if (pixel_rect_is_empty(rect)) {
        return;
    }
    const int x0 = rect.x0 / FRAGMENTS_TILE, x1 = (rect.x1 - 1) / FRAGMENTS_TILE;
    const int y0 = rect.y0 / FRAGMENTS_TILE, y1 = (rect.y1 - 1) / FRAGMENTS_TILE;
    if (halvings > 0 && x1 > x0 + 1 && y1 > y0 + 1) {
        const vec3 middle = between(a, b, 0.5);
        note_piece(pass, segment, a, middle, halvings - 1);
        note_piece(pass, segment, middle, b, halvings - 1);
        return;
    }
    for (int y = y0; y <= y1; y++) {
        for (int x = x0; x <= x1; x++) {
            note(pass, x + pass->columns * y, segment);
        }
    }
}

static void note_segments(bin_pass *pass, const trail_bins *bins, int64_t tiles)
{
    const int most_halvings = 7;
    for (int64_t tile = 0; tile < tiles; tile++) {
        pass->last[tile] = -1;
    }
    for (int64_t n = 0; n < bins->nsegments; n++) {
        const trail_segment *s = &bins->segments[n];
        note_piece(pass, n, trail_point(pass->trails, s->a),
                   trail_point(pass->trails, s->b), s->a == s->b ? 0 : most_halvings);
    }
}

/* Counts the segments of each tile, allocates memory, and stores them. */
static status sort_segments(bin_pass *pass, int64_t tiles, trail_bins *bins)
{
    note_segments(pass, bins, tiles);
    int64_t total = 0;
    for (int64_t tile = 0; tile < tiles; tile++) {
        bins->first[tile] = total;
        total += pass->count[tile];
        pass->count[tile] = bins->first[tile];
    }
    bins->first[tiles] = total;
    const size_t bytes = ((size_t)total + 1) * sizeof *bins->items;
    bins->items = malloc(bytes);
    if (!bins->items) {
        return base_fail_memory(bytes, "the segments of lines");
    }
    pass->items = bins->items;
    note_segments(pass, bins, tiles);
    return STATUS_OK;
}

static int tiles_along(int pixels)
{
    return (pixels + FRAGMENTS_TILE - 1) / FRAGMENTS_TILE;
}

status trail_bins_make(const render_trails *trails, const render_camera *camera,
                       trail_bins *out)
{
    const int64_t columns = tiles_along(camera->width);
    const int64_t tiles = columns * tiles_along(camera->height);
    *out = (trail_bins){.first = calloc((size_t)tiles + 1, sizeof *out->first)};
    int64_t *counts = calloc(2 * (size_t)tiles + 1, sizeof *counts);
    if (!out->first || !counts) {
        free(counts);
        trail_bins_clear(out);
        return base_fail_memory((size_t)tiles * sizeof *counts, "tiles of lines");
    }
    bin_pass pass = {trails, camera, columns, counts, counts + tiles, NULL};
    status s = list_segments(trails, out);
    if (s == STATUS_OK) {
        s = sort_segments(&pass, tiles, out);
    }
    free(counts);
    if (s != STATUS_OK) {
        trail_bins_clear(out);
    }
    return s;
}

void trail_bins_clear(trail_bins *bins)
{
    free(bins->segments);
    free(bins->first);
    free(bins->items);
    *bins = (trail_bins){0};
}
