/* The directions of the axes. */
#ifndef ANNOTATE_TRIAD_H
#define ANNOTATE_TRIAD_H

#include "annotate/pen.h"

/* Edge of the square that the triad stands in. */
double triad_edge(const pen *with, const annotate_triad *triad);

/* Draws the axes in that square, with their origin in its middle. */
void triad_draw(const pen *with, const annotate_triad *triad, pen_box square);

#endif
