#include "share.h"

#include <math.h>
#include <string.h>

static const double least_part = 0.2;

static void find_range(const plot *what, int quantity, double range[2])
{
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (int curve = 0; curve < what->ncurves; curve++) {
        for (int64_t n = 0; n < what->count; n++) {
            const double value = what->value(what->context, quantity, curve, n);
            if (isfinite(value)) {
                range[0] = fmin(range[0], value);
                range[1] = fmax(range[1], value);
            }
        }
    }
}

/* Whether a range shows in a common one. */
static bool shows(const double range[2], const double common[2])
{
    const double span = range[1] - range[0];
    return span >= least_part * (common[1] - common[0]) || span == 0.0;
}

/* Whether two quantities have the same unit, or none. */
static bool have_one_unit(const plot *what, int a, int b)
{
    const char *one = what->units ? what->units[a] : NULL;
    const char *other = what->units ? what->units[b] : NULL;
    return one && other ? strcmp(one, other) == 0 : one == other;
}

/* Whether the last of `count` quantities can join a panel. */
static bool can_join(const plot *what, int count, const plot_member *members, int panel)
{
    const double *own = members[count - 1].range;
    double common[2] = {own[0], own[1]}, widest = own[1] - own[0];
    int inside = 1;
    for (int n = 0; n < count - 1; n++) {
        if (members[n].panel == panel) {
            const double *range = members[n].range;
            common[0] = fmin(common[0], range[0]);
            common[1] = fmax(common[1], range[1]);
            widest = fmax(widest, range[1] - range[0]);
            inside++;
        }
    }
    bool fits = inside <= PLOT_SHARED && common[1] - common[0] <= 2.0 * widest;
    for (int n = 0; n < count && fits; n++) {
        if (members[n].panel == panel || n == count - 1) {
            fits = members[n].range[0] <= members[n].range[1] &&
                   have_one_unit(what, n, count - 1) && shows(members[n].range, common);
        }
    }
    return fits;
}

int plot_share(const plot *what, plot_member *members)
{
    int panels = 0;
    for (int n = 0; n < what->nquantities; n++) {
        int panel = what->ncurves == 1 ? 0 : panels;
        find_range(what, n, members[n].range);
        members[n].panel = -1;
        while (panel < panels && !can_join(what, n + 1, members, panel)) {
            panel++;
        }
        members[n].panel = panel;
        panels += panel == panels;
    }
    return panels;
}
