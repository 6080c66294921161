#include "logo.h"

#include "base/status.h"
#include <stdlib.h>

struct annotate_image {
    cairo_surface_t *surface;
};

/* Fails with the file's name and the reason that cairo has. */
static status fail(const char *path, cairo_status_t state)
{
    return state == CAIRO_STATUS_NO_MEMORY
               ? base_fail_memory(0, "a logo")
               : base_fail(STATUS_INPUT, "'%s' cannot be read as a PNG file: %s", path,
                           cairo_status_to_string(state));
}

status annotate_image_read(const char *path, annotate_image **out)
{
    cairo_surface_t *surface = cairo_image_surface_create_from_png(path);
    const cairo_status_t state = cairo_surface_status(surface);
    annotate_image *image =
        state == CAIRO_STATUS_SUCCESS ? calloc(1, sizeof *image) : NULL;
    if (!image) {
        cairo_surface_destroy(surface);
        return fail(path, state == CAIRO_STATUS_SUCCESS ? CAIRO_STATUS_NO_MEMORY : state);
    }
    image->surface = surface;
    *out = image;
    return STATUS_OK;
}

void annotate_image_destroy(annotate_image **image)
{
    if (*image) {
        cairo_surface_destroy((*image)->surface);
        free(*image);
        *image = NULL;
    }
}

void logo_measure(const annotate_logo *logo, double height, double most, double size[2])
{
    cairo_surface_t *surface = logo->image->surface;
    const double wide = cairo_image_surface_get_width(surface);
    const double high = cairo_image_surface_get_height(surface);
    const double width = logo->height * height * wide / high;
    const double fit = width > most ? most / width : 1.0;
    size[0] = fit * width;
    size[1] = fit * logo->height * height;
}

void logo_draw(cairo_t *cairo, const annotate_logo *logo, double x, double y,
               double height)
{
    cairo_surface_t *surface = logo->image->surface;
    const double scale = height / cairo_image_surface_get_height(surface);
    cairo_save(cairo);
    cairo_translate(cairo, x, y);
    cairo_scale(cairo, scale, scale);
    cairo_set_source_surface(cairo, surface, 0.0, 0.0);
    cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_BEST);
    cairo_paint(cairo);
    cairo_restore(cairo);
}
