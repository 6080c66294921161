/* What plots show. */
#ifndef RENDER_ANNOTATE_PLOT_CONTENT_H
#define RENDER_ANNOTATE_PLOT_CONTENT_H

#include "render/annotate/annotate.h"

/* The value of a quantity in a curve at a place of the axis: NaN is a gap. */
typedef double plot_value(const void *context, int quantity, int curve, int64_t n);

/*
 * Quantities over places of an axis. With several curves, such as points or steps, each
 * quantity has a panel of its own. With one, quantities of like range share a panel
 * (share.h). Borrowed throughout.
 */
typedef struct plot {
    annotate_style style; /* its size counts for letters, lines and the whole plot */
    const char *title;    /* NULL: none */
    const char *across;   /* of the axis, such as "distance" */
    int64_t count;
    const double *x; /* [count]: places, ascending; those that are equal are one place */
    int nquantities;
    const char *const *quantities; /* [nquantities]: names */
    const char *const *units;      /* [nquantities]; NULL, or one that is NULL: none */
    int ncurves;
    const char *const *curves; /* [ncurves]: names; NULL: there is one */
    bool is_ordered;           /* curves follow each other, as steps do */
    plot_value *value;
    const void *context;
} plot;

#endif
