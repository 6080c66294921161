/* Panels behind scalar bars. */
#ifndef RENDER_ANNOTATE_PANEL_H
#define RENDER_ANNOTATE_PANEL_H

#include "pen.h"

/* Draws the panel of a bar if it wants one there. around: what the panel must cover, in
 * pixels. */
void panel_draw(const pen *with, annotate_panel panel, pen_box around);

#endif
