#include "draw.h"

#include "bar.h"
#include "base/status.h"
#include "check.h"
#include "label.h"
#include "logo/logo.h"
#include "mark.h"
#include "overlay.h"
#include "panel.h"
#include "pen.h"
#include "triad.h"

#include <cairo.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A band of a wide picture fits into the second-level cache. */
enum { BAND_ROWS = 128 };

bool annotate_is_available(void)
{
    return true;
}

const char *annotate_library(void)
{
    return "cairo " CAIRO_VERSION_STRING;
}

/* Notes the places of labels as taken. */
static void take_labels(const pen *with, const label_stacks *stacks)
{
    for (int n = 0; n < LABEL_ANCHORS; n++) {
        const label_stack *at = &stacks->at[n];
        const double y = n < ANNOTATE_BOTTOM_LEFT ? at->near : with->height - at->reach;
        if (at->reach > 0.0) {
            pen_take(with, (pen_box){at->x0, y, at->x1 - at->x0, at->reach - at->near});
        }
    }
}

/* Draws the insets on panels, which have a margin of this many letter sizes inside. */
static status draw_insets(const pen *with, const annotation *what, label_stacks *stacks)
{
    static const double padding = 0.6;
    status s = STATUS_OK;
    for (int n = 0; n < what->ninsets && s == STATUS_OK; n++) {
        const annotate_inset *inset = &what->insets[n];
        const double by = padding * with->font, most = 2.0 * with->margin;
        const pen_box size = {
            .width = fmin(round(inset->width * with->width), with->width - most),
            .height = fmin(round(inset->height * with->height), with->height - most)};
        const pen_box place = label_take(with, stacks, inset->anchor, size);
        const pen_box inside = {place.x + by, place.y + by, place.width - 2.0 * by,
                                place.height - 2.0 * by};
        panel_draw(with, ANNOTATE_PANEL_ON, inside);
        if (pen_sees(with, place.y, place.y + place.height)) {
            const double box[4] = {place.x, place.y, place.width, place.height};
            s = inset->draw(inset->context, with, box);
        }
    }
    return s;
}

static status draw_all(const pen *plain, const annotation *what)
{
    pen_taken taken = {.count = 0};
    pen noting = *plain;
    const pen *with = &noting;
    noting.taken = &taken;
    mark_draw_strokes(with, what);
    label_stacks stacks = label_place(with, what->nlabels, what->labels);
    label_draw(with, what->nlabels, what->labels, &stacks);
    take_labels(with, &stacks);
    pen_box square = {0};
    if (what->triad.shown) {
        const double edge = triad_edge(with, &what->triad);
        square = label_take(with, &stacks, what->triad.anchor,
                            (pen_box){0.0, 0.0, edge, edge});
    }
    if (what->logo.image) {
        double size[2];
        logo_measure(&what->logo, with->height, with->width - 2.0 * with->margin, size);
        const pen_box box = {0.0, 0.0, size[0], size[1]};
        const pen_box place = label_take(with, &stacks, what->logo.anchor, box);
        logo_draw(with->cairo, &what->logo, place.x, place.y, place.height);
        pen_take(with, place);
    }
    const status s = draw_insets(with, what, &stacks);
    bar_draw_all(with, what->nbars, what->bars, &stacks);
    if (what->triad.shown) {
        triad_draw(with, &what->triad, square);
        pen_take(with, square);
    }
    mark_draw_texts(with, what);
    return s;
}

status annotate_check_cairo(cairo_status_t state)
{
    if (state == CAIRO_STATUS_NO_MEMORY) {
        return base_fail_memory(0, "annotations");
    }
    if (state == CAIRO_STATUS_INVALID_STRING) {
        return base_fail(STATUS_USAGE, "a label or title is not valid UTF-8");
    }
    if (state == CAIRO_STATUS_WRITE_ERROR) {
        return STATUS_OUTPUT; /* whoever made the file names it (io_file_make) */
    }
    if (state != CAIRO_STATUS_SUCCESS) {
        return base_fail(STATUS_INTERNAL, "cairo cannot draw the annotations: %s",
                         cairo_status_to_string(state));
    }
    return STATUS_OK;
}

status annotate_draw_on(cairo_t *cairo, int width, int height, const annotation *what)
{
    pen with = pen_make(cairo, width, height, 0, height, &what->style);
    with.scene = &what->scene;
    return draw_all(&with, what);
}

/* Draws rows [row0, row1) on a surface whose first row is row0. */
static status draw_band(cairo_surface_t *surface, const annotate_overlay *overlay,
                        const annotation *what, int row0, int row1)
{
    cairo_t *cairo = cairo_create(surface);
    cairo_set_operator(cairo, CAIRO_OPERATOR_CLEAR);
    cairo_paint(cairo);
    cairo_set_operator(cairo, CAIRO_OPERATOR_OVER);
    cairo_translate(cairo, 0.0, -row0);
    pen with = pen_make(cairo, overlay->width, overlay->height, row0, row1, &what->style);
    with.scene = &what->scene;
    const status drawn = draw_all(&with, what);
    const status s = annotate_check_cairo(cairo_status(cairo));
    cairo_destroy(cairo);
    cairo_surface_flush(surface);
    return s == STATUS_OK ? drawn : s;
}

static status keep_band(cairo_surface_t *surface, annotate_overlay *overlay, int row0,
                        int row1)
{
    const unsigned char *data = cairo_image_surface_get_data(surface);
    const int stride = cairo_image_surface_get_stride(surface);
    status s = STATUS_OK;
    for (int row = row0; row < row1 && s == STATUS_OK; row++) {
        const void *argb = data + (ptrdiff_t)(row - row0) * stride;
        s = annotate_overlay_add_row(overlay, row, argb);
    }
    return s;
}

static status draw_bands(cairo_surface_t *surface, annotate_overlay *overlay,
                         const annotation *what, int rows)
{
    status s = annotate_check_cairo(cairo_surface_status(surface));
    for (int row0 = 0; row0 < overlay->height && s == STATUS_OK; row0 += rows) {
        const int row1 = row0 + rows < overlay->height ? row0 + rows : overlay->height;
        s = draw_band(surface, overlay, what, row0, row1);
        if (s == STATUS_OK) {
            s = keep_band(surface, overlay, row0, row1);
        }
    }
    return s;
}

status annotate_draw_bands(annotate_overlay *overlay, const annotation *what, int rows)
{
    annotate_overlay_clear(overlay);
    status s = annotate_check(what);
    if (s != STATUS_OK) {
        return s;
    }
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_ARGB32, overlay->width, rows);
    s = draw_bands(surface, overlay, what, rows);
    cairo_surface_destroy(surface);
    if (s != STATUS_OK) {
        annotate_overlay_clear(overlay);
    }
    return s;
}

status annotate_draw(annotate_overlay *overlay, const annotation *what)
{
    return annotate_draw_bands(overlay, what, BAND_ROWS);
}
