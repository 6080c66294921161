/* Scalar bars: where they stand, and what is written on them. */
#ifndef ANNOTATE_BAR_H
#define ANNOTATE_BAR_H

#include "annotate/label.h"
#include "annotate/pen.h"

/* Draws all bars, clear of what stands in the corners. */
void bar_draw_all(const pen *with, int count, const annotate_bar *bars,
                  const label_stacks *stacks);

#endif
