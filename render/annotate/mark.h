/* Texts and lines at given places of the picture. */
#ifndef RENDER_ANNOTATE_MARK_H
#define RENDER_ANNOTATE_MARK_H

#include "pen.h"

/* Draws lines. Those outside of the picture are left out by cairo. */
void mark_draw_strokes(const pen *with, const annotation *what);

/* Draws texts at places that are free, and takes them: first words, then numbers. */
void mark_draw_texts(const pen *with, const annotation *what);

#endif
