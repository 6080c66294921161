/* Labels, and which parts of the picture's edges are taken. */
#ifndef RENDER_ANNOTATE_LABEL_H
#define RENDER_ANNOTATE_LABEL_H

#include "pen.h"

enum { LABEL_ANCHORS = 6 };

/* What stands at an anchor: from x0 to x1, and how far it reaches into the picture from
 * the upper or lower edge (0: nothing is there). */
typedef struct label_stack {
    double x0, x1, near, reach;
} label_stack;

/* All of them, by annotate_anchor. */
typedef struct label_stacks {
    label_stack at[LABEL_ANCHORS];
} label_stacks;

/* Where labels come to stand: at their anchors, and where they would lie side by side on
 * each other, one further in. */
label_stacks label_place(const pen *with, int count, const annotate_label *labels);

/* Draws labels where label_place put them: before label_take changes that. */
void label_draw(const pen *with, int count, const annotate_label *labels,
                const label_stacks *stacks);

/* How far what stands along the upper (else lower) edge reaches between x0 and x1; the
 * margin where there is nothing. */
double label_reach(const pen *with, const label_stacks *stacks, bool upper, double x0,
                   double x1);

/* Takes a square at an anchor, beyond what stands there, and returns its place. */
pen_box label_take(const pen *with, label_stacks *stacks, annotate_anchor anchor,
                   double edge);

#endif
