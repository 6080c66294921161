#include "pen.h"

#include <math.h>
#include <string.h>

/* Letters of 20 pixels in pictures of 1024 x 1024; letters below 10 pixels are not
 * readable. */
static const double font_share = 20.0 / 1024.0, font_least = 10.0;

static const double halo_opacity = 0.6;

static double brightness(const double color[3])
{
    return 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2];
}

void pen_contrast(const double color[3], double out[3])
{
    /* 0.46 is about the eye's middle grey. */
    const double value = brightness(color) > 0.46 ? 0.05 : 0.97;
    out[0] = out[1] = out[2] = value;
}

/* Letters are drawn as outlines, so that desktop settings do not matter. */
static void set_font(cairo_t *cairo)
{
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(cairo, options);
    cairo_font_options_destroy(options);
    cairo_select_font_face(cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           CAIRO_FONT_WEIGHT_NORMAL);
}

pen pen_make(cairo_t *cairo, int width, int height, int row0, int row1,
             const annotate_style *style)
{
    pen made = {
        .cairo = cairo, .width = width, .height = height, .row0 = row0, .row1 = row1};
    const double size = style->size > 0.0 ? style->size : 1.0;
    made.font = size * fmax(fmin(width, height) * font_share, font_least);
    made.margin = made.font;
    made.line = fmax(1.0, round(0.07 * made.font));
    memcpy(made.ground, style->background, sizeof made.ground);
    pen_contrast(style->background, made.text);
    if (style->has_text_color) {
        memcpy(made.text, style->text_color, sizeof made.text);
    }
    pen_contrast(made.text, made.halo);
    set_font(cairo);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_set_font_size(cairo, made.font);
    cairo_text_extents_t digit;
    cairo_text_extents(cairo, "0", &digit);
    made.capital = digit.height / made.font;
    return made;
}

bool pen_sees(const pen *with, double top, double bottom)
{
    return bottom + with->font > with->row0 && top - with->font < with->row1;
}

double pen_text_width(const pen *with, double size, const char *text)
{
    cairo_text_extents_t extents;
    cairo_set_font_size(with->cairo, size);
    cairo_text_extents(with->cairo, text, &extents);
    return extents.x_advance;
}

double pen_widest(const pen *with, const annotate_ticks *ticks)
{
    double widest = 0.0;
    for (int n = 0; n < ticks->count; n++) {
        widest = fmax(widest, pen_text_width(with, with->font, ticks->texts[n]));
    }
    return widest;
}

double pen_text_fit(const pen *with, double size, double most, const char *text)
{
    const double width = pen_text_width(with, size, text), room = fmax(most, 1.0);
    return width > room ? size * room / width : size;
}

static void set_color(const pen *with, const double color[3], double opacity)
{
    cairo_set_source_rgba(with->cairo, color[0], color[1], color[2], opacity);
}

void pen_text(const pen *with, double size, double x, double baseline, const char *text,
              const double color[3])
{
    if (!pen_sees(with, baseline - 1.5 * size, baseline + size)) {
        return;
    }
    cairo_new_path(with->cairo);
    cairo_set_font_size(with->cairo, size);
    cairo_move_to(with->cairo, x, baseline);
    cairo_text_path(with->cairo, text);
    cairo_set_line_width(with->cairo, fmax(1.5, 0.16 * size));
    set_color(with, with->halo, halo_opacity);
    cairo_stroke_preserve(with->cairo);
    set_color(with, color, 1.0);
    cairo_fill(with->cairo);
}

void pen_stroke(const pen *with)
{
    set_color(with, with->halo, halo_opacity);
    cairo_set_line_width(with->cairo, with->line + fmax(1.5, 0.1 * with->font));
    cairo_stroke_preserve(with->cairo);
    set_color(with, with->text, 1.0);
    cairo_set_line_width(with->cairo, with->line);
    cairo_stroke(with->cairo);
}

double pen_snap(const pen *with, double at)
{
    return round(at - 0.5 * with->line) + 0.5 * with->line;
}

void pen_take(const pen *with, pen_box box)
{
    if (with->taken && with->taken->count < PEN_MOST_TAKEN) {
        with->taken->boxes[with->taken->count++] = box;
    }
}

bool pen_is_free(const pen *with, pen_box box)
{
    bool is_free = true;
    for (int n = 0; with->taken && n < with->taken->count; n++) {
        const pen_box *other = &with->taken->boxes[n];
        is_free = is_free &&
                  (box.x >= other->x + other->width || other->x >= box.x + box.width ||
                   box.y >= other->y + other->height || other->y >= box.y + box.height);
    }
    return is_free;
}
