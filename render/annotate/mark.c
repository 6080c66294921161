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

/* The box of a mark's text, moved by letter sizes along its way and across it. */
static pen_box box_of(const pen *with, const annotate_mark *mark, double along,
                      double across)
{
    const double size = with->font * (mark->size > 0.0 ? mark->size : 1.0);
    const double width = pen_text_width(with, size, mark->text);
    const double height = with->capital * size;
    const double length = hypot(mark->way[0], mark->way[1]);
    const double x = length > 0.0 ? mark->way[0] / length : 0.0;
    const double y = length > 0.0 ? mark->way[1] / length : 0.0;
    const double half = 0.5 * (fabs(x) * width + fabs(y) * height);
    const double off = length > 0.0 ? mark->gap * with->font + half : 0.0;
    const double way = off + along * with->font, side = across * with->font;
    /* A text without a way moves down and to the right. */
    const double u = length > 0.0 ? x : 0.0, v = length > 0.0 ? y : 1.0;
    return (pen_box){mark->at[0] + u * way - v * side - 0.5 * width,
                     mark->at[1] + v * way + u * side - 0.5 * height, width, height};
}

static bool is_in_picture(const pen *with, const pen_box *box)
{
    return box->x >= 0.0 && box->y >= 0.0 && box->x + box->width <= with->width &&
           box->y + box->height <= with->height;
}

/* A box with room for letters that hang below the line. */
static pen_box with_room(const pen *with, pen_box box)
{
    const double room = 0.3 * with->font;
    return (pen_box){box.x - room, box.y - room, box.width + 2.0 * room,
                     box.height + 2.5 * room};
}

/* Finds a free place in the picture; false: there is none, and the box is the first. */
static bool find_place(const pen *with, const annotate_mark *mark, pen_box *box)
{
    static const double moves[][2] = {{0, 0},  {1, 0},  {0, 1.4}, {0, -1.4}, {2, 0},
                                      {3, 0},  {1, 2},  {1, -2},  {0, 2.8},  {0, -2.8},
                                      {5, 0},  {2, 4},  {2, -4},  {-1.5, 0}, {-3, 0},
                                      {-3, 3}, {-3, -3}};
    const int count = mark->is_number ? 1 : (int)(sizeof moves / sizeof moves[0]);
    for (int n = 0; n < count; n++) {
        *box = box_of(with, mark, moves[n][0], moves[n][1]);
        if (is_in_picture(with, box) && pen_is_free(with, with_room(with, *box))) {
            return true;
        }
    }
    *box = box_of(with, mark, 0.0, 0.0);
    return false;
}

/* Words that find no place stay at theirs: nothing that a user wrote is left out. */
static void draw_mark(const pen *with, const annotate_mark *mark)
{
    const pen own = recolored(with, mark->has_color, mark->color);
    const double size = with->font * (mark->size > 0.0 ? mark->size : 1.0);
    pen_box box;
    if (!find_place(with, mark, &box) && mark->is_number) {
        return;
    }
    pen_take(with, box);
    pen_text(&own, size, box.x, box.y + box.height, mark->text, own.text);
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

void mark_draw_strokes(const pen *with, const annotation *what)
{
    for (int n = 0; n < what->nstrokes; n++) {
        draw_stroke(with, &what->strokes[n]);
    }
}

void mark_draw_texts(const pen *with, const annotation *what)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int n = 0; n < what->nmarks; n++) {
            if (what->marks[n].is_number == (pass == 1)) {
                draw_mark(with, &what->marks[n]);
            }
        }
    }
}
