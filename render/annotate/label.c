#include "label.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Distances between annotations, in letter sizes. Below a base line there is more, for
 * letters that hang below it. */
static const double gap = 0.8, gap_below_text = 1.1;

static bool is_upper(int anchor)
{
    return anchor < ANNOTATE_BOTTOM_LEFT;
}

/* 0 left, 1 middle, 2 right. */
static int column_of(int anchor)
{
    return anchor % 3;
}

/* ---- Lines ---- */

/* Returns the next line of a text, malloc'ed, and moves *text behind it. NULL at the end
 * or without memory. */
static char *next_line(const char **text)
{
    if (!*text) {
        return NULL;
    }
    const char *end = strchr(*text, '\n');
    char *line = end ? strndup(*text, (size_t)(end - *text)) : strdup(*text);
    *text = end ? end + 1 : NULL;
    return line;
}

static int count_lines(const char *text)
{
    int count = 1;
    for (; *text; text++) {
        count += *text == '\n';
    }
    return count;
}

/* Size of a label's letters, such that the widest line fits between the margins. */
static double size_of(const pen *with, const annotate_label *label)
{
    double size = with->font * (label->size > 0.0 ? label->size : 1.0);
    const char *rest = label->text;
    for (char *line; (line = next_line(&rest)) != NULL; free(line)) {
        size = pen_text_fit(with, size, with->width - 2.0 * with->margin, line);
    }
    return size;
}

static double width_of(const pen *with, const annotate_label *label)
{
    const double size = size_of(with, label);
    double width = 0.0;
    const char *rest = label->text;
    for (char *line; (line = next_line(&rest)) != NULL; free(line)) {
        width = fmax(width, pen_text_width(with, size, line));
    }
    return width;
}

/* Height from the top of the first line's capitals to the last base line. */
static double height_of(const pen *with, const annotate_label *label)
{
    const double lines = count_lines(label->text) - 1;
    return size_of(with, label) * (lines * PEN_LINE + with->capital);
}

/* Left edge of something of this width in the anchor's column. */
static double left_of(const pen *with, int anchor, double width)
{
    const double free_width = with->width - 2.0 * with->margin - width;
    return with->margin + 0.5 * column_of(anchor) * free_width;
}

/* ---- Placing ---- */

static label_stack measure(const pen *with, int anchor, int count,
                           const annotate_label *labels)
{
    double width = 0.0, height = 0.0;
    for (int n = 0; n < count; n++) {
        if ((int)labels[n].anchor == anchor) {
            width = fmax(width, width_of(with, &labels[n]));
            height +=
                height_of(with, &labels[n]) + (height > 0.0 ? gap * with->font : 0.0);
        }
    }
    const double left = left_of(with, anchor, width);
    return (label_stack){left, left + width, with->margin,
                         height > 0.0 ? with->margin + height : 0.0};
}

static bool overlap(const pen *with, const label_stack *stack, double x0, double x1)
{
    return stack->reach > 0.0 && x0 < stack->x1 + gap * with->font &&
           stack->x0 - gap * with->font < x1;
}

/* Moves a stack further into the picture than the other one if they would touch. */
static void make_room(const pen *with, label_stack *stack, const label_stack *other)
{
    if (stack->reach > 0.0 && overlap(with, other, stack->x0, stack->x1) &&
        stack->near < other->reach + gap * with->font) {
        const double shift = other->reach + gap * with->font - stack->near;
        stack->near += shift;
        stack->reach += shift;
    }
}

label_stacks label_place(const pen *with, int count, const annotate_label *labels)
{
    label_stacks stacks;
    for (int anchor = 0; anchor < LABEL_ANCHORS; anchor++) {
        stacks.at[anchor] = measure(with, anchor, count, labels);
    }
    for (int edge = 0; edge < LABEL_ANCHORS; edge += 3) {
        label_stack *left = &stacks.at[edge], *center = left + 1, *right = left + 2;
        make_room(with, right, left);
        const bool left_first = left->reach <= right->reach;
        make_room(with, center, left_first ? left : right);
        make_room(with, center, left_first ? right : left);
    }
    return stacks;
}

double label_reach(const pen *with, const label_stacks *stacks, bool upper, double x0,
                   double x1)
{
    double reach = with->margin;
    for (int anchor = 0; anchor < LABEL_ANCHORS; anchor++) {
        const label_stack *stack = &stacks->at[anchor];
        if (is_upper(anchor) == upper && overlap(with, stack, x0, x1)) {
            const double apart = upper ? gap_below_text : gap;
            reach = fmax(reach, stack->reach + apart * with->font);
        }
    }
    return reach;
}

pen_box label_take(const pen *with, label_stacks *stacks, annotate_anchor anchor,
                   pen_box size)
{
    const bool upper = is_upper((int)anchor);
    const double x = left_of(with, (int)anchor, size.width);
    const double reach = label_reach(with, stacks, upper, x, x + size.width);
    label_stack *stack = &stacks->at[anchor];
    stack->x0 = stack->reach > 0.0 ? fmin(stack->x0, x) : x;
    stack->x1 = stack->reach > 0.0 ? fmax(stack->x1, x + size.width) : x + size.width;
    stack->reach = reach + size.height;
    /* Whole pixels, so that a triad looks the same at every place. */
    return (pen_box){round(x), round(upper ? reach : with->height - reach - size.height),
                     size.width, size.height};
}

/* ---- Drawing ---- */

/* Draws a label with the top of its capitals at `top`. */
static void draw_lines(const pen *with, const annotate_label *label, double top)
{
    const double size = size_of(with, label);
    double baseline = top + with->capital * size;
    const char *rest = label->text;
    for (char *line; (line = next_line(&rest)) != NULL; free(line)) {
        const double width = pen_text_width(with, size, line);
        pen_text(with, size, left_of(with, (int)label->anchor, width), baseline, line,
                 with->text);
        baseline += PEN_LINE * size;
    }
}

static void draw_stack(const pen *with, int anchor, int count,
                       const annotate_label *labels, const label_stack *stack)
{
    double top = is_upper(anchor) ? stack->near : with->height - stack->reach;
    for (int n = 0; n < count; n++) {
        if ((int)labels[n].anchor == anchor) {
            draw_lines(with, &labels[n], top);
            top += height_of(with, &labels[n]) + gap * with->font;
        }
    }
}

void label_draw(const pen *with, int count, const annotate_label *labels,
                const label_stacks *stacks)
{
    for (int anchor = 0; anchor < LABEL_ANCHORS; anchor++) {
        draw_stack(with, anchor, count, labels, &stacks->at[anchor]);
    }
}
