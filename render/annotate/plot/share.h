/* Inside plots: quantities that share a panel. */
#ifndef RENDER_ANNOTATE_PLOT_SHARE_H
#define RENDER_ANNOTATE_PLOT_SHARE_H

#include "content.h"

/* Curves of one panel can be told apart up to this number. */
enum { PLOT_SHARED = 6 };

/* The panel that a quantity belongs to, and the range of its values; lo > hi: it has
 * none. */
typedef struct plot_member {
    int panel;
    double range[2];
} plot_member;

/*
 * Puts quantities into panels, [nquantities], and returns their number. A quantity joins
 * the first panel of its unit whose quantities each span a fifth of the common range, or
 * are constant within it. Several curves, or one without values, take a panel each.
 */
int plot_share(const plot *what, plot_member *members);

#endif
