#include "arrows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Measures of a head in radii of the line; it takes at most this share of the line. */
static const double head_length = 8.0, most_share = 0.6;
const double arrows_reach = 3.0;

/* The lines without their ends, and the heads in place of these. */
typedef struct arrows {
    render_trail *shafts, *heads; /* [ntrails] each */
    int64_t count;                /* of both */
    float (*points)[3];           /* of the shafts, then two for each head */
    float *values;                /* likewise */
} arrows;

static double distance(const float a[3], const float b[3])
{
    double square = 0.0;
    for (int c = 0; c < 3; c++) {
        square += ((double)b[c] - (double)a[c]) * ((double)b[c] - (double)a[c]);
    }
    return sqrt(square);
}

static double length_of(const render_trails *lines, const render_trail *trail)
{
    double length = 0.0;
    for (int64_t n = trail->first; n + 1 < trail->first + trail->count; n++) {
        length += distance(lines->points[n], lines->points[n + 1]);
    }
    return length;
}

/* Copies the point at `share` of the way from point n of the lines to the next one. */
static void copy_point(const render_trails *lines, int64_t n, float share, arrows *out,
                       int64_t to)
{
    const int64_t next = share > 0.0f ? n + 1 : n;
    for (int c = 0; c < 3; c++) {
        const float from = lines->points[n][c];
        out->points[to][c] = from + share * (lines->points[next][c] - from);
    }
    const float from = lines->values[n];
    out->values[to] = from + share * (lines->values[next] - from);
}

/* Cuts the last `head` of a line of this length off, and puts a head there. The shaft's
 * points go to where the line has them; those of the head behind all lines. */
static void cut_line(const render_trails *lines, const render_trail *trail, double shaft,
                     int64_t behind, arrows *out)
{
    int64_t n = trail->first;
    double left = shaft;
    for (;; n++) {
        const double step = distance(lines->points[n], lines->points[n + 1]);
        copy_point(lines, n, 0.0f, out, n);
        if (left <= step || n + 2 == trail->first + trail->count) {
            const float share = step > 0.0 ? (float)fmin(left / step, 1.0) : 0.0f;
            copy_point(lines, n, share, out, n + 1);
            break;
        }
        left -= step;
    }
    const int64_t base = behind + 2 * out->count;
    memcpy(out->points[base], out->points[n + 1], sizeof out->points[base]);
    out->values[base] = out->values[n + 1];
    copy_point(lines, trail->first + trail->count - 1, 0.0f, out, base + 1);
    out->shafts[out->count] = (render_trail){trail->first, n + 2 - trail->first};
    out->heads[out->count++] = (render_trail){base, 2};
}

static status make_arrows(const render_trails *lines, arrows *out)
{
    int64_t points = 0;
    for (int64_t n = 0; n < lines->ntrails; n++) {
        const int64_t end = lines->trails[n].first + lines->trails[n].count;
        points = end > points ? end : points;
    }
    const size_t ntrails = (size_t)lines->ntrails + 1;
    const size_t npoints = (size_t)points + 2 * ntrails;
    out->shafts = malloc(ntrails * sizeof *out->shafts);
    out->heads = malloc(ntrails * sizeof *out->heads);
    out->points = calloc(npoints, sizeof *out->points);
    out->values = calloc(npoints, sizeof *out->values);
    if (!out->shafts || !out->heads || !out->points || !out->values) {
        return base_fail_memory(npoints * sizeof *out->points, "arrows");
    }
    for (int64_t n = 0; n < lines->ntrails; n++) {
        const double length = length_of(lines, &lines->trails[n]);
        const double head = fmin(head_length * lines->radius, most_share * length);
        if (lines->trails[n].count > 1 && length > 0.0) {
            cut_line(lines, &lines->trails[n], length - head, points, out);
        }
    }
    return STATUS_OK;
}

status arrows_draw(const render_trails *lines, const render_camera *camera, int threads,
                   render_fragments *out)
{
    arrows made = {0};
    render_fragments more = {0};
    status s = make_arrows(lines, &made);
    render_trails shafts = *lines, heads;
    shafts.kind = RENDER_TRAILS_TUBES;
    shafts.ntrails = made.count;
    shafts.points = (const float(*)[3])made.points;
    shafts.values = made.values;
    heads = shafts;
    shafts.trails = made.shafts;
    heads.trails = made.heads;
    heads.kind = RENDER_TRAILS_CONES;
    heads.radius = arrows_reach * lines->radius;
    if (s == STATUS_OK) {
        s = render_trails_draw(&shafts, camera, threads, out);
    }
    if (s == STATUS_OK) {
        s = render_trails_draw(&heads, camera, threads, &more);
    }
    if (s == STATUS_OK) {
        s = render_fragments_add(out, &more);
    }
    render_fragments_clear(&more);
    free(made.shafts);
    free(made.heads);
    free(made.points);
    free(made.values);
    return s;
}
