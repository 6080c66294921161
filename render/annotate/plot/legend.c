#include "legend.h"

#include <math.h>

/* Measures in letter sizes. */
static const double sample = 1.7, gap = 0.45, apart = 1.4;

/* More names are too many to read. */
enum { MOST_NAMED = 14, MOST_ORDERED = 7 };

static bool is_named(const plot_legend *legend, int n)
{
    return n % legend->every == 0 || (legend->is_ordered && n == legend->count - 1);
}

/* The place of the n-th name: moves on from that of the one before. Wide names are made
 * smaller. */
static double place(const pen *with, const char *name, double width, double at[2])
{
    const double most = width - (sample + gap) * with->font;
    const double size = pen_text_fit(with, 0.9 * with->font, most, name);
    const double needed = (sample + gap) * with->font + pen_text_width(with, size, name);
    if (at[0] > 0.0 && at[0] + needed > width) {
        at[0] = 0.0;
        at[1] += PEN_LINE * with->font;
    }
    return size;
}

static void move_on(const pen *with, double size, const char *name, double at[2])
{
    at[0] += (sample + gap + apart) * with->font + pen_text_width(with, size, name);
}

plot_legend plot_legend_make(const pen *with, int count, const char *const *names,
                             bool is_ordered, double width)
{
    const int most = is_ordered ? MOST_ORDERED : MOST_NAMED;
    plot_legend made = {.count = count, .names = names, .is_ordered = is_ordered};
    made.every = (count + most - 1) / most;
    double at[2] = {0.0, 0.0};
    for (int n = 0; n < count; n++) {
        if (is_named(&made, n)) {
            const double size = place(with, names[n], width, at);
            move_on(with, size, names[n], at);
        }
    }
    made.lines = 1 + (int)lround(at[1] / (PEN_LINE * with->font));
    return made;
}

void plot_legend_draw(const pen *with, const plot_legend *legend, const double at[2],
                      double width)
{
    double way[2] = {0.0, 0.0};
    for (int n = 0; n < legend->count; n++) {
        if (!is_named(legend, n)) {
            continue;
        }
        const char *name = legend->names[n];
        const double size = place(with, name, width, way);
        const double x = at[0] + way[0], baseline = at[1] + way[1];
        const double y = baseline - 0.5 * with->capital * size;
        const plot_stroke stroke =
            plot_stroke_of(with, n, legend->count, legend->is_ordered);
        plot_stroke_set(with, &stroke);
        cairo_new_path(with->cairo);
        cairo_move_to(with->cairo, x, y);
        cairo_line_to(with->cairo, x + sample * with->font, y);
        cairo_stroke(with->cairo);
        pen_text(with, size, x + (sample + gap) * with->font, baseline, name, with->text);
        move_on(with, size, name, way);
    }
}
