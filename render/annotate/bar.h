/* Scalar bars: their places, ticks and titles. */
#ifndef RENDER_ANNOTATE_BAR_H
#define RENDER_ANNOTATE_BAR_H

#include "label.h"
#include "pen.h"

/* Draws all bars, clear of the annotations in the corners. */
void bar_draw_all(const pen *with, int count, const annotate_bar *bars,
                  const label_stacks *stacks);

#endif
