#include "surface.h"

#include "mesh.h"

#include <stdlib.h>
#include <string.h>

/* ---- Surfaces ---------------------------------------------------------------------- */

/* Fills in an empty surface. */
static status fill_surface(render_surface *surface, const surface_spec *spec)
{
    surface->ncuts = spec->ncuts;
    surface->first_cut = 3 + spec->nplanes;
    surface->cut_normals =
        malloc(((size_t)spec->ncuts + 1) * sizeof *surface->cut_normals);
    surface->plane_axes =
        malloc(((size_t)spec->nplanes + 1) * sizeof *surface->plane_axes);
    if (!surface->cut_normals || !surface->plane_axes) {
        return base_fail_memory(sizeof *surface->cut_normals, "a surface");
    }
    for (int n = 0; n < spec->ncuts; n++) {
        surface->cut_normals[n] = vec3_normalize(spec->cuts[n].normal);
    }
    for (int n = 0; n < spec->nplanes; n++) {
        surface->plane_axes[n] = spec->planes[n].axis;
    }
    status s = surface_mesh_create(surface->store, spec, &surface->mesh);
    if (s != STATUS_OK) {
        return s;
    }
    const size_t bytes = ((size_t)surface->mesh.nvertices + 1) * sizeof *surface->values;
    surface->values = calloc(1, bytes);
    return surface->values ? STATUS_OK : base_fail_memory(bytes, "a surface");
}

status render_surface_create(const grid_store *store, const surface_spec *spec,
                             render_surface **out)
{
    status s = surface_spec_check(store->layout, spec);
    if (s != STATUS_OK) {
        return s;
    }
    render_surface *surface = calloc(1, sizeof *surface);
    if (!surface) {
        return base_fail_memory(sizeof *surface, "a surface");
    }
    surface->store = store;
    s = fill_surface(surface, spec);
    if (s != STATUS_OK) {
        render_surface_destroy(&surface);
        return s;
    }
    *out = surface;
    return STATUS_OK;
}

/* Forgets the view and its fragments. */
static void clear_view(render_surface *surface)
{
    surface_view_clear(&surface->view);
    render_fragments_clear(&surface->fragments);
    render_fragments_clear(&surface->lines);
}

void render_surface_destroy(render_surface **surface)
{
    render_surface *s = surface ? *surface : NULL;
    if (!s) {
        return;
    }
    clear_view(s);
    surface_mesh_clear(&s->mesh);
    free(s->cut_normals);
    free(s->plane_axes);
    free(s->normals);
    free(s->values);
    free(s->level_colors);
    free(s->band_colors);
    free(s);
    *surface = NULL;
}

surface_counts render_surface_count(const render_surface *surface)
{
    return (surface_counts){surface->mesh.nquads, surface_view_count(&surface->view)};
}

double render_surface_cost(const render_surface *surface, int64_t tile)
{
    const double of_quad = 2.0; /* in samples; measurements gave 1.7 to 3.5 */
    const surface_view *view = &surface->view;
    double cost = 0.0;
    for (int64_t n = view->first[tile]; n < view->first[tile + 1]; n++) {
        const bool is_next = n > view->first[tile] &&
                             view->samples[n].half / 2 == view->samples[n - 1].half / 2;
        cost += is_next ? 1.0 : 1.0 + of_quad;
    }
    return cost;
}

/* ---- Pictures ---------------------------------------------------------------------- */

static bool needs_colors(const surface_look *look)
{
    return look->fill == SURFACE_COLORED || look->fill == SURFACE_FRINGES ||
           (look->line_width > 0.0f && look->line_paint.by_scalar) ||
           (look->wire_width > 0.0f && look->wire_paint.by_scalar);
}

static status check_levels(const surface_look *look)
{
    for (int n = 0; n < look->nlevels; n++) {
        if (!isfinite(look->levels[n]) ||
            (n > 0 && !(look->levels[n] > look->levels[n - 1]))) {
            return base_fail(
                STATUS_USAGE,
                "level %d of a contour is %g: levels must be finite numbers that "
                "ascend",
                n + 1, (double)look->levels[n]);
        }
    }
    return STATUS_OK;
}

static status check_look(const render_surface *surface, const surface_look *look)
{
    if (!(look->opacity >= 0.0f && look->opacity <= 1.0f)) {
        return base_fail(STATUS_USAGE,
                         "the opacity of a surface is %g: it must be from 0 to 1",
                         (double)look->opacity);
    }
    if (!(look->line_width >= 0.0f && look->wire_width >= 0.0f)) {
        return base_fail(STATUS_USAGE, "the width of lines must be 0 or more pixels");
    }
    if (needs_colors(look) && !look->colors) {
        return base_fail(STATUS_USAGE, "a surface that is coloured by a field needs a "
                                       "colour map");
    }
    if (look->line_width > 0.0f && look->nlevels > 0 && surface->store->cell &&
        !look->lines_at_vertices) {
        return base_fail(STATUS_USAGE,
                         "contour lines need a field at vertices, and this one is in "
                         "cells: choose another field, or fringes");
    }
    return check_levels(look);
}

/* Makes the fragments of a view, one for each sample, without colours yet. Clear
 * fragments stay, so that all pictures of the view have fragments at the same places. */
static status make_fragments(render_surface *surface)
{
    const surface_view *view = &surface->view;
    const size_t tiles = (size_t)surface_view_tiles(view);
    const int64_t count = surface_view_count(view);
    const size_t bytes = ((size_t)count + 1) * sizeof *surface->fragments.items;
    render_fragments *out = &surface->fragments;
    *out = (render_fragments){.columns = view->columns,
                              .rows = view->rows,
                              .first = malloc((tiles + 1) * sizeof *out->first),
                              .items = malloc(bytes),
                              .places = render_fragments_number()};
    if (!out->first || !out->items) {
        return base_fail_memory(bytes, "the fragments of a surface");
    }
    memcpy(out->first, view->first, (tiles + 1) * sizeof *out->first);
    for (int64_t n = 0; n < count; n++) {
        out->items[n] =
            (render_fragment){.pixel = view->samples[n].pixel, .t = view->samples[n].t};
    }
    return STATUS_OK;
}

/* Finds the samples of a view and makes its fragments, unless it is the view of the last
 * picture. */
static status prepare_view(render_surface *surface, const render_clip_view *view,
                           int threads)
{
    if (render_clip_view_is_kept(&surface->view.seen, view)) {
        return STATUS_OK;
    }
    clear_view(surface);
    status s = surface_view_create(&surface->mesh, view, threads, &surface->view);
    if (s == STATUS_OK) {
        s = make_fragments(surface);
    }
    if (s != STATUS_OK) {
        clear_view(surface);
    }
    return s;
}

status render_surface_draw(render_surface *surface, const surface_look *look,
                           const render_clip_view *view, int threads,
                           const render_fragments **out)
{
    status s = check_look(surface, look);
    if (s == STATUS_OK) {
        s = prepare_view(surface, view, threads);
    }
    if (s == STATUS_OK && look->lines_apart && !surface->lines.first) {
        s = render_fragments_copy(&surface->fragments, &surface->lines);
    }
    if (s == STATUS_OK && look->line_width > 0.0f && look->nlevels > 0) {
        s = surface_view_find_slopes(&surface->mesh, threads, &surface->view);
    }
    if (s == STATUS_OK && look->wire_width > 0.0f) {
        s = surface_wires_find(surface, look, threads);
    }
    if (s == STATUS_OK && look->lic) {
        s = surface_lic_find(surface, look->lic, threads);
    }
    if (s == STATUS_OK && look->shade) {
        s = surface_light_find(surface, look, threads);
    }
    if (s == STATUS_OK) {
        s = surface_color(surface, look, threads);
    }
    if (s == STATUS_OK) {
        surface->fragments.are_lines = look->fill == SURFACE_CLEAR;
        surface->lines.are_lines = true;
        *out = &surface->fragments;
    }
    return s;
}

const render_fragments *render_surface_lines(const render_surface *surface)
{
    return &surface->lines;
}
