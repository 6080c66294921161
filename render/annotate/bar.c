#include "bar.h"

#include "panel.h"
#include "strip.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Fractions of the picture: a strip's length, of the parallel side; its thickness, of the
 * smaller side. */
static const double length_share = 0.36, thickness_share = 0.02;

/* Measures in letter sizes. */
static const double tick_length = 0.35, text_gap = 0.3, title_gap = 0.8, swatch_gap = 0.7,
                    bar_gap = 1.2;

enum { TITLE_SIZE = 512, MOST_TICKS = 11 };

/* A bar that is ready to be drawn. */
typedef struct bar {
    const annotate_bar *what;
    strip strip;
    annotate_ticks ticks;
    char title[TITLE_SIZE]; /* with the ticks' common factor */
    char more[TITLE_SIZE];  /* its second line; "": none */
} bar;

/* ---- Ticks ---- */

/* Ticks at the levels that lie in the range. */
static annotate_ticks level_ticks(const annotate_bar *what, int most)
{
    const double *range = what->scale.range;
    int first = 0, end = what->nlevels;
    while (first < end && what->levels[first] < range[0]) {
        first++;
    }
    while (end > first && what->levels[end - 1] > range[1]) {
        end--;
    }
    return annotate_ticks_at(end - first, what->levels + first, most);
}

/* The names of categories: all, or every second, third and so on. */
static annotate_ticks name_ticks(const annotate_bar *what, int most)
{
    annotate_ticks ticks = {.count = 0};
    const int every = (what->ncategories + most - 1) / most;
    for (int n = 0; n < what->ncategories; n += every) {
        snprintf(ticks.texts[ticks.count], ANNOTATE_TICK_SIZE, "%s",
                 what->categories[n].name);
        ticks.values[ticks.count++] = what->categories[n].value;
    }
    return ticks;
}

static annotate_ticks make_ticks(const annotate_bar *what, int most)
{
    if (what->ncategories > 0) {
        return name_ticks(what, most);
    }
    const bool at_levels = what->ticks_at_levels && what->nlevels > 0;
    annotate_ticks ticks =
        at_levels ? level_ticks(what, most) : annotate_ticks_scaled(&what->scale, most);
    if (what->format.letter != '\0') {
        annotate_ticks_format(&ticks, what->format);
    }
    return ticks;
}

/* Whether the labels of neighbouring ticks do not touch. */
static bool ticks_fit(const pen *with, const bar *of)
{
    const annotate_ticks *ticks = &of->ticks;
    const double needed =
        of->strip.upright ? 1.3 * with->font : pen_widest(with, ticks) + 0.9 * with->font;
    for (int n = 1; n < ticks->count; n++) {
        const double apart = strip_place(&of->strip, of->what, ticks->values[n]) -
                             strip_place(&of->strip, of->what, ticks->values[n - 1]);
        if (fabs(apart) < needed) {
            return false;
        }
    }
    return true;
}

static void choose_ticks(const pen *with, bar *of)
{
    const double apart = (of->strip.upright ? 2.4 : 4.0) * with->font;
    const int fitting = (int)fmin(strip_length(&of->strip) / apart, MOST_TICKS - 1) + 1;
    int most = of->what->ticks > 0 ? of->what->ticks : fitting;
    most = of->what->ncategories > most ? of->what->ncategories : most;
    most = most < 2 ? 2 : most > ANNOTATE_MAX_TICKS ? ANNOTATE_MAX_TICKS : most;
    of->ticks = make_ticks(of->what, most);
    while (most > 1 && !ticks_fit(with, of)) {
        most--;
        of->ticks = most > 1 ? make_ticks(of->what, most)
                             : annotate_ticks_at(1, &of->ticks.values[0], 1);
    }
}

static void write_title(bar *of)
{
    annotate_ticks_title(of->what->title, of->what->unit, of->ticks.exponent, of->title,
                         sizeof of->title);
}

/* Breaks a wide title of an upright bar at the edge of the picture into two lines. */
static void break_title(const pen *with, bar *of)
{
    const size_t length = annotate_title_break(of->title);
    if (length > 0 && of->strip.upright && of->what->side != ANNOTATE_RECTANGLE &&
        pen_text_width(with, with->font, of->title) >
            ANNOTATE_TITLE_SHARE * with->width) {
        snprintf(of->more, sizeof of->more, "%s", of->title + length);
        of->title[of->title[length - 1] == ' ' ? length - 1 : length] = '\0';
    }
}

static double title_width(const pen *with, const bar *of)
{
    return fmax(pen_text_width(with, with->font, of->title),
                pen_text_width(with, with->font, of->more));
}

static bar make_bar(const pen *with, const annotate_bar *what, pen_box box, bool upright)
{
    bar made = {.what = what, .strip = strip_make(box, upright)};
    choose_ticks(with, &made);
    write_title(&made);
    break_title(with, &made);
    return made;
}

/* ---- Drawing a bar ---- */

static double clamp(double value, double lo, double hi)
{
    return fmin(fmax(value, lo), fmax(lo, hi));
}

/* Height of a capital letter, in pixels. */
static double capital_of(const pen *with)
{
    return with->capital * with->font;
}

/* Draws one line of text between the margins; `share` of its width lies left of x. */
static void draw_text(const pen *with, double x, double share, double baseline,
                      const char *text)
{
    const double free_width = with->width - 2.0 * with->margin;
    const double size = pen_text_fit(with, with->font, free_width, text);
    const double width = pen_text_width(with, size, text);
    const double left =
        clamp(x - share * width, with->margin, with->width - with->margin - width);
    pen_text(with, size, left, baseline, text, with->text);
}

static void draw_line(const pen *with, double x0, double y0, double x1, double y1)
{
    cairo_new_path(with->cairo);
    cairo_move_to(with->cairo, x0, y0);
    cairo_line_to(with->cairo, x1, y1);
    pen_stroke(with);
}

/* Distance of labels from an upright strip. */
static double label_distance(const pen *with)
{
    return with->line + (tick_length + text_gap) * with->font;
}

/* Draws the ticks without labels, half as long. edge: the strip's side; way: 1 or -1, the
 * direction of the ticks. */
static void draw_minor_ticks(const pen *with, const bar *of, double edge, double way)
{
    const double length = 0.5 * tick_length * with->font;
    for (int n = 0; n < of->ticks.nminor; n++) {
        const double at =
            pen_snap(with, strip_place(&of->strip, of->what, of->ticks.minor[n]));
        const double from = edge + way * with->line, to = from + way * length;
        if (of->strip.upright) {
            draw_line(with, from, at, to, at);
        } else {
            draw_line(with, at, from, at, to);
        }
    }
}

static void draw_upright_ticks(const pen *with, const bar *of, bool labels_left)
{
    const pen_box *box = &of->strip.box;
    const double side = labels_left ? -1.0 : 1.0;
    const double edge = labels_left ? box->x : box->x + box->width;
    draw_minor_ticks(with, of, edge, side);
    for (int n = 0; n < of->ticks.count; n++) {
        const double place = strip_place(&of->strip, of->what, of->ticks.values[n]);
        const double y = pen_snap(with, place);
        draw_line(with, edge + side * with->line, y,
                  edge + side * (with->line + tick_length * with->font), y);
        draw_text(with, edge + side * label_distance(with), labels_left ? 1.0 : 0.0,
                  place + 0.5 * capital_of(with), of->ticks.texts[n]);
    }
}

static double flat_labels_baseline(const pen *with, const strip *of)
{
    return of->box.y + of->box.height + label_distance(with) + capital_of(with);
}

static void draw_flat_ticks(const pen *with, const bar *of)
{
    const double edge = of->strip.box.y + of->strip.box.height + with->line;
    draw_minor_ticks(with, of, edge - with->line, 1.0);
    for (int n = 0; n < of->ticks.count; n++) {
        const double place = strip_place(&of->strip, of->what, of->ticks.values[n]);
        const double x = pen_snap(with, place);
        draw_line(with, x, edge, x, edge + tick_length * with->font);
        draw_text(with, place, 0.5, flat_labels_baseline(with, &of->strip),
                  of->ticks.texts[n]);
    }
}

static const char *nan_label(const annotate_bar *what)
{
    return what->nan_label ? what->nan_label : "NaN";
}

/* Draws the swatch for NaN and its label: below an upright strip, right of a flat one. */
static void draw_nan(const pen *with, const bar *of, bool label_left)
{
    const pen_box *box = &of->strip.box;
    const bool upright = of->strip.upright;
    const double edge = fmin(box->width, box->height);
    const double apart = swatch_gap * with->font;
    const pen_box square = {upright ? box->x : box->x + box->width + 1.5 * apart,
                            upright ? box->y + box->height + apart : box->y, edge, edge};
    strip_draw_swatch(with, square, of->what->nan_color);
    const double beside = upright ? label_distance(with) : 0.5 * with->font;
    draw_text(with, label_left ? square.x - beside : square.x + edge + beside,
              label_left ? 1.0 : 0.0, square.y + 0.5 * (edge + capital_of(with)),
              nan_label(of->what));
}

static double thickness_of(const pen *with)
{
    return fmax(round(thickness_share * fmin(with->width, with->height)),
                round(0.7 * with->font));
}

/* Space above a strip, for a title of so many lines. */
static double room_above(const pen *with, int lines)
{
    return (title_gap + PEN_LINE * (lines - 1)) * with->font + capital_of(with);
}

static int title_lines(const bar *of)
{
    return of->more[0] != '\0' ? 2 : 1;
}

/* Width of a bar's widest label. */
static double label_width(const pen *with, const bar *of)
{
    const double ticks = pen_widest(with, &of->ticks);
    return of->what->has_nan_color
               ? fmax(ticks, pen_text_width(with, with->font, nan_label(of->what)))
               : ticks;
}

/* All that a bar draws. title_x, title_share: x and share of draw_text. */
static pen_box bar_extent(const pen *with, const bar *of, bool labels_left,
                          double title_x, double title_share)
{
    const pen_box *box = &of->strip.box;
    const bool upright = of->strip.upright, has_nan = of->what->has_nan_color;
    const double title = fmin(title_width(with, of), with->width - 2.0 * with->margin);
    const double left = clamp(title_x - title_share * title, with->margin,
                              with->width - with->margin - title);
    const double beside = upright ? label_distance(with) + label_width(with, of) : 0.0;
    const double swatch = has_nan ? swatch_gap * with->font + thickness_of(with) : 0.0;
    const double x0 = fmin(left, box->x - (labels_left ? beside : 0.0));
    const double x1 =
        fmax(left + title, box->x + box->width + (labels_left ? 0.0 : beside) +
                               (upright ? 0.0 : 2.0 * swatch + 2.0 * with->font));
    const double y0 = box->y - room_above(with, title_lines(of));
    const double y1 = upright
                          ? box->y + box->height + fmax(swatch, 0.5 * capital_of(with))
                          : flat_labels_baseline(with, &of->strip);
    return (pen_box){x0, y0, x1 - x0, y1 - y0};
}

/* title_x, title_share: x and share of draw_text. */
static void draw_bar(const pen *with, const bar *of, bool labels_left, double title_x,
                     double title_share)
{
    panel_draw(with, of->what->panel,
               bar_extent(with, of, labels_left, title_x, title_share));
    strip_draw(with, &of->strip, of->what);
    if (of->strip.upright) {
        draw_upright_ticks(with, of, labels_left);
    } else {
        draw_flat_ticks(with, of);
    }
    if (of->what->has_nan_color) {
        draw_nan(with, of, labels_left);
    }
    const double baseline = of->strip.box.y - title_gap * with->font;
    const double above = (title_lines(of) - 1) * PEN_LINE * with->font;
    draw_text(with, title_x, title_share, baseline - above, of->title);
    draw_text(with, title_x, title_share, baseline, of->more);
}

/* ---- Upright bars at the left and right ---- */

/* Space below a strip, for the swatch, or for half a label of a tick at its end. */
static double room_below(const pen *with, const annotate_bar *what)
{
    return what->has_nan_color ? swatch_gap * with->font + thickness_of(with)
                               : 0.5 * capital_of(with);
}

/* Makes a bar in the rows from `top` to `bottom`, at the left margin. */
static bar make_upright(const pen *with, const annotate_bar *what, double top,
                        double bottom)
{
    bar made = {0};
    for (int lines = 1; lines == 1 || (lines == 2 && title_lines(&made) == 2); lines++) {
        const double around = room_above(with, lines) + room_below(with, what);
        const double room = bottom - top - around;
        const double length =
            fmax(fmin(length_share * with->height, room), 2.0 * with->font);
        const double y = 0.5 * (top + bottom - around - length) + room_above(with, lines);
        const pen_box box = {with->margin + with->line, y, thickness_of(with), length};
        made = make_bar(with, what, box, true);
    }
    return made;
}

/* Draws a bar at the right margin. labels: space for its labels. */
static void draw_at_right(const pen *with, bar *of, double labels)
{
    pen_box *box = &of->strip.box;
    const double right = with->width - with->margin;
    box->x = round(right - labels - label_distance(with) - box->width);
    const double left = box->x - with->line;
    const bool wide = title_width(with, of) > right - left;
    draw_bar(with, of, false, wide ? right : left, wide ? 1.0 : 0.0);
}

/* Extent of a side's bars into the picture, mostly that of their titles. */
static double side_reach(const pen *with, annotate_side side, int count,
                         const annotate_bar *bars)
{
    double reach = 0.1 * with->width;
    for (int n = 0; n < count; n++) {
        if (bars[n].side == side && bars[n].title) {
            bar titled = {.what = &bars[n], .strip = {.upright = true}};
            write_title(&titled);
            break_title(with, &titled);
            reach = fmax(reach, with->margin + title_width(with, &titled));
        }
    }
    return fmin(reach, with->width);
}

/* The rows of an upright bar. */
typedef struct bar_rows {
    double top, bottom;
} bar_rows;

/* The rows of the n-th of `count` bars of one side. */
static bar_rows upright_rows(const pen *with, const label_stacks *stacks,
                             annotate_side side, double reach, int n, int count)
{
    const double x0 = side == ANNOTATE_LEFT ? 0.0 : with->width - reach;
    const double top = label_reach(with, stacks, true, x0, x0 + reach);
    const double bottom = with->height - label_reach(with, stacks, false, x0, x0 + reach);
    const double gap = count > 1 ? bar_gap * with->font : 0.0;
    const double room = (bottom - top + gap) / count;
    return (bar_rows){top + n * room, top + n * room + room - gap};
}

/* Draws the bars of the left or right side, below each other. Those at the right are
 * aligned. */
static void draw_upright_side(const pen *with, annotate_side side, int on_side, int count,
                              const annotate_bar *bars, const label_stacks *stacks)
{
    const double reach = side_reach(with, side, count, bars);
    double labels = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        int drawn = 0;
        for (int n = 0; n < count; n++) {
            if (bars[n].side != side) {
                continue;
            }
            const bar_rows rows =
                upright_rows(with, stacks, side, reach, drawn++, on_side);
            bar made = make_upright(with, &bars[n], rows.top, rows.bottom);
            if (pass == 0) {
                labels = fmax(labels, label_width(with, &made));
            } else if (side == ANNOTATE_LEFT) {
                draw_bar(with, &made, false, made.strip.box.x - with->line, 0.0);
            } else {
                draw_at_right(with, &made, labels);
            }
        }
    }
}

/* ---- Flat bars at the top and bottom ---- */

/* Height from the top of the title to the base line of the labels. */
static double flat_height(const pen *with)
{
    return room_above(with, 1) + thickness_of(with) + label_distance(with) +
           capital_of(with);
}

/* Draws a bar in the columns from `left` to `right`. */
static void draw_flat(const pen *with, const annotate_bar *what, double left,
                      double right, const label_stacks *stacks)
{
    const double swatch =
        what->has_nan_color ? 2.0 * (thickness_of(with) + 3.5 * with->font) : 0.0;
    const double room = right - left - swatch - bar_gap * with->font;
    const double length = fmax(fmin(length_share * with->width, room), 4.0 * with->font);
    const double x = 0.5 * (left + right - length);
    const bool upper = what->side == ANNOTATE_TOP;
    const double reach =
        label_reach(with, stacks, upper, x - 0.5 * swatch, x + length + 0.5 * swatch);
    const double y = upper
                         ? reach + room_above(with, 1)
                         : with->height - reach - flat_height(with) + room_above(with, 1);
    const pen_box box = {x, y, length, thickness_of(with)};
    const bar made = make_bar(with, what, box, false);
    draw_bar(with, &made, false, x + 0.5 * length, 0.5);
}

/* ---- Bars in a rectangle of their own ---- */

static void draw_in_rectangle(const pen *with, const annotate_bar *what)
{
    const double *r = what->rectangle;
    const pen_box box = {r[0] * with->width, r[1] * with->height, r[2] * with->width,
                         r[3] * with->height};
    const bool upright = box.height >= box.width;
    const bar made = make_bar(with, what, box, upright);
    if (!upright) {
        draw_bar(with, &made, false, box.x + 0.5 * box.width, 0.5);
        return;
    }
    const double end =
        box.x + box.width + label_distance(with) + pen_widest(with, &made.ticks);
    const bool left = end > with->width - with->margin;
    draw_bar(with, &made, left, left ? box.x + box.width : box.x, left ? 1.0 : 0.0);
}

/* ---- All bars ---- */

static void draw_flat_side(const pen *with, annotate_side side, int on_side, int count,
                           const annotate_bar *bars, const label_stacks *stacks)
{
    const double room = (with->width - 2.0 * with->margin) / on_side;
    double left = with->margin;
    for (int n = 0; n < count; n++) {
        if (bars[n].side == side) {
            draw_flat(with, &bars[n], left, left + room, stacks);
            left += room;
        }
    }
}

static int count_side(int count, const annotate_bar *bars, annotate_side side)
{
    int on_side = 0;
    for (int n = 0; n < count; n++) {
        on_side += bars[n].side == side;
    }
    return on_side;
}

void bar_draw_all(const pen *with, int count, const annotate_bar *bars,
                  const label_stacks *stacks)
{
    static const annotate_side upright[] = {ANNOTATE_LEFT, ANNOTATE_RIGHT},
                               flat[] = {ANNOTATE_TOP, ANNOTATE_BOTTOM};
    for (int s = 0; s < 2; s++) {
        const int on_side = count_side(count, bars, upright[s]);
        draw_upright_side(with, upright[s], on_side, count, bars, stacks);
    }
    for (int s = 0; s < 2; s++) {
        const int on_side = count_side(count, bars, flat[s]);
        draw_flat_side(with, flat[s], on_side, count, bars, stacks);
    }
    for (int n = 0; n < count; n++) {
        if (bars[n].side == ANNOTATE_RECTANGLE) {
            draw_in_rectangle(with, &bars[n]);
        }
    }
}
