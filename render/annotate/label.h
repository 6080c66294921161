/* Labels, and the occupied parts of the picture's upper and lower edge. */
#ifndef RENDER_ANNOTATE_LABEL_H
#define RENDER_ANNOTATE_LABEL_H

#include "pen.h"

enum { LABEL_ANCHORS = 6 };

/* The labels at an anchor: from x0 to x1, and their extent into the picture from the
 * upper or lower edge: `near` to `reach` (reach 0: no labels). */
typedef struct label_stack {
    double x0, x1, near, reach;
} label_stack;

/* All of them, by annotate_anchor. */
typedef struct label_stacks {
    label_stack at[LABEL_ANCHORS];
} label_stacks;

/* Places the labels at their anchors. Labels that would overlap others beside them are
 * moved further into the picture. */
label_stacks label_place(const pen *with, int count, const annotate_label *labels);

/* Draws labels at the places from label_place. Call it before label_take changes
 * these. */
void label_draw(const pen *with, int count, const annotate_label *labels,
                const label_stacks *stacks);

/* Extent of the annotations along the upper (else lower) edge between x0 and x1; the
 * margin if there are none. */
double label_reach(const pen *with, const label_stacks *stacks, bool upper, double x0,
                   double x1);

/* Reserves a rectangle at an anchor, beyond its labels, and returns its place. */
pen_box label_take(const pen *with, label_stacks *stacks, annotate_anchor anchor,
                   pen_box size);

#endif
