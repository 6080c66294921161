#include "reference/trusted.h"

#include <jansson.h>
#include <stdlib.h>

static status read_camera(json_t *root, trusted_view *view)
{
    reference_camera *c = &view->camera;
    double *at = c->position.v, *to = c->look_at.v, *up = c->up.v,
           *back = view->background;
    json_error_t error;
    int failed = json_unpack_ex(
        root, &error, 0, "{s:{s:{s:[FFF], s:[FFF], s:[FFF], s:F}, s:[FFF]}}", "view",
        "camera", "position", at, at + 1, at + 2, "focal_point", to, to + 1, to + 2,
        "view_up", up, up + 1, up + 2, "view_angle_deg", &c->fov, "background", back,
        back + 1, back + 2);
    return failed ? base_fail(STATUS_INPUT, "the trusted camera: %s", error.text)
                  : STATUS_OK;
}

static status read_transfer(json_t *root, trusted_view *view)
{
    json_t *points;
    json_error_t error;
    if (json_unpack_ex(root, &error, 0, "{s:{s:{s:F, s:o}}}", "view", "transfer_function",
                       "opacity_unit_length", &view->unit_length, "points", &points)) {
        return base_fail(STATUS_INPUT, "the trusted transfer function: %s", error.text);
    }
    size_t count = json_array_size(points);
    view->colors = calloc(count + 1, sizeof *view->colors);
    view->extinction = calloc(count + 1, sizeof *view->extinction);
    if (!view->colors || !view->extinction) {
        return base_fail_memory(count * sizeof *view->colors, "a transfer function");
    }
    view->npoints = (int)count;
    for (size_t p = 0; p < count; p++) {
        double *c = view->colors[p], *e = view->extinction[p];
        if (json_unpack_ex(json_array_get(points, p), &error, 0, "[FFFFF]", c, c + 1,
                           c + 2, c + 3, e + 1)) {
            return base_fail(STATUS_INPUT, "control point %zu: %s", p, error.text);
        }
        e[0] = c[0];
    }
    return STATUS_OK;
}

static status read_set(json_t *json, trusted_set *set)
{
    json_t *pixels;
    json_error_t error;
    if (json_unpack_ex(json, &error, 0, "{s:i, s:o}", "image_size", &set->size, "pixels",
                       &pixels)) {
        return base_fail(STATUS_INPUT, "a set of trusted pixels: %s", error.text);
    }
    size_t count = json_array_size(pixels);
    set->pixels = calloc(count + 1, sizeof *set->pixels);
    if (!set->pixels) {
        return base_fail_memory(count * sizeof *set->pixels, "trusted pixels");
    }
    set->count = (int)count;
    for (size_t p = 0; p < count; p++) {
        trusted_pixel *pixel = &set->pixels[p];
        if (json_unpack_ex(json_array_get(pixels, p), &error, 0,
                           "{s:i, s:i, s:[FFF], s:F, s:F}", "col", &pixel->column, "row",
                           &pixel->row, "rgb", pixel->rgb, pixel->rgb + 1, pixel->rgb + 2,
                           "transmittance", &pixel->transmittance, "length",
                           &pixel->length)) {
            return base_fail(STATUS_INPUT, "trusted pixel %zu: %s", p, error.text);
        }
    }
    return STATUS_OK;
}

static status read_sets(json_t *root, trusted_view *view)
{
    json_t *sets = json_object_get(root, "sets");
    size_t count = json_array_size(sets);
    view->sets = calloc(count + 1, sizeof *view->sets);
    if (!view->sets) {
        return base_fail_memory(count * sizeof *view->sets, "trusted pixels");
    }
    view->nsets = (int)count;
    for (size_t n = 0; n < count; n++) {
        status s = read_set(json_array_get(sets, n), &view->sets[n]);
        if (s != STATUS_OK) {
            return s;
        }
    }
    return STATUS_OK;
}

status trusted_view_read(const char *path, trusted_view *out)
{
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    if (!root) {
        return base_fail(STATUS_INPUT, "%s:%d: %s", path, error.line, error.text);
    }
    trusted_view view = {0};
    status s = read_camera(root, &view);
    s = s == STATUS_OK ? read_transfer(root, &view) : s;
    s = s == STATUS_OK ? read_sets(root, &view) : s;
    json_decref(root);
    if (s != STATUS_OK) {
        trusted_view_clear(&view);
        return s;
    }
    *out = view;
    return STATUS_OK;
}

void trusted_view_clear(trusted_view *view)
{
    for (int n = 0; n < view->nsets; n++) {
        free(view->sets[n].pixels);
    }
    free(view->sets);
    free(view->colors);
    free(view->extinction);
    *view = (trusted_view){0};
}

reference_transfer trusted_view_transfer(const trusted_view *view)
{
    return (reference_transfer){
        .ncolors = view->npoints,
        .colors = (const double(*)[4])view->colors,
        .nopacities = view->npoints,
        .opacities = (const double(*)[2])view->extinction,
        .opacities_are_extinction = true,
        .positions_are_data = true,
        .unit_length = view->unit_length,
    };
}
