/* A picture as a vector file: its pixels as an image, with the annotations as curves over
 * it, which stay sharp at any size. */
#include "base/status.h"
#include "check.h"
#include "draw.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <stdlib.h>

/* Without a resolution, pixels are those of CSS. */
static const double points_per_inch = 72.0, usual_dpi = 96.0;

/* cairo's ARGB32 of a pixel that is not premultiplied. */
static uint32_t pack(const uint8_t *rgb, unsigned alpha)
{
    uint32_t packed = alpha << 24;
    for (int c = 0; c < 3; c++) {
        packed |= (uint32_t)((rgb[c] * alpha + 127) / 255) << (16 - 8 * c);
    }
    return packed;
}

/* Copies the pixels row by row. */
static status fill(cairo_surface_t *raster, const annotate_figure *figure)
{
    const int bytes = figure->has_alpha ? 4 : 3;
    const int stride = cairo_image_surface_get_stride(raster);
    unsigned char *data = cairo_image_surface_get_data(raster);
    uint8_t *row = malloc((size_t)figure->width * (size_t)bytes);
    if (!row) {
        return base_fail_memory((size_t)figure->width * (size_t)bytes, "a figure");
    }
    for (int y = 0; y < figure->height; y++) {
        uint32_t *to = (uint32_t *)(void *)(data + (ptrdiff_t)y * stride);
        figure->pixels(figure->context, (int64_t)y * figure->width, figure->width, row);
        for (int x = 0; x < figure->width; x++) {
            const uint8_t *from = row + (ptrdiff_t)bytes * x;
            to[x] = pack(from, figure->has_alpha ? from[3] : 255u);
        }
    }
    free(row);
    cairo_surface_mark_dirty(raster);
    return STATUS_OK;
}

static status paint_raster(cairo_t *cairo, const annotate_figure *figure)
{
    cairo_surface_t *raster = cairo_image_surface_create(
        figure->has_alpha ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24, figure->width,
        figure->height);
    status s = annotate_check_cairo(cairo_surface_status(raster));
    if (s == STATUS_OK) {
        s = fill(raster, figure);
    }
    if (s == STATUS_OK) {
        cairo_set_source_surface(cairo, raster, 0.0, 0.0);
        cairo_paint(cairo);
    }
    cairo_surface_destroy(raster);
    return s;
}

cairo_status_t annotate_write_bytes(void *file, const unsigned char *data,
                                    unsigned length)
{
    return fwrite(data, 1, length, file) == length ? CAIRO_STATUS_SUCCESS
                                                   : CAIRO_STATUS_WRITE_ERROR;
}

cairo_surface_t *annotate_vector_surface(FILE *file, bool is_svg, double width,
                                         double height)
{
    cairo_surface_t *surface = is_svg ? cairo_svg_surface_create_for_stream(
                                            annotate_write_bytes, file, width, height)
                                      : cairo_pdf_surface_create_for_stream(
                                            annotate_write_bytes, file, width, height);
    if (!is_svg && cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS) {
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE,
                                       "2000-01-01T00:00:00Z");
    }
    return surface;
}

status annotate_figure_write(const annotate_figure *figure, const annotation *what,
                             FILE *file)
{
    status s = annotate_check(what);
    if (s != STATUS_OK) {
        return s;
    }
    const double dpi = figure->dpi > 0.0 ? figure->dpi : usual_dpi;
    const double scale = points_per_inch / dpi;
    cairo_surface_t *surface = annotate_vector_surface(
        file, figure->is_svg, scale * figure->width, scale * figure->height);
    cairo_t *cairo = cairo_create(surface);
    cairo_scale(cairo, scale, scale);
    s = annotate_check_cairo(cairo_status(cairo));
    if (s == STATUS_OK) {
        s = paint_raster(cairo, figure);
    }
    if (s == STATUS_OK) {
        s = annotate_draw_on(cairo, figure->width, figure->height, what);
        cairo_show_page(cairo);
        s = s == STATUS_OK ? annotate_check_cairo(cairo_status(cairo)) : s;
    }
    cairo_destroy(cairo);
    cairo_surface_finish(surface);
    const cairo_status_t written = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    return s == STATUS_OK ? annotate_check_cairo(written) : s;
}
