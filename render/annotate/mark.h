/* Texts and lines at given places of the picture. */
#ifndef RENDER_ANNOTATE_MARK_H
#define RENDER_ANNOTATE_MARK_H

#include "pen.h"

/* Draws lines, then texts. Those outside of the picture are left out by cairo. */
void mark_draw_all(const pen *with, const annotation *what);

#endif
