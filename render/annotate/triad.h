/* The directions of the axes. */
#ifndef RENDER_ANNOTATE_TRIAD_H
#define RENDER_ANNOTATE_TRIAD_H

#include "pen.h"

/* Edge of the triad's square. */
double triad_edge(const pen *with, const annotate_triad *triad);

/* Draws the axes in that square, with their origin in its middle. */
void triad_draw(const pen *with, const annotate_triad *triad, pen_box square);

#endif
