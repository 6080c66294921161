/* Replaces draw.c in builds without cairo. */
#include "annotate.h"

#include "check.h"
#include "overlay.h"

bool annotate_is_available(void)
{
    return false;
}

const char *annotate_library(void)
{
    return "none";
}

status annotate_draw_bands(annotate_overlay *overlay, const annotation *what, int rows)
{
    (void)rows;
    return annotate_draw(overlay, what);
}

status annotate_figure_write(const annotate_figure *figure, const annotation *what,
                             FILE *file)
{
    (void)figure, (void)what, (void)file;
    return base_fail(STATUS_USAGE, "this karman was built without cairo: it has no "
                                   "figures");
}

status annotate_image_read(const char *path, annotate_image **out)
{
    *out = NULL;
    return base_fail(STATUS_USAGE,
                     "this karman was built without cairo: it cannot draw '%s'", path);
}

void annotate_image_destroy(annotate_image **image)
{
    *image = NULL;
}

status annotate_draw(annotate_overlay *overlay, const annotation *what)
{
    annotate_overlay_clear(overlay);
    return annotate_check(what);
}
