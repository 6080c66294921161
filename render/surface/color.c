/* The look of surfaces: scalars, colours, lines and light at the samples of a view. */
#include "mesh.h"

#include "base/system.h"

#include <stdlib.h>
#include <string.h>

/* ---- Levels ------------------------------------------------------------------------ */

/* Reserves memory for the colours of levels. */
static status reserve_levels(render_surface *surface, int count)
{
    if (surface->band_colors && count <= surface->nlevels) {
        return STATUS_OK;
    }
    const size_t bytes = ((size_t)count + 1) * sizeof *surface->band_colors;
    free(surface->level_colors);
    free(surface->band_colors);
    surface->level_colors = malloc(bytes);
    surface->band_colors = malloc(bytes);
    surface->nlevels = count;
    if (!surface->level_colors || !surface->band_colors) {
        surface->nlevels = 0;
        return base_fail_memory(bytes, "the levels of a contour");
    }
    return STATUS_OK;
}

/* Band n lies below level n, the last band above all levels. */
static float middle_of_band(const surface_look *look, int band)
{
    const int last = look->nlevels - 1;
    const float first = look->levels[band > 0 ? band - 1 : 0];
    const float second = look->levels[band <= last ? band : last];
    if (look->scale == NULL) {
        return 0.5f * first + 0.5f * second;
    }
    double lower = (double)first, upper = (double)second;
    lower = band == 0 ? fmin(lower, look->scale->range[0]) : lower;
    upper = band > last ? fmax(upper, look->scale->range[1]) : upper;
    return (float)base_scale_middle(look->scale, lower, upper);
}

static status find_levels(render_surface *surface, const surface_look *look)
{
    status s = reserve_levels(surface, look->nlevels);
    surface->has_beyond = look->colors && render_colors_have_beyond(look->colors);
    if (s != STATUS_OK || !look->colors || look->nlevels == 0) {
        return s;
    }
    for (int n = 0; n < look->nlevels; n++) {
        render_colors_look_up(look->colors, look->levels[n], surface->level_colors[n]);
    }
    for (int band = 0; band <= look->nlevels; band++) {
        render_colors_look_up(look->colors, middle_of_band(look, band),
                              surface->band_colors[band]);
    }
    return STATUS_OK;
}

/* Number of levels at or below a scalar. */
static int band_of(const surface_look *look, float scalar)
{
    int lo = 0, hi = look->nlevels;
    while (lo < hi) {
        int middle = (lo + hi) / 2;
        if (look->levels[middle] <= scalar) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return lo;
}

/* The level that is nearest to a scalar of this band. */
static int nearest_level(const surface_look *look, float scalar, int band)
{
    if (band == 0 || band == look->nlevels) {
        return band == 0 ? 0 : band - 1;
    }
    const double middle =
        0.5 * (double)look->levels[band - 1] + 0.5 * (double)look->levels[band];
    return (double)scalar <= middle ? band - 1 : band;
}

/* ---- Scalars ----------------------------------------------------------------------- */

/* Scalars at the corners of a quadrilateral. Their differences may exceed the range of
 * float32. */
typedef struct quad_scalars {
    int32_t number;
    bool is_constant;
    double corner[4];
    double twist; /* departure from linear: corners 0 and 2 against 1 and 3 */
    float mean; /* over its face, or over the plane's cut of the cell, or the cell's own;
                   only without `smooth` */
} quad_scalars;

/* The mean of the corners, in the order of the mesh: the same bits on every rank. */
static float mean_of(const render_surface *surface, int32_t number)
{
    double sum = 0.0;
    int64_t first, end;
    surface_mesh_find_cut(&surface->mesh, number, &first, &end);
    for (int64_t n = first; n < end; n++) {
        for (int c = 0; c < 4; c++) {
            sum += (double)surface->values[surface->mesh.quads[n].corner[c]];
        }
    }
    return (float)(sum / (4.0 * (double)(end - first)));
}

static quad_scalars load_scalars(const render_surface *surface, const surface_look *look,
                                 int32_t number)
{
    const surface_quad *quad = &surface->mesh.quads[number];
    const float *cell = quad->cell >= 0 ? &surface->store->cell[quad->cell] : NULL;
    quad_scalars out = {.number = number,
                        .is_constant = cell && !look->lines_at_vertices};
    for (int n = 0; n < 4; n++) {
        out.corner[n] =
            (double)(out.is_constant ? *cell : surface->values[quad->corner[n]]);
    }
    if (!out.is_constant && !(quad->kind & SURFACE_LINEAR)) {
        out.twist = (out.corner[0] + out.corner[2]) - (out.corner[1] + out.corner[3]);
    }
    if (!look->smooth) {
        out.mean = cell ? *cell : mean_of(surface, number);
    }
    return out;
}

static float scalar_at(const quad_scalars *s, const surface_sample *sample)
{
    if (s->is_constant) {
        return (float)s->corner[0];
    }
    const double p = (double)sample->p, q = (double)sample->q, r = 1.0 - p - q;
    const double third = s->corner[sample->half % 2 ? 3 : 1];
    return (float)(((p * s->corner[0] + q * s->corner[2]) + r * third) -
                   s->twist * (p * q));
}

/* Largest change of the scalar per pixel. slope: of the sample. */
static double scalar_slope(const quad_scalars *s, const surface_sample *sample,
                           const float slope[4])
{
    const double p = (double)sample->p, q = (double)sample->q;
    const double third = s->corner[sample->half % 2 ? 3 : 1];
    double change[2];
    for (int n = 0; n < 2; n++) {
        const double dp = (double)slope[2 * n], dq = (double)slope[2 * n + 1];
        change[n] = ((s->corner[0] - third) * dp + (s->corner[2] - third) * dq) -
                    s->twist * (dp * q + p * dq);
    }
    return sqrt(change[0] * change[0] + change[1] * change[1]);
}

/* ---- One sample -------------------------------------------------------------------- */

static void set_color(const float rgb[3], float rgba[4])
{
    memcpy(rgba, rgb, 3 * sizeof *rgb);
    rgba[3] = 1.0f;
}

/* Blends a colour over the present one. An opaque pixel stays exactly opaque. */
static void put_over(const float rgb[3], float alpha, float rgba[4])
{
    for (int c = 0; c < 3; c++) {
        rgba[c] = rgb[c] * alpha + rgba[c] * (1.0f - alpha);
    }
    rgba[3] += alpha * (1.0f - rgba[3]);
}

static void fill(const render_surface *surface, const surface_look *look, float scalar,
                 int band, float rgba[4])
{
    float rgb[3];
    switch (look->fill) {
    case SURFACE_CLEAR:
        break;
    case SURFACE_PLAIN:
        set_color(look->color, rgba);
        break;
    case SURFACE_FRINGES:
        if (look->nlevels > 0 && isfinite(scalar) &&
            !(surface->has_beyond && render_colors_are_beyond(look->colors, scalar))) {
            set_color(surface->band_colors[band], rgba);
            break;
        }
        /* fall through */
    case SURFACE_COLORED:
        render_colors_look_up(look->colors, scalar, rgb);
        set_color(rgb, rgba);
        break;
    }
}

static void draw_contour(const render_surface *surface, const surface_look *look,
                         float scalar, int band, double slope, float rgba[4])
{
    if (!isfinite(scalar) || !(slope > 0.0)) {
        return;
    }
    const int level = nearest_level(look, scalar, band);
    const float distance =
        (float)(fabs((double)scalar - (double)look->levels[level]) / slope);
    const float covered = surface_line_coverage(look->line_width, distance);
    if (covered > 0.0f) {
        const surface_paint *paint = &look->line_paint;
        put_over(paint->by_scalar ? surface->level_colors[level] : paint->rgb, covered,
                 rgba);
    }
}

/* The same for grid lines, which cover this part of the pixel. */
static void draw_wire(const surface_look *look, float scalar, float covered,
                      float rgba[4])
{
    float rgb[3];
    if (covered > 0.0f) {
        memcpy(rgb, look->wire_paint.rgb, sizeof rgb);
        if (look->wire_paint.by_scalar) {
            render_colors_look_up(look->colors, scalar, rgb);
        }
        put_over(rgb, covered, rgba);
    }
}

static void put_light(const surface_light *light, float rgba[4])
{
    for (int c = 0; c < 3; c++) {
        rgba[c] = rgba[c] * light->diffuse[c] + rgba[3] * light->specular[c];
    }
}

/* Darkens or lightens a colour by a texture from -1 to 1. The mean stays about the
 * same. */
static void put_texture(float lightness, float rgba[4])
{
    for (int c = 0; c < 3; c++) {
        rgba[c] += lightness * (lightness < 0.0f ? rgba[c] : rgba[3] - rgba[c]);
    }
}

/* ---- Tiles ------------------------------------------------------------------------- */

static void finish_color(const surface_look *look, const surface_light *light,
                         float rgba[4])
{
    if (look->shade) {
        put_light(light, rgba);
    }
    for (int c = 0; c < 4; c++) {
        rgba[c] *= look->opacity;
    }
}

/* Makes a fill let as much through as its lines leave, so that both blend to the opacity
 * of one surface: (1 - line)(1 - fill) = 1 - opacity. */
static void leave_to_lines(float line, float rgba[4])
{
    const float opacity = rgba[3];
    const float left = line < opacity ? (opacity - line) / (1.0f - line) : 0.0f;
    for (int c = 0; c < 4; c++) {
        rgba[c] *= opacity > 0.0f ? left / opacity : 0.0f;
    }
}

/* lines: the colour of lines that are apart; NULL: they belong to rgba. Both clear
 * before. */
static void color_sample(const render_surface *surface, const surface_look *look,
                         const quad_scalars *scalars, int64_t n, float rgba[4],
                         float lines[4])
{
    const surface_view *view = &surface->view;
    const surface_sample *sample = &view->samples[n];
    const float scalar = scalar_at(scalars, sample);
    const bool has_lines = look->line_width > 0.0f && look->nlevels > 0;
    const bool has_bands = has_lines || look->fill == SURFACE_FRINGES;
    const int band = has_bands ? band_of(look, scalar) : 0;
    const bool is_even = has_bands && !look->smooth;
    fill(surface, look, look->smooth ? scalar : scalars->mean,
         is_even ? band_of(look, scalars->mean) : band, rgba);
    if (look->lic) {
        put_texture(view->lic[n], rgba);
    }
    if (has_lines) {
        const double slope = scalar_slope(scalars, sample, view->slope[n]);
        draw_contour(surface, look, scalar, band, slope, lines ? lines : rgba);
    }
    if (look->wire_width > 0.0f) {
        draw_wire(look, scalar, view->wire[n], lines ? lines : rgba);
    }
    const surface_light *light = look->shade ? &view->light[n] : NULL;
    finish_color(look, light, rgba);
    if (lines) {
        finish_color(look, light, lines);
        leave_to_lines(lines[3], rgba);
    }
}

/* Colours the fragments of a tile, one for each sample. */
static void color_tile(const render_surface *surface, const surface_look *look,
                       int64_t tile)
{
    const surface_view *view = &surface->view;
    quad_scalars scalars = {.number = -1};
    for (int64_t n = view->first[tile]; n < view->first[tile + 1]; n++) {
        const surface_sample *sample = &view->samples[n];
        if (sample->half / 2 != scalars.number) {
            scalars = load_scalars(surface, look, sample->half / 2);
        }
        float rgba[4] = {0.0f, 0.0f, 0.0f, 0.0f}, lines[4] = {0.0f, 0.0f, 0.0f, 0.0f};
        color_sample(surface, look, &scalars, n, rgba, look->lines_apart ? lines : NULL);
        memcpy(surface->fragments.items[n].rgba, rgba, sizeof rgba);
        if (look->lines_apart) {
            memcpy(surface->lines.items[n].rgba, lines, sizeof lines);
        }
    }
}

/* Refreshes the scalars of the view's vertices. A rank's bricks may have far more
 * vertices than its part of the picture shows. Not for cell values. */
static void refresh_values(render_surface *surface, int threads)
{
    const float(*from)[4] = (const float(*)[4])surface->store->vertex;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int64_t i = 0; i < surface->view.nused; i++) {
        const int32_t n = surface->view.used[i];
        const surface_vertex *vertex = &surface->mesh.vertices[n];
        const float a = from[vertex->a][3], b = from[vertex->b][3];
        const double share = (double)vertex->share;
        surface->values[n] = vertex->a == vertex->b
                                 ? a
                                 : (float)((1.0 - share) * (double)a + share * (double)b);
    }
}

static bool uses_scalar(const surface_look *look)
{
    return look->fill == SURFACE_COLORED || look->fill == SURFACE_FRINGES ||
           look->line_width > 0.0f || look->wire_paint.by_scalar;
}

status surface_color(render_surface *surface, const surface_look *look, int threads)
{
    status s = find_levels(surface, look);
    if (s != STATUS_OK) {
        return s;
    }
    if (uses_scalar(look) && (!surface->store->cell || look->lines_at_vertices)) {
        refresh_values(surface, threads);
    }
#pragma omp parallel for num_threads(threads) schedule(dynamic, 8)
    for (int64_t n = 0; n < surface->view.nfull; n++) {
        if (!base_is_stopped()) {
            color_tile(surface, look, surface->view.full[n]);
        }
        base_pause();
    }
    return STATUS_OK;
}
