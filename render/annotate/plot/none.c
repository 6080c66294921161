/* Replaces plot.c in builds without cairo. */
#include "plot.h"

status plot_draw_inset(const void *what, const struct pen *with, const double box[4])
{
    (void)what, (void)with, (void)box;
    return STATUS_OK; /* there are no overlays, either */
}

status plot_write(const plot *what, plot_format format, FILE *file)
{
    (void)what, (void)format, (void)file;
    return base_fail(STATUS_USAGE, "this karman was built without cairo: it has no "
                                   "plots; write .csv or .json");
}
