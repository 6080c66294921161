#include "mark.h"

#include <math.h>
#include <string.h>

/* Measures of an arrow's head, in letter sizes. */
static const double head_length = 0.75, head_width = 0.5;

/* The pen with the colour of a mark. */
static pen recolored(const pen *with, bool has_color, const double color[3])
{
    pen out = *with;
    if (has_color) {
        memcpy(out.text, color, sizeof out.text);
        pen_contrast(out.text, out.halo);
    }
    return out;
}

static void draw_mark(const pen *with, const annotate_mark *mark)
{
    const pen own = recolored(with, mark->has_color, mark->color);
    const double size = with->font * (mark->size > 0.0 ? mark->size : 1.0);
    const double width = pen_text_width(with, size, mark->text);
    const double height = with->capital * size;
    const double length = hypot(mark->way[0], mark->way[1]);
    double middle[2] = {mark->at[0], mark->at[1]};
    if (length > 0.0) {
        const double x = mark->way[0] / length, y = mark->way[1] / length;
        const double half = 0.5 * (fabs(x) * width + fabs(y) * height);
        middle[0] += x * (mark->gap * with->font + half);
        middle[1] += y * (mark->gap * with->font + half);
    }
    pen_text(&own, size, middle[0] - 0.5 * width, middle[1] + 0.5 * height, mark->text,
             own.text);
}

/* Adds the triangle of a head whose tip is at the end of a line. */
static void add_head(const pen *with, const annotate_stroke *stroke, const double way[2])
{
    const double length = head_length * with->font, half = 0.5 * head_width * with->font;
    const double base[2] = {stroke->to[0] - length * way[0],
                            stroke->to[1] - length * way[1]};
    cairo_move_to(with->cairo, stroke->to[0], stroke->to[1]);
    cairo_line_to(with->cairo, base[0] - half * way[1], base[1] + half * way[0]);
    cairo_line_to(with->cairo, base[0] + half * way[1], base[1] - half * way[0]);
    cairo_close_path(with->cairo);
}

static void draw_stroke(const pen *with, const annotate_stroke *stroke)
{
    const pen own = recolored(with, stroke->has_color, stroke->color);
    const double dx = stroke->to[0] - stroke->from[0];
    const double dy = stroke->to[1] - stroke->from[1], length = hypot(dx, dy);
    if (!(length > 0.0)) {
        return;
    }
    const double way[2] = {dx / length, dy / length};
    const double back = stroke->has_head ? 0.8 * head_length * with->font : 0.0;
    cairo_new_path(with->cairo);
    cairo_move_to(with->cairo, stroke->from[0], stroke->from[1]);
    cairo_line_to(with->cairo, stroke->to[0] - back * way[0],
                  stroke->to[1] - back * way[1]);
    if (stroke->has_head) {
        add_head(with, stroke, way);
    }
    pen_stroke(&own);
    if (stroke->has_head) {
        cairo_new_path(with->cairo);
        add_head(with, stroke, way);
        cairo_set_source_rgb(with->cairo, own.text[0], own.text[1], own.text[2]);
        cairo_fill(with->cairo);
    }
}

void mark_draw_all(const pen *with, const annotation *what)
{
    for (int n = 0; n < what->nstrokes; n++) {
        draw_stroke(with, &what->strokes[n]);
    }
    for (int n = 0; n < what->nmarks; n++) {
        draw_mark(with, &what->marks[n]);
    }
}
